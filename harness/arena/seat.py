"""A seat: one bot's process with the frames it answers, as the arena's loop uses it.

Nothing that comes from the process is trusted. Replies are copied once and then judged; time is
read from the kernel; every wait has an end.
"""

from __future__ import annotations

import fcntl
import mmap
import os
import select
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from harness.arena.budgets import Budgets
from harness.arena.faults import OVER_BUDGET, TIMEOUT
from harness.games.frames import UNANSWERED, Question
from harness.sandbox.nursery import Nursery
from harness.sandbox.process import SEALS, BotProcess
from harness.sandbox.program import Program
from harness.sandbox.wire import ANSWER, ASK, FrameLayout

# An answer that does not come within this is looked into; most take less than a millisecond.
_POLL_MS = 20
# A wait of 20 ms that took longer than this was a stopped or starved machine, not the bot.
_MOST_STEP_SECONDS = 0.04
_F_SEAL_FUTURE_WRITE = 0x10  # not in the fcntl module of Python 3.11


@dataclass(frozen=True)
class Broken:
    """The process did not answer its frame; `kind` of fault, and how many records it answered."""

    kind: str
    answered: int
    detail: str
    """How it ended, in words."""


def _sealed_frame(size: int, *, read_only: bool) -> tuple[int, mmap.mmap]:
    """Shared memory whose size is fixed for good; `read_only`: only this mapping can write.

    Without the seals a bot could shrink the file and crash the arena with a bus error.
    """
    fd = os.memfd_create("frame", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
    os.ftruncate(fd, size)
    mapping = mmap.mmap(fd, size)
    fcntl.fcntl(fd, fcntl.F_ADD_SEALS, SEALS | (_F_SEAL_FUTURE_WRITE if read_only else 0))
    return fd, mapping


def _first_unanswered(codes: NDArray[np.int16]) -> int:
    """Replies are written one by one, so this is the record the bot is at (or hung in)."""
    waiting = codes == UNANSWERED
    return int(np.argmax(waiting)) if waiting.any() else len(codes) - 1


class Seat:
    """One process of one bot at a table. `wait_ready`, `ask` any number of times, `close`."""

    def __init__(
        self,
        nursery: Nursery,
        game: str,
        questions: Sequence[Question],
        path: str,
        *,
        numpy: bool,
        batch: bool,
        seed: str,
        lanes: int,
        fresh: bool,
        budgets: Budgets,
        program: Program | None = None,
        rules: dict[str, Any] | None = None,
    ) -> None:
        """`fresh`: every game is to be played by an instance that has seen no other.

        `program`: of a bot that is not in Python; it is told the `rules`, by their parameters.
        """
        self.batch = batch
        self._budgets = budgets
        self._serial = 0
        self._hint = "" if program is None else "; is its output flushed?"
        self._charged = self._waited = 0.0
        self.spent = (0.0, 0.0)
        """CPU seconds and seconds by the clock that the last frame took."""
        layout = FrameLayout.of(tuple(questions), lanes)
        request_fd, request = _sealed_frame(layout.request_bytes, read_only=True)
        reply_fd, reply = _sealed_frame(layout.reply_bytes, read_only=False)
        self.lane_numbers = np.frombuffer(request, "<u4", lanes)
        self.opened = np.frombuffer(request, np.uint8, lanes, layout.opened_at)
        self.observations = [
            np.frombuffer(request, q.observation.dtype(), lanes, layout.records_at)
            for q in questions
        ]
        self._replies = [np.frombuffer(reply, q.reply.dtype(), lanes) for q in questions]
        try:
            self._process = BotProcess(
                nursery,
                game=game,
                path=path,
                numpy=numpy,
                seed=seed,
                lanes=lanes,
                fresh=fresh,
                budgets=budgets,
                frames=(request_fd, reply_fd),
                program=program,
                rules=rules,
            )
        finally:
            os.close(request_fd)
            os.close(reply_fd)
        self._poll = select.poll()
        self._poll.register(self._process.bell_in, select.POLLIN)

    def wait_ready(self) -> None:
        """Wait until the bot is loaded. Raises StartFailure or HarnessFault."""
        self._process.wait_ready()
        self._charged = self._process.cpu_starting

    @property
    def cpu_starting(self) -> float:
        """CPU seconds from the fork to the loaded bot."""
        return self._process.cpu_starting

    @property
    def cpu_used(self) -> float:
        """CPU seconds since it was loaded, whether they were charged to an answer or not."""
        return self._process.cpu() - self._process.cpu_starting

    @property
    def memory_kb(self) -> int:
        """The most memory the process used; known after `close`."""
        return self._process.memory_kb

    def log(self) -> bytes:
        """What the bot has printed."""
        return self._process.log()

    @property
    def closed(self) -> bool:
        """Whether `close` has been called."""
        return self._process.closed

    def close(self) -> None:
        """End the process; the frames stay readable while arrays on them are alive."""
        self._process.close()

    def ask(self, question: int, n: int, allowance: float) -> Broken | None:
        """Have the first `n` records of the frame answered; None when they are.

        `allowance`: CPU seconds the bot may still use before it is over its budget; the clock on
        the wall gets a multiple of it. The replies are then in `replies(question, n)`, and what
        they took in `spent`.
        """
        codes = self._replies[question]["code"][:n]
        codes.fill(UNANSWERED)
        self._serial = (self._serial + 1) & 0xFFFFFFFF
        broken, began = None, time.monotonic()
        try:
            os.write(self._process.bell_out, ASK.pack(self._serial, n, question))
            if self._poll.poll(_POLL_MS):
                self._waited = min(time.monotonic() - began, _MOST_STEP_SECONDS)
            else:
                broken = self._await_answer(codes, allowance)
            whole = broken is not None or self._answered()
        except (BrokenPipeError, BlockingIOError):  # it closed its bell, or never reads it
            whole = False
        if broken is None:
            self._spend(self._process.cpu())
        return broken if whole else self._broken(codes)

    def _spend(self, cpu: float) -> None:
        """All CPU since the last answer is charged to this one: waiting is no time to think."""
        self.spent = (cpu - self._charged, self._waited)
        self._charged = cpu

    def _answered(self) -> bool:
        try:
            return os.read(self._process.bell_in, ANSWER.size) == ANSWER.pack(self._serial)
        except BlockingIOError:
            return False

    def _await_answer(self, codes: NDArray[np.int16], allowance: float) -> Broken | None:
        """Wait on while the first unanswered record keeps moving and there is time to use.

        None: the bell rang. A decision that hangs is a fault of its own, so its time is not
        charged to the average as well.
        """
        limit = self._budgets.frame_limit(len(codes), self.batch)
        wall_limit = max(self._budgets.decision_wall_seconds, limit)
        wall_allowance = self._budgets.wall_factor * allowance
        at, cpu_then, wall_then = 0, self._charged, 0.0
        self._waited, last = _POLL_MS / 1000, time.monotonic()
        while not self._poll.poll(_POLL_MS):
            cpu, now = self._process.cpu(), time.monotonic()
            self._waited += min(now - last, _MOST_STEP_SECONDS)
            last = now
            now_at = _first_unanswered(codes)
            if now_at != at:
                at, cpu_then, wall_then = now_at, cpu, self._waited
            if cpu - cpu_then > limit or self._waited - wall_then > wall_limit:
                self._process.kill()
                used = (
                    f"{cpu - cpu_then:.2f} s of CPU, {self._waited - wall_then:.2f} s by the clock"
                )
                self._waited = wall_then
                self._spend(cpu_then)
                return Broken(TIMEOUT, at, f"no answer after {used}{self._hint}")
            if cpu - self._charged > allowance or self._waited > wall_allowance:
                self._process.kill()
                self._spend(cpu)
                return Broken(OVER_BUDGET, at, "its average for the block is used up")
        return None

    def _broken(self, codes: NDArray[np.int16]) -> Broken:
        """The verdict after a wrong answer, or none because the process is gone."""
        kind, detail = self._process.cause()
        return Broken(kind, _first_unanswered(codes), detail)

    def replies(self, question: int, n: int) -> NDArray[np.void]:
        """A copy of the first `n` replies: later changes by the bot are not seen."""
        return self._replies[question][:n].copy()

    def tracebacks(self) -> dict[int, str]:
        """Tracebacks of exceptions in the last frame, by record, as far as the bot sent them."""
        return self._process.tracebacks(self._serial)
