"""The same event on other versions of Python: the same bytes."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.events.small import SECRET, Small
from tests.pythons import interpreter

ROOT = Path(__file__).parents[2]
VERSIONS = ("3.11", "3.12", "3.13")
FORMATS = ("league", "cup", "tables")


@pytest.fixture(scope="module")
def events(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Small]:
    """By format, an event that this Python has played, in the folder `whole`."""
    made = {format_: Small.make(tmp_path_factory.mktemp(format_), format_) for format_ in FORMATS}
    for small in made.values():
        played = small.play("whole")
        assert played.returncode == 0, played.stderr
    return made


def environment(version: str, folder: Path) -> Path:
    """The Python of a new environment with the locked packages."""
    base = interpreter(version)
    if base is None:
        pytest.skip(f"no other Python {version} on this machine")
    subprocess.run([base, "-m", "venv", folder], check=True, capture_output=True)
    python = folder / "bin" / "python"
    # As `make` does it: only wheels whose hashes the lock knows.
    pip = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    lock = ["--require-hashes", "--only-binary", ":all:", "--requirement", "requirements.lock"]
    done = subprocess.run([*pip, *lock], cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        last = (done.stderr.strip().splitlines() or ["no reason given"])[-1]
        pytest.skip(f"the locked packages cannot be had for Python {version}: {last}")
    return python


@pytest.mark.slow
@pytest.mark.timeout(1200)  # packages are fetched, and the rules compiled anew
@pytest.mark.parametrize("version", VERSIONS)
def test_another_python_gives_the_same_bytes(
    events: dict[str, Small], tmp_path: Path, version: str
) -> None:
    if sys.version_info[:2] == tuple(map(int, version.split("."))):
        pytest.skip(f"Python {version} is the one that plays here")
    python = environment(version, tmp_path / "venv")
    for format_, small in events.items():
        command = [python, *small.command(version, "--secret", SECRET)[1:]]
        done = subprocess.run(
            command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=600
        )
        assert done.returncode == 0, done.stderr
        assert small.outcome(version) == small.outcome("whole"), format_
