"""The zygote's eye on the programs it has started: what no limit of the kernel's holds them to.

Programs reserve far more addresses than they use, so RLIMIT_AS cannot bound their memory, and
RLIMIT_DATA forgets what is made read-only after it was written. So the zygote looks, some twenty
times a second, at what each really holds.
"""

from __future__ import annotations

import os
import re
import signal
import time
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Final

from harness.arena.faults import CRASH, MEMORY
from harness.sandbox.limits import PROGRAM_THREADS

SECONDS: Final = 0.05
"""Between two looks."""
_FACTS: Final = re.compile(rb"^(RssAnon|RssShmem|VmSwap|Threads):\s+(\d+)", re.MULTILINE)


@dataclass
class _Running:
    bridge: int
    memory_bytes: int
    exceeded: list[str] = field(default_factory=list)
    """The kind of fault it was killed for, and in words."""


class Programs:
    """The programs that run, by process number, each with its bridge."""

    def __init__(self) -> None:
        self._running: dict[int, _Running] = {}
        self._due = 0.0
        """When the next look is due."""

    def add(self, pid: int, bridge: int, memory_bytes: int) -> None:
        """A program has been started."""
        self._running[pid] = _Running(bridge, memory_bytes)

    @property
    def pause(self) -> float | None:
        """Seconds until the next look is due; None if there is nothing to look at."""
        return max(self._due - time.monotonic(), 0) if self._running else None

    def look(self) -> None:
        """Kill what holds more than it may, if it is time for a look."""
        if time.monotonic() < self._due:
            return
        self._due = time.monotonic() + SECONDS
        for pid, running in self._running.items():
            with suppress(FileNotFoundError, ProcessLookupError):  # it has ended just now
                facts = _facts(pid)
                threads = facts.pop(b"Threads", 1)
                held = sum(facts.values()) << 10
                if held > running.memory_bytes:
                    running.exceeded = [MEMORY, f"{held >> 20} MB of memory in use"]
                elif threads > PROGRAM_THREADS:
                    running.exceeded = [CRASH, f"{threads} threads; at most {PROGRAM_THREADS}"]
                if running.exceeded:
                    os.kill(pid, signal.SIGKILL)

    def end(self, pid: int) -> dict[str, Any]:
        """A program has ended: its bridge ends too. What to report besides how it ended."""
        running = self._running.pop(pid, None)
        if running is None:
            return {}
        os.kill(running.bridge, signal.SIGKILL)
        os.waitpid(running.bridge, 0)
        return {"exceeded": running.exceeded} if running.exceeded else {}


def _facts(pid: int) -> dict[bytes, int]:
    """What a process holds. Of one whose first thread has ended only the other threads tell."""
    facts = _status(f"/proc/{pid}/status")
    if b"RssAnon" not in facts:
        for thread in os.listdir(f"/proc/{pid}/task"):
            with suppress(FileNotFoundError, ProcessLookupError):  # this one has ended as well
                facts |= _status(f"/proc/{pid}/task/{thread}/status")
    return facts


def _status(path: str) -> dict[bytes, int]:
    with open(path, "rb") as status:
        return {name: int(value) for name, value in _FACTS.findall(status.read())}
