"""What a block is asked for and what it gives back: plain data that travels between processes."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from harness import games
from harness.arena.budgets import Budgets
from harness.arena.faults import FaultLog
from harness.arena.seating import drawn_lineups, lineups
from harness.arena.tally import Tally
from harness.games.about import Rules, Seating
from harness.sandbox.isolation import Layers
from harness.sandbox.program import Program


@dataclass(frozen=True)
class Player:
    """A bot as a table needs it."""

    name: str
    path: str
    """The bot's file, or the main file in its folder."""
    batch: bool
    numpy: bool
    lanes: int | None
    program: Program | None = None
    """How it is started, if it is not in Python."""


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
    tables: bool = False
    """Line-ups are drawn from all players, deal by deal; otherwise it is a match of two."""
    absent: tuple[int, ...] = ()
    """Players who were retired in an earlier block; others play on against their substitutes."""

    @property
    def seating(self) -> Seating:
        """How a deal's line-up takes its seats."""
        return games.describe(self.game).seating(self.rules, tables=self.tables)

    def lineups(self) -> NDArray[np.int16]:
        """Who plays which deal: numbers of players, shape (deals, places)."""
        seating = self.seating
        if not self.tables:
            return lineups(self.deals, seating.places)
        return drawn_lineups(
            self.deals, seating.places, len(self.players), self.key, seating.partners
        )


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
    starts: int = 0
    """Of its processes."""
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
    """A played block. Arrays have the shape (legs, deals, seats)."""

    games: int
    deals: int
    tallies: list[Tally]
    players: list[PlayerResult]
    seated: NDArray[np.int16]
    """The number of the player in the seat."""
    won: NDArray[np.int8]
    """1 for the winner of a game; with partners, for both."""
    points: NDArray[np.int64]
    faulty: NDArray[np.bool_]
    """Whether the player committed a fault in the game."""
    seconds: float
    watched: list[Decision] = field(default_factory=list)
    tables: bool = False
    absent: tuple[int, ...] = ()
    """Both as in the job."""

    def seats_of(self, player: int) -> NDArray[np.bool_]:
        """Which seats were the player's: shape (legs, deals, seats)."""
        return np.asarray(self.seated == player)

    @property
    def squares(self) -> int:
        """Of a match: over deals, the sum of (wins of the one - wins of the other) squared."""
        own, both, other = self.tallies[0].win_products
        return own - 2 * both + other

    def without_games(self) -> Result:
        """The sums alone: what a match keeps must not grow with its length."""
        return replace(
            self,
            seated=self.seated[:0].copy(),
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
