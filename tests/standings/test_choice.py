"""Ratings of tables: they find the strengths behind the results; for two, Bradley and Terry's."""

from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.typing import NDArray

from harness.arena.seating import drawn_lineups
from harness.arena.tally import Tally, canonical, count
from harness.standings import rating
from harness.standings.choice import fit
from harness.standings.pairs import PairRecord
from tests.sampling import sampled

STRENGTHS = np.array([1.2, 0.5, 0.2, 0.0, -0.4, -1.5])


def played(rng: np.random.Generator, deals: int, partners: bool, luck: float = 0.0) -> list[Tally]:
    """Tables of four by the model. `luck`: spread of what all legs of a deal have in common."""
    players = len(STRENGTHS)
    lineups = canonical(drawn_lineups(deals, 4, players, rng.bytes(32)), partners)
    wins = np.zeros((deals, players), np.int64)
    legs = 2 if partners else 4
    for deal, lineup in enumerate(lineups):
        sides = [lineup[:2], lineup[2:]] if partners else [[player] for player in lineup]
        utility = np.array([STRENGTHS[list(side)].sum() for side in sides])
        draws = rng.gumbel(size=len(sides))
        for _ in range(legs):
            if rng.random() >= luck:
                draws = rng.gumbel(size=len(sides))
            wins[deal, list(sides[int(np.argmax(utility + draws))])] += 1
    return count(lineups, wins, np.zeros_like(wins), legs)


def errors(fitted: list[rating.Rating]) -> NDArray[np.float64]:
    """In margins, of the differences to the mean of the field."""
    true = rating.ELO * (STRENGTHS - STRENGTHS.mean())
    return np.array([(r.elo - t) / r.margin for r, t in zip(fitted, true, strict=True)])


@pytest.mark.parametrize("partners", [False, True], ids=["alone", "partners"])
def test_strengths_are_found(partners: bool) -> None:
    fitted = fit(played(np.random.default_rng(3), 3000, partners), 6, partners)
    assert (abs(errors(fitted)) < 2).all()
    assert math.isclose(sum(r.elo for r in fitted), 0, abs_tol=0.5)


@pytest.mark.parametrize("luck", sampled([0.0, 0.5], 1))
@pytest.mark.parametrize("partners", sampled([False, True], 1))
def test_margins_hold_the_truth_95_times_in_100(partners: bool, luck: float) -> None:
    rng = np.random.default_rng(5)
    inside = [abs(errors(fit(played(rng, 120, partners, luck), 6, partners))) for _ in range(60)]
    share = float((np.array(inside) <= 1).mean())
    assert 0.90 < share < 0.99


def test_two_at_a_table_are_bradley_and_terrys() -> None:
    rng = np.random.default_rng(7)
    tallies, records = [], []
    for a in range(4):
        for b in range(a + 1, 4):
            wins = np.zeros((200, 4), np.int64)
            wins[:, a] = rng.binomial(2, 0.4 + 0.1 * (b - a), 200)
            wins[:, b] = 2 - wins[:, a]
            lineups = np.tile(np.array([a, b], np.int16), (200, 1))
            tallies += count(lineups, wins, np.zeros_like(wins), 2)
            ahead = wins[:, a] - wins[:, b]
            totals = (int(wins[:, a].sum()), int(wins[:, b].sum()))
            squares = int((ahead**2).sum())
            records.append(PairRecord("abcd"[a], "abcd"[b], 200, 400, totals, (0, 0), squares))
    expected = rating.fit(records)
    for one, other in zip(fit(tallies, 4, partners=False), expected.values(), strict=True):
        assert one.elo == pytest.approx(other.elo, abs=0.15)
        assert one.margin == pytest.approx(other.margin, rel=0.02)


@pytest.mark.parametrize("partners", [False, True])
def test_finite_whatever_happened(partners: bool) -> None:
    lineups = np.tile(np.arange(4, dtype=np.int16), (5, 1))
    for winners in ([], [0], [0, 1]):
        wins = np.zeros((5, 5), np.int64)
        wins[:, winners] = 4
        (tally,) = count(lineups, wins, np.zeros_like(wins), 4)
        for one in fit([tally], 5, partners):
            assert math.isfinite(one.elo)
            assert math.isfinite(one.margin)
    assert fit([], 5, partners) == []


def test_a_bot_at_two_seats_of_four_is_not_taken_for_a_better_one() -> None:
    """Two equal bots, one of them at three seats of four, wins three games of four."""
    lineups = np.tile(np.array([0, 0, 0, 1], np.int16), (400, 1))
    rng = np.random.default_rng(1)
    wins = np.zeros((400, 2), np.int64)
    wins[:, 0] = rng.binomial(4, 0.75, 400)
    wins[:, 1] = 4 - wins[:, 0]
    one, other = fit(count(lineups, wins, np.zeros_like(wins), 4), 2, partners=False)
    assert abs(one.elo - other.elo) < 2 * one.margin
