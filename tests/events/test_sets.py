"""Best four of seven, drawn sets, hands and lots."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.events.sets import SetScore, Verdict, verdict

A = SetScore((60, 40), (200, 180))
B = SetScore((40, 60), (180, 200))
DRAWN = SetScore((50, 50), (190, 190))
DRAWN_A_HANDS = SetScore((50, 50), (191, 190))

scores = st.tuples(st.integers(0, 3), st.integers(0, 3))
plays = st.lists(st.builds(SetScore, scores, scores), min_size=21, max_size=25)


def no_lot(number: int) -> int:
    pytest.fail(f"lot {number} was not needed")


def always(side: int) -> Callable[[int], int]:
    return lambda number: side


def mirrored(plays: list[SetScore]) -> list[SetScore]:
    return [SetScore(p.wins[::-1], p.points[::-1]) for p in plays]


def in_turn(number: int) -> int:
    return number % 2


def test_nothing_played_yet() -> None:
    assert verdict([], no_lot) == Verdict((), (), (0, 0), None, None)


def test_four_straight_sets() -> None:
    assert not verdict([A] * 3, no_lot).decided
    result = verdict([A] * 4, no_lot)
    assert (result.winner, result.how, result.score) == (0, "sets", (4, 0))


def test_seven_sets() -> None:
    result = verdict([A, B, A, B, A, B, B], no_lot)
    assert (result.winner, result.how, result.score) == (1, "sets", (3, 4))


def test_a_drawn_set_is_replayed_and_does_not_count() -> None:
    result = verdict([A, DRAWN, DRAWN], no_lot)
    assert (result.score, result.drawn) == ((1, 0), (DRAWN, DRAWN))
    result = verdict([A, DRAWN, DRAWN, B], no_lot)
    assert (result.score, result.drawn) == ((1, 1), ())
    assert result.sets[1].plays == (DRAWN, DRAWN, B)
    assert result.sets[1].how == "sets"


def test_drawn_sets_that_are_not_in_a_row_do_not_add_up() -> None:
    result = verdict([DRAWN_A_HANDS, DRAWN_A_HANDS, B, DRAWN_A_HANDS, DRAWN_A_HANDS], no_lot)
    assert result.score == (0, 1)
    assert len(result.drawn) == 2


def test_three_drawn_sets_are_decided_by_their_hands_together() -> None:
    against = SetScore((50, 50), (100, 102))
    result = verdict([against, DRAWN, SetScore((50, 50), (103, 100))], no_lot)
    assert result.score == (1, 0)
    assert [(s.winner, s.how) for s in result.sets] == [(0, "hands")]
    assert not result.decided


def test_equal_hands_are_decided_by_lot() -> None:
    result = verdict([DRAWN] * 3, always(1))
    assert [(s.winner, s.how, len(s.plays)) for s in result.sets] == [(1, "lot", 3)]


def test_how_is_the_weakest_means_of_the_winner() -> None:
    by_hands = verdict([*[DRAWN_A_HANDS] * 3, A, A, A], no_lot)
    assert (by_hands.winner, by_hands.how) == (0, "hands")
    by_lot = verdict([*[DRAWN] * 3, *[DRAWN_A_HANDS] * 3, A, A], always(0))
    assert (by_lot.winner, by_lot.how) == (0, "lot")
    # The loser's lot helped nobody to this result.
    against_the_lot = verdict([*[DRAWN] * 3, A, A, A, A], always(1))
    assert (against_the_lot.winner, against_the_lot.how) == (0, "sets")


@pytest.mark.parametrize(
    ("lot", "needed", "winner"), [(always(0), 12, 0), (always(1), 12, 1), (in_turn, 21, 1)]
)
def test_identical_deterministic_bots_come_to_an_end(
    lot: Callable[[int], int], needed: int, winner: int
) -> None:
    assert not verdict([DRAWN] * (needed - 1), lot).decided
    result = verdict([DRAWN] * needed, lot)
    assert (result.winner, result.how) == (winner, "lot")


def test_lots_are_numbered_from_one_through_the_pairing() -> None:
    asked: list[int] = []

    def lot(number: int) -> int:
        asked.append(number)
        return 0

    verdict([*[DRAWN] * 3, B, *[DRAWN] * 3], lot)
    assert asked == [1, 2]


@settings(deadline=None)
@given(plays)
def test_twenty_one_plays_always_decide(plays: list[SetScore]) -> None:
    result = verdict(plays, in_turn)
    assert result.decided
    assert result.winner is not None
    assert result.score[result.winner] == 4 > result.score[1 - result.winner]
    used = sum(len(s.plays) for s in result.sets)
    assert not verdict(plays[: used - 1], in_turn).decided
    assert verdict(plays[:used], in_turn) == result


@settings(deadline=None)
@given(plays)
def test_swapped_sides_swap_the_verdict(plays: list[SetScore]) -> None:
    one = verdict(plays, in_turn)
    two = verdict(mirrored(plays), lambda number: 1 - in_turn(number))
    assert two.winner == 1 - (one.winner or 0)
    assert two.score == one.score[::-1]
    assert two.how == one.how


@settings(deadline=None)
@given(plays, st.integers(1, 6))
def test_other_lengths(plays: list[SetScore], sets_to_win: int) -> None:
    result = verdict(plays * 2, in_turn, sets_to_win)
    assert max(result.score) == sets_to_win
    assert len(result.sets) == sum(result.score) <= 2 * sets_to_win - 1


def test_nonsense_is_refused() -> None:
    with pytest.raises(ValueError, match="sets_to_win"):
        verdict([], no_lot, 0)
    with pytest.raises(ValueError, match="lot 1"):
        verdict([DRAWN] * 3, always(2))
    with pytest.raises(ValueError, match="negative"):
        SetScore((1, -1), (0, 0))
