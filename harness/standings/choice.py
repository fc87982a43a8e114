"""Ratings of tables: a joint fit of who won among those who sat there, on an Elo scale.

The model is a choice model, Plackett and Luce's for the first place alone (Luce, Individual Choice
Behavior, 1959; Plackett, Applied Statistics 24, 1975): of the sides at a table, side s wins with
probability exp(u_s) / sum of exp(u_t). A side's utility is the strength of its player; of partners,
the sum of both strengths, which for two sides is Bradley and Terry's model; of a player with
several seats, as if every seat were somebody. Games that nobody won say nothing and are left out.

Scale, regularisation and errors are those of `harness.standings.rating`: 400 points are odds of ten
to one between two players, the field's mean is 0, every two players are given half a virtual drawn
game, and the margins come from the deals, whatever the model.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from harness.arena.tally import Tally
from harness.standings.intervals import Z
from harness.standings.rating import DECIMALS, ELO, VIRTUAL_GAMES, Rating

_TOLERANCE = 1e-9
_MAX_STEPS = 2000

_Floats = NDArray[np.float64]


@dataclass(frozen=True)
class _Tables:
    """Line-ups as arrays: T of them, S sides, K players a side."""

    members: NDArray[np.int64]
    """Numbers of players, shape (T, S, K)."""
    offset: _Floats
    """Added to a side's utility, shape (T, S); -inf where there is no such side."""
    wins: _Floats
    """Shape (T, S)."""
    products: _Floats
    """Over deals, sums of wins times wins, shape (T, S, S)."""


def fit(tallies: Sequence[Tally], players: int, partners: bool) -> list[Rating]:
    """The ratings of players 0 to `players` - 1. Empty without any game."""
    if not tallies:
        return []
    played = _arrays(tallies, partners)
    virtual = _virtual(players)
    strengths = _most_likely(players, (played, virtual))
    curvature = sum(_curvature(players, tables, strengths) for tables in (played, virtual))
    spread = _spread(players, played, strengths) + _curvature(players, virtual, strengths)
    inverse = np.linalg.inv(_anchored(np.asarray(curvature)))
    errors = np.sqrt(np.maximum((inverse @ spread @ inverse).diagonal(), 0))
    mean = math.fsum(strengths.tolist()) / players
    return [
        Rating(_rounded(ELO * (t - mean)), _rounded(ELO * Z * error))
        for t, error in zip(strengths.tolist(), errors.tolist(), strict=True)
    ]


def _arrays(tallies: Sequence[Tally], partners: bool) -> _Tables:
    sides = 2 if partners else max(len(tally.who) for tally in tallies)
    each = 2 if partners else 1
    shape = (len(tallies), sides)
    members = np.zeros((*shape, each), np.int64)
    offset, wins = np.full(shape, -np.inf), np.zeros(shape)
    products = np.zeros((*shape, sides))
    for t, tally in enumerate(tallies):
        who = tally.who
        # Partners win together, so either's wins are the side's.
        of = [0, 2] if partners else list(range(len(who)))
        table = _square(tally.win_products, len(who))
        for side, place in enumerate(of):
            members[t, side] = tally.lineup[place : place + 2] if partners else who[place]
            offset[t, side] = 0.0 if partners else math.log(tally.lineup.count(who[place]))
            wins[t, side] = tally.wins[place]
            products[t, side, : len(of)] = table[place][of]
    return _Tables(members, offset, wins, products)


def _square(products: Sequence[int], size: int) -> _Floats:
    """A symmetric matrix from its upper triangle."""
    matrix = np.zeros((size, size))
    matrix[np.triu_indices(size)] = products
    return np.asarray(matrix + np.triu(matrix, 1).T)


def _virtual(players: int) -> _Tables:
    first, second = np.triu_indices(players, 1)
    pairs = len(first)
    members = np.stack((first, second), axis=1)[:, :, None]
    wins = np.full((pairs, 2), VIRTUAL_GAMES / 2)
    return _Tables(members, np.zeros((pairs, 2)), wins, np.zeros((pairs, 2, 2)))


def _chances(tables: _Tables, strengths: _Floats) -> _Floats:
    """How likely each side is to win, shape (T, S)."""
    utility = tables.offset + strengths[tables.members].sum(axis=2)
    utility -= utility.max(axis=1, keepdims=True)
    weight = np.exp(utility)
    return np.asarray(weight / weight.sum(axis=1, keepdims=True))


def _most_likely(players: int, parts: Sequence[_Tables]) -> _Floats:
    """The strengths, shape (players,), by Newton's method from all equal, in bounded steps."""
    strengths = np.zeros(players)
    for _ in range(_MAX_STEPS):
        gradient = np.zeros(players)
        curvature = np.zeros((players, players))
        for tables in parts:
            chances = _chances(tables, strengths)
            pull = tables.wins - tables.wins.sum(axis=1, keepdims=True) * chances
            each = np.broadcast_to(pull[:, :, None], tables.members.shape)
            gradient += np.bincount(tables.members.ravel(), each.ravel(), players)
            curvature += _curvature(players, tables, strengths)
        step = np.linalg.solve(_anchored(curvature), gradient)
        reach = float(np.ptp(step))
        strengths += step / max(1.0, reach)
        if reach < _TOLERANCE:
            break
    return strengths


def _curvature(players: int, tables: _Tables, strengths: _Floats) -> _Floats:
    """Minus the second derivatives of the log-likelihood, shape (players, players)."""
    chances = _chances(tables, strengths)
    games = tables.wins.sum(axis=1)[:, None, None]
    between = -chances[:, :, None] * chances[:, None, :]
    sides = np.arange(chances.shape[1])
    between[:, sides, sides] += chances
    return _by_player(players, tables, games * between)


def _spread(players: int, tables: _Tables, strengths: _Floats) -> _Floats:
    """The variance of the gradient as the deals show it, shape (players, players).

    A deal adds x_s - n p_s to side s, x its wins and n the deal's games with a winner; `products`
    holds all that its square sums to.
    """
    chances = _chances(tables, strengths)
    rows = tables.products.sum(axis=2)
    everything = rows.sum(axis=1)[:, None, None]
    one, other = chances[:, :, None], chances[:, None, :]
    between = (
        tables.products
        - rows[:, :, None] * other
        - one * rows[:, None, :]
        + one * other * everything
    )
    return _by_player(players, tables, between)


def _by_player(players: int, tables: _Tables, between: _Floats) -> _Floats:
    """From sides to their players: shape (T, S, S) to (players, players)."""
    matrix = np.zeros((players, players))
    members = tables.members
    each = members.shape[2]
    for one in range(each):
        for other in range(each):
            at = (members[:, :, None, one], members[:, None, :, other])
            np.add.at(matrix, np.broadcast_arrays(*at), between)
    return matrix


def _anchored(matrix: _Floats) -> _Floats:
    """Made invertible: where only differences of strengths mean anything, all-equal weighs nothing.

    Adding a constant to all entries gives that direction a weight and changes nothing else.
    """
    return np.asarray(matrix + float(matrix.trace()) / len(matrix) ** 2)


def _rounded(points: float) -> float:
    return round(points, DECIMALS) + 0.0  # -0.0 becomes 0.0
