"""Do 95 % statements hold in 95 % of simulated events? All seeded."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from harness.standings.bands import clearly_ahead
from harness.standings.intervals import overall, share
from harness.standings.pairs import PairRecord
from harness.standings.rating import fit
from tests.standings.records import OUTCOMES, of_deals, record

MATCHES = 1000

# Chances of a deal's outcome: won in both legs, split, lost in both, and one leg without a winner.
EQUAL = {
    "legs agree": (0.42, 0.16, 0.42, 0, 0, 0),
    "legs nearly always agree": (0.49, 0.02, 0.49, 0, 0, 0),
    "legs are independent": (0.25, 0.5, 0.25, 0, 0, 0),
    "legs oppose": (0.10, 0.80, 0.10, 0, 0, 0),
    "legs nearly always oppose": (0.02, 0.96, 0.02, 0, 0, 0),
    "some games have no winner": (0.15, 0.50, 0.15, 0.08, 0.08, 0.04),
}
UNEQUAL = {
    "stronger, legs agree": (0.60, 0.15, 0.25, 0, 0, 0),
    "stronger, legs oppose": (0.20, 0.77, 0.03, 0, 0, 0),
    "much stronger": (0.85, 0.14, 0.01, 0, 0, 0),
}


@pytest.mark.parametrize("deals", [1000, 50_000])
@pytest.mark.parametrize(("chances"), [*EQUAL.values(), *UNEQUAL.values()], ids=[*EQUAL, *UNEQUAL])
def test_intervals_cover(chances: tuple[float, ...], deals: int) -> None:
    truth = math.fsum(p * (2 + a - b) / 4 for p, (a, b) in zip(chances, OUTCOMES, strict=True))
    rng = np.random.default_rng(2015)
    covered = 0
    for counts in rng.multinomial(deals, chances, MATCHES).tolist():
        interval = share(record("a", "b", zip(OUTCOMES, counts, strict=True)))
        covered += interval.low <= truth <= interval.high
    assert 0.93 <= covered / MATCHES <= 0.97


def league(
    rng: np.random.Generator, elos: dict[str, float], deals: int, opposed: float
) -> list[PairRecord]:
    """One simulated league of bots as the model has them.

    `opposed` moves chance from deals won or lost in both legs to split ones, which leaves the
    share as it is.
    """
    made = []
    for first, second in itertools.combinations(elos, 2):
        p = 1 / (1 + 10 ** ((elos[second] - elos[first]) / 400))
        won, lost = p * p - opposed, (1 - p) ** 2 - opposed
        counts = rng.multinomial(deals, (won, 1 - won - lost, lost))
        made.append(of_deals(first, second, *counts.tolist()))
    return made


@pytest.mark.parametrize("opposed", [-0.1, 0.1], ids=["legs agree", "legs oppose"])
def test_overall_intervals_and_bands_of_equal_bots(opposed: float) -> None:
    """The overall share covers 1/2, and two equal bots are told apart in 5 % of leagues."""
    rng = np.random.default_rng(51731)
    covered = separated = 0
    for _ in range(MATCHES):
        records = league(rng, dict.fromkeys("abcd", 0.0), 300, opposed)
        interval = overall("a", records)
        covered += interval.low <= 0.5 <= interval.high
        of = {n: [r.seen_from(n) for r in records if n in (r.first, r.second)] for n in "ab"}
        rivals = {n: {r.second: r for r in of[n]} for n in "ab"}
        separated += clearly_ahead("a", rivals["a"], "b", rivals["b"])
        separated += clearly_ahead("b", rivals["b"], "a", rivals["a"])
    assert 0.93 <= covered / MATCHES <= 0.97
    assert 0.03 <= separated / MATCHES <= 0.07


@pytest.mark.parametrize("opposed", [-0.05, 0.05], ids=["legs agree", "legs oppose"])
def test_rating_margins_cover(opposed: float) -> None:
    elos = {"a": 60.0, "b": 10.0, "c": -10.0, "d": -60.0}
    rng = np.random.default_rng(40)
    covered = 0
    for _ in range(500):
        for name, rating in fit(league(rng, elos, 300, opposed)).items():
            covered += abs(rating.elo - elos[name]) <= rating.margin
    assert 0.93 <= covered / (500 * len(elos)) <= 0.97
