"""What the sandbox costs: the same blocks with all its layers and with none, in turn."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator

import numpy as np

from benchmarks.figures import CAUTIOUS, KID, Figure
from benchmarks.measure import BLOCK_GAMES, LANES, SECRET, player
from harness import games
from harness.arena.block import play_block
from harness.arena.budgets import Budgets
from harness.arena.job import Job
from harness.games.contract import Game
from harness.sandbox.confinement import Layers
from harness.sandbox.nursery import Nursery
from harness.sandbox.probe import probe

_PAIRS = 9


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
