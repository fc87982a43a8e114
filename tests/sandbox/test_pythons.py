"""The sandbox under the other interpreters of this machine, which need nothing installed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import harness
from harness.sandbox.probe import STANDARD, WEAK, probe
from tests.sandbox.attempts import ATTEMPTS

VERSIONS = ("3.11", "3.12", "3.13", "3.14")
PROJECT = Path(harness.__file__).parent.parent


def interpreter(version: str) -> Path | None:
    """From pyenv or the system, but not the one that runs the tests."""
    root = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"))
    candidates = [
        *root.glob(f"versions/{version}.*/bin/python3"),
        Path(f"/usr/bin/python{version}"),
    ]
    for path in candidates:
        if path.exists() and path.resolve() != Path(sys.executable).resolve():
            return path
    return None


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.slow
def test_all_attempts(version: str) -> None:
    python = interpreter(version)
    if python is None:
        pytest.skip(f"no other Python {version} on this machine")
    level = probe().level
    if level == WEAK:
        pytest.skip("this machine's level is weak")
    done = subprocess.run(
        [python, "-s", "-P", "-m", "tests.sandbox.sample"],
        cwd="/",
        env={"PYTHONPATH": str(PROJECT), "PYTHONDONTWRITEBYTECODE": "1", "LANG": "C.UTF-8"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    result = json.loads(done.stdout)
    gaps = [name for name, attempt in ATTEMPTS.items() if attempt.gap and level == STANDARD]
    assert result == {
        "level": level,
        "imports": True,
        "succeeded": gaps,
        "broken": [],
        "attempts": len(ATTEMPTS),
    }
