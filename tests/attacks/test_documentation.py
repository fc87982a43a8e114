"""The page about the sandbox names every attempt, and marks those that succeed at `standard`."""

from __future__ import annotations

import re
from pathlib import Path

import harness
from tests.attacks.attempts import ATTEMPTS
from tests.attacks.test_knowledge import HARMLESS

PAGE = Path(harness.__file__).parent.parent / "docs" / "explanation" / "sandbox.md"


def test_every_attempt_is_in_the_table() -> None:
    rows = [line for line in PAGE.read_text(encoding="utf-8").splitlines() if line.startswith("|")]
    marked = dict(re.findall(r"`(\w+)`(†?)", "\n".join(rows)))
    assert ATTEMPTS.keys() <= marked.keys()
    gaps = {name for name, attempt in ATTEMPTS.items() if attempt.gap}
    assert {name for name, mark in marked.items() if mark} == gaps


def test_the_tests_it_names_exist() -> None:
    text = PAGE.read_text(encoding="utf-8")
    folders = [
        Path(__file__).parents[1] / name for name in ("attacks", "sandbox", "arena", "programs")
    ]
    files = [path for folder in folders for path in folder.glob("*.py")]
    tests = "\n".join(path.read_text(encoding="utf-8") for path in files)
    for name in set(re.findall(r"`(test_\w+)`", text)):
        assert f"def {name}(" in tests, name
    for name in set(re.findall(r"`(test_\w+\.py)`", text)):
        assert name in {path.name for path in files}, name
    assert f"of {len(ATTEMPTS)}" in text


def test_every_file_of_attacks_is_named() -> None:
    text = PAGE.read_text(encoding="utf-8")
    for path in Path(__file__).parent.glob("test_*.py"):
        assert f"`{path.name}`" in text, path.name


def test_what_succeeds_at_full_is_listed_with_its_reason() -> None:
    text = PAGE.read_text(encoding="utf-8")
    section = text.partition("### What succeeds at `full`")[2].partition("\n### ")[0]
    listed = dict(re.findall(r"^\| `(\w+)` \| (.+?) \|$", section, re.MULTILINE))
    assert listed.keys() == HARMLESS.keys()
    assert all(len(reason) > 20 for reason in listed.values())
