"""What a game is, in plain data: all that configs, schedules and reports need to know of it.

Importing it costs little; the compiled rules are behind `harness.games.load`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, ConfigDict


class Rules(BaseModel):
    """The parameters of a game; every game derives its own. Field names are config keys."""

    model_config = ConfigDict(extra="forbid", frozen=True)


@dataclass(frozen=True)
class Nominal:
    """What a game of usual bots costs; only estimates of durations depend on it."""

    rate: float
    """Games per second and core."""
    decisions: float
    """Decisions per game, of all bots together."""


@dataclass(frozen=True)
class Seating:
    """How those who play a deal take the seats, leg by leg.

    `Seating(((0, 1), (1, 0)))`: two play, and change seats for the second leg.
    """

    legs: tuple[tuple[int, ...], ...]
    """Of each leg, who sits where: `legs[l][seat]` is a place in the deal's line-up."""
    partners: bool = False
    """Whether seats 0, 2, ... play together against 1, 3, ...: they win and score as one."""

    @property
    def seats(self) -> int:
        return len(self.legs[0])

    @property
    def places(self) -> int:
        """How many are in a line-up. Fewer than seats: some sit at several seats, as strangers."""
        return max(self.legs[0]) + 1


PAIR = Seating(((0, 1), (1, 0)))
"""Two seats, two players."""


def rotation(seats: int) -> Seating:
    """As many players as seats, everybody sitting everywhere once."""
    return Seating(
        tuple(tuple((seat + leg) % seats for seat in range(seats)) for leg in range(seats))
    )


@dataclass(frozen=True)
class About:
    """A game's description; every game folder has one, `ABOUT` in `about.py`."""

    name: str
    """The folder's name, as in configs and commands."""
    title: str
    points: str
    """What the second criterion counts, in the plural: 'hands'."""
    rules: type[Rules]
    variants: Mapping[str, Rules]
    """The named rule sets; the first is the default."""
    words: Callable[[Any], tuple[int, int]]
    """From the rules: rows of random words dealt out at a time, and words per row."""
    pairs: Callable[[Any], Seating] | None = None
    """From the rules, how the two bots of a match sit: for duels, leagues and cups. Two legs."""
    tables: Callable[[Any], Seating] | None = None
    """From the rules, how the bots of a table sit: for the format `tables`."""
    walkover_points: Callable[[Any], int] = lambda rules: 0
    """From the rules, what a game won without play is worth in points."""
    ranked_by_points: bool = False
    """Whether tables rank by points rather than by games won."""
    units: Callable[[Any], int] = lambda rules: 1
    """From the rules, by what the points of a game are divided where they are shown as a mean."""
    unit: str = "game"
    """What one of these units is called: 'deal'."""
    several_seats: bool = False
    """Whether a bot may sit at several seats of a table, so that two bots can play at four."""
    average_milliseconds: float | None = None
    """What a decision may take on average where a config does not say; None: as in all games."""
    nominal: Nominal = Nominal(2_000, 200)
    hunted: bool = False
    """A game without decisions, whose only format is the hunt."""

    @property
    def default_rules(self) -> str:
        return next(iter(self.variants))

    def seating(self, rules: Rules, *, tables: bool) -> Seating:
        """How bots sit, at tables or in a match of two. ValueError if it is not so played."""
        seating = self.tables if tables else self.pairs
        if seating is None:
            raise ValueError(self.refusal("tables" if tables else "league"))
        return seating(rules)

    def refusal(self, way: str) -> str | None:
        """Why the game is not played so, and what to type instead; None if it is.

        `way`: league, cup, tables or duel.
        """
        if self.hunted:
            return f"{self.name} is played as: koth hunt"
        if way == "tables":
            two = ("league NAME", "cup NAME", "duel NAME BOT BOT")
            instead = ", ".join(f"koth {words}" for words in two).replace("NAME", self.name)
            between = f"{self.name} is played between two bots, not at tables: {instead}"
            return between if self.tables is None else None
        only = " --only BOT,BOT" if way == "duel" and self.several_seats else ""
        instead = f"koth tables {self.name}{only}"
        at_tables = f"{self.name} is played at tables, not as a {way}: {instead}"
        return at_tables if self.pairs is None else None
