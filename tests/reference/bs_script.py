"""Scripted games of BS for the tests of the reference engine: turn by turn, with their draws."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tests.reference.bs import Laid, Outcome, ReferenceView, play_game

LOW = (0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3)
"""The first of four hands that deal the ranks from the bottom."""
SORTED = (
    LOW,
    (3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 6, 6),
    (6, 6, 7, 7, 7, 7, 8, 8, 8, 8, 9, 9, 9),
    (9, 10, 10, 10, 10, 11, 11, 11, 11, 12, 12, 12, 12),
)
RAINBOW = (tuple(range(13)),) * 4
"""Everybody holds one of each rank."""


@dataclass(frozen=True)
class Turn:
    """One turn: what the mover lays, who calls, and the draws that must be asked for."""

    lay: object
    callers: tuple[int, ...] = ()
    draws: tuple[tuple[str, int, int], ...] = ()
    """Purpose, how many there are to choose from, which one it is."""


@dataclass(frozen=True)
class Played:
    """A scripted game and all views of its decisions."""

    outcome: Outcome
    views: list[ReferenceView]

    def of(self, kind: str, seat: int) -> list[ReferenceView]:
        return [view for view in self.views if (view.kind, view.seat) == (kind, seat)]


def play(*turns: Turn, deal: Sequence[Sequence[int]] = SORTED, rounds: int = 1000) -> Played:
    """Play a game of exactly these turns, in which nobody is asked more or less than it answers."""
    views: list[ReferenceView] = []
    draws = [(purpose, number, index) for turn in turns for purpose, number, index in turn.draws]

    def decide(seat: int, view: ReferenceView) -> object:
        assert seat == view.seat
        turn = sum(isinstance(event, Laid) for event in view.events) - (view.kind == "call")
        assert turn < len(turns), "a turn too many"
        views.append(view)
        return turns[turn].lay if view.kind == "lay" else seat in turns[turn].callers

    def draw(number: int, purpose: str) -> int:
        assert draws, "a draw too many"
        expected, size, index = draws.pop(0)
        assert (purpose, number) == (expected, size)
        return index

    outcome = play_game(deal, decide, draw, rounds)
    assert not draws, "a draw nobody asked for"
    assert outcome.turns == len(turns)
    return Played(outcome, views)


def never_drawn(number: int, purpose: str) -> int:
    raise AssertionError(f"nothing to draw here: {purpose} of {number}")
