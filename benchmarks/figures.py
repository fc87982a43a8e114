"""The figures: what is measured, how, and what it is compared with."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
import psutil

from benchmarks import measure, peer
from benchmarks.measure import BATCH, BOTS, Played, Table, player
from harness.arena.budgets import Budgets
from harness.sandbox.nursery import Nursery
from harness.sandbox.probe import probe
from harness.sandbox.process import BotProcess

KID, CAUTIOUS = BOTS / "cincinnati_kid.py", BOTS / "dumb_cautious.py"
GAMES = 200_000


@dataclass(frozen=True)
class Figure:
    """One line of the table."""

    what: str
    measured: str
    aim: str


@cache
def _reference(workers: int) -> Played:
    return measure.match((player(KID), player(CAUTIOUS)), GAMES, workers)


def engine_alone() -> Iterator[Figure]:
    """The rules in lockstep with random legal play, on one core, without bots."""
    deals = 100_000
    table = Table(deals)
    rng = np.random.default_rng(1)
    random = rng.random(len(table.frame))
    table.open()  # compiled, if it was not
    for warm in (True, False):
        table = Table(2_000 if warm else deals)
        began = time.perf_counter()
        table.open()
        busy = True
        while busy:
            busy = table.feed() > 0
            for seat in (0, 1):
                if n := table.gather(seat):
                    busy = True
                    # END, STAND or the first side card, a third each; a turn of the same random
                    # numbers per tick is random enough and costs little.
                    random = np.roll(random, 1)
                    side = (table.frame["side_hand"][:n] & np.uint64(15)).astype(np.int16)
                    card = np.where(side > 0, side, -1)
                    third = random[:n] * 3
                    table.replies["code"][:n] = np.where(
                        third < 1, 0, np.where(third < 2, -1, card)
                    )
                    table.scatter(n)
        seconds = time.perf_counter() - began
    assert table.done.all()
    yield Figure(
        "engine alone, random legal play, one core",
        f"{deals / seconds:,.0f} games/s",
        "aim: 300,000 games/s",
    )


def reference_pair() -> Iterator[Figure]:
    """The Cincinnati Kid against Dumb Cautious Player, sandboxed, beside the plain loop."""
    bots = (measure.load(KID)(), measure.load(CAUTIOUS)())
    peer.play_match(bots, 200, 1)
    began = time.perf_counter()
    peer.play_match(bots, 8_000, 2)
    plain = 8_000 / (time.perf_counter() - began)
    played = _reference(2)
    yield Figure(
        "reference pair, sandboxed, two workers",
        f"{played.rate:,.0f} games/s",
        "aim: 60,000 games/s; 2015 Java controller: 73,000-79,000",
    )
    yield Figure(
        "the same beside a plain in-process loop",
        f"{played.rate / plain:.1f} times {plain:,.0f} games/s",
        "aim: 4 times",
    )
    own = _own_functions()
    total = (played.arena_cpu + played.bots_cpu) / played.decisions
    yield Figure(
        "harness CPU beyond the bots' own functions",
        f"{(total - own) * 1e6:.2f} us per decision (bots: {own * 1e6:.2f})",
        "aim: 0.6 us",
    )


def _own_functions() -> float:
    """Seconds per decision of the reference pair's own `respond`, on views of real games."""
    bots = [measure.load(KID)(), measure.load(CAUTIOUS)()]
    table = Table(4_000)
    table.open()
    spent, calls = 0.0, 0
    while True:
        busy = table.feed() > 0
        for seat in (0, 1):
            if n := table.gather(seat):
                busy = True
                raw = table.frame[:n].tobytes()
                views = list(table.question.views(raw))
                respond = bots[seat].respond
                began = time.perf_counter()
                replies = [respond(view) for view in views]
                spent += time.perf_counter() - began
                calls += n
                table.replies["code"][:n] = replies
                table.scatter(n)
        if not busy:
            return spent / calls


def batch_pair() -> Iterator[Figure]:
    """Two vectorised bots."""
    pair = (
        player(BATCH / "batch_bold.py", batch=True),
        player(BATCH / "batch_cautious.py", batch=True),
    )
    played = measure.match(pair, 5 * GAMES, 2)
    yield Figure(
        "two BatchPlayers, sandboxed, two workers",
        f"{played.rate:,.0f} games/s",
        "aim: 300,000 games/s",
    )


def two_workers() -> Iterator[Figure]:
    """What a second worker brings."""
    ratio = _reference(2).rate / _reference(1).rate
    yield Figure("two workers beside one", f"{ratio:.2f} times", "aim: 1.9 times")


def bot_start() -> Iterator[Figure]:
    """From the request to a confined process that is ready to import its bot, and loaded."""
    nursery = Nursery("pazaak", probe().layers, core=None)
    ready, loaded = [], []
    try:
        for attempt in range(23):
            began = time.perf_counter()
            process = BotProcess(
                nursery,
                game="pazaak",
                path=str(KID.absolute()),
                numpy=False,
                seed="",
                lanes=0,
                budgets=Budgets(),
            )
            ready.append(process.wait_confined() - began)
            process.wait_ready()
            loaded.append(time.perf_counter() - began)
            process.close()
            if attempt == 2:  # the zygote itself is warm now
                ready.clear()
                loaded.clear()
    finally:
        nursery.close()
    yield Figure(
        "a bot's process, request to ready (median)",
        f"{np.median(ready) * 1e3:.1f} ms; with its bot loaded {np.median(loaded) * 1e3:.1f} ms",
        "aim: 10 ms",
    )


def command_line() -> Iterator[Figure]:
    """What a person waits for."""
    koth = [sys.executable, "-m", "harness"]
    yield Figure(
        "koth --help", f"{min(_seconds([*koth, '--help']) for _ in range(3)):.2f} s", "aim: 0.2 s"
    )
    duel = [*koth, "duel", "pazaak", str(KID), str(CAUTIOUS), "--games", "2", "--json"]
    yield Figure(
        "a duel of two games, all in all",
        f"{min(_seconds(duel) for _ in range(3)):.2f} s",
        "aim: first result within 2 s",
    )


def _seconds(command: list[str]) -> float:
    began = time.perf_counter()
    subprocess.run(command, check=True, capture_output=True)
    return time.perf_counter() - began


def flat_memory() -> Iterator[Figure]:
    """The controller's memory, after a thousand and after ten million games."""
    pair = [str(BATCH / "batch_bold.py"), str(BATCH / "batch_cautious.py")]
    used = [_most_memory([*pair, "--games", str(games)]) for games in (1_000, 10_000_000)]
    yield Figure(
        "controller memory, 1,000 and 10,000,000 games",
        f"{used[0]:.0f} MB and {used[1]:.0f} MB",
        "aim: within 10 MB",
    )


def _most_memory(arguments: list[str]) -> float:
    command = [sys.executable, "-m", "harness", "duel", "pazaak", *arguments, "--json"]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as process:
        most = 0
        watched = psutil.Process(process.pid)
        while process.poll() is None:
            try:
                most = max(most, watched.memory_info().rss)
            except psutil.NoSuchProcess:
                break
            time.sleep(0.05)
    return most / 2**20


def official_events() -> Iterator[Figure]:
    """The official league and cup, whole."""
    for event in ("league", "cup"):
        with tempfile.TemporaryDirectory() as folder:
            command = [sys.executable, "-m", "harness", event, "--quiet", "--results", folder]
            seconds = _seconds(command)
            files = len(list(Path(folder).glob("*/leaderboard.md")))
        assert files == 1
        yield Figure(f"the official {event}", f"{seconds:.0f} s", "aim: 300 s")
