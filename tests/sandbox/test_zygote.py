"""Nothing of one bot reaches the next through the zygote they are both forked from."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from harness.arena.budgets import Budgets
from harness.sandbox.nursery import Nursery
from harness.sandbox.process import BotProcess
from tests.conftest import CAUTIOUS

# Reads all memory around the objects it can reach, through a pipe, which refuses unmapped pages
# instead of crashing; prints paths of bots and seeds that lie there.
SPY = """
import ctypes, gc, os, re, sys
def scan():
    libc = ctypes.CDLL(None)
    libc.write.argtypes = [ctypes.c_int, ctypes.c_void_p, ctypes.c_size_t]
    reader, writer = os.pipe()
    near = [id(thing) for thing in gc.get_objects()] + [id(name) for name in list(sys.modules)]
    near += [ctypes.addressof(ctypes.create_string_buffer(n)) for n in (64, 600, 5000, 70000)]
    found, seen = set(), {address >> 20 for address in near}
    for part in sorted({p + k for p in seen for k in (-1, 0, 1, 2)}):
        memory = b""
        for page in range(256):
            if libc.write(writer, (part << 20) + page * 4096, 4096) == 4096:
                memory += os.read(reader, 4096)
        found.update(re.findall(rb"/[\\w/.-]*/bots/[\\w/.-]+", memory))
        found.update(re.findall(rb"seed-of-[a-z]+", memory))
    return found
print(sorted(scan()))
"""


@pytest.fixture
def start(nursery: Nursery) -> Callable[[Path, str], str]:
    """Start a bot and end it; returns what it printed while it was loaded."""

    def run(path: Path, seed: str) -> str:
        process = BotProcess(
            nursery,
            game="pazaak",
            path=str(path),
            numpy=False,
            seed=seed,
            lanes=0,
            budgets=Budgets(start_seconds=60, start_wall_seconds=60),
        )
        try:
            process.wait_ready()
            return process.log().decode()
        finally:
            process.close()

    return run


def test_a_bot_finds_nothing_of_another_in_its_memory(
    start: Callable[[Path, str], str], write_bot: Callable[..., Path]
) -> None:
    for name in ("rival", "another"):
        start(write_bot(CAUTIOUS, name), f"seed-of-{name}")
    found = start(write_bot(SPY + CAUTIOUS, "spy"), "seed-of-spy")
    assert "spy.py" in found  # it can read memory: its own path is there
    assert "rival" not in found
    assert "another" not in found
