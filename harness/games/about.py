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
class About:
    """A game's description; every game folder has one, `ABOUT` in `about.py`."""

    name: str
    """The folder's name, as in configs and commands."""
    title: str
    seats: int
    legs: int
    """How often a deal is played, with the seating rotated each time."""
    points: str
    """What the second criterion counts, in the plural: 'hands'."""
    rules: type[Rules]
    variants: Mapping[str, Rules]
    """The named rule sets; the first is the default."""
    words: Callable[[Any], tuple[int, int]]
    """From the rules: rows of random words dealt out at a time, and words per row."""
    hunted: bool = False
    """A game without decisions, whose only format is the hunt."""

    @property
    def default_rules(self) -> str:
        return next(iter(self.variants))
