"""The table of an event at tables: shares of games won, points, and what chance explains of them.

The unit of evidence is the deal, as in `harness.standings.intervals`: what a bot took from a deal,
over all its legs, is one observation, and how two bots' observations go together at the tables
where both sat is counted, not assumed.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from harness.arena.tally import Tally
from harness.standings.intervals import FEW_DEALS, Interval, adjusted_variance, interval, quantile

_Floats = NDArray[np.float64]

_NO_ERROR = 1e-5
"""What rounding can leave of an error of zero, in points or games."""


@dataclass(frozen=True, slots=True)
class Mean:
    """A mean and its 95 % interval; None where nothing can be said of it, see `_mean`."""

    value: float
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True)
class Row:
    """One bot's line."""

    rank: int
    """Equal bots share a rank and the next one is left out."""
    band: tuple[int, int]
    """Best and worst rank that cannot be told apart from its own at 95 %."""
    name: str
    deals: int
    games: int
    wins: int
    points: int
    share: Interval
    """Of its games, those it won."""
    mean: Mean
    """Points per seat and unit (see `standings`)."""


@dataclass(frozen=True)
class _Sums:
    """Of all bots, shape (players,), and of every two, shape (players, players)."""

    deals: NDArray[np.int64]
    games: NDArray[np.int64]
    seats: NDArray[np.int64]
    """Games counted once per seat."""
    totals: NDArray[np.int64]
    both: NDArray[np.int64]
    """Deals that both have played."""
    shared: NDArray[np.int64]
    """What the row took from the deals that the column played as well."""
    products: NDArray[np.int64]


def standings(
    names: Sequence[str],
    tallies: Sequence[Tally],
    *,
    by_points: bool,
    units: int = 1,
    last: Sequence[str] = (),
    uneven: bool = False,
) -> list[Row]:
    """The table, best first; equal bots in the order of their names.

    Ranks go by games won, then points, and the other way round with `by_points`. `units`: what a
    game's points are divided by (deals of a session). `last`: retired bots, who rank below all
    others, whatever they had won. `uneven`: they have not all played the same number of games, so
    ranks go by the share of games won and by mean points; bots without a game come last.
    """
    won, made = _sums(len(names), tallies, points=False), _sums(len(names), tallies, points=True)
    scores = []
    for i, name in enumerate(names):
        seats, games = (int(made.seats[i]), int(won.games[i])) if uneven else (1, 1)
        pair = Fraction(int(made.totals[i]), seats or 1), Fraction(int(won.totals[i]), games or 1)
        scores.append((name not in last, games > 0, *(pair if by_points else pair[::-1])))
    ranks = [1 + sum(other > score for other in scores) for score in scores]
    # A bot that sits at several seats is measured by the seat, or it would win by sitting.
    measured, per = (made, made.seats * units) if by_points else (won, won.games)
    ahead = _clearly_ahead(measured, per)
    rows = []
    for i, name in enumerate(names):
        better = sum(ahead[j][i] and ranks[j] < ranks[i] for j in range(len(names)))
        worse = sum(ahead[i][j] and ranks[i] < ranks[j] for j in range(len(names)))
        rows.append(
            Row(
                rank=ranks[i],
                band=(1 + better, len(names) - worse),
                name=name,
                deals=int(won.deals[i]),
                games=int(won.games[i]),
                wins=int(won.totals[i]),
                points=int(made.totals[i]),
                share=_share(won, i),
                mean=_mean(made, i, int(made.seats[i]) * units),
            )
        )
    return sorted(rows, key=lambda row: (row.rank, row.name))


def _sums(players: int, tallies: Sequence[Tally], *, points: bool) -> _Sums:
    deals, games, seats, totals = np.zeros((4, players), np.int64)
    both, shared, products = np.zeros((3, players, players), np.int64)
    for tally in tallies:
        who = list(tally.who)
        taken = np.array(tally.points if points else tally.wins)
        square = np.zeros((len(who), len(who)), np.int64)
        square[np.triu_indices(len(who))] = tally.point_products if points else tally.win_products
        square += np.triu(square, 1).T
        deals[who] += tally.deals
        games[who] += tally.games
        seats[who] += tally.games * np.array([tally.lineup.count(player) for player in who])
        totals[who] += taken
        at = np.ix_(who, who)
        both[at] += tally.deals
        shared[at] += taken[:, None]
        products[at] += square
    return _Sums(deals, games, seats, totals, both, shared, products)


def _covariances(sums: _Sums) -> _Floats:
    """Of the totals of every two bots, over deals drawn at random: shape (players, players)."""
    deals = np.maximum(sums.deals, 1)
    mean = sums.totals / deals
    centred = (
        sums.products
        - sums.shared * mean[None, :]
        - (sums.shared * mean[None, :]).T
        + sums.both * np.outer(mean, mean)
    )
    # Unbiased where both are the same bot; the factor hardly matters elsewhere.
    least = np.minimum(deals[:, None], deals[None, :])
    return np.asarray(centred * (least / np.maximum(least - 1, 1)))


def _share(sums: _Sums, i: int) -> Interval:
    deals, games, wins = int(sums.deals[i]), int(sums.games[i]), int(sums.totals[i])
    if games == 0:
        return Interval(0.0, 0.0, 1.0)
    if wins in (0, games):
        variance = adjusted_variance(deals)
    else:
        # In integers up to the last step: equal deals have no variance at all.
        squares = int(sums.products[i, i]) * deals - wins * wins
        variance = squares / (max(deals - 1, 1) * games * games)
        if not squares and deals <= FEW_DEALS:
            # Not known to be certain: as if the games of a deal all went the same way.
            return interval(wins / games, wins * (games - wins) / (games * games * deals), deals)
    return interval(wins / games, variance, deals, quantile(deals))


def _mean(sums: _Sums, i: int, per: int) -> Mean:
    """Without an interval if there is one deal, or few that came out all alike."""
    deals, total = int(sums.deals[i]), int(sums.totals[i])
    if per == 0:
        return Mean(0.0, None, None)
    squares = int(sums.products[i, i]) * deals - total * total
    if not squares and deals <= FEW_DEALS:
        return Mean(total / per, None, None)
    half = quantile(deals) * math.sqrt(max(squares, 0) / max(deals - 1, 1)) / per
    return Mean(total / per, total / per - half, total / per + half)


def _clearly_ahead(sums: _Sums, per: NDArray[np.int64]) -> list[list[bool]]:
    """Whether the row's mean is above the column's at 95 %: difference > z standard errors.

    Never if the error is zero because there were few deals.
    """
    players = len(per)
    scale = np.where(per > 0, 1 / np.maximum(per, 1), 0.0)
    means = sums.totals * scale
    covariances = _covariances(sums) * np.outer(scale, scale)
    variances = covariances.diagonal()
    error = np.sqrt(np.maximum(variances[:, None] + variances[None, :] - 2 * covariances, 0))
    least = np.minimum(sums.deals[:, None], sums.deals[None, :])
    reach = np.array([[quantile(int(deals)) for deals in row] for row in least])
    ahead = (means[:, None] - means[None, :] > reach * error) & (least > 0)
    ahead &= (error > _NO_ERROR) | (least > FEW_DEALS)
    return [[bool(ahead[i, j]) for j in range(players)] for i in range(players)]
