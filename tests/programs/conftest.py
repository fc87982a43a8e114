"""Programs as bots: what is installed here, a cache of their own, and a quick way to start one."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from harness.arena.budgets import Budgets
from harness.entrants import Entrant, load
from harness.sandbox.nursery import Nursery

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "bots" / "examples" / "pazaak"

PATIENT = Budgets(start_seconds=60, start_wall_seconds=60)


def needs(*commands: str) -> None:
    """Skip the test where one of these is not installed."""
    for command in commands:
        if shutil.which(command) is None:
            pytest.skip(f"{command} is not installed here")


@pytest.fixture(scope="session", autouse=True)
def own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """What is built goes to a folder of the tests', not to the user's."""
    folder = tmp_path_factory.mktemp("cache")
    before = os.environ.get("XDG_CACHE_HOME")
    os.environ["XDG_CACHE_HOME"] = str(folder)
    yield folder
    if before is None:
        del os.environ["XDG_CACHE_HOME"]
    else:
        os.environ["XDG_CACHE_HOME"] = before


@pytest.fixture(scope="session")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """`attempts.c`, compiled; skips without a compiler."""
    needs("gcc")
    made = tmp_path_factory.mktemp("attempts") / "attempts"
    source = Path(__file__).with_name("attempts.c")
    words = ["gcc", "-O1", "-pthread", "-static-libgcc", "-o", str(made), str(source)]
    subprocess.run(words, check=True, capture_output=True)
    return made


WriteProgram = Callable[..., Path]


@pytest.fixture
def write_program(tmp_path: Path) -> WriteProgram:
    """Writes a Pazaak bot that is a folder: its `bot.yaml` by keys, and files by name."""

    def write(name: str = "mine", files: dict[str, str] | None = None, **keys: object) -> Path:
        folder = tmp_path / "bots" / "pazaak" / name
        folder.mkdir(parents=True, exist_ok=True)
        lines = {"name": name, **keys}
        text = "".join(f"{key}: {json.dumps(value)}\n" for key, value in lines.items())
        (folder / "bot.yaml").write_text(text, encoding="utf-8")
        for file, content in (files or {}).items():
            (folder / file).write_text(content, encoding="utf-8")
        return folder

    return write


def summoned(folder: Path, nursery: Nursery, budgets: Budgets = PATIENT) -> Entrant:
    """The Pazaak bot in a folder, as an event would load it; it must not be broken."""
    entrant = load("pazaak", folder, nursery, budgets)
    assert entrant.error is None, (entrant.error, entrant.traceback)
    return entrant
