"""Neither a program nor its bridge outlives what it belongs to."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from harness.arena.faults import HarnessFault
from harness.sandbox.nursery import Nursery
from harness.sandbox.probe import probe
from harness.sandbox.process import BotProcess
from tests.programs.asked import seated
from tests.programs.conftest import WriteProgram, needs, summoned

# Ignores whatever may be ignored, and goes on when nobody listens any more.
STUBBORN = """
import os, signal
for number in range(1, 32):
    try:
        signal.signal(number, signal.SIG_IGN)
    except (OSError, ValueError):
        pass
input()
print('{"koth": 1}', flush=True)
while True:
    pass
"""


@pytest.fixture
def nursery() -> Iterator[Nursery]:
    """One of its own: its zygote is killed."""
    nursery = Nursery("pazaak", probe().layers, core=None)
    yield nursery
    nursery.close()


@pytest.fixture
def started(nursery: Nursery, write_program: WriteProgram) -> Iterator[BotProcess]:
    """A program that does not want to end."""
    needs("python3")
    command = ["python3", "-S", "stubborn.txt"]
    folder = write_program(files={"stubborn.txt": STUBBORN}, command=command)
    with seated(summoned(folder, nursery), nursery, 1) as seat:
        yield seat._process


def parent(pid: int) -> int:
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])


def children(pid: int) -> set[int]:
    found = set()
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                if parent(int(name)) == pid:
                    found.add(int(name))
            except OSError:  # it has just ended
                continue
    return found


def gone(pids: set[int], within: float = 5.0) -> bool:
    """Whether all of them end (a zombie has ended) within so many seconds."""
    deadline = time.monotonic() + within
    while time.monotonic() < deadline:
        if not any(_runs(pid) for pid in pids):
            return True
        time.sleep(0.01)
    return False


def _runs(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_both_end_when_the_bot_is_closed(started: BotProcess) -> None:
    pids = children(parent(started.pid))
    assert started.pid in pids
    assert all(_runs(pid) for pid in pids)
    started.close()
    assert not any(os.path.exists(f"/proc/{pid}") for pid in pids)  # and are reaped


def test_both_end_with_the_zygote_by_kill(started: BotProcess) -> None:
    zygote = parent(started.pid)
    pids = children(zygote)
    assert started.pid in pids
    os.kill(zygote, signal.SIGKILL)
    assert gone(pids)
    with pytest.raises(HarnessFault):  # as the arena finds out
        started.close()
    started._pidfd = -1


def test_the_program_ends_with_its_bridge(started: BotProcess) -> None:
    (bridge,) = children(parent(started.pid)) - {started.pid}
    os.kill(bridge, signal.SIGKILL)
    # Nothing tells a program that does not listen; the arena does when it next wants an answer.
    assert started.cause() == ("crash", "the process lives but corrupted its channel to the arena")
    assert gone({started.pid})
