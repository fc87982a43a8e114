"""docs/reference/protocol.md describes every field there is, and its examples are real."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from harness.sandbox.bridge import MOST_LINE, VERSION
from harness.sandbox.nursery import Nursery
from harness.sandbox.probe import probe
from tests.programs.conftest import ROOT, needs
from tests.programs.recording import GAMES, example, record
from tests.programs.test_attempts import ACTS

TEXT = (ROOT / "docs" / "reference" / "protocol.md").read_text(encoding="utf-8")
TITLES = {"pazaak": "Pazaak", "bs": "BS", "spades": "Spades", "azi": "Azi"}


def section(title: str) -> str:
    """The text below a heading of the second level."""
    found = re.search(rf"^## {title}$(.*?)(?=^## |\Z)", TEXT, re.MULTILINE | re.DOTALL)
    assert found is not None, title
    return found[1]


def keys(value: Any) -> set[str]:
    """All keys of objects in a value, but those of the rules, which a game's page describes."""
    if isinstance(value, dict):
        inner = (keys(below) for key, below in value.items() if key != "rules")
        return set(value).union(*inner)
    return set()


def described(text: str) -> set[str]:
    """What stands in backquotes in the first cells of tables."""
    cells = re.findall(r"^\| (`[^|]*) \|", text, re.MULTILINE)
    return {name for cell in cells for name in re.findall(r"`(\w+)`", cell)}


@pytest.mark.parametrize(
    "game", ["pazaak", *(pytest.param(game, marks=pytest.mark.slow) for game in GAMES[1:])]
)
def test_the_examples_are_real_and_every_field_is_described(game: str, tmp_path: Path) -> None:
    needs("python3")
    nursery = Nursery(game, probe().layers, core=None)
    try:
        recorded = record(game, nursery, tmp_path)
    finally:
        nursery.close()
    text = section(TITLES[game])
    block = re.search(r"```text\n(.*?)\n```", text, re.DOTALL)
    assert block is not None
    assert block[1].splitlines() == example(recorded)
    asked = {question["ask"] for question in recorded.questions}
    told = set[str]().union(*(keys(question) for question in recorded.questions))
    common = described(section("Questions"))
    assert common <= told
    assert described(text) - {"ask"} == (told - common) | asked
    assert described(section("Hello")) == keys(json.loads(recorded.hello))


def test_every_attempt_is_on_the_page_about_the_sandbox() -> None:
    page = (ROOT / "docs" / "explanation" / "sandbox.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`(\w+)`", page.partition("## Programs")[2]))
    assert set(ACTS) | {"hide_memory_from_its_limit", "make_a_thousand_threads"} <= named


def test_what_it_says_of_numbers_is_so() -> None:
    assert TEXT.startswith("# The protocol")
    assert f"Version {VERSION}." in TEXT
    assert f"An answer is at most {MOST_LINE:,} bytes long" in TEXT
