"""Ranks, bands and the cross table."""

from __future__ import annotations

import itertools
import math
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.standings.bands import bands, clearly_ahead
from harness.standings.intervals import Interval
from harness.standings.pairs import PairRecord
from harness.standings.table import LeagueTable, league_table
from tests.standings.records import LOST, SPLIT, WON, leagues, of_deals, record


def ranks(table: LeagueTable) -> list[tuple[int, str]]:
    return [(row.rank, row.name) for row in table.rows]


def test_games_won_then_hands_won_then_equal() -> None:
    """a, b and c all won 100 games; a more hands; b and c are equal; d lost everything else."""
    even = [(SPLIT, 25)]
    league = [
        record("a", "b", even, (90, 80)),
        record("b", "c", even, (80, 80)),
        record("a", "c", even, (90, 80)),
        *(record(name, "d", [(SPLIT, 20), (WON, 5)], (100, 70)) for name in "abc"),
    ]
    table = league_table(league)
    assert ranks(table) == [(1, "a"), (2, "b"), (2, "c"), (4, "d")]
    assert [(r.wins, r.points[0]) for r in table.rows] == [
        (80, 280), (80, 260), (80, 260), (60, 210),
    ]  # fmt: skip


def test_games_without_a_winner_help_nobodys_rank() -> None:
    """b has the larger share, a the more won games: the rule counts won games."""
    league = [
        record("a", "c", [(WON, 11), (LOST, 9)]),
        record("b", "c", [(WON, 10), ((0, 0), 10)]),
    ]
    table = league_table(league)
    assert ranks(table)[:2] == [(1, "a"), (2, "b")]
    a, b = table.rows[:2]
    assert (b.wins, b.draws, b.losses) == (20, 20, 0)
    assert b.share.value == 0.75 > a.share.value


def test_cross_table_both_ways() -> None:
    table = league_table([of_deals("a", "b", 300, 500, 200)], entrants=["c"])
    assert set(table.cross) == {("a", "b"), ("b", "a")}
    cell, mirror = table.cross["a", "b"], table.cross["b", "a"]
    assert cell.record == mirror.record.swapped()
    assert (cell.share.value, mirror.share.value) == (0.55, 0.45)
    assert cell.share.low == pytest.approx(1 - mirror.share.high)


def test_entrants_without_games_are_shown() -> None:
    table = league_table([], entrants=["b", "a"])
    assert [(r.rank, r.name, r.games, r.band) for r in table.rows] == [
        (1, "a", 0, (1, 2)),
        (1, "b", 0, (1, 2)),
    ]
    assert table.rows[0].share == Interval(0.5, 0, 1)


def test_without_a_bot_its_games_count_for_nobody() -> None:
    with_cheat = [
        of_deals("a", "b", 20, 50, 30),
        of_deals("a", "cheat", 90, 10, 0),
        of_deals("cheat", "b", 90, 10, 0),
    ]
    table = league_table(with_cheat, without=["cheat"])
    clean = league_table(with_cheat[:1])
    assert table.left_out == ("cheat",)
    assert (table.rows, table.cross, table.records) == (clean.rows, clean.cross, clean.records)
    assert ranks(table) == [(1, "b"), (2, "a")]
    assert ranks(league_table(with_cheat)) == [(1, "a"), (2, "cheat"), (3, "b")]


def test_bands_may_overlap() -> None:
    """Overall 48, 47 and 46 %, each with an error of 0.52 points from the games against `top`.

    A difference has an error of 0.74 points: 1 is 1.4 times that, 2 is 2.7 times.
    """
    league = [
        of_deals(name, "top", won, 0, 1000 - won)
        for name, won in {"a": 440, "b": 410, "c": 380}.items()
    ]
    league += [of_deals(a, b, 0, 1000, 0) for a, b in itertools.combinations("abc", 2)]
    assert [(row.rank, row.name, row.band) for row in league_table(league).rows] == [
        (1, "top", (1, 1)),
        (2, "a", (2, 3)),
        (3, "b", (2, 4)),
        (4, "c", (3, 4)),
    ]


def test_bots_that_split_every_deal_are_one_band() -> None:
    league = [of_deals(a, b, 0, 100, 0) for a, b in itertools.combinations("abc", 2)]
    assert [(row.rank, row.band) for row in league_table(league).rows] == [(1, (1, 3))] * 3


def test_an_unfinished_league_does_not_claim_what_its_games_do_not_say() -> None:
    """b has won more games so far only because it has played more."""
    league = [of_deals("a", "c", 90, 10, 0), of_deals("b", "d", 300, 400, 300)]
    rows = {row.name: row for row in league_table(league).rows}
    assert (rows["b"].rank, rows["a"].rank) == (1, 3)
    assert rows["b"].band[0] == rows["a"].band[0] == 1


def test_direct_encounter_counts_with_both_weights() -> None:
    """Two bots that only met: the difference is 2 s - 1, its error twice that of s.

    100 deals, 60 % won in both legs: s = 0.6, error sqrt(0.24 / 99) = 0.0492; 0.2 is 2.03 times
    0.0985 and separates, 0.18 (59 deals) is 1.82 times and does not.
    """
    for won, verdict in ((60, True), (59, False)):
        direct = of_deals("a", "b", won, 0, 100 - won)
        assert clearly_ahead("a", {"b": direct}, "b", {"a": direct.swapped()}) is verdict
        assert not clearly_ahead("b", {"a": direct.swapped()}, "a", {"b": direct})
        assert bands({"a": 1, "b": 2}, [direct])["a"] == ((1, 1) if verdict else (1, 2))


@settings(deadline=None)
@given(leagues(), st.randoms())
def test_tables_are_finite_consistent_and_independent_of_order(
    league: list[PairRecord], rng: random.Random
) -> None:
    table = league_table(league)
    shuffled = [r.swapped() if rng.random() < 0.5 else r for r in league]
    rng.shuffle(shuffled)
    assert league_table(shuffled) == table
    for row in table.rows:
        assert row.wins + row.draws + row.losses == row.games
        assert 0 <= row.share.low <= row.share.value <= row.share.high <= 1
        assert 1 <= row.band[0] <= row.rank <= row.band[1] <= len(table.rows)
    assert sum(row.wins for row in table.rows) == sum(row.losses for row in table.rows)
    scores = [(row.wins, row.points[0]) for row in table.rows]
    assert scores == sorted(scores, reverse=True)
    for one, two in zip(table.rows, table.rows[1:], strict=False):
        equal = (one.wins, one.points[0]) == (two.wins, two.points[0])
        assert (one.rank == two.rank) == equal
    assert all(math.isfinite(cell.share.low) for cell in table.cross.values())
