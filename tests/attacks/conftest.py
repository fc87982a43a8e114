"""An arena in which a hostile bot meets an honest one, and what the honest one would have done."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from harness import games
from harness.arena.block import Result, play_block
from harness.arena.budgets import Budgets
from harness.arena.job import Job, Player
from harness.sandbox.confinement import Layers
from harness.sandbox.nursery import Nursery
from harness.sandbox.probe import FULL, STANDARD, WEAK, probe
from tests.conftest import CAUTIOUS

QUICK = Budgets(decision_seconds=0.1, decision_wall_seconds=0.5, slack_seconds=3)
PATIENT = QUICK.model_copy(update={"max_faults": 1_000_000, "slack_seconds": 30})
"""Nobody is retired, so that every game can be looked at."""

# What every attacker has at hand. `held` finds what the runner holds, in its own frames.
TOOLS = """
import ctypes, fcntl, json, mmap, os, signal, struct, sys, time

def frame_of(name):
    frame = sys._getframe()
    while name not in frame.f_locals:
        frame = frame.f_back
    return frame.f_locals

def held():
    return frame_of("fds")["fds"]

def serial():
    return frame_of("bell_in")["serial"]

def once(mark=[]):
    return not mark and not mark.append(1)

def tell(name, act):
    try:
        print(name, "succeeded", repr(act())[:200])
    except (OSError, ValueError, LookupError, MemoryError, AttributeError, TypeError) as error:
        print(name, "refused", type(error).__name__)
"""

ATTACKER = """
class Attacker(Player):
    asked = 0
    def respond(self, view):
        {act}
        return END if view.total < 15 else STAND
"""
"""Plays like Cautious but for the act, so that games it does not touch have a known end."""


def attacker(act: str, before: str = "") -> str:
    """A bot that does `act` whenever it is asked; `before`: at import."""
    indented = act.replace("\n", "\n        ")
    return f"{TOOLS}\n{before}\n{ATTACKER.format(act=indented)}"


@dataclass
class Arena:
    """Matches of a hostile bot (player 0) against Cautious (player 1)."""

    nursery: Nursery
    write: Callable[..., Path]
    deals: int = 40
    lanes: int = 8
    key: bytes = bytes(32)
    _known: dict[tuple[int, int], Result] = field(default_factory=dict)
    """What honest bots do, by deals and lanes."""

    def meet(self, source: str, budgets: Budgets = QUICK, *, name: str = "attacker") -> Result:
        """The match, of `deals` deals in two legs; at most `lanes` games at a time."""
        batch = "BatchPlayer)" in source
        players = (
            Player(name, str(self.write(source, name)), batch, batch, None),
            Player("honest", str(self.write(CAUTIOUS, "honest")), False, False, None),
        )
        game = games.load("pazaak")
        rules = game.about.variants["text"]
        job = Job("pazaak", rules, players, self.key, self.deals, self.lanes, budgets)
        return play_block(job, game, self.nursery)

    def check(self, result: Result) -> None:
        """Nobody but the attacker has paid: the honest bot did all it would have done.

        Every game without a fault of the attacker's, or a legal action that is not Cautious's,
        ends as between two honest bots.
        """
        honest, own = result.players[1], result.seats_of(0)
        assert {kind: n for kind, n in honest.log.counts.items() if n} == {}
        assert honest.retired is None
        assert sum(player.wins for player in result.players) == result.games == 2 * self.deals
        retired = result.players[0].retired
        assert retired not in ("start", "slow_start"), result.players[0].log.examples
        if retired is not None:
            return
        peace = self.peace
        clean = ~(result.faulty & own).any(axis=2)
        assert (result.won[clean] == peace.won[clean]).all()
        assert (result.points[clean] == peace.points[clean]).all()
        if clean.all():
            assert honest.decisions == peace.players[1].decisions

    @property
    def peace(self) -> Result:
        """The same match between two honest bots."""
        key = (self.deals, self.lanes)
        if key not in self._known:
            self._known[key] = self.meet(CAUTIOUS, name="twin")
        return self._known[key]


@pytest.fixture
def arena(nursery: Nursery, write_bot: Callable[..., Path]) -> Arena:
    """At the best level of this machine."""
    return Arena(nursery, write_bot)


def counts(result: Result) -> dict[str, int]:
    """The attacker's faults, by kind."""
    return {kind: n for kind, n in result.players[0].log.counts.items() if n}


def told(result: Result) -> dict[str, set[str]]:
    """What its `tell`s came to, by name."""
    found: dict[str, set[str]] = {}
    for line in result.players[0].output.decode("utf-8", "replace").splitlines():
        name, _, outcome = line.partition(" ")
        found.setdefault(name, set()).add(outcome)
    return found


@pytest.fixture(params=[FULL, pytest.param(STANDARD, marks=pytest.mark.slow)])
def level(request: pytest.FixtureRequest) -> Iterator[tuple[str, Nursery]]:
    """A level, and a nursery that gives it, whatever else this machine could do."""
    best = probe().level
    if best == WEAK or (request.param == FULL and best != FULL):
        pytest.skip(f"this machine's level is {best}")
    # Where root plays without namespaces, another user may be kept out of the interpreter.
    layers = Layers() if request.param == FULL else Layers(namespaces=False, user=False)
    nursery = Nursery("pazaak", layers, core=None)
    yield request.param, nursery
    nursery.close()
