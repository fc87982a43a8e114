"""What a block is asked for and what it gives back: plain data that travels between processes."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from harness.arena.budgets import Budgets
from harness.arena.faults import FaultLog
from harness.games.about import Rules
from harness.sandbox.isolation import Layers


@dataclass(frozen=True)
class Player:
    """A bot as a table needs it."""

    name: str
    path: str
    """The bot's file, or `bot.py` in its folder."""
    batch: bool
    numpy: bool
    lanes: int | None


@dataclass(frozen=True)
class Job:
    """Everything that determines a block's result."""

    game: str
    rules: Rules
    players: tuple[Player, ...]
    key: bytes
    """The block key; see `harness.arena.deals`."""
    deals: int
    lanes: int
    budgets: Budgets


@dataclass
class PlayerResult:
    """What one player has done in a block. Integers only: they add up exactly."""

    wins: int = 0
    points: int = 0
    decisions: int = 0
    frames: int = 0
    log: FaultLog = field(default_factory=FaultLog)
    retired: str | None = None
    """The kind of fault that made the rest of the block walkovers."""
    cpu: float = 0.0
    """Seconds of CPU its answers took, and by the clock:"""
    wall: float = 0.0
    cpu_starting: float = 0.0
    memory_kb: int = 0
    output: bytes = b""


@dataclass(frozen=True)
class Decision:
    """One question of a watched game and what became of it."""

    seat: int
    question: int
    observation: bytes
    reply: np.void
    fared: int


@dataclass
class Result:
    """A played block. Arrays have the shape (legs, deals, players)."""

    games: int
    deals: int
    squares: int
    """Over deals, the sum of (wins of the first player - wins of the second) squared."""
    players: list[PlayerResult]
    won: NDArray[np.int8]
    """1 for the winner of a game."""
    points: NDArray[np.int64]
    faulty: NDArray[np.bool_]
    """Whether the player committed a fault in the game."""
    seconds: float
    watched: list[Decision] = field(default_factory=list)

    def without_games(self) -> Result:
        """The sums alone: what a match keeps must not grow with its length."""
        return replace(
            self,
            won=self.won[:0].copy(),
            points=self.points[:0].copy(),
            faulty=self.faulty[:0].copy(),
            watched=[],
        )


@dataclass(frozen=True)
class Watch:
    """A game whose decisions are to be kept."""

    leg: int
    deal: int


@dataclass(frozen=True)
class Task:
    """What the controller sends a worker."""

    job: Job
    layers: Layers
    watch: Watch | None = None
