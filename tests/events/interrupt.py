"""Interrupting a small event at a random moment, and looking for what it left behind."""

from __future__ import annotations

import ctypes
import os
import random
import signal
import sqlite3
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import psutil

from tests.events.small import Small

VICTIMS = {"controller": 0, "worker": 1, "zygote": 2, "bot": 3}
"""Generations below the command."""
SIGNALS = {"controller": (signal.SIGKILL, signal.SIGTERM, signal.SIGINT)}
_PR_SET_CHILD_SUBREAPER = 36


def wait_until(condition: Callable[[], object], seconds: float = 60.0) -> None:
    """Wait for something that must come; fail if it does not."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "it did not happen in time"
        time.sleep(0.005)


def blocks(small: Small, results: str) -> int:
    """How many blocks a ledger holds at the moment, read past the run that has it open."""
    path = small.ledger(results)
    if not path.exists():
        return 0
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as db:
        try:
            return int(db.execute("SELECT count(*) FROM blocks").fetchone()[0])
        except sqlite3.OperationalError:  # not written yet
            return 0


@dataclass(frozen=True)
class Moment:
    """Who is to be hit, with what, and when; a function of the seed."""

    victim: str
    signal: signal.Signals
    part: float
    """Of the event's blocks, how many are to be there."""
    seconds: float
    """After that."""
    workers: tuple[int, int]
    """Before and after."""

    @classmethod
    def drawn(cls, seed: int) -> Moment:
        """The victims come in turn, everything else is random."""
        rng = random.Random(seed)
        victim = list(VICTIMS)[seed % len(VICTIMS)]
        how = rng.choice(SIGNALS.get(victim, (signal.SIGKILL,)))
        workers = rng.choice((1, 2, 2, 4)), rng.choice((1, 2, 2))
        part = rng.choice((0.0, rng.uniform(0, 0.75)))  # often while helpers are still starting
        return cls(victim, how, part, rng.uniform(0, 0.2), workers)

    def strike(self, process: subprocess.Popen[str], small: Small, results: str) -> bool:
        """Wait for the moment and strike; False if there was nobody left to be hit."""
        total = small.outcome("whole").blocks
        ended: Callable[[], bool] = lambda: process.poll() is not None  # noqa: E731
        wait_until(lambda: ended() or small.ledger(results).exists())
        wait_until(lambda: ended() or blocks(small, results) >= int(self.part * total))
        time.sleep(self.seconds)
        hit: list[int] = []
        wait_until(lambda: ended() or self._hit(process.pid, hit))
        return bool(hit)

    def _hit(self, root: int, hit: list[int]) -> bool:
        try:
            found = [psutil.Process(root)]
            for _ in range(VICTIMS[self.victim]):
                found = [child for parent in found for child in parent.children()]
            for unlucky in found[:1]:
                if self.signal == signal.SIGINT:  # a terminal sends it to everybody in front of it
                    os.killpg(root, signal.SIGINT)
                else:
                    unlucky.send_signal(self.signal)
                hit.append(unlucky.pid)
        except psutil.NoSuchProcess:  # it ended while we looked
            pass
        return bool(hit)


class Traces:
    """What a run could leave behind, as it is found now: `left` says what has come since."""

    def __init__(self) -> None:
        self._processes = {child.pid for child in psutil.Process().children(recursive=True)}
        self._places = self._look()

    @staticmethod
    def _look() -> set[str]:
        """Shared memory of both kinds, mounts, and scratch folders of this machine."""
        shared = {f"/dev/shm/{name}" for name in os.listdir("/dev/shm")}
        shared |= set(Path("/proc/sysvipc/shm").read_text().splitlines()[1:])
        mounts = set(Path("/proc/self/mountinfo").read_text().splitlines())
        folder = Path(tempfile.gettempdir())
        return shared | mounts | {str(path) for path in folder.glob("koth-scratch-*")}

    def left(self, seconds: float = 15.0) -> list[str]:
        """What is still there after a while of what was not there before."""
        new = [
            child
            for child in psutil.Process().children(recursive=True)
            if child.pid not in self._processes
        ]
        # Orphans are ours to bury: a zombie is no survivor.
        _, alive = psutil.wait_procs(new, timeout=seconds)
        places = self._look() - self._places
        deadline = time.monotonic() + seconds
        while places and time.monotonic() < deadline:  # some may be other runs', and go
            time.sleep(0.1)
            places &= self._look()
        return [str(process) for process in alive] + sorted(places)


@contextmanager
def orphans_come_to_us() -> Iterator[None]:
    """Processes whose parents die become our children, so that none can hide from `Traces`."""
    libc = ctypes.CDLL(None)
    assert libc.prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) == 0
    try:
        yield
    finally:
        libc.prctl(_PR_SET_CHILD_SUBREAPER, 0, 0, 0, 0)


def end(process: subprocess.Popen[str]) -> tuple[str, str]:
    """Wait for its end; if it does not come, nobody of it shall stay."""
    try:
        return process.communicate(timeout=240)
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
