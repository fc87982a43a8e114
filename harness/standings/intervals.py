"""Shares of games won, with 95 % intervals that respect mirrored deals.

The unit of evidence is the deal, not the game: both legs of a deal use the same cards, so their
results go together (often against each other: the better cards win both legs, once for either
bot). Scoring a deal y = 1/2 + x/4 with x as in `PairRecord` makes the deals independent draws from
0..1 whose mean is the share, and their variance gives its error, however the two legs correlate.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from statistics import NormalDist

from harness.standings.pairs import PairRecord

__all__ = [
    "FEW_DEALS",
    "Interval",
    "PairRecord",
    "Z",
    "overall",
    "quantile",
    "share",
    "share_value",
    "share_variance",
]

CONFIDENCE = 0.95
Z = NormalDist().inv_cdf(0.5 + CONFIDENCE / 2)
"""Half a two-sided 95 % interval in standard errors: 1.96."""
MANY_DEALS = 100
"""From so many on, an error that was estimated from them is taken for the true one."""
FEW_DEALS = 10
"""If so few, or fewer, came out all alike, that is no evidence that all would."""


def quantile(deals: int) -> float:
    """Half a two-sided 95 % interval, in standard errors estimated from so many deals.

    Student's: 12.7 for two deals, 4.3 for three. Fisher's expansion (Cornish and Fisher, Revue de
    l'Institut International de Statistique 5, 1938), which is right to one per cent from three
    degrees of freedom on; below these there are closed forms. Z from MANY_DEALS on.
    """
    if deals >= MANY_DEALS:
        return Z
    free = max(deals - 1, 1)
    if free == 1:
        return math.tan(math.pi * CONFIDENCE / 2)
    if free == 2:
        return CONFIDENCE * math.sqrt(2 / (1 - CONFIDENCE**2))
    return (
        Z
        + (Z**3 + Z) / (4 * free)
        + (5 * Z**5 + 16 * Z**3 + 3 * Z) / (96 * free**2)
        + (3 * Z**7 + 19 * Z**5 + 17 * Z**3 - 15 * Z) / (384 * free**3)
    )


@dataclass(frozen=True, slots=True)
class Interval:
    """A share and its 95 % interval; 0 <= low <= value <= high <= 1."""

    value: float
    low: float
    high: float

    @property
    def half(self) -> float:
        """The longer way from the value to an end."""
        return max(self.value - self.low, self.high - self.value)

    @property
    def is_lopsided(self) -> bool:
        """Whether `value ± half` would say something else than the interval does."""
        below, above = self.value - self.low, self.high - self.value
        return abs(below - above) > max(0.001, 0.3 * self.half)


def share(record: PairRecord) -> Interval:
    """The share of games first won, a game without a winner counting half for both.

    Half, so that the shares of the two sides add up to one and 0.5 means "equally good"; ranking
    counts won games only, see `table`. Without any game: 0.5, from 0 to 1.
    """
    return interval(share_value([record]), share_variance(record), record.deals)


def overall(name: str, records: Iterable[PairRecord]) -> Interval:
    """The share of all games of `name` over its pairings; records without it are ignored.

    Pairings are independent (each has deals of its own), so the variances of their contributions
    add: Var = sum of (deals_k / deals)^2 Var_k.
    """
    own = [r.seen_from(name) for r in records if name in (r.first, r.second)]
    deals = sum(r.deals for r in own)
    variance = math.fsum((r.deals / deals) ** 2 * share_variance(r) for r in own if r.deals)
    return interval(share_value(own), variance, deals)


def share_value(records: Iterable[PairRecord]) -> float:
    """First's share of all games of `records`, draws counting half; 0.5 without games."""
    halves = games = 0
    for record in records:
        halves += 2 * record.wins[0] + record.draws
        games += record.games
    return halves / (2 * games) if games else 0.5


def share_variance(record: PairRecord) -> float:
    """The sampling variance of first's share of the games of this one pairing, never negative.

    The unbiased variance of y over deals divided by the number of deals, from integers: with
    y = 1/2 + x/4 it is (squares - lead^2/deals) / (16 (deals - 1) deals). Two cases in which
    deals tell nothing about their variance:

    - every game won by one side: zero would claim certainty, and would be wrong inside a sum over
      pairings. Agresti and Coull's adjusted share p~ = (z^2/2) / (n + z^2) in p~(1 - p~)/(n + z^2),
      n = deals: the same centre as Wilson's interval (The American Statistician 52, 1998).
    - a single deal: that of one game, p(1 - p).

    Zero variance with wins on both sides is believed: two equal deterministic bots split every
    mirrored deal.
    """
    deals = record.deals
    if deals == 0:
        return 0.25
    if abs(record.lead) == record.games:
        return adjusted_variance(deals)
    if deals == 1:
        value = share_value([record])
        return value * (1 - value)
    return (record.squares * deals - record.lead**2) / (16 * deals**2 * (deals - 1))


def adjusted_variance(deals: int) -> float:
    """Of the share of somebody who has won all or nothing in so many deals (Agresti and Coull)."""
    adjusted = deals + Z**2
    centre = Z**2 / 2 / adjusted
    return centre * (1 - centre) / adjusted


def interval(value: float, variance: float, deals: int, z: float = Z) -> Interval:
    """Wilson's score interval (JASA 22, 1927) with the effective sample size of the deals.

    `variance` is that of `value` itself. n is the number of independent games that would have this
    variance, p(1 - p)/variance; at 0 or 1, where that says nothing, it is `deals`. Written with
    a = z^2/n, which stays finite when the variance is zero: then the interval has no width. `z` is
    for a variance that is an estimate from few deals, see `quantile`.
    """
    if deals == 0:
        return Interval(value, 0.0, 1.0)
    bernoulli = value * (1 - value)
    a = z**2 * (variance / bernoulli) if bernoulli else Z**2 / deals
    centre = (value + a / 2) / (1 + a)
    half = math.sqrt(a * bernoulli + a * a / 4) / (1 + a)
    return Interval(value, max(0.0, min(value, centre - half)), min(1.0, max(value, centre + half)))
