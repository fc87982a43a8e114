"""What many tests need: compiled rules from a shared cache, bots from source text, a nursery."""

from __future__ import annotations

import os
import signal

from harness.arena.cache import use_compiled_cache

# Before anything imports NumPy or Numba: a child forked by a test may start no threads.
os.environ["OPENBLAS_NUM_THREADS"] = "1"
# A shell has its background jobs ignore Ctrl-C, and whatever they start would inherit that; tests
# that interrupt koth as a person would must not depend on where they were started from.
signal.signal(signal.SIGINT, signal.default_int_handler)
use_compiled_cache()

import textwrap  # noqa: E402
from collections.abc import Callable, Iterator  # noqa: E402
from pathlib import Path  # noqa: E402

import pytest  # noqa: E402
from hypothesis import settings  # noqa: E402

from harness.sandbox.nursery import Nursery  # noqa: E402
from harness.sandbox.probe import probe  # noqa: E402

# No deadlines: the first example may compile, and machines are busy. CI tries the same examples
# every time, so that a change is to blame when it fails.
settings.register_profile("koth", deadline=None, derandomize="CI" in os.environ)
settings.load_profile("koth")

HEADER = "from harness.games.pazaak import END, STAND, BatchPlayer, Player, play\n"
CAUTIOUS = """
class Cautious(Player):
    def respond(self, view):
        return END if view.total < 15 else STAND
"""


@pytest.fixture(scope="session")
def nursery() -> Iterator[Nursery]:
    """Starts confined processes, at the best level this machine has."""
    nursery = Nursery("pazaak", probe().layers, core=None)
    yield nursery
    nursery.close()


@pytest.fixture
def write_bot(tmp_path: Path) -> Callable[..., Path]:
    """Writes a Pazaak bot from source text (the usual imports are put before it)."""

    def write(source: str, name: str = "bot_under_test") -> Path:
        folder = tmp_path / "bots" / "pazaak"
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / f"{name}.py"
        path.write_text(HEADER + textwrap.dedent(source), encoding="utf-8")
        return path

    return write
