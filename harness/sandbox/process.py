"""One confined bot's process as its keeper sees it: started, listened to, timed, killed, reaped."""

from __future__ import annotations

import fcntl
import json
import os
import select
import signal
import time
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from harness.arena.faults import CRASH, MEMORY, START, TIMEOUT, HarnessFault
from harness.sandbox.nursery import Nursery
from harness.sandbox.program import Program
from harness.sandbox.scratch import remove_scratch
from harness.sandbox.wire import (
    GONE,
    MEMORY_EXIT,
    NOTE_BYTES,
    NOTES_PIPE_BYTES,
    PARENT_GONE_EXIT,
    ExecuteRequest,
    StartRequest,
)

if TYPE_CHECKING:
    from harness.arena.budgets import Budgets

_POLL_MS = 20
# A dying process closes its pipes a moment before it counts as ended.
_LAST_BREATH_SECONDS = 0.5
_READ_BYTES = 1 << 18
SEALS = fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_GROW | fcntl.F_SEAL_SEAL


class StartFailure(Exception):
    """The bot did not get ready: `kind` (load, import, syntax, timeout, ...), reason, traceback."""

    def __init__(self, kind: str, reason: str, traceback: str = "") -> None:
        super().__init__(reason)
        self.kind, self.reason, self.traceback = kind, reason, traceback


class BotProcess:
    """Start it, `wait_ready`, use its bells, `close`. With `lanes` 0 it only describes its bot."""

    def __init__(
        self,
        nursery: Nursery,
        *,
        game: str,
        path: str,
        numpy: bool,
        seed: str,
        lanes: int,
        fresh: bool = False,
        budgets: Budgets,
        frames: tuple[int, ...] = (),
        program: Program | None = None,
        rules: dict[str, Any] | None = None,
    ) -> None:
        """`program`, `rules`: see `Seat`. The process is then the program's, and is timed as such.

        What comes through the bells and the notes is its bridge's, another process that ends with
        it.
        """
        self._nursery, self._numpy, self._budgets = nursery, numpy, budgets
        self._bridged = program is not None
        self._buffer = b""
        self._killed = False
        self._confined = False
        """Whether its confinement was reported, which comes before any of the bot's code."""
        self._report: dict[str, Any] | None = None
        self.cpu_starting = 0.0
        self.memory_kb = 0
        self._log = os.memfd_create("log", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
        os.ftruncate(self._log, budgets.output_kb * 1024)
        fcntl.fcntl(self._log, fcntl.F_ADD_SEALS, SEALS)
        bell_in, self.bell_out = os.pipe2(os.O_CLOEXEC)
        self.bell_in, bell_out = os.pipe2(os.O_CLOEXEC)
        self._notes, notes = os.pipe2(os.O_CLOEXEC)
        with suppress(PermissionError):  # an ordinary user's pipes may be full up; the default does
            fcntl.fcntl(self._notes, fcntl.F_SETPIPE_SZ, NOTES_PIPE_BYTES)
        # The arena's ends never block: a bot can fill or drain a pipe as it likes.
        for fd in (self.bell_out, self.bell_in, self._notes):
            os.set_blocking(fd, False)
        fds = [*frames, bell_in, bell_out, notes, self._log]
        self._started = time.monotonic()
        try:
            if program is None:
                confined = [nursery.confinement(path, budgets)]
                request = StartRequest(game, path, seed, lanes, fresh, confined[0])
                self.pid, self._pidfd = nursery.start(request, fds, numpy=numpy)
            else:
                own = nursery.program_confinement(program, budgets)
                confined = [nursery.bridge_confinement(budgets), own]
                request = StartRequest(
                    game, path, seed, lanes, fresh, confined[0], rules, own.scratch
                )
                self.pid, self._pidfd = nursery.start_program(
                    request, fds, ExecuteRequest(program, own), notes
                )
        finally:
            for fd in (bell_in, bell_out, notes):
                os.close(fd)
        # With namespaces the path means nothing outside: it goes with the process.
        self._scratches = [c.scratch for c in confined if not c.layers.namespaces]
        self._clock = ((~self.pid) << 3) | 2  # CLOCK_PROCESS_CPUTIME_ID of that process

    def cpu(self) -> float:
        """CPU seconds the process has used."""
        if self._report is not None:
            return float(self._report["cpu"])
        try:
            return time.clock_gettime(self._clock)  # of a zombie too, until it is reaped
        except OSError as error:  # reaped by somebody else: the zygote is gone
            raise HarnessFault("a bot's process vanished") from error

    def notes(self, *, keep: bool = False) -> list[dict[str, Any]]:
        """What the process has written since the last call; malformed lines are dropped.

        `keep`: only look, they will be returned again.
        """
        try:
            self._buffer += os.read(self._notes, _READ_BYTES)
        except BlockingIOError:
            pass
        *lines, rest = self._buffer[-_READ_BYTES:].split(b"\n")
        if not keep:
            self._buffer = rest
        found = []
        for line in lines:
            try:
                note = json.loads(line[:NOTE_BYTES])
            except (ValueError, RecursionError):
                continue
            if isinstance(note, dict) and isinstance(note.get("note"), str):
                found.append(note)
        return found

    def wait_ready(self) -> dict[str, Any]:
        """Wait until the bot is loaded; returns what it says of itself, still to be checked.

        Raises StartFailure, or HarnessFault if it could not be confined.
        """
        poll = select.poll()
        poll.register(self._notes, select.POLLIN)
        deadline = self._started + self._budgets.start_wall_seconds
        while True:
            poll.poll(_POLL_MS)
            ended = self._ended()  # before the last look at the notes, so that none is missed
            if ended and self._bridged:
                self._hear_out()
            for note in self.notes():
                if note["note"] == "ready":
                    self._confined = True
                if note["note"] == "loaded":
                    self.cpu_starting = self.cpu()
                    return note
                if note["note"] == "failed":
                    raise self._failure(note)
            if ended:
                raise StartFailure(START, f"the process ended while loading: {self.autopsy()[1]}")
            if self.cpu() > self._budgets.start_seconds or time.monotonic() > deadline:
                self.kill()
                unheard = "; no hello came: is it flushed?" if self._bridged else ""
                raise StartFailure(
                    TIMEOUT,
                    f"not ready within {self._budgets.start_seconds:g} s of CPU or "
                    f"{self._budgets.start_wall_seconds:g} s by the clock{unheard}",
                )

    def _hear_out(self) -> None:
        """Wait until the bridge of a program that has ended has written its last note."""
        poll = select.poll()
        poll.register(self._notes, 0)  # when its end is closed, which is told in any case
        poll.poll(1000 * _LAST_BREATH_SECONDS)

    def wait_confined(self) -> float:
        """Wait until the process is confined, before its bot is imported; when that was seen.

        For measuring starts. Raises HarnessFault if it does not get there.
        """
        select.select([self._notes], [], [], self._budgets.start_wall_seconds)
        seen = time.perf_counter()
        for note in self.notes(keep=True):
            if note["note"] == "ready":
                return seen
        raise HarnessFault("a bot's process was not confined in time")

    def kill(self) -> None:
        """Kill the process through its pidfd, which can never mean another one."""
        if not self._ended():
            signal.pidfd_send_signal(self._pidfd, signal.SIGKILL)
            self._killed = True

    def _ended(self, within: float = 0) -> bool:
        return bool(select.select([self._pidfd], [], [], within)[0])

    def cause(self) -> tuple[str, str]:
        """The kind of fault behind a wrong answer or a closed bell, and the same in words."""
        if self._ended(_LAST_BREATH_SECONDS):
            return self.autopsy()
        self.kill()
        return CRASH, "the process lives but corrupted its channel to the arena"

    def autopsy(self) -> tuple[str, str]:
        """The kind of fault a process that ended on its own died of, and how it ended, in words.

        Raises HarnessFault if somebody else killed it: a bot cannot send itself SIGKILL.
        """
        report = self._reap()
        status = report["exit"]
        if "exceeded" in report:
            kind, words = report["exceeded"]
            return kind, words
        if status == MEMORY_EXIT:
            return MEMORY, "out of memory"
        if status == PARENT_GONE_EXIT and not self._confined:
            raise HarnessFault("a bot's process ended before it was confined")
        if status == -signal.SIGKILL and not self._killed:
            if not self._nursery.blames_bots:
                raise HarnessFault("a bot's process was killed from outside")
            return MEMORY, "killed by the system again and again, presumably for its memory"
        if status < 0:
            known = -status in {s.value for s in signal.Signals}
            return CRASH, f"signal {signal.Signals(-status).name if known else -status}"
        return CRASH, f"exit status {status}"

    def _reap(self) -> dict[str, Any]:
        if self._report is None:
            self._report = self._nursery.reap(self.pid, numpy=self._numpy)
            self.memory_kb = self._report["memory_kb"]
        return self._report

    def tracebacks(self, serial: int) -> dict[int, str]:
        """What it sent about faults in the frame of that number, by record."""
        return {
            note["record"]: _text(note.get("traceback"))
            for note in self.notes()
            if note["note"] == "fault"
            and note.get("serial") == serial
            and isinstance(note.get("record"), int)
        }

    def log(self) -> bytes:
        """What the bot has printed."""
        if os.pread(self._log, 1, 0) == b"\0":  # nothing: spare us a megabyte of zeros
            return b""
        return os.pread(self._log, os.fstat(self._log).st_size, 0).rstrip(b"\0")

    def _failure(self, note: dict[str, Any]) -> Exception:
        """What a note of failure means. Once the bot's code runs, it may be the bot's own lie."""
        kind, reason = _text(note.get("kind")), _text(note.get("reason"))
        if kind == "isolation" and not self._confined:
            return HarnessFault(f"a bot's process could not be confined: {reason}")
        if kind == GONE and self._ended(_LAST_BREATH_SECONDS):
            reason = f"it ended before it said hello: {self.autopsy()[1]}"
        return StartFailure(kind, reason, _text(note.get("traceback", "")))

    @property
    def closed(self) -> bool:
        """Whether `close` has been called."""
        return self._pidfd < 0

    def close(self) -> None:
        """End the process and free everything; safe to call twice."""
        if self.closed:
            return
        self.kill()
        self._reap()
        for scratch in self._scratches:
            remove_scratch(scratch)
        for fd in (self._log, self.bell_in, self.bell_out, self._notes, self._pidfd):
            os.close(fd)
        self._pidfd = -1


def _text(value: object) -> str:
    """What a bot's process sent, as text that can be written down: no half surrogate pairs."""
    return str(value).encode("utf-8", "backslashreplace").decode()
