"""A process that somebody else kills, a bot's or ours, is no bot's fault, if it can be helped."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import psutil
import pytest

from harness.arena.budgets import Budgets
from harness.arena.faults import HarnessFault
from harness.entrants import load
from harness.sandbox.nursery import Nursery
from harness.sandbox.probe import probe
from tests.arena.conftest import Play
from tests.conftest import CAUTIOUS

SLOW = "import time\ntime.sleep(0.3)\n" + CAUTIOUS
SLOW_AT_PLAY = CAUTIOUS.replace("        return", "        time.sleep(0.001)\n        return")
SLOW_AT_PLAY = "import time\n" + SLOW_AT_PLAY
PATIENT = Budgets(slack_seconds=30)


@pytest.fixture
def own() -> Iterator[Nursery]:
    """A nursery that may be harmed."""
    nursery = Nursery("pazaak", probe().layers, core=None)
    yield nursery
    nursery.close()


def _zygotes() -> list[psutil.Process]:
    return [
        child
        for child in psutil.Process().children()
        if "harness.sandbox.zygote" in " ".join(child.cmdline())
    ]


@contextmanager
def killer(of: str, times: int, spared: set[int]) -> Iterator[list[int]]:
    """Kills zygotes or bots, one after another, as long as the block runs."""
    killed: list[int] = []
    over = threading.Event()

    def go() -> None:
        while not over.is_set() and len(killed) < times:
            with suppress(psutil.NoSuchProcess):
                found = [z for z in _zygotes() if z.pid not in spared]
                if of == "bot":
                    found = [bot for zygote in found for bot in zygote.children()]
                else:  # one that is at work
                    found = [zygote for zygote in found if zygote.children()]
                for process in found:
                    if process.pid not in killed:
                        time.sleep(0.1)
                        process.kill()
                        killed.append(process.pid)
            over.wait(0.005)

    thread = threading.Thread(target=go)
    thread.start()
    try:
        yield killed
    finally:
        over.set()
        thread.join()


@pytest.mark.parametrize("of", ["zygote", "bot"])
def test_while_it_is_loaded_it_is_asked_again(
    own: Nursery, write_bot: Callable[..., Path], of: str
) -> None:
    spared = {zygote.pid for zygote in _zygotes()}
    path = write_bot(SLOW)
    with killer(of, 2, spared) as killed:
        entrant = load("pazaak", path, own, Budgets())
    assert len(killed) == 2
    assert entrant.error is None
    assert entrant.name == "Cautious"


def test_killed_every_time_it_is_taken_for_what_kills_it(
    own: Nursery, write_bot: Callable[..., Path]
) -> None:
    spared = {zygote.pid for zygote in _zygotes()}
    with killer("bot", 99, spared) as killed:
        entrant = load("pazaak", write_bot(SLOW), own, Budgets())
    assert len(killed) == 4
    assert entrant.error is not None
    assert "killed by the system again and again" in entrant.error


@pytest.mark.parametrize("of", ["zygote", "bot"])
def test_while_it_plays_the_block_is_ours_to_repeat(own: Nursery, play: Play, of: str) -> None:
    spared = {zygote.pid for zygote in _zygotes()}
    with killer(of, 1, spared) as killed, pytest.raises(HarnessFault):
        play(SLOW_AT_PLAY, PATIENT, nursery=own)
    assert len(killed) == 1
