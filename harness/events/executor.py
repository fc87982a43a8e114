"""The local executor: one worker process per core, and the loop that keeps them busy."""

from __future__ import annotations

import fcntl
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from multiprocessing.connection import Connection, Pipe, wait
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import harness
from harness.errors import UserError
from harness.sandbox.libc import ctrl_c_held_back

if TYPE_CHECKING:
    # They bring NumPy and Pydantic along; without them the workers can start before anything else.
    from harness.arena.job import Result, Task

Ticket = TypeVar("Ticket")

_RESTARTS = 3
"""How often a worker that died is replaced while the same block is played."""


class HarnessError(Exception):
    """A bug in koth, or a machine that keeps killing its processes; carries the traceback."""


def claim_cores(wanted: int | None, most: int | None = None) -> tuple[list[int], list[Any]]:
    """Cores no other run has claimed, and the locks that claim them; at least one core.

    `wanted`: how many; None means all that are free. `most`: no more than this, for there is not
    more to do. Where more are wanted than are free, cores
    are shared; a core is then listed more than once or claimed by two runs.
    """
    most = sys.maxsize if most is None else most
    wanted = None if wanted is None else min(wanted, most)
    mine: list[int] = []
    shared: list[int] = []
    locks: list[Any] = []
    folder = Path(tempfile.gettempdir()) / f"koth-{os.getuid()}"
    folder.mkdir(mode=0o700, exist_ok=True)
    owner = folder.lstat()
    if owner.st_uid != os.getuid() or owner.st_mode & 0o077:
        # Another user may have laid links there for us to follow.
        raise UserError(f"{folder} belongs to somebody else or is open to others; remove it")
    for core in sorted(os.sched_getaffinity(0)):
        if len(mine) >= (most if wanted is None else wanted):
            break
        lock = (folder / f"core-{core}.lock").open("a")
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            lock.close()
            shared.append(core)
            continue
        mine.append(core)
        locks.append(lock)
    pool = mine + shared
    if wanted is None:
        return mine or shared[:most], locks
    return [pool[k % len(pool)] for k in range(wanted)], locks


class _Worker:
    def __init__(self, core: int, game: str | None) -> None:
        self._core, self._game = core, game
        self.ticket: Any = None
        self.task: Task | None = None
        self.restarts = 0
        self._launch()

    def _launch(self) -> None:
        self.connection, theirs = Pipe()
        command = [sys.executable, "-s", "-P", "-m", "harness.arena.worker"]
        arguments = [str(theirs.fileno()), str(os.getpid()), str(self._core)]
        arguments += [self._game] if self._game else []
        environment = dict(
            os.environ,
            PYTHONPATH=str(Path(harness.__file__).parent.parent),
            OPENBLAS_NUM_THREADS="1",  # a worker has one core; starting more threads takes time
        )
        with ctrl_c_held_back():
            self._process = subprocess.Popen(
                command + arguments, pass_fds=[theirs.fileno()], env=environment
            )
        theirs.close()

    def give(self, ticket: Any, task: Task) -> None:
        self.ticket, self.task = ticket, task
        with suppress(OSError):  # it died while it was idle; that is found out when it is heard
            self.connection.send(task)

    def revive(self) -> None:
        """After its death: a new process gets the same task. A dead worker is nobody's loss."""
        self.close()
        self.restarts += 1
        if self.restarts > _RESTARTS or self.task is None:
            raise HarnessError(f"a worker process died {self.restarts} times on the same block")
        self._launch()
        self.connection.send(self.task)

    def close(self) -> None:
        self._process.kill()  # first: it would complain about a connection that ends
        self._process.wait()
        self.connection.close()


class Executor(Generic[Ticket]):
    """Plays tasks on all cores. A context manager: leaving it ends every process.

    `cores`: one worker is started per entry, pinned to it. `game`: what will be played, for them to
    get ready for.
    """

    def __init__(self, cores: list[int], game: str | None = None) -> None:
        self._workers = [_Worker(core, game) for core in cores]

    @property
    def workers(self) -> int:
        """How many blocks are played at a time."""
        return len(self._workers)

    def __enter__(self) -> Executor[Ticket]:
        return self

    def __exit__(self, *error: object) -> None:
        for worker in self._workers:
            worker.close()

    def run(
        self,
        source: Callable[[set[Ticket]], tuple[Ticket, Task] | None],
        sink: Callable[[Ticket, Result], None],
        idle: Callable[[], None] = lambda: None,
    ) -> None:
        """Play what `source` gives until it has nothing more and everything is back.

        `source` is told which tickets are being played and returns the next, or None when there
        is nothing to play before one of those is back. `sink` gets every result. `idle` is called
        at least ten times a second.
        """
        while True:
            for worker in self._workers:
                if worker.ticket is None:
                    playing = {w.ticket for w in self._workers if w.ticket is not None}
                    following = source(playing)
                    if following is None:
                        break
                    worker.give(*following)
            busy = {w.connection: w for w in self._workers if w.ticket is not None}
            if not busy:
                return
            for connection in wait(list(busy), timeout=0.1):
                assert isinstance(connection, Connection)
                self._collect(busy[connection], sink)
            idle()

    def _collect(self, worker: _Worker, sink: Callable[[Ticket, Result], None]) -> None:
        try:
            state, value = worker.connection.recv()
        except (EOFError, OSError):
            worker.revive()
            return
        if state == "failed":
            raise HarnessError(value)
        ticket, worker.ticket, worker.task, worker.restarts = worker.ticket, None, None, 0
        sink(ticket, value)


def play_one(executor: Executor[Any], task: Task) -> Result:
    """Play one task and wait for it."""
    tasks, results = [task], []
    executor.run(
        lambda playing: ((), tasks.pop()) if tasks else None,
        lambda ticket, result: results.append(result),
    )
    return results[0]


@contextmanager
def on_cores(
    wanted: int | None, most: int | None = None, game: str | None = None
) -> Iterator[Executor[Any]]:
    """An executor on cores of its own (see `claim_cores`), released at the end."""
    cores, locks = claim_cores(wanted, most)
    try:
        with Executor[Any](cores, game) as executor:
            yield executor
    finally:
        for lock in locks:
            lock.close()
