"""The sets of one cup pairing: best four of seven, and what happens when sets are drawn.

The rule (rules/pazaak.md, "Ranking and formats"): "A set is won by games; equal games is a drawn
set and is replayed; after three drawn sets in a row the hands of those sets decide, then a lot
drawn from the secret, shown as such."

Read here as a rule about the set, not about the pairing: a drawn set has no winner yet and is
played again; when three plays of it in a row were drawn, the hands won in these three plays
together give the set its winner, and if they are equal too, the lot does. Either way it counts as
one won set, and the pairing goes on until somebody has won four. That keeps "whoever wins four
sets advances" true without exception and lets a freak draw decide one set rather than a place. Two
identical deterministic bots, who draw every mirrored set, are done after 12 to 21 plays: four to
seven lots.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

SETS_TO_WIN = 4
DRAWN_IN_A_ROW = 3
"""After so many drawn plays of a set its hands decide."""

How = Literal["sets", "hands", "lot"]
_WEAKEST_LAST: tuple[How, ...] = ("sets", "hands", "lot")


@dataclass(frozen=True, slots=True)
class SetScore:
    """Games and points won by the two sides in one play of a set. ValueError if negative."""

    wins: tuple[int, int]
    points: tuple[int, int]

    def __post_init__(self) -> None:
        if min(*self.wins, *self.points) < 0:
            raise ValueError(f"negative score: {self}")


@dataclass(frozen=True, slots=True)
class DecidedSet:
    """A set that has its winner."""

    winner: int
    """The side, 0 or 1."""
    how: How
    """"sets": by games, as it should be; "hands" or "lot": after three drawn plays."""
    plays: tuple[SetScore, ...]
    """One to three; all but the last of a set won by games are drawn."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """How a pairing stands."""

    sets: tuple[DecidedSet, ...]
    drawn: tuple[SetScore, ...]
    """Drawn plays of the set that is not decided yet, at most two."""
    score: tuple[int, int]
    """Sets won by the two sides."""
    winner: int | None
    """The side that has won the pairing, 0 or 1; None: it needs another play."""
    how: How | None
    """The weakest means the winner needed for one of its sets; "sets" if all were won by games."""

    @property
    def decided(self) -> bool:
        """Whether the pairing has its winner and no further play is needed."""
        return self.winner is not None


def verdict(
    plays: Sequence[SetScore], lot: Callable[[int], int], sets_to_win: int = SETS_TO_WIN
) -> Verdict:
    """Judge the plays of a pairing so far, in the order of their numbers.

    `lot(n)` gives the side, 0 or 1, that the n-th lot of this pairing falls on, n = 1, 2, ...; it
    must depend on nothing but n and the event's secret, because it is asked anew at every call.
    Plays beyond the decisive one count for nothing. ValueError for `sets_to_win` below 1 or a lot
    that is neither 0 nor 1.
    """
    if sets_to_win < 1:
        raise ValueError(f"sets_to_win must be at least 1, not {sets_to_win}")
    sets: list[DecidedSet] = []
    drawn: list[SetScore] = []
    score = [0, 0]
    lots = 0
    for play in plays:
        if max(score) == sets_to_win:
            break
        drawn.append(play)
        how: How = "sets"
        winner = _ahead(play.wins)
        if winner is None and len(drawn) == DRAWN_IN_A_ROW:
            how = "hands"
            winner = _ahead((sum(p.points[0] for p in drawn), sum(p.points[1] for p in drawn)))
            if winner is None:
                how = "lot"
                lots += 1
                winner = _drawn_side(lot, lots)
        if winner is not None:
            sets.append(DecidedSet(winner, how, tuple(drawn)))
            drawn.clear()
            score[winner] += 1
    return _verdict(sets, drawn, (score[0], score[1]), sets_to_win)


def _verdict(
    sets: list[DecidedSet], drawn: list[SetScore], score: tuple[int, int], sets_to_win: int
) -> Verdict:
    winner = _ahead(score) if max(score) == sets_to_win else None
    how = None
    if winner is not None:
        how = max((s.how for s in sets if s.winner == winner), key=_WEAKEST_LAST.index)
    return Verdict(tuple(sets), tuple(drawn), score, winner, how)


def _ahead(score: tuple[int, int]) -> int | None:
    """The side that has more, or None."""
    if score[0] == score[1]:
        return None
    return 0 if score[0] > score[1] else 1


def _drawn_side(lot: Callable[[int], int], number: int) -> int:
    side = lot(number)
    if side not in (0, 1):
        raise ValueError(f"lot {number} must fall on side 0 or 1, not {side!r}")
    return side
