"""The compiled rules of Spades against the reference engine, and what a seat can get to know.

The reference (`tests.reference.spades`) was written from the rules text alone. Both play the same
cards, made from the same random words twice: by the compiled rules, and by `tests.games.cards`.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numba import njit
from numpy.typing import NDArray
from pydantic import ValidationError

from harness.arena.seating import chairs, lineups
from harness.games.contract import OVER, SCORE, forfeit, observe, score
from harness.games.frames import EXCEPTION, PROTOCOL, UNANSWERED
from harness.games.onelane import OneLane
from harness.games.spades import (
    BID_FACTS,
    CARDS,
    DECK,
    PLAY_FACTS,
    BidView,
    PlayView,
    card,
    hand_score,
    legal_set,
    set_of,
    suit,
)
from harness.games.spades.about import ABOUT, SpadesRules
from harness.games.spades.frames import BID_OBSERVATION, PLAY_OBSERVATION, bid_views, play_views
from harness.games.spades.game import GAME
from harness.games.spades.rules import lowest
from tests.games.cards import Draws, Rigged, rows_of, shuffled, words_dealing
from tests.games.lockstep import Decide, Played, deals_of, play
from tests.reference import spades as reference
from tests.reference.spades import ReferenceView
from tests.sampling import sampled

TEXT = SpadesRules()
BIDS, PLAYS = 0, 1
WRONG = [*range(-3, 60), 255, 256, 16384, EXCEPTION, PROTOCOL, UNANSWERED]


def erratic(seed: int, wrong: float = 0.0, nils: float = 0.1) -> Decide:
    """Random legal answers with chances of wrong ones, and of a nil; bids near what is made."""
    rng = random.Random(seed)

    def decide(seat: int, view: Any) -> int:
        if rng.random() < wrong:
            return rng.choice(WRONG)
        if isinstance(view, PlayView):
            return rng.choice(view.legal)
        return 0 if rng.random() < nils else rng.choice([1, 2, 2, 3, 3, 4, 5, 13])

    return decide


# Cards and random words.


def words_of(hands: Sequence[Sequence[int]], first_dealer: int = 0) -> NDArray[np.uint32]:
    """The rows that draw this first dealer and deal these decks, hand by hand."""
    words = np.ones((1 + len(hands), ABOUT.words(TEXT)[1]), np.uint32)
    words[0, 0] = first_dealer << 30
    for k, deck in enumerate(hands):
        words[1 + k, :CARDS] = words_dealing(list(range(CARDS)), deck)
    return words


def dealt(rows: Iterator[list[int]]) -> tuple[int, Iterator[list[int]]]:
    """The first dealer and the decks of all hands from rows of random words."""
    dealer = Draws(next(rows)).below(4)
    return dealer, (shuffled(list(range(CARDS)), row, CARDS) for row in rows)


# The comparison with the reference.


def facts_of(view: BidView | PlayView) -> dict[str, Any]:
    """A view in the words of the reference."""
    facts = view._asdict()
    del facts["hand_number"], facts["game_number"]
    mine, theirs = facts.pop("score"), facts.pop("opponent_score")
    own_bags, their_bags = facts.pop("bags"), facts.pop("opponent_bags")
    turn = 1 if view.seat % 2 == 0 else -1
    facts["scores"], facts["bags"] = (mine, theirs)[::turn], (own_bags, their_bags)[::turn]
    return facts


def compare(played: Played, rules: SpadesRules, deal: int) -> reference.Outcome:
    """Have the reference play the deal with the same replies; everything must agree."""
    made = played.decisions[deal]
    replies = iter(made)

    def decide(seat: int, told: ReferenceView) -> int:
        decision = next(replies)
        assert decision.seat == seat
        assert isinstance(decision.view, PlayView if told.kind == reference.PLAY else BidView)
        facts = facts_of(decision.view)
        assert facts == {name: getattr(told, name) for name in facts}
        return decision.reply  # type: ignore[return-value]

    dealer, decks = dealt(rows_of(played.deals, played.words, deal))
    limits = reference.Rules(rules.win_at, rules.lose_at, rules.max_hands)
    game = reference.play_game(decks, decide, dealer, limits)
    assert next(replies, None) is None
    assert [decision.legal for decision in made] == [told.legal for told in game.decisions]
    numbers = [decision.view.hand_number for decision in made]
    assert numbers == [hand for hand in range(game.hands) for _ in range(56)]
    scores = played.scores[deal]
    assert scores["points"].tolist() == list(game.scores) * 2
    assert scores["won"].tolist() == [game.winner == seat % 2 for seat in range(4)]
    return game


VARIETY = [
    (TEXT, 0.0, 0.1),
    (TEXT, 0.1, 0.0),
    (SpadesRules(win_at=150, lose_at=-60), 0.02, 0.2),
    (SpadesRules(win_at=1, lose_at=-1), 0.05, 0.5),
    (SpadesRules(win_at=9_999, lose_at=-9_999, max_hands=4), 0.0, 0.4),
    (SpadesRules(max_hands=1), 0.3, 0.1),
]
CASES = [(*VARIETY[k % len(VARIETY)], k) for k in range(60)]


@pytest.mark.parametrize(("rules", "wrong", "nils", "seed"), sampled(CASES, len(VARIETY)))
def test_games_agree_with_the_reference(
    rules: SpadesRules, wrong: float, nils: float, seed: int
) -> None:
    deals = 50
    key = seed.to_bytes(32, "big")
    played = play(GAME, rules, key, deals, 1 + seed % 50, erratic(seed, wrong, nils))
    for deal in range(deals):
        compare(played, rules, deal)


def test_both_views_have_the_facts_of_the_reference() -> None:
    own = {"score", "opponent_score", "opponent_bags", "hand_number", "game_number"}
    assert {*PLAY_FACTS} - own == {*ReferenceView.__annotations__} - {"kind", "scores"}
    assert {*BID_FACTS} < {*PLAY_FACTS}


# The examples of the rules text.

HANDS = [
    ((3, 2), (4, 3), (248, 8), (200, 0)),
    ((5, 4), (4, 4), (300, 9), (210, 9)),
    ((0, 5), (0, 6), (150, 3), (301, 4)),
    ((0, 4), (2, 5), (200, 8), (43, 1)),
    ((0, 7), (1, 4), (-50, 2), (-220, 2)),
    ((0, 0), (0, 0), (390, 5), (590, 5)),
    ((7, 7), (6, 6), (100, 0), (-40, 0)),
    ((3, 2), (5, 3), (450, 8), (403, 1)),
    # Beyond the text: a contract of 0 is made, both nils fail, two roll-overs in one hand.
    ((0, 0), (6, 7), (0, 9), (-387, 2)),
    ((0, 1), (0, 1), (-110, 9), (0, 9)),
]


@pytest.mark.parametrize(("bids", "tricks", "before", "after"), HANDS)
def test_a_hand_is_worth_what_the_text_says(
    bids: tuple[int, int], tricks: tuple[int, int], before: tuple[int, int], after: tuple[int, int]
) -> None:
    assert hand_score(bids, tricks, *before) == after
    assert hand_score(bids[::-1], tricks[::-1], *before) == after


@given(
    st.tuples(st.integers(0, 13), st.integers(0, 13)),
    st.integers(0, 13).flatmap(lambda n: st.integers(0, n).map(lambda one: (one, n - one))),
    st.integers(-199, 499),
    st.integers(0, 9),
)
def test_the_score_agrees_with_the_reference_and_bags_stay_small(
    bids: tuple[int, int], tricks: tuple[int, int], score: int, bags: int
) -> None:
    after = hand_score(bids, tricks, score, bags)
    assert after == reference.hand_score(bids, tricks, score, bags)
    assert 0 <= after[1] <= 9


def test_the_parameters_of_the_score_are_used() -> None:
    assert hand_score((0, 3), (0, 6), 0, 2, 50, 4, 25) == (50 + 33 - 25, 1)
    rules = SpadesRules(nil_points=30, bag_limit=2, bag_penalty=7, max_hands=6, win_at=9_999)
    played = play(GAME, rules, bytes(32), 20, 20, erratic(1, nils=0.4))
    for deal in range(20):
        made = played.decisions[deal]
        totals = [(0, 0), (0, 0)]
        for first in range(0, len(made), 56):
            bids, won = counted(made[first : first + 56])
            for team in (0, 1):
                pairs = (bids[team], bids[team + 2]), (won[team], won[team + 2])
                totals[team] = hand_score(*pairs, *totals[team], 30, 2, 7)
        assert played.scores["points"][deal].tolist() == [total for total, _ in totals] * 2


def counted(made: Sequence[Any]) -> tuple[tuple[int, ...], list[int]]:
    """Bids and tricks of a hand, from its 56 decisions, all legal."""
    last = made[-1]
    won = list(last.view.tricks_won)
    trick = [reference.CardPlayed(*each) for each in last.view.trick]
    trick.append(reference.CardPlayed(last.seat, last.reply))
    won[reference.trick_winner(trick)] += 1
    return last.view.bids, won


# Totals of both teams after each hand, and who has won then: a team, None for nobody yet.
ENDS: list[tuple[list[tuple[int, int]], int | None]] = [
    ([(505, 540)], 1),
    ([(500, 500)], None),
    ([(500, 500), (440, 560)], 1),
    ([(-200, 35)], 1),
    ([(-199, 35)], None),
    ([(499, 498)], None),
    ([(499, 498), (500, 498)], 0),
    ([(500, 500), (120, 110)], 0),  # below the limits
    ([(500, 500), (120, 120)], None),
    ([(-250, -250)], None),
    ([(-250, -250), (-250, -260)], 0),
]


@pytest.mark.parametrize(("totals", "winner"), ENDS)
def test_a_game_ends_when_the_text_says(totals: list[tuple[int, int]], winner: int | None) -> None:
    game, words = lane_after(totals, SpadesRules(nil_points=0))
    over = game.proceed(words) == OVER
    assert over == (winner is not None)
    if over:
        assert [game.score(seat) for seat in range(4)] == [
            (int(winner == seat % 2), totals[-1][seat % 2]) for seat in range(4)
        ]


def test_equal_totals_after_the_last_hand_are_a_draw() -> None:
    game, words = lane_after([(30, 20), (35, 35)], SpadesRules(nil_points=0, max_hands=2))
    assert game.proceed(words) == OVER
    assert [game.score(seat) for seat in range(4)] == [(0, 35)] * 4


def lane_after(totals: list[tuple[int, int]], rules: SpadesRules) -> tuple[OneLane, Any]:
    """A lane at the end of a hand with these totals; what was bid and taken changes nothing."""
    words = words_of([range(CARDS)] * (len(totals) + 1))
    game = OneLane(GAME.lane, GAME.rules_record(rules))
    game.start(words)
    for each in totals:
        state = game.proceed(words)
        assert state > 0
        game.lane["score"], game.lane["bids"], game.lane["count"] = each, 0, CARDS
    return game, words


# Play.


def first_hand(hands: Sequence[str], bids: Sequence[int], plays: Sequence[str]) -> Played:
    """One hand that dealer 3 deals; each seat answers its plays, and then its lowest legal card."""
    deck = [card(each) for names in hands for each in names.split()]
    words = words_of([deck, deck], first_dealer=3)
    wanted = [iter(names.split()) for names in plays]

    def decide(seat: int, view: Any) -> int:
        if isinstance(view, BidView):
            return bids[seat]
        chosen = next(wanted[seat], None)
        return (
            min(view.legal, key=lambda each: (each % 13, each)) if chosen is None else card(chosen)
        )

    source = Rigged(bytes(32), 1, *words.shape, words)
    return play(GAME, SpadesRules(max_hands=1), source.key, 1, 1, decide, source=source)


SHORT = [
    "AC KC QC JC TC 9C AD KD QD AH KH AS KS",
    "8C 7C 6C 5C 4C 3C 2C QH JH TH 9H 8H 7H",
    "JD TD 9D 8D 7D 6D 5D 4D 3D 2D QS JS TS",
    "6H 5H 4H 3H 2H 9S 8S 7S 6S 5S 4S 3S 2S",
]


def test_a_spade_is_led_only_when_spades_are_broken() -> None:
    """Seat 0 may not lead the Ace of spades; seat 3 ruffs; then seat 3 may lead spades."""
    played = first_hand(SHORT, [5, 1, 2, 5], ["AS", "", "", "2S 9S"])
    compare(played, SpadesRules(max_hands=1), 0)
    plays = [each for each in played.decisions[0] if each.question == PLAYS]
    assert not plays[0].legal
    assert [view_of.view.spades_broken for view_of in plays[:5]] == [False] * 4 + [True]
    assert plays[1].view.trick == ((0, card("9C")),)  # the lowest legal card instead
    assert plays[4].seat == 3
    assert plays[4].legal
    assert card("9S") == plays[4].reply
    assert plays[4].view.tricks_won == (0, 0, 0, 1)


def test_who_holds_only_spades_may_lead_one_and_breaks_them() -> None:
    suits = [" ".join(rank + suit for rank in "23456789TJQKA") for suit in "SCDH"]
    played = first_hand(suits, [13, 0, 0, 0], [""] * 4)
    compare(played, SpadesRules(max_hands=1), 0)
    first, second = [each.view for each in played.decisions[0] if each.question == PLAYS][:2]
    assert first.legal == first.hand
    assert not first.spades_broken
    assert second.spades_broken
    assert played.scores["points"][0].tolist() == [230, 200, 230, 200]


SUBSTITUTES = [
    ("2C 2D 2H 2S", "2C"),
    ("3C 2S 2H", "2H"),
    ("AC KS", "KS"),
    ("AD AC", "AC"),
    ("TS JH", "TS"),
]


@pytest.mark.parametrize(("held", "expected"), SUBSTITUTES)
def test_the_lowest_card_is_the_one_of_the_text(held: str, expected: str) -> None:
    cards = [card(each) for each in held.split()]
    assert lowest(np.uint64(set_of(cards))) == card(expected) == reference.lowest(cards)


def test_an_illegal_bid_counts_as_one() -> None:
    for wrong in (-1, 14, 255, UNANSWERED, EXCEPTION, PROTOCOL):
        played = first_hand(SHORT, [wrong, 3, wrong, 4], [""] * 4)
        last = played.decisions[0][-1].view
        assert last.bids == (1, 3, 1, 4)
        assert [each.legal for each in played.decisions[0][:4]] == [False, True, False, True]


# Deals.


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


# What is told.


@njit(cache=True)
def _observe(lanes: Any, rules: Any, seat: int, frame: Any) -> None:
    for k in range(len(lanes)):
        observe(lanes[k], rules, seat, frame[k])


def observations(lanes: NDArray[np.void], question: int, seat: int) -> bytes:
    frame = np.zeros(len(lanes), GAME.questions[question].observation)
    _observe(lanes, GAME.rules_record(TEXT), seat, frame)
    return frame.tobytes()


ENDLESS = SpadesRules(win_at=9_999, lose_at=-9_999)


def lanes_in_play(count: int = 120) -> NDArray[np.void]:
    """Lanes in the middle of games, each somewhere else."""
    source = deals_of(GAME, TEXT, b"resample".ljust(32), count)
    table, rng = np.zeros(count, GAME.lane), random.Random(7)
    for k in range(count):
        game = OneLane(GAME.lane, GAME.rules_record(ENDLESS))
        words = source.first()[k]
        game.start(words)
        state = game.proceed(words)
        decide = erratic(k)
        for _ in range(rng.randrange(170)):
            seat = state.bit_length() - 1
            question = GAME.questions[int(game.lane["question"])]
            raw = game.observe(seat, question.observation).tobytes()
            reply = np.zeros(1, question.reply)
            (reply["code"],) = [decide(seat, view) for view in question.wire.views(raw)]
            assert game.act(seat, reply[0])
            state = game.proceed(words)
        assert state > 0
        table[k] = game.lane
    assert set(table["question"].tolist()) == {BIDS, PLAYS}
    assert len(set(table["count"].tolist())) > 40
    return table


@pytest.fixture(scope="module")
def in_play() -> NDArray[np.void]:
    return lanes_in_play()


PUBLIC = ["score", "bags", "bids", "hand_number", "dealer", "games"]
PUBLIC_IN_PLAY = ["played", "leaders", "tricks_won", "cards", "count", "broken"]


@pytest.mark.parametrize("seat", range(4))
@pytest.mark.parametrize("question", [BIDS, PLAYS])
def test_what_a_seat_is_told_follows_from_what_it_may_know(
    in_play: NDArray[np.void], question: int, seat: int
) -> None:
    """Everything in the lane's record is overwritten at random, except the facts of the rules."""
    rng = np.random.default_rng(seat)
    noise = np.frombuffer(rng.bytes(in_play.nbytes), in_play.dtype).copy()
    for name in PUBLIC + (PUBLIC_IN_PLAY if question == PLAYS else []):
        noise[name] = in_play[name]
    noise["held"][:, seat] = in_play["held"][:, seat]
    assert observations(noise, question, seat) == observations(in_play, question, seat)


@pytest.mark.parametrize("question", [BIDS, PLAYS])
def test_views_say_what_the_records_say(in_play: NDArray[np.void], question: int) -> None:
    views = (bid_views, play_views)[question]
    facts = (BID_FACTS, PLAY_FACTS)[question]
    for seat in range(4):
        frame = in_play[(in_play["question"] == question) & (in_play["turn"] == seat)]
        raw = observations(frame, question, seat)
        records = np.frombuffer(raw, GAME.questions[question].observation)
        decoded = list(views(raw))
        assert len(decoded) == len(frame) > 0
        for record, view in zip(records, decoded, strict=True):
            assert type(view)(**view._asdict()) == view
            assert tuple(view._asdict()) == facts
            assert view.partner == (view.seat + 2) % 4
            for name in ("seat", "dealer", "score", "opponent_score", "bags", "opponent_bags"):
                assert getattr(view, name) == record[name]
                assert type(getattr(view, name)) is int
            assert view.hand_set == record["hand"] == set_of(view.hand)
            assert all(type(each) is int for each in view.hand)
            told = tuple(None if bid < 0 else bid for bid in record["bids"].tolist())
            assert view.bids == told
            assert repr(view).startswith(f"{type(view).__name__}(seat={seat}, dealer=")


def test_layouts_for_struct_are_those_of_the_records() -> None:
    for record, views in ((BID_OBSERVATION, bid_views), (PLAY_OBSERVATION, play_views)):
        assert len(list(views(bytes(3 * record.size)))) == 3


def test_a_view_knows_leaders_and_voids() -> None:
    played = first_hand(SHORT, [5, 1, 2, 5], ["AC AH", "", "2D", "2S 2H"])
    plays = [each.view for each in played.decisions[0] if each.question == PLAYS]
    assert [view.leader for view in plays[:6]] == [0, 0, 0, 0, 3, 3]
    assert plays[4].voids == (0, 0, 0b0001, 0b0001)
    last = plays[-1]
    voids = [0] * 4
    for trick in last.tricks:
        for seat, each in trick:
            if suit(each) != suit(trick[0][1]):
                voids[seat] |= 1 << suit(trick[0][1])
    assert set_of([each for trick in (*last.tricks, last.trick) for _, each in trick]) == (
        last.played_set
    )
    assert [known & ~told for known, told in zip(voids, last.voids, strict=True)] == [0] * 4


# The end of a game by forfeit.


@njit(cache=True)
def _forfeit_and_score(lanes: Any, rules: Any, seats: Any, scores: Any, over: Any) -> None:
    for k in range(len(lanes)):
        for seat in seats:
            over[k] = forfeit(lanes[k], rules, seat)
        for each in range(4):
            score(lanes[k], rules, each, scores[k, each])


@pytest.mark.parametrize("seat", range(4))
def test_a_forfeit_gives_the_game_to_the_other_team(in_play: NDArray[np.void], seat: int) -> None:
    table, team = in_play.copy(), seat % 2
    scores = np.zeros((len(table), 4), SCORE)
    over = np.zeros(len(table), np.bool_)
    _forfeit_and_score(table, GAME.rules_record(TEXT), np.array([seat]), scores, over)
    assert over.all()
    for other in range(4):
        own = other % 2 == team
        assert (scores["won"][:, other] == (0 if own else 1)).all()
        expected = in_play["score"][:, team] if own else TEXT.win_at
        assert (scores["points"][:, other] == expected).all()


@pytest.mark.parametrize("seats", [(0, 1), (3, 2), (1, 0, 3)])
def test_nobody_wins_a_game_that_both_teams_forfeit(
    in_play: NDArray[np.void], seats: tuple[int, ...]
) -> None:
    scores = np.zeros((len(in_play), 4), SCORE)
    over = np.zeros(len(in_play), np.bool_)
    _forfeit_and_score(in_play.copy(), GAME.rules_record(TEXT), np.array(seats), scores, over)
    assert (scores["won"] == 0).all()


# Parameters.


@pytest.mark.parametrize(
    "wrong",
    [
        {"win_at": 0},
        {"lose_at": 0},
        {"max_hands": 0},
        {"bag_limit": 0},
        {"bag_penalty": -1},
        {"nil_points": -5},
        {"jokers": 2},
    ],
)
def test_parameters_that_make_no_game_are_refused(wrong: dict[str, int]) -> None:
    with pytest.raises(ValidationError, match=next(iter(wrong))):
        SpadesRules(**wrong)


def test_totals_beyond_every_limit_fit() -> None:
    """The most that the parameters allow, for and against."""
    rules = SpadesRules(bag_limit=1, bag_penalty=1000, nil_points=1000, max_hands=10_000)
    hands = rules.max_hands
    worst = hand_score((0, 0), (6, 7), 0, 0, 1000, 1, 1000)[0]
    assert abs(worst) * hands < 2**31
    assert hands < 2**16
