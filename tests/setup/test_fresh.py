"""The set-up for real, on every Python of this machine that koth is made for."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from .conftest import ROOT

pytestmark = [pytest.mark.slow, pytest.mark.timeout(1200)]


def python(minor: int) -> str | None:
    """The path of a Python 3.`minor` that can be run."""
    versions = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"), "versions")
    candidates = [f"python3.{minor}", *versions.glob(f"3.{minor}.*/bin/python3")]
    for candidate in map(shutil.which, candidates):
        if candidate and subprocess.run([candidate, "-V"], capture_output=True).returncode == 0:
            return candidate
    return None


def run(folder: Path, *command: str | Path) -> str:
    # The surrounding make hands on its own flags; the rest, as a proxy's address, is needed.
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("MAKE", "MFLAGS"))}
    return subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=True
    ).stdout


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A copy of what git has or would take."""
    folder = tmp_path / "a fresh clone"
    for name in run(ROOT, "git", "ls-files", "-z", "-co", "--exclude-standard").split("\0"):
        if name and (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, folder / name)
    return folder


@pytest.mark.parametrize("minor", [11, 12, 13])
def test_make_setup(tree: Path, minor: int) -> None:
    interpreter = python(minor)
    if interpreter is None:
        pytest.skip(f"no Python 3.{minor} here")
    run(tree, "make", "setup", f"PYTHON={interpreter}")
    assert "pip" not in run(tree, "make", "-n", "setup", f"PYTHON={interpreter}")
    assert "koth" in run(tree, tree / ".venv/bin/koth", "--version")
    run(tree, tree / ".venv/bin/python", "-m", "pip", "check")


def test_pip_install(tree: Path, tmp_path: Path) -> None:
    environment = tmp_path / "environment"
    run(tree, "python3", "-m", "venv", environment)
    run(tree, environment / "bin/pip", "install", "--quiet", ".")
    shutil.rmtree(tree)
    assert "koth" in run(tmp_path, environment / "bin/koth", "--version")
