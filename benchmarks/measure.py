"""Running things to be measured: duels through the real arena, engines alone, bots' functions."""

from __future__ import annotations

import importlib.util
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import psutil

from harness import games
from harness.arena import lanes as loops
from harness.arena.budgets import Budgets
from harness.arena.deals import Deals
from harness.arena.job import Job, Player, Task
from harness.arena.seating import lineups
from harness.config import Config
from harness.events.executor import Executor, claim_cores
from harness.events.match import Match
from harness.events.secret import block_key
from harness.games.contract import SCORE, Game
from harness.games.frames import Question
from harness.games.player import Bot
from harness.sandbox.probe import probe

BOTS = Path("bots/pazaak")
BATCH = Path("benchmarks/bots/pazaak")
SECRET = bytes(32)
BLOCK_GAMES = 25_000
LANES: int = Config.model_fields["lanes"].default


def player(path: Path, *, batch: bool = False) -> Player:
    """A bot by its file."""
    return Player(path.stem, str(path.absolute()), batch, batch, None)


@dataclass(frozen=True)
class Played:
    """A measured match."""

    games: int
    seconds: float
    decisions: int
    bots_cpu: float
    arena_cpu: float
    """CPU of workers and zygotes, without the bots."""

    @property
    def rate(self) -> float:
        """Games per second."""
        return self.games / self.seconds


def match(players: tuple[Player, Player], count: int, workers: int) -> Played:
    """Play a match on warm workers."""
    layers = probe().layers
    names = (players[0].name, players[1].name)
    plan = Match("match", names, count, BLOCK_GAMES)
    rules = games.describe("pazaak").variants["text"]
    cores, locks = claim_cores(workers)
    results: list[Any] = []

    def task(block: int, deals: int) -> Task:
        key = block_key(SECRET, "pazaak", rules, plan, block)
        return Task(Job("pazaak", rules, players, key, deals, LANES, Budgets()), layers)

    def run(executor: Executor[int], blocks: list[tuple[int, int]]) -> None:
        left = iter(blocks)

        def source(playing: set[int]) -> tuple[int, Task] | None:
            block = next(left, None)
            return None if block is None else (block[0], task(*block))

        executor.run(source, lambda ticket, result: results.append(result))

    with Executor[int](cores) as executor:
        run(executor, [(10_000 + k, 200) for k in range(2 * workers)])  # load everything once
        results.clear()
        before = _children_cpu()
        began = time.perf_counter()
        run(executor, list(plan.blocks()))
        seconds = time.perf_counter() - began
        arena_cpu = _children_cpu() - before
    for lock in locks:
        lock.close()
    everybody = [p for result in results for p in result.players]
    return Played(
        games=sum(result.games for result in results),
        seconds=seconds,
        decisions=sum(p.decisions for p in everybody),
        bots_cpu=sum(p.cpu for p in everybody),
        arena_cpu=arena_cpu,
    )


def _children_cpu() -> float:
    """CPU of the workers alone: bots are charged to their zygotes when they are reaped."""
    times = [child.cpu_times() for child in psutil.Process().children()]
    return sum(t.user + t.system for t in times)


def load(path: Path) -> Any:
    """The class of a bot's file, of any game, imported into this process."""
    spec = importlib.util.spec_from_file_location(f"bot_{path.parent.name}_{path.stem}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[module.__name__] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    (bot,) = (
        value
        for value in vars(module).values()
        if isinstance(value, type)
        and issubclass(value, Bot)
        and value.__module__ == module.__name__
    )
    return bot


class Table:
    """A table of lanes without bots, for engines alone and for realistic frames."""

    def __init__(self, deals: int, lanes: int = LANES) -> None:
        self.game: Game = games.load("pazaak")
        rules = self.game.about.variants["text"]
        rows, words = self.game.about.words(rules)
        self.deals = Deals(bytes(32), deals, rows, words)
        self.lanes = np.zeros(lanes, self.game.lane)
        self.rules = self.game.rules_record(rules)
        self.more = np.zeros((lanes, rows, words), np.uint32)
        self.seating = lineups(deals, 2)
        self.scores = np.zeros((deals, 2), SCORE)
        self.done = np.zeros(deals, np.uint8)
        self.state = (
            self.lanes,
            self.rules,
            self.deals.first(),
            self.more,
            np.zeros(deals, np.uint32),
            np.zeros(1, np.int64),
            self.scores,
            self.done,
        )
        self.question: Question = self.game.questions[0].wire
        self.frame = np.zeros(lanes, self.game.questions[0].observation)
        self.replies = np.zeros(lanes, self.game.questions[0].reply)
        self.index = np.zeros((lanes, 2), np.int32)
        self.opened = np.zeros(lanes, np.uint8)
        self.fared = np.zeros(lanes, loops.FARED)
        self.starving = np.zeros(lanes, np.int32)

    def open(self) -> None:
        """Start a game on every lane."""
        loops.open_lanes(*self.state)

    def gather(self, seat: int) -> int:
        """Fill the frame with what waits for the seat."""
        return int(
            loops.gather(
                *(self.lanes, self.rules, self.seating, seat, 0),
                *(self.index, self.opened, self.frame),
            )
        )

    def scatter(self, n: int) -> None:
        """Carry out the first `n` replies."""
        loops.scatter(*(*self.state, self.index, n, self.replies, self.fared))

    def feed(self) -> int:
        """Continue the random words of starved lanes; returns how many there were."""
        count = int(loops.starved(self.lanes, self.starving))
        for lane in self.starving[:count].tolist():
            record = self.lanes[lane]
            self.more[lane] = self.deals.more(int(record["deal"]), int(record["refills"]) + 1)
            loops.resume(*(*self.state, lane))
        return count
