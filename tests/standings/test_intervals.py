"""Records, shares and their intervals."""

from __future__ import annotations

import math
import statistics

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.standings.intervals import Interval, Z, overall, share, share_variance
from harness.standings.pairs import PairRecord, merged
from tests.standings.records import LOST, SPLIT, WON, leagues, of_deals, record, records


def wilson(wins: int, games: int) -> tuple[float, float]:
    """The textbook formula for independent games."""
    p, n = wins / games, games
    centre = (p + Z**2 / (2 * n)) / (1 + Z**2 / n)
    half = Z / (1 + Z**2 / n) * math.sqrt(p * (1 - p) / n + Z**2 / (4 * n**2))
    return centre - half, centre + half


def assert_finite(interval: Interval) -> None:
    assert 0 <= interval.low <= interval.value <= interval.high <= 1


def test_variance_is_that_of_the_deals() -> None:
    """3 deals won, 4 split, 1 lost: the mean score is 0.625, its variance that of the list."""
    scores = [1.0] * 3 + [0.5] * 4 + [0.0]
    result = of_deals("a", "b", 3, 4, 1)
    assert (result.wins, result.squares) == ((10, 6), 16)
    assert share(result).value == statistics.mean(scores) == 0.625
    assert share_variance(result) == pytest.approx(statistics.variance(scores) / 8)


def test_independent_legs_give_the_textbook_interval() -> None:
    """Both legs won with 0.6 each, independently: 36 % 2-0, 48 % split, 16 % 0-2."""
    result = share(of_deals("a", "b", 36_000, 48_000, 16_000))
    assert (result.low, result.high) == pytest.approx(wilson(120_000, 200_000), abs=2e-8)


def test_legs_that_always_agree_count_once() -> None:
    result = share(of_deals("a", "b", 60_000, 0, 40_000))
    assert (result.low, result.high) == pytest.approx(wilson(60_000, 100_000), abs=2e-8)


def test_luck_that_mirroring_removes_narrows_the_interval() -> None:
    widths = [
        (i := share(of_deals("a", "b", n, 1000 - 2 * n, n))).high - i.low for n in (0, 50, 250, 500)
    ]
    assert widths == sorted(set(widths))


def test_equal_deterministic_bots_have_an_interval_without_width() -> None:
    assert share(of_deals("a", "b", 0, 50_000, 0)) == Interval(0.5, 0.5, 0.5)


def test_all_and_nothing() -> None:
    """Wilson with n = 100 deals, not 200 games: 100/100 is 96.3 % to 100 %."""
    everything = share(of_deals("a", "b", 100, 0, 0))
    assert (everything.value, everything.high) == (1, 1)
    assert everything.low == pytest.approx(wilson(100, 100)[0]) == pytest.approx(0.963, abs=5e-4)
    nothing = share(of_deals("a", "b", 0, 0, 100))
    assert (nothing.value, nothing.low) == (0, 0)
    assert nothing.high == pytest.approx(1 - everything.low)


def test_games_without_a_winner_count_half() -> None:
    result = record("a", "b", [((1, 0), 10), ((0, 0), 10)])
    assert result.draws == 30
    assert share(result).value == 0.625


def test_hardly_any_deals() -> None:
    assert share(of_deals("a", "b", 0, 0, 0)) == Interval(0.5, 0, 1)
    one = share(of_deals("a", "b", 0, 1, 0))
    assert one.low < 0.1 < 0.9 < one.high


@settings(deadline=None)
@given(records())
def test_intervals_are_finite_and_hold_their_value(record: PairRecord) -> None:
    assert_finite(share(record))
    assert 0 <= share_variance(record) <= 0.25


@settings(deadline=None)
@given(records())
def test_swapped_records_are_mirrored(record: PairRecord) -> None:
    assert record.swapped().swapped() == record
    one, two = share(record), share(record.swapped())
    assert one.value + two.value == pytest.approx(1)
    assert one.low + two.high == pytest.approx(1)
    assert share_variance(record) == pytest.approx(share_variance(record.swapped()))


@settings(deadline=None)
@given(records(), records())
def test_records_add(one: PairRecord, two: PairRecord) -> None:
    both = one + two
    assert both == two + one
    assert both.swapped() == one.swapped() + two.swapped()
    assert both.deals == one.deals + two.deals


def test_records_of_other_pairs_do_not_add() -> None:
    with pytest.raises(ValueError, match="different pairs"):
        of_deals("a", "b", 1, 0, 0) + of_deals("b", "a", 1, 0, 0)
    with pytest.raises(ValueError, match="'c'"):
        of_deals("a", "b", 1, 0, 0).seen_from("c")


@pytest.mark.parametrize(
    ("deals", "games", "wins", "squares"),
    [
        (1, 3, (1, 1), 0),
        (1, 2, (2, 1), 1),
        (1, 2, (2, 0), 3),
        (2, 4, (2, 2), 9),
        (-1, -2, (0, 0), 0),
    ],
)
def test_impossible_records(deals: int, games: int, wins: tuple[int, int], squares: int) -> None:
    with pytest.raises(ValueError, match="impossible"):
        PairRecord("a", "b", deals, games, wins, (0, 0), squares)


@settings(deadline=None)
@given(leagues(), st.randoms())
def test_merging_forgets_the_order(league: list[PairRecord], random: object) -> None:
    shuffled = [r.swapped() for r in league]
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert merged(shuffled) == merged(league)


def test_overall_share_by_hand() -> None:
    """0.75 over 100 deals and 0.5 over 300: the weights are 1/4 and 3/4."""
    strong, even = of_deals("a", "b", 60, 30, 10), of_deals("c", "a", 60, 180, 60)
    result = overall("a", [strong, even, of_deals("b", "c", 1, 2, 3)])
    assert result.value == 0.5625
    variance = share_variance(strong) / 16 + share_variance(even) * 9 / 16
    n = result.value * (1 - result.value) / variance
    centre = (result.value + Z**2 / (2 * n)) / (1 + Z**2 / n)
    assert (result.low + result.high) / 2 == pytest.approx(centre)


def test_overall_of_one_pairing_is_its_share() -> None:
    for deals in ([(WON, 9)], [(LOST, 9)], [(SPLIT, 9)], [(WON, 5), (SPLIT, 4)], []):
        single = record("a", "b", deals)
        assert overall("a", [single]) == share(single)


def test_overall_of_all_won_and_all_lost_is_not_certain() -> None:
    result = overall("a", [of_deals("a", "b", 10, 0, 0), of_deals("a", "c", 0, 0, 10)])
    assert result.value == 0.5
    assert result.high - result.low > 0.1


@settings(deadline=None)
@given(leagues())
def test_overall_is_finite(league: list[PairRecord]) -> None:
    for name in ("bot 0", "bot 1", "never heard of"):
        assert_finite(overall(name, merged(league)))
