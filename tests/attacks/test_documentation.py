"""The page about the sandbox names every attempt, and marks those that succeed at `standard`."""

from __future__ import annotations

import re
from pathlib import Path

import harness
from tests.attacks.attempts import ATTEMPTS

PAGE = Path(harness.__file__).parent.parent / "docs" / "explanation" / "sandbox.md"


def test_every_attempt_is_in_the_table() -> None:
    rows = [line for line in PAGE.read_text(encoding="utf-8").splitlines() if line.startswith("|")]
    marked = dict(re.findall(r"`(\w+)`(†?)", "\n".join(rows)))
    assert ATTEMPTS.keys() <= marked.keys()
    gaps = {name for name, attempt in ATTEMPTS.items() if attempt.gap}
    assert {name for name, mark in marked.items() if mark} == gaps


def test_the_tests_it_names_exist() -> None:
    text = PAGE.read_text(encoding="utf-8")
    tests = "\n".join(path.read_text("utf-8") for path in Path(__file__).parent.glob("*.py"))
    for name in set(re.findall(r"`(test_\w+)`", text)):
        assert f"def {name}(" in tests, name
    for name in set(re.findall(r"`(test_\w+\.py)`", text)):
        assert (Path(__file__).parent / name).exists(), name
    assert f"of {len(ATTEMPTS)}" in text
