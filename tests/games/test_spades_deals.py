"""The deals of Spades: who deals, who gets which cards, who plays with whom."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from harness.arena.seating import chairs, lineups
from harness.games.spades import CARDS, DECK, legal_set, suit
from harness.games.spades.about import ABOUT, SpadesRules
from harness.games.spades.game import GAME
from tests.games.lockstep import play
from tests.games.spades_tables import BIDS, TEXT, compare, counted, erratic
from tests.reference import spades as reference


def test_the_dealer_moves_one_seat_a_hand_and_who_bids_and_leads_with_it() -> None:
    played = play(GAME, TEXT, b"dealer".ljust(32), 40, 10, erratic(4))
    for made in played.decisions:
        dealers = [hand[0].view.dealer for hand in batched(made, 56)]
        assert dealers == [(dealers[0] + hand) % 4 for hand in range(len(dealers))]
        for hand in batched(made, 56):
            left = (hand[0].view.dealer + 1) % 4
            assert [each.seat for each in hand[:5]] == [(left + k) % 4 for k in (0, 1, 2, 3, 0)]
    assert len({made[0].view.dealer for made in played.decisions}) == 4


def batched(made: Sequence[Any], size: int) -> list[Sequence[Any]]:
    return [made[first : first + size] for first in range(0, len(made), size)]


def test_every_deal_is_a_deck_and_every_hand_has_thirteen_tricks() -> None:
    played = play(GAME, TEXT, b"deck".ljust(32), 30, 30, erratic(5, wrong=0.1))
    for made in played.decisions:
        for hand in batched(made, 56):
            held = {each.seat: each.view.hand_set for each in hand[:4]}
            assert sum(held.values()) == DECK
            assert {set_.bit_count() for set_ in held.values()} == {13}
            plays = hand[4:]
            for each in plays:
                view = each.view
                assert (
                    view.played_set.bit_count() + sum(other.bit_count() for other in held.values())
                    == CARDS
                )
                assert view.hand_set == held[each.seat]
                led = suit(view.trick[0][1]) if view.trick else None
                assert view.legal_set == legal_set(view.hand_set, led, view.spades_broken)
                assert sum(view.tricks_won) == len(view.tricks)
                held[each.seat] ^= 1 << played_card(each)
            assert sum(counted(hand)[1]) == 13


def played_card(decision: Any) -> int:
    return decision.reply if decision.legal else reference.lowest(decision.view.legal)


def test_other_replies_are_dealt_the_same_cards() -> None:
    """Other replies use up other numbers of hands, in this game and in those before it."""
    seen: list[dict[tuple[int, int, int], int]] = []
    for leg, (lanes, seed) in enumerate([(7, 1), (7, 2), (60, 3)]):
        decide = erratic(seed, nils=0.2 * seed)
        played = play(GAME, TEXT, b"legs".ljust(32), 60, lanes, decide, leg=leg % 2)
        seen.append(
            {
                (deal, each.view.hand_number, each.seat): each.view.hand_set
                for deal, made in enumerate(played.decisions)
                for each in made
                if each.question == BIDS
            }
        )
    for other in seen[1:]:
        both = seen[0].keys() & other.keys()
        assert len(both) > 60 * 4 * 1.5
        assert all(seen[0][key] == other[key] for key in both)


def test_long_games_go_on_with_continued_words() -> None:
    rules = SpadesRules(win_at=99_999, lose_at=-99_999, max_hands=40)
    played = play(GAME, rules, b"long".ljust(32), 4, 2, erratic(6))
    for deal in range(4):
        assert compare(played, rules, deal).hands == 40
        assert len(played.starved[deal]) == 2


def test_teams_change_hands_in_the_second_leg() -> None:
    for seats, places in ((ABOUT.pairs, 2), (ABOUT.tables, 4)):
        assert seats is not None
        seating = seats(TEXT)
        assert (seating.places, seating.partners) == (places, True)
        one, two = (chairs(seating, lineups(10, places), leg, 2) // 2 for leg in (0, 1))
        teams = [{*row[:2]} for row in np.sort(one.reshape(10, 2, 2).swapaxes(1, 2)).tolist()[0]]
        assert teams
        for first, second in zip(one.tolist(), two.tolist(), strict=True):
            assert {*first[::2]} == {*second[1::2]}
            assert {*first[1::2]} == {*second[::2]}
