"""What the players of each line-up took from its deals: all that standings of tables need.

Statistics go by deals, never by single games: the legs of a deal share their cards. So of every
line-up are kept, besides sums, the sums of products of two players' totals of a deal. They give
variances over deals, and how one player's luck goes with another's, exactly and in integers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Tally:
    """Deals of one line-up. Players are numbers, `who` each of them once."""

    lineup: tuple[int, ...]
    """Sorted; a player with two seats twice. With partners, the two of one side come first."""
    deals: int
    games: int
    wins: tuple[int, ...]
    """Of each of `who`."""
    win_products: tuple[int, ...]
    """Over deals, the sums of wins times wins, of (0, 0), (0, 1), ..., (1, 1), ... in `who`."""
    points: tuple[int, ...]
    point_products: tuple[int, ...]

    @property
    def who(self) -> tuple[int, ...]:
        return tuple(dict.fromkeys(self.lineup))

    def sums(self) -> list[Any]:
        """All but the line-up, as JSON takes it; `of` reads it."""
        sums = (self.wins, self.win_products, self.points, self.point_products)
        return [self.deals, self.games, *map(list, sums)]

    @classmethod
    def of(cls, lineup: Sequence[int], sums: Sequence[Any]) -> Tally:
        """From a line-up and its `sums`."""
        deals, games, *lists = sums
        return cls(tuple(lineup), deals, games, *(tuple(numbers) for numbers in lists))

    def __add__(self, other: Tally) -> Tally:
        """Both together. ValueError unless they are of the same line-up."""
        if self.lineup != other.lineup:
            raise ValueError(f"tallies of {self.lineup} and {other.lineup}")
        return Tally(
            self.lineup,
            self.deals + other.deals,
            self.games + other.games,
            _plus(self.wins, other.wins),
            _plus(self.win_products, other.win_products),
            _plus(self.points, other.points),
            _plus(self.point_products, other.point_products),
        )


def _plus(one: tuple[int, ...], other: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(a + b for a, b in zip(one, other, strict=True))


def among(tallies: Sequence[Tally], players: Sequence[int]) -> list[Tally]:
    """Those of line-ups in which only `players` (ascending) sat, who are numbered anew from 0."""
    number = {player: place for place, player in enumerate(players)}
    return [
        replace(tally, lineup=tuple(number[player] for player in tally.lineup))
        for tally in tallies
        if number.keys() >= set(tally.lineup)
    ]


def count(
    lineups: NDArray[np.int16], wins: NDArray[np.int64], points: NDArray[np.int64], legs: int
) -> list[Tally]:
    """Tallies of a block, by line-up.

    `lineups`: canonical (see `canonical`), shape (deals, places). `wins`, `points`: what each
    player took from each deal over its legs, shape (deals, players).
    """
    found, which = np.unique(lineups, axis=0, return_inverse=True)
    tallies = []
    for number, lineup in enumerate(found.tolist()):
        who = list(dict.fromkeys(lineup))
        deals = np.flatnonzero(which.ravel() == number)
        won, made = wins[np.ix_(deals, who)], points[np.ix_(deals, who)]
        tallies.append(
            Tally(
                lineup=tuple(lineup),
                deals=len(deals),
                games=legs * len(deals),
                wins=tuple(won.sum(axis=0).tolist()),
                win_products=_products(won),
                points=tuple(made.sum(axis=0).tolist()),
                point_products=_products(made),
            )
        )
    return tallies


def _products(totals: NDArray[np.int64]) -> tuple[int, ...]:
    products = totals.T @ totals
    rows, columns = np.triu_indices(len(products))
    return tuple(products[rows, columns].tolist())


def canonical(lineups: NDArray[np.int16], partners: bool) -> NDArray[np.int16]:
    """Line-ups in one order whatever the seats: shape (deals, places) in and out.

    `partners`: places 0 and 2 play against 1 and 3; the two of a side come next to each other.
    """
    if not partners:
        return np.sort(lineups, axis=1)
    sides = np.sort(np.stack((lineups[:, 0::2], lineups[:, 1::2]), axis=1), axis=2)
    swap = sides[:, 0, 0] > sides[:, 1, 0]
    sides[swap] = sides[swap][:, ::-1]
    return sides.reshape(len(lineups), -1)
