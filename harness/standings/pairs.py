"""What two bots did to each other, summed over deals: the one input of all standings."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

LEGS = 2
"""A deal of a two-seat game is played once per seating."""


@dataclass(frozen=True, slots=True)
class PairRecord:
    """Sums over the deals two bots have played, seen from `first`.

    `wins` and `points` are (first's, second's). `squares` is the sum over deals of x * x, where x
    is first's wins minus second's in the two legs of that deal, so -2..2; it holds all that an
    interval needs to know about how the legs of a deal go together. ValueError for sums that no
    sequence of deals can have.
    """

    first: str
    second: str
    deals: int
    games: int
    wins: tuple[int, int]
    points: tuple[int, int]
    squares: int

    def __post_init__(self) -> None:
        decisive = sum(self.wins)
        possible = (
            self.first != self.second
            and min(self.deals, *self.wins) >= 0
            and self.games == LEGS * self.deals
            and decisive <= self.games
            # The mean of squares is no less than the square of the mean (Cauchy-Schwarz), and no
            # |x| exceeds the deal's games with a winner, which are two at most.
            and self.lead**2 <= self.squares * self.deals
            and self.squares <= LEGS * decisive
        )
        if not possible:
            raise ValueError(f"impossible record: {self}")

    @property
    def draws(self) -> int:
        """Games without a winner, for instance forfeited by both."""
        return self.games - sum(self.wins)

    @property
    def lead(self) -> int:
        """First's wins minus second's: the sum of x over deals."""
        return self.wins[0] - self.wins[1]

    def __add__(self, other: PairRecord) -> PairRecord:
        """Both records together. ValueError unless they name the same bots in the same order."""
        if (self.first, self.second) != (other.first, other.second):
            raise ValueError(
                f"records of different pairs: {self.first!r} and {self.second!r}, "
                f"{other.first!r} and {other.second!r}"
            )
        return PairRecord(
            self.first,
            self.second,
            self.deals + other.deals,
            self.games + other.games,
            (self.wins[0] + other.wins[0], self.wins[1] + other.wins[1]),
            (self.points[0] + other.points[0], self.points[1] + other.points[1]),
            self.squares + other.squares,
        )

    def swapped(self) -> PairRecord:
        """The same games seen from the other side."""
        return PairRecord(
            self.second,
            self.first,
            self.deals,
            self.games,
            (self.wins[1], self.wins[0]),
            (self.points[1], self.points[0]),
            self.squares,
        )

    def seen_from(self, name: str) -> PairRecord:
        """The record with `name` as first. ValueError if it is neither of the two."""
        if name == self.first:
            return self
        if name == self.second:
            return self.swapped()
        raise ValueError(f"{name!r} is not in the record of {self.first!r} and {self.second!r}")


def merged(records: Iterable[PairRecord]) -> list[PairRecord]:
    """One record per pair, first < second, sorted by names: the order of `records` is forgotten.

    Whatever sums floats over records does it in this order, so that the last bit of a result does
    not depend on who was entered first.
    """
    pairs: dict[tuple[str, str], PairRecord] = {}
    for record in records:
        ordered = record.seen_from(min(record.first, record.second))
        key = ordered.first, ordered.second
        pairs[key] = pairs[key] + ordered if key in pairs else ordered
    return [pairs[key] for key in sorted(pairs)]
