"""What the sandbox costs: the same blocks with all layers and with none; and what a hang costs."""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from benchmarks.figures import CAUTIOUS, KID, Figure
from benchmarks.measure import BLOCK_GAMES, LANES, SECRET, player
from harness import games
from harness.arena.block import play_block
from harness.arena.budgets import Budgets
from harness.arena.deals import derive
from harness.arena.job import Job
from harness.games.contract import Game
from harness.sandbox.confinement import Layers
from harness.sandbox.nursery import Nursery
from harness.sandbox.probe import probe

_PAIRS, _HANG_PAIRS = 9, 5

_HANGS = """
from harness.games.pazaak import END, STAND, Player


class Hangs(Player):
    def __init__(self):
        self.hangs = self._seed == {seed!r}

    def respond(self, view):
        while self.hangs:
            pass
        return END if view.total < 15 else STAND
"""


def price() -> Iterator[Figure]:
    """A block of the reference pair, on one core: how much longer it takes sandboxed."""
    rules = games.describe("pazaak").variants["text"]
    bots = (player(KID), player(CAUTIOUS))
    job = Job("pazaak", rules, bots, SECRET, BLOCK_GAMES // 2, LANES, Budgets())
    game = games.load("pazaak")
    allowed = os.sched_getaffinity(0)
    core = min(allowed)
    none = Layers(namespaces=False, landlock=False, seccomp=False, user=False)
    nurseries = [Nursery("pazaak", layers, core) for layers in (none, probe().layers)]
    os.sched_setaffinity(0, {core})  # as a worker does
    try:
        taken = np.array([_in_turn(job, game, nurseries, k % 2) for k in range(_PAIRS + 1)])
    finally:
        os.sched_setaffinity(0, allowed)
        for nursery in nurseries:
            nursery.close()
    free, confined = taken[1:].T  # the first turn loads everything
    extra = np.median(confined / free) - 1
    yield Figure(
        "a block with the sandbox beside the same without",
        f"{extra:+.1%} time, median of {_PAIRS} pairs",
        "aim: within 3 %",
    )


def _in_turn(job: Job, game: Game, nurseries: list[Nursery], first: int) -> list[float]:
    """Seconds of the block with each nursery; which comes first changes from turn to turn."""
    seconds = [0.0, 0.0]
    for which in (first, 1 - first):
        began = time.perf_counter()
        play_block(job, game, nurseries[which], None)
        seconds[which] = time.perf_counter() - began
    return seconds


def one_hang() -> Iterator[Figure]:
    """A match in which a bot's process never answers its first question beside the same without."""
    rules = games.describe("pazaak").variants["text"]
    # Of the first process of player 0 in the first leg, its first lane: no other has this seed.
    seeds = ("", f"{derive(SECRET, 'bot', 0, 0, 0).hex()}/0")
    game = games.load("pazaak")
    nursery = Nursery("pazaak", probe().layers, core=None)
    taken = []
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        jobs = []
        for number, seed in enumerate(seeds):
            path = Path(folder, f"hangs_{number}.py")
            path.write_text(_HANGS.format(seed=seed), encoding="utf-8")
            pair = (player(path), player(CAUTIOUS))
            jobs.append(Job("pazaak", rules, pair, SECRET, BLOCK_GAMES // 2, LANES, Budgets()))
        try:
            for turn in range(_HANG_PAIRS + 1):
                seconds = [0.0, 0.0]
                for which in (turn % 2, 1 - turn % 2):
                    began = time.perf_counter()
                    result = play_block(jobs[which], game, nursery)
                    seconds[which] = time.perf_counter() - began
                    assert result.players[0].log.counts["timeout"] == which
                taken.append(seconds)
        finally:
            nursery.close()
    calm, hung = np.array(taken[1:]).T
    yield Figure(
        "a match in which one bot hangs once beside the same without",
        f"{np.median(hung - calm):+.2f} s, median of {_HANG_PAIRS} pairs",
        "aim: within 2 s",
    )
