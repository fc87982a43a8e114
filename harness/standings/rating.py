"""Ratings: a joint Bradley-Terry fit of all pairings on an Elo scale.

The model (Bradley and Terry, Biometrika 39, 1952): bot i scores against bot j with probability
1 / (1 + exp(t_j - t_i)); a game without a winner is half a win for both. The strengths t are those
of greatest likelihood. Elo = t * 400 / ln 10, so 400 points are odds of ten to one. The mean of
the field is 0: ratings compare bots within one event, and no number from elsewhere.

Regularisation: every two bots of the field are given half a virtual drawn game, whether they met
or not. It makes the greatest likelihood unique and finite for records of 0 % and 100 % and for a
field that falls into parts that never met; beside thousands of real games it moves nothing.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from harness.standings.intervals import Z, share_value, share_variance
from harness.standings.pairs import PairRecord, merged

ELO = 400 / math.log(10)
"""Elo points per unit of log-odds: 173.7."""
VIRTUAL_GAMES = 0.5
DECIMALS = 1
"""Ratings are rounded here and nowhere else; it also hides the last bits in which linear algebra
libraries differ, so that equal bots have equal ratings and equal runs equal bytes."""

_TOLERANCE = 1e-9
_MAX_STEPS = 2000

_Floats = NDArray[np.float64]
_Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Rating:
    """Elo points relative to the mean of the field, and half the width of the 95 % interval."""

    elo: float
    margin: float


def fit(records: Iterable[PairRecord]) -> dict[str, Rating]:
    """The ratings of all bots that have played, by name in sorted order.

    The margin is z standard errors, from the sandwich covariance H^-1 J H^-1 (White,
    Econometrica 50, 1982): H is the curvature of the likelihood, J the variance of its gradient as
    the deals show it. The usual H^-1 alone would take the two legs of a deal for independent games
    and the model for true; this takes neither, though it covers only chance, not the misfit of bots
    that beat each other in a circle.
    """
    pairs = [record for record in merged(records) if record.games]
    names = sorted({name for record in pairs for name in (record.first, record.second)})
    if not names:
        return {}
    index = {name: i for i, name in enumerate(names)}
    size = len(names)
    # One entry per two bots of the field, those that never met included.
    first, second = np.triu_indices(size, 1)
    entry = {(int(i), int(j)): k for k, (i, j) in enumerate(zip(first, second, strict=True))}
    wins, losses = np.full((2, len(first)), VIRTUAL_GAMES / 2)
    variance = np.full(len(first), VIRTUAL_GAMES / 4)  # of a game's score, p(1 - p), at p = 1/2
    for record in pairs:
        k = entry[index[record.first], index[record.second]]
        wins[k] += record.games * share_value([record])
        losses[k] += record.games * share_value([record.swapped()])
        variance[k] += record.games**2 * share_variance(record)

    strengths = _most_likely(size, first, second, wins, losses)
    curvature = _curvature(strengths, first, second, wins + losses)
    inverse = np.linalg.inv(_anchored(_laplacian(size, first, second, curvature)))
    covariance = inverse @ _laplacian(size, first, second, variance) @ inverse
    errors = np.sqrt(np.maximum(covariance.diagonal(), 0))
    mean = math.fsum(strengths) / size
    return {
        name: Rating(_rounded(ELO * (t - mean)), _rounded(ELO * Z * error))
        for name, t, error in zip(names, strengths.tolist(), errors.tolist(), strict=True)
    }


def _most_likely(size: int, first: _Ints, second: _Ints, wins: _Floats, losses: _Floats) -> _Floats:
    """The strengths, shape (size,), by Newton's method from all equal.

    A step changes no difference of two strengths by more than 1: within that distance the
    curvature of a logistic likelihood changes by a factor of e at most, so that every step gains
    (Bach, Self-concordant analysis for logistic regression, 2010) and none leaps to infinity.
    """
    strengths = np.zeros(size)
    for _ in range(_MAX_STEPS):
        ahead = strengths[first] - strengths[second]
        # Not wins - games * p: the difference of large numbers would drown a small gradient.
        pull = wins * _logistic(-ahead) - losses * _logistic(ahead)
        gradient = np.bincount(first, pull, size) - np.bincount(second, pull, size)
        curvature = _curvature(strengths, first, second, wins + losses)
        step = np.linalg.solve(_anchored(_laplacian(size, first, second, curvature)), gradient)
        reach = float(np.ptp(step))
        strengths += step / max(1.0, reach)
        if reach < _TOLERANCE:
            break
    return strengths


def _curvature(strengths: _Floats, first: _Ints, second: _Ints, games: _Floats) -> _Floats:
    """Minus the second derivative of each pairing's log-likelihood in its difference."""
    ahead = strengths[first] - strengths[second]
    return games * _logistic(ahead) * _logistic(-ahead)


def _laplacian(size: int, first: _Ints, second: _Ints, weights: _Floats) -> _Floats:
    """Sum over pairings of weight * (e_i - e_j)(e_i - e_j)^T, shape (size, size)."""
    matrix = np.zeros((size, size))
    matrix[first, second] = matrix[second, first] = -weights
    np.fill_diagonal(matrix, -matrix.sum(axis=1))
    return matrix


def _anchored(laplacian: _Floats) -> _Floats:
    """Made invertible: only differences of strengths mean anything, so all-equal is in its kernel.

    Adding a constant to all entries gives that direction a weight and changes nothing else.
    """
    return laplacian + float(laplacian.trace()) / len(laplacian) ** 2


def _logistic(x: _Floats) -> _Floats:
    """1 / (1 + exp(-x)) without overflow and exact in both tails."""
    return np.asarray(np.exp(-np.logaddexp(0, -x)))


def _rounded(points: float) -> float:
    return round(points, DECIMALS) + 0.0  # -0.0 becomes 0.0
