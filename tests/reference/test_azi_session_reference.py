"""Azi deals in a row, what is told, and whole sessions, against the rules text."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from tests.reference.azi import (
    CALL,
    FOLD,
    Bet,
    Play,
    ReferenceView,
    Rules,
    payout,
    play_session,
)
from tests.reference.azi_cards import is_trump, rank, trick_winner
from tests.reference.azi_script import (
    FOUR,
    THREE,
    asked,
    azi_for,
    card,
    cards,
    deck_of,
    play,
    win_for,
)

ALL_CALL_3 = ((0, 1), (1, CALL), (2, CALL))
ALL_CALL_4 = ((0, 1), (1, CALL), (2, CALL), (3, CALL))

# Rules 8: Azi.


def test_after_an_azi_the_bank_is_carried_and_all_pay_antes_again() -> None:
    bets = [(0, 9), (1, CALL), (2, CALL), (3, FOLD), (0, 4), (1, FOLD), (2, FOLD), (3, CALL)]
    azi, won = play(FOUR, azi_for(FOUR), win_for(FOUR, 0), bets=bets)
    assert azi.winner is None
    assert azi.paid == azi.returned == (0, 0, 0, 0)
    assert azi.contributions == (10, 10, 10, 1)
    assert (azi.bank, azi.azi_count) == (31, 1)
    assert won.players == (0, 1, 2, 3)  # no deal was won, so seat 0 opens again
    assert [view.azi_count for view in asked(won, "bet")] == [1] * 4
    assert asked(won, "bet")[0].bank == 35
    assert asked(won, "bet")[0].stakes == (1, 1, 1, 1)
    assert asked(won, "bet")[0].contributions == (11, 11, 11, 2)
    assert won.contributions == (15, 11, 11, 6)
    assert won.paid == (43, 0, 0, 0)
    assert (won.bank, won.azi_count) == (0, 0)


def test_an_azi_keeps_the_opener_that_the_last_won_deal_gave() -> None:
    deals = play(
        THREE,
        *(win_for(THREE, 1), azi_for(THREE, 2), win_for(THREE, 0)),
        bets=[
            *ALL_CALL_3,
            *((2, 1), (0, CALL), (1, CALL)),
            *((2, 1), (0, CALL), (1, CALL)),
        ],
    )
    assert [deal.winner for deal in deals] == [1, None, 0]


def test_the_ledger_of_the_chain_makes_a_winner_short() -> None:
    """Folded in the Azi, so short of the chain although the last deal was paid in full."""
    bets = [(0, 9), (1, CALL), (2, CALL), (3, FOLD), (0, 4), (1, CALL), (2, CALL), (3, CALL)]
    _, won = play(FOUR, azi_for(FOUR), win_for(FOUR, 3), bets=bets)
    assert won.contributions == (15, 15, 15, 6)
    # 6 * (51 + 15 - 6) // 15 = 24; 27 left for three equals.
    assert won.paid == (9, 9, 9, 24)


def test_the_ledger_also_settles_a_win_by_folds() -> None:
    bets = [
        (0, 9),
        (1, CALL),
        (2, CALL),
        (3, FOLD),
        (0, 2),
        (1, FOLD),
        (2, FOLD),
        (3, 1),
        (0, FOLD),
    ]
    _, won = play(FOUR, azi_for(FOUR), win_for(FOUR, 3), bets=bets)
    assert won.contributions == (13, 11, 11, 5)
    # 5 * (40 + 13 - 5) // 13 = 18; 22 left for 13, 11 and 11: 8 6/35, 6 32/35, 6 32/35.
    assert won.paid == (8, 7, 7, 18)


def test_a_won_deal_starts_a_new_ledger() -> None:
    deals = play(
        THREE,
        *(azi_for(THREE), win_for(THREE, 2), win_for(THREE, 0)),
        bets=[*ALL_CALL_3, *ALL_CALL_3, *ALL_CALL_3],
    )
    assert [deal.contributions for deal in deals] == [(2, 2, 2), (4, 4, 4), (2, 2, 2)]
    assert [deal.azi_count for deal in deals] == [1, 0, 0]


def test_the_last_azi_in_a_row_gives_everybody_its_own_back() -> None:
    rules = replace(THREE, max_azi=2)
    bets = [*((0, 1), (1, CALL), (2, CALL)), *((0, 5), (1, CALL), (2, 4), (0, CALL), (1, CALL))]
    first, last, fresh = play(
        rules, azi_for(rules), azi_for(rules, 2), win_for(rules, 1), bets=[*bets, *ALL_CALL_3]
    )
    assert first.bank == 6
    assert last.azi_count == 2
    assert last.contributions == last.returned == (12, 12, 12)
    assert (last.bank, last.stacks) == (0, (100, 100, 100))
    assert asked(fresh, "bet")[0].azi_count == 0
    assert fresh.contributions == (2, 2, 2)


def test_a_hundred_azi_in_a_row_are_the_limit() -> None:
    deals = play(THREE, *[azi_for(THREE)] * 101, bets=ALL_CALL_3 * 101, stacks=(1000, 1000, 1000))
    assert [deal.azi_count for deal in deals] == [*range(1, 101), 1]
    assert [deal.bank for deal in deals[:99]] == [6 * count for count in range(1, 100)]
    assert deals[99].returned == (200, 200, 200)
    assert deals[100].returned == (2, 2, 2)  # the end of the session


def test_at_the_end_a_carried_bank_goes_back_by_contribution() -> None:
    bets = [(0, 9), (1, CALL), (2, CALL), (3, FOLD)]
    (deal,) = play(FOUR, azi_for(FOUR), bets=bets, stacks=(50, 8, 50, 50))
    assert deal.winner is None
    assert deal.returned == deal.contributions == (10, 8, 10, 1)
    assert deal.stacks == (50, 8, 50, 50)
    assert deal.bank == 0


def test_an_azi_nobody_can_go_on_with_gives_the_bank_back_and_play_goes_on() -> None:
    deals = play(
        THREE,
        *(azi_for(THREE), win_for(THREE, 2)),
        bets=[(0, 4), (1, CALL), (2, CALL), *ALL_CALL_3],
        stacks=(5, 5, 5),
    )
    assert deals[0].returned == (5, 5, 5)
    assert deals[0].stacks == (5, 5, 5)
    assert deals[1].contributions == (2, 2, 2)
    assert asked(deals[1], "bet")[0].azi_count == 0


def test_azi_entry_of_all_takes_the_solvent_only() -> None:
    bets = [(0, 4), (1, CALL), (2, CALL), (3, FOLD), (0, 1), (3, CALL)]
    deals = play(FOUR, azi_for(FOUR), win_for(FOUR, 3), bets=bets, stacks=(50, 5, 5, 9))
    assert deals[1].players == (0, 3)
    assert deals[1].contributions == (7, 5, 5, 3)


def test_azi_entry_of_trick_players() -> None:
    rules = replace(FOUR, azi_entry="trick_players")
    bets = [*ALL_CALL_4, *ALL_CALL_3, *((1, 1), (2, CALL), (3, CALL), (0, CALL))]
    deals = play(rules, azi_for(rules), win_for(rules, 0), win_for(rules, 1), bets=bets)
    assert [deal.players for deal in deals] == [(0, 1, 2, 3), (0, 1, 2), (1, 2, 3, 0)]
    assert deals[1].contributions == (4, 4, 4, 2)


def test_azi_entry_of_trick_players_without_a_second_solvent_one() -> None:
    rules = replace(FOUR, azi_entry="trick_players")
    bets = [(0, 4), (1, CALL), (2, CALL), (3, FOLD), *ALL_CALL_4]
    deals = play(rules, azi_for(rules), win_for(rules, 3), bets=bets, stacks=(50, 5, 5, 50))
    assert deals[0].returned == (5, 5, 5, 1)
    assert deals[1].players == (0, 1, 2, 3)


@pytest.mark.parametrize(("reply", "enters"), [(1, True), (0, False), (True, False), (7, False)])
def test_azi_entry_for_half_the_bank(reply: Any, enters: bool) -> None:
    rules = replace(FOUR, azi_entry="half_bank")
    bets = [(0, 8), (1, CALL), (2, CALL), (3, CALL), (0, 1), (1, CALL), (2, CALL)]
    bets += [(3, CALL)] if enters else []
    decks = (azi_for(rules), win_for(rules, 0))
    first, second = play(rules, *decks, bets=bets, enters=[(3, reply)])
    assert first.bank == 36
    (view,) = asked(second, "enter")
    assert (view.players, view.legal, view.bank, view.azi_count) == ((0, 1, 2), (0, 1), 36, 1)
    assert (view.cards, view.turn_up) == ((), None)
    assert second.players == ((0, 1, 2, 3) if enters else (0, 1, 2))
    assert second.contributions == (11, 11, 11, 29 if enters else 9)
    bet = asked(second, "bet")[0]
    assert bet.stakes == (1, 1, 1, 1 if enters else 0)


@pytest.mark.parametrize(("stack", "able"), [(16, True), (15, False)])
def test_half_of_an_odd_bank_is_rounded_up_and_the_ante_comes_on_top(
    stack: int, able: bool
) -> None:
    rules = replace(FOUR, azi_entry="half_bank")
    first, second = play(
        rules,
        *(azi_for(rules), win_for(rules, 3)),
        bets=[(0, 8), (1, CALL), (2, CALL), (3, FOLD), (0, 1), (2, CALL)],
        enters=[(3, 1)] if able else [],
        stacks=(50, 8, 50, stack),
    )
    assert first.contributions == (9, 8, 9, 1)  # so that the price is 14, and 15 with the ante
    assert second.players == ((0, 2, 3) if able else (0, 2))
    assert second.contributions == (11, 8, 11, 16 if able else 1)
    if able:
        assert second.paid == (0, 0, 0, 46)


def test_those_who_may_enter_are_asked_before_anybody_pays() -> None:
    rules = Rules(seats=5, azi_entry="half_bank")
    deck = deck_of(rules, {0: "dA s6 s7", 1: "d6 sA s8", 2: "d7 s9 h6", 3: "d8 d9 dT"})
    bets = [(0, 3), (1, CALL), (2, CALL), (3, CALL), (4, FOLD)]
    bets += [(0, 1), (1, CALL), (2, CALL), (3, CALL), (4, CALL)]
    _, second = play(rules, deck, win_for(rules, 0), bets=bets, enters=[(3, 1), (4, 1)])
    views = asked(second, "enter")
    assert [view.bank for view in views] == [17, 17]
    assert [view.stacks for view in views] == [(96, 96, 96, 96, 99)] * 2
    assert second.contributions == (6, 6, 6, 15, 12)


# Told.


def test_everything_told_in_the_middle_of_a_chain() -> None:
    second = deck_of(FOUR, {0: "h9 dA s9", 1: "d6 s8 h8", 2: "sK s7 dK", 3: "d7 d8 hA"}, "dJ")
    bets = [
        (0, 9),
        (1, CALL),
        (2, CALL),
        (3, FOLD),
        (0, 4),
        (1, FOLD),
        (2, 3),
        (3, CALL),
        (0, CALL),
    ]
    _, deal = play(FOUR, azi_for(FOUR), second, bets=bets)
    public: dict[str, Any] = {"turn_up": card("dJ"), "azi_count": 1}
    assert asked(deal, "bet")[3] == ReferenceView(
        kind="bet",
        seat=3,
        cards=cards("d7 d8 hA"),
        players=(0, 2, 3),
        stacks=(85, 89, 82, 98),
        bank=46,
        stakes=(5, 1, 8, 1),
        contributions=(15, 11, 18, 2),
        bets=(Bet(0, "bet", 4), Bet(1, "fold", 0), Bet(2, "raise", 7)),
        tricks=(),
        legal=(FOLD, CALL),
        amounts=range(1, 92),
        **public,
    )
    # Seat 2 leads the sK, seat 3 trumps it, and seat 0 has to follow.
    assert asked(deal, "play")[3] == ReferenceView(
        kind="play",
        seat=3,
        cards=cards("d8 hA"),
        players=(0, 2, 3),
        stacks=(82, 89, 82, 91),
        bank=56,
        stakes=(8, 1, 8, 8),
        contributions=(18, 11, 18, 9),
        bets=deal.bets,
        tricks=(
            (Play(2, card("sK")), Play(3, card("d7")), Play(0, card("s9"))),
            (),
        ),
        legal=cards("d8 hA"),
        **public,
    )


# The whole.


def shuffled(source: random.Random, number: int) -> Iterator[list[int]]:
    for _ in range(number):
        yield source.sample(range(27), 27)


def random_rules(source: random.Random) -> Rules:
    return Rules(
        seats=source.randint(2, 6),
        deal=source.choice((3, 4)),
        ante=source.randint(1, 4),
        min_bet=source.choice((None, 1, 6)),
        opener_may_fold=source.random() < 0.5,
        min_raise=source.randint(1, 3),
        max_raises=source.randint(1, 3),
        azi_entry=source.choice(("all", "trick_players", "half_bank")),
        max_azi=source.choice((1, 2, 100)),
        payout=source.choice(("scaled", "matched")),
    )


def test_random_sessions_keep_their_chips_and_add_up() -> None:
    source = random.Random(40312)

    def decide(seat: int, view: ReferenceView) -> Any:
        if view.kind == "bet" and view.amounts and source.random() < 0.3:
            return source.choice(view.amounts[:9])
        if view.kind == "bet" and CALL in view.legal and source.random() < 0.7:
            return CALL
        return source.choice((*view.legal, *view.legal, *view.legal, "nonsense"))

    kinds: set[str] = set()
    for _ in range(100):
        rules = random_rules(source)
        stacks = [source.randint(0, 40) for _ in range(rules.seats)]
        before, ledger = tuple(stacks), [0] * rules.seats
        for deal in play_session(rules, shuffled(source, 20), decide, stacks):
            kinds |= {decision.view.kind for decision in deal.decisions}
            kinds.add("azi" if deal.winner is None else "won")
            gained = [
                after - start + own - carried
                for after, start, own, carried in zip(
                    deal.stacks, before, deal.contributions, ledger, strict=True
                )
            ]
            assert gained == [p + r for p, r in zip(deal.paid, deal.returned, strict=True)]
            assert sum(deal.stacks) + deal.bank == sum(stacks)
            if deal.winner is not None:
                assert deal.paid == tuple(payout(deal.contributions, deal.winner, rules.payout))
            before = deal.stacks
            ledger = list(deal.contributions) if deal.bank else [0] * rules.seats
        assert sum(before) == sum(stacks)
    assert kinds == {"enter", "discard", "bet", "play", "azi", "won"}


def greedy(seat: int, view: ReferenceView) -> int:
    """The player of the check: leads the top trump, else the highest side card; wins cheaply."""
    assert view.turn_up is not None
    turn_up = view.turn_up
    if view.kind == "bet":
        return CALL if CALL in view.legal else view.amounts[0]
    trick = view.tricks[-1]
    if not trick:
        return max(view.legal, key=lambda c: (is_trump(c, turn_up), rank(c, turn_up)))
    winning = [c for c in view.legal if trick_winner([*trick, Play(seat, c)], turn_up) == seat]
    return min(winning or view.legal, key=lambda c: rank(c, turn_up))


def azi_rate(seats: int, sessions: int) -> float:
    """The share of Azi among the deals of sessions of 100 in which nobody folds."""
    source = random.Random(7700 + seats)
    rules = Rules(seats=seats, stack=10_000)
    azi = 0
    for _ in range(sessions):
        outcomes = play_session(rules, shuffled(source, 100), greedy)
        assert len(outcomes) == 100
        azi += sum(deal.winner is None for deal in outcomes)
    return azi / (100 * sessions)


@pytest.mark.parametrize(("seats", "rate"), [(3, 0.139), (4, 0.261)])
def test_the_rate_of_azi(seats: int, rate: float) -> None:
    """The text gives its rates to 0.01; two standard deviations of 1000 deals are 0.025."""
    assert azi_rate(seats, 10) == pytest.approx(rate, abs=0.035)


@pytest.mark.slow
@pytest.mark.parametrize(("seats", "rate"), [(3, 0.139), (4, 0.261), (5, 0.358), (6, 0.436)])
def test_the_rate_of_azi_in_many_deals(seats: int, rate: float) -> None:
    """Two standard deviations of 5000 deals are 0.01 to 0.014."""
    assert azi_rate(seats, 50) == pytest.approx(rate, abs=0.02)
