"""The table of tables: shares and means over deals, ranks, bands."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from harness.arena.seating import drawn_lineups
from harness.arena.tally import Tally, among, canonical, count
from harness.standings.intervals import quantile
from harness.standings.seats import standings
from tests.sampling import sampled

NAMES = ["a", "b", "c", "d", "e", "f"]
CHANCES = np.array([5.0, 3.0, 2.0, 2.0, 1.0, 0.5])


def played(rng: np.random.Generator, deals: int, sticky: float) -> list[Tally]:
    """Tables of four; with the chance `sticky` a leg goes as the one before it."""
    lineups = canonical(drawn_lineups(deals, 4, len(NAMES), rng.bytes(32)), partners=False)
    wins = np.zeros((deals, len(NAMES)), np.int64)
    points = np.zeros_like(wins)
    for deal, lineup in enumerate(lineups):
        chances = CHANCES[lineup] / CHANCES[lineup].sum()
        winner = -1
        for _ in range(4):
            if winner < 0 or rng.random() >= sticky:
                winner = int(rng.choice(lineup, p=chances))
            wins[deal, winner] += 1
            points[deal, winner] += 30
            points[deal, lineup] -= 10
    return count(lineups, wins, points, 4)


def true_shares() -> np.ndarray:
    """Over all line-ups, which are equally likely."""
    rng = np.random.default_rng(0)
    lineups = drawn_lineups(30_000, 4, len(NAMES), rng.bytes(32))
    each = CHANCES[lineups] / CHANCES[lineups].sum(axis=1, keepdims=True)
    sums = np.bincount(lineups.ravel(), each.ravel(), len(NAMES))
    return sums / np.bincount(lineups.ravel(), minlength=len(NAMES))


@pytest.mark.parametrize("sticky", sampled([0.0, 0.7], 1))
def test_intervals_hold_the_truth_95_times_in_100(sticky: float) -> None:
    rng, truth = np.random.default_rng(2), true_shares()
    inside = []
    for _ in range(80):
        for row in standings(NAMES, played(rng, 90, sticky), by_points=False):
            share = truth[NAMES.index(row.name)]
            mean = 30 * share - 10
            inside.append(
                (row.share.low <= share <= row.share.high, row.mean.low <= mean <= row.mean.high)
            )
    for part in np.mean(inside, axis=0):
        assert 0.91 < part < 0.985


def test_bands_and_ranks_say_who_is_ahead() -> None:
    rows = standings(NAMES, played(np.random.default_rng(4), 3000, 0.3), by_points=False)
    assert [row.name for row in rows[:2]] == ["a", "b"]
    assert {rows[2].name, rows[3].name} == {"c", "d"}  # equal bots
    assert rows[0].band == (1, 1)
    assert rows[2].band == rows[3].band == (3, 4)
    assert [row.rank for row in rows] == [1, 2, 3, 4, 5, 6]


def test_equal_numbers_are_equal_ranks() -> None:
    lineups = np.tile(np.arange(4, dtype=np.int16), (12, 1))
    wins = np.ones((12, 4), np.int64)
    for by_points in (False, True):
        tallies = count(lineups, wins, np.zeros_like(wins), 4)
        rows = standings(NAMES[:4], tallies, by_points=by_points)
        assert [(row.rank, row.name, row.band) for row in rows] == [
            (1, name, (1, 4)) for name in NAMES[:4]
        ]
        for row in rows:
            assert row.share.low == row.share.value == row.share.high == 0.25


def test_points_or_games_first() -> None:
    lineups = np.tile(np.arange(2, dtype=np.int16), (10, 1))
    wins = np.tile(np.array([2, 0]), (10, 1))
    points = np.tile(np.array([-5, 5]), (10, 1))
    tallies = count(lineups, wins, points, 2)
    assert [row.name for row in standings(["x", "y"], tallies, by_points=False)] == ["x", "y"]
    by_points = standings(["x", "y"], tallies, by_points=True, units=10)
    assert [(row.name, row.mean.value) for row in by_points] == [("y", 0.25), ("x", -0.25)]


@pytest.mark.parametrize("deals", [2, 3, 5])
def test_means_over_few_deals_hold_the_truth_95_times_in_100(deals: int) -> None:
    """With the 1.96 of many deals it would be 70, 81 and 88 times."""
    rng, inside = np.random.default_rng(11), []
    lineups = np.tile(np.arange(4, dtype=np.int16), (deals, 1))
    for _ in range(300):
        points = rng.normal(0, 1000, (deals, 4)).round().astype(np.int64)
        rows = standings(NAMES[:4], count(lineups, points * 0, points, 4), by_points=True)
        inside += [row.mean.low <= 0 <= row.mean.high for row in rows]
    assert 0.93 < np.mean(inside) < 0.97


def test_few_deals_that_came_out_alike_prove_nothing() -> None:
    for deals, known in ((1, False), (3, False), (40, True)):
        lineups = np.tile(np.arange(4, dtype=np.int16), (deals, 1))
        wins = np.tile(np.array([2, 1, 1, 0]), (deals, 1))
        tallies = count(lineups, wins, 10 * wins, 4)
        for by_points in (False, True):
            for row in standings(NAMES[:4], tallies, by_points=by_points):
                assert (row.mean.low is not None) == (row.mean.high is not None) == known
                assert (row.share.high - row.share.low > 0.3) != known
                assert (row.band == (1, 4)) != known


@pytest.mark.parametrize(
    ("deals", "published"),
    [(2, 12.706), (3, 4.303), (4, 3.182), (6, 2.571), (11, 2.228), (31, 2.042), (99, 1.984)],
)
def test_quantiles_of_student(deals: int, published: float) -> None:
    assert quantile(deals) == pytest.approx(published, rel=0.008)


def test_retired_bots_come_last() -> None:
    tallies = played(np.random.default_rng(6), 60, 0.0)
    rows = standings(NAMES, tallies, by_points=False, last=["a"])
    assert rows[-1].name == "a"


def test_finite_without_a_game_or_with_one() -> None:
    one = played(np.random.default_rng(8), 1, 0.0)
    for tallies in ([], one):
        for by_points in (False, True):
            for row in standings(NAMES, tallies, by_points=by_points):
                assert all(map(math.isfinite, (row.share.low, row.share.high, row.mean.value)))
                assert row.mean.low is row.mean.high is None


@pytest.mark.parametrize("by_points", [False, True])
def test_where_numbers_of_games_differ_ranks_go_by_means(by_points: bool) -> None:
    """b sits at every table and wins most games, a at few, where it wins half of them."""
    tables = [([0, 1, 2, 3], [2, 1, 1, 0])] * 3 + [([1, 2, 3, 4], [1, 1, 1, 1])] * 9
    lineups = np.array([lineup for lineup, _ in tables], np.int16)
    wins, points = np.zeros((2, len(tables), 6), np.int64)
    for deal, (lineup, won) in enumerate(tables):
        wins[deal, lineup] = won
        points[deal, lineup] = np.array(won) * 10 - 30
    tallies = count(lineups, wins, points, 4)
    rows = standings(NAMES, tallies, by_points=by_points, uneven=True)
    # f, who has not played, is behind the others although all of them have lost points.
    assert [(row.rank, row.name) for row in rows] == [
        *((1, "a"), (2, "b"), (2, "c"), (2, "e"), (5, "d"), (6, "f"))
    ]
    assert [row.games for row in rows] == [12, 48, 48, 36, 48, 0]
    by_sums = standings(NAMES, tallies, by_points=False)
    assert [row.name for row in by_sums][:2] == ["b", "c"]


def test_a_bot_taken_out_takes_its_tables_with_it() -> None:
    tallies = played(np.random.default_rng(6), 400, 0.0)
    left = among(tallies, [0, 1, 3, 4, 5])
    assert 0 < len(left) < len(tallies)
    kept = [tally for tally in tallies if 2 not in tally.lineup]
    assert [replace(tally, lineup=()) for tally in left] == [
        replace(tally, lineup=()) for tally in kept
    ]
    numbers = {0: 0, 1: 1, 3: 2, 4: 3, 5: 4}
    assert [tally.lineup for tally in left] == [
        tuple(numbers[player] for player in tally.lineup) for tally in kept
    ]
