"""What a bot that crashes in every game costs the others, who play on the same worker."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import suppress
from itertools import combinations

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

BLOCK_GAMES = 20_000
ROUNDS = 3
OTHERS = ("cincinnati_kid", "dumb_bold", "dumb_cautious", "nestor")

Pair = tuple[Player, Player]


def crashes() -> Iterator[Figure]:
    """CPU of the blocks of other pairings, without the crasher and in turns with its blocks.

    CPU and not the clock, since a core that is busy elsewhere slows all down; of several rounds
    the best, block by block.
    """
    others = [player(BOTS / f"{name}.py") for name in OTHERS]
    crasher = player(BATCH / "crasher.py")
    quiet: list[Pair] = list(combinations(others, 2))
    loud: list[Pair] = [(crasher, other) for other in others]
    mixed = [pair for one in zip(quiet, loud, strict=False) for pair in one[::-1]]
    mixed += quiet[len(loud) :]
    cores, locks = claim_cores(1)
    with Executor[int](cores) as executor:
        _play(executor, mixed)  # load everything once
        rounds = [(_play(executor, quiet), _play(executor, mixed)) for _ in range(ROUNDS)]
    for lock in locks:
        lock.close()
    alone, beside = (
        sum(min(spent[which][pair][0] for spent in rounds) for pair in quiet) for which in (0, 1)
    )
    yield Figure(
        "other pairings beside a bot that crashes in every game",
        f"{100 * (beside / alone - 1):+.1f} % CPU ({beside:.2f} s, without it {alone:.2f} s)",
        "aim: less than +10 %",
    )
    _, seconds, result = min((spent[1][pair] for spent in rounds for pair in loud), key=_seconds)
    (own,) = (p for p in result.players if p.retired)
    yield Figure(
        "its own match, until it is retired",
        f"{own.log.counts['crash']} crashes in {seconds:.1f} s",
        "retired at 101 crashes, disqualified after three matches",
    )


Spent = tuple[float, float, Result]
"""Of a block: seconds of CPU of the worker and all below it, seconds by the clock, the result."""


def _seconds(spent: Spent) -> float:
    return spent[1]


def _play(executor: Executor[int], pairs: list[Pair]) -> dict[Pair, Spent]:
    """Play a block of each pair, one after the other."""
    layers, rules = probe().layers, games.describe("pazaak").variants["text"]
    spent: dict[Pair, Spent] = {}
    waiting = iter(range(len(pairs)))
    before = [0.0, 0.0]

    def source(playing: set[int]) -> tuple[int, Task] | None:
        number = None if playing else next(waiting, None)
        if number is None:
            return None
        first, second = pairs[number]
        plan = Match("match", (first.name, second.name), BLOCK_GAMES, BLOCK_GAMES)
        key = block_key(SECRET, "pazaak", rules, plan, 0)
        before[:] = _cpu(), time.perf_counter()
        job = Job("pazaak", rules, pairs[number], key, BLOCK_GAMES // 2, LANES, Budgets())
        return number, Task(job, layers)

    def sink(number: int, result: Result) -> None:
        now = _cpu(), time.perf_counter()
        spent[pairs[number]] = (now[0] - before[0], now[1] - before[1], result.without_games())

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
