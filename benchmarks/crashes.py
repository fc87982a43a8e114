"""What a bot that crashes in every game costs the others, who play on the same worker."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from itertools import combinations
from statistics import median

import psutil

from benchmarks.figures import Figure
from benchmarks.measure import BATCH, BOTS, LANES, SECRET, player
from harness import games
from harness.arena.budgets import Budgets
from harness.arena.job import Job, Player, Result, Task
from harness.events.executor import Executor, claim_cores
from harness.events.match import Match
from harness.events.secret import block_key
from harness.sandbox.probe import probe

BLOCK_GAMES = 5_000
ROUNDS = 2
OTHERS = ("cincinnati_kid", "dumb_bold", "dumb_cautious", "nestor")

Pair = tuple[Player, Player]


def crashes() -> Iterator[Figure]:
    """CPU of a block of two others right after one of the crasher's, and after a sound bot's.

    CPU and not the clock, since a core that is busy elsewhere slows all down; and the median of
    ratios of blocks played within seconds, since that slows CPU, too.
    """
    others = [player(BOTS / f"{name}.py") for name in OTHERS]
    crasher, sound = player(BATCH / "crasher.py"), player(BOTS / "bastila.py")
    pairings: list[Pair] = list(combinations(others, 2))
    turns = [
        pair
        for one, other in pairings * ROUNDS
        for pair in ((sound, one), (one, other), (crasher, one), (one, other))
    ]
    cores, locks = claim_cores(1)
    with Executor[int](cores) as executor:
        _play(executor, turns[:2])  # load everything once
        spent = _play(executor, turns)
    for lock in locks:
        lock.close()
    ratios = [spent[n + 3][0] / spent[n + 1][0] for n in range(0, len(spent), 4)]
    yield Figure(
        "other pairings beside a bot that crashes in every game",
        f"{100 * (median(ratios) - 1):+.1f} % CPU, median of {len(ratios)}",
        "aim: less than +10 %",
    )
    own = spent[2::4]
    crashed, seconds = own[0][1].players[0].log.counts["crash"], min(cpu for cpu, _ in own)
    yield Figure(
        "its own match, until it is retired",
        f"{crashed} crashes in {seconds:.1f} s of CPU",
        "retired at 101 crashes, disqualified after three matches",
    )


Spent = tuple[float, Result]
"""Of a block: seconds of CPU of the worker and all below it, and the result."""


def _play(executor: Executor[int], pairs: list[Pair]) -> list[Spent]:
    """Play a block of each pair, one after the other."""
    layers, rules = probe().layers, games.describe("pazaak").variants["text"]
    spent: list[Spent] = []
    waiting = iter(range(len(pairs)))
    before = [0.0]

    def source(playing: set[int]) -> tuple[int, Task] | None:
        number = None if playing else next(waiting, None)
        if number is None:
            return None
        first, second = pairs[number]
        plan = Match("match", (first.name, second.name), BLOCK_GAMES, BLOCK_GAMES)
        key = block_key(SECRET, "pazaak", rules, plan, 0)
        before[0] = _cpu()
        job = Job("pazaak", rules, pairs[number], key, BLOCK_GAMES // 2, LANES, Budgets())
        return number, Task(job, layers)

    def sink(number: int, result: Result) -> None:
        spent.append((_cpu() - before[0], result.without_games()))

    executor.run(source, sink)
    return spent


def _cpu() -> float:
    """CPU seconds of the worker, its zygotes, and all bots, who are reaped between blocks."""
    total = 0.0
    for process in psutil.Process().children(recursive=True):
        with suppress(psutil.NoSuchProcess):
            times = process.cpu_times()
            total += times.user + times.system + times.children_user + times.children_system
    return total
