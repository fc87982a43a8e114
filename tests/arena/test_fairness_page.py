"""docs/explanation/fairness.md: the lines of Python it prints are run, and say what koth says."""

from __future__ import annotations

import contextlib
import io
import json
import re
from pathlib import Path
from typing import Any

import pytest

from harness.arena.deals import Deals, derive
from harness.config import Config
from harness.entrants import Entrant
from harness.events.match import pair
from harness.events.run import Event
from harness.events.secret import Salt, block_key, root_key
from harness.games import describe
from harness.games.draw import draw
from harness.sandbox.isolation import Layers
from tests.games.cards import pazaak_cards

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "explanation" / "fairness.md").read_text(encoding="utf-8")
LINES = re.findall(r"```python\n(.*?)```", PAGE, flags=re.DOTALL)


@pytest.fixture
def page(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """What the page's lines define, once they have run; and under `printed`, what they printed."""
    monkeypatch.chdir(ROOT)
    names: dict[str, Any] = {}
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        for lines in LINES:
            exec(lines, names)
    return {**names, "printed": out.getvalue()}


def test_the_lines_print_what_the_page_says(page: dict[str, Any]) -> None:
    (printed,) = re.findall(r"```text\n(.*?)```", PAGE, flags=re.DOTALL)
    assert page["printed"] == printed


def test_they_need_no_koth() -> None:
    assert len(LINES) == 2
    assert not re.search("harness|koth\\b(?! commitment)", "".join(LINES))


def test_the_keys_and_words_are_those_of_koth(page: dict[str, Any]) -> None:
    (printed,) = re.findall(r"```text\nTrue\n(.*?)```", PAGE, flags=re.DOTALL)
    match = pair("match", "Bee", "Ant", 100_000, 25_000)
    rules = describe("pazaak").variants["text"]
    pool = pazaak_cards(rules)[0]
    assert pool == page["pool"]
    for line, text in zip(printed.splitlines(), (None, "3 7 19 22 30 41"), strict=True):
        root = root_key(page["secret"], Salt.given(text))
        facts = ["pazaak", {"target": 20}, ["Ant", "Bee"], "match", 25_000, 0]
        key = derive(root, "block", 1, *facts)
        words = Deals(key, 1, 1, 1).first()[0, 0]
        assert line == f"{key.hex()} {words[0]} {pool[draw(words, 0, 10)[0]]}"
        # The example has short rules; those of a real match stand in the same place.
        facts[1] = rules.model_dump()
        assert block_key(root, "pazaak", rules, match, 0) == derive(root, "block", 1, *facts)


def boards() -> list[Path]:
    every = sorted((ROOT / "results").glob("*/leaderboard.json"))
    return [path for path in every if json.loads(path.read_text())["format"] != "hunt"]


@pytest.mark.parametrize("board", boards(), ids=lambda path: path.parent.name)
def test_every_published_commitment_is_computed_by_them(page: dict[str, Any], board: Path) -> None:
    document = json.loads(board.read_text())
    assert page["commitment"](document) == document["commitment"]
    document["config"]["lanes"] += 1
    assert page["commitment"](document) != document["commitment"]


@pytest.mark.parametrize("salt", [None, Salt("Zürich, at noon", None), Salt("dice", "6")])
def test_any_commitment_is_computed_by_them(page: dict[str, Any], salt: Salt | None) -> None:
    values = {"event": "e", "game": "bs", "format": "tables", "entrants": ["Ä", "b"]}
    bots = [Entrant(name, "bs", "", name, "", name * 64) for name in "dabc"]
    config = Config.model_validate(values)
    event = Event(config, bots, bytes(range(1, 33)), Layers(), "full", salt)
    facts = json.loads(json.dumps(event.facts()))
    document = {**facts, "event": "e", "rules": {"parameters": facts["rules"]}}
    assert page["commitment"](document) == event.commitment
