"""Text of bots that acts on whoever reads it: on terminals, in pages, in JSON on a terminal."""

from __future__ import annotations

import json
import unicodedata
from pathlib import Path

import pytest

from tests.cli.conftest import Koth, koth, write_bots  # noqa: F401 (a fixture)
from tests.reports.page import Page

# Clears the screen, sets a title, turns text round, by one byte as well as by two, opens a link.
ACTS = "\x1b[2J\x1b]0;title\x07\x9b31m\u202e\u2066\u2028\u0085\r\x08\x7f\x1b]8;;http://evil/\x1b\\"
MARKUP = "[red]|`*_<b>[x](http://evil)</td>"

_SAYS = f"""
    def respond(self, view):
        print({ACTS!r}, {MARKUP!r})
        if view.total == 13:
            raise ValueError({ACTS + MARKUP!r})
        return END if view.total < 15 else {ACTS!r}
"""
BOTS = {
    "acts": f"class A(Player):\n    name = 'n' + {ACTS!r}\n    author = 'a' + {ACTS!r}\n{_SAYS}",
    "markup": f"class B(Player):\n    name = {MARKUP!r}\n    author = {MARKUP!r}\n{_SAYS}",
    "honest": "class C(Player):\n    def respond(self, view):\n        return END\n",
    "raises": f"raise ValueError({ACTS + MARKUP!r})\n",
    "syntax": f"x = '''{ACTS[:4]}''' +\n",
    "many": "class \u0435(Player): pass\nclass A(Player): pass\n",
    f"file{ACTS.replace('/', '')[:40]}": f"class D(Player):\n{_SAYS}",
}


@pytest.fixture(scope="module")
def bots(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_bots(tmp_path_factory.mktemp("hostile"), BOTS)


def acting(text: str) -> set[str]:
    """Characters that do something instead of being seen."""
    return {
        char
        for char in text
        if char != "\n" and unicodedata.category(char) in ("Cc", "Cf", "Cs", "Zl", "Zp")
    }


SECRET = ("--secret", "5e" * 32)
COMMANDS = {
    "bots": ("bots", "pazaak"),
    "bots as JSON": ("bots", "pazaak", "--json"),
    "check": ("check", "pazaak", "acts", "--games", 20),
    "check as JSON": ("check", "pazaak", "acts", "--games", 20, "--json"),
    "check one that does not load": ("check", "pazaak", "raises"),
    "check one that does not load as JSON": ("check", "pazaak", "raises", "--json"),
    "duel": ("duel", "pazaak", "acts", "markup", "--games", 20),
    "duel as JSON": ("duel", "pazaak", "acts", "markup", "--games", 20, "--json"),
    "replay": ("replay", "pazaak", "acts", "markup", 1, "--games", 20, *SECRET),
    "replay the first fault": (
        "replay",
        "pazaak",
        "acts",
        "markup",
        "--faulty",
        "--games",
        20,
        *SECRET,
    ),
    "a bot that is not there": ("duel", "pazaak", "acts", f"no{ACTS}"),
    "one that does not load": ("duel", "pazaak", "acts", "raises"),
}
_QUICK = ("bots as JSON",)


@pytest.mark.parametrize(
    "command",
    [pytest.param(c, marks=() if c in _QUICK else pytest.mark.slow) for c in COMMANDS],
)
def test_nothing_in_a_commands_output_acts(command: str, bots: Path, koth: Koth) -> None:  # noqa: F811
    answer = koth(*COMMANDS[command], "--bots", bots)
    refused = "not" in command
    assert answer.status in ((1, 2) if refused else (0, 1)), answer.err
    assert "Traceback (most recent call last)" not in answer.err
    assert acting(answer.out) == acting(answer.err) == set()
    if command.endswith("JSON"):
        told = json.dumps(json.loads(answer.out))  # the data is what it was, to the character
        assert json.dumps(ACTS)[1:-1] in told or "raises" in COMMANDS[command]


@pytest.mark.slow
def test_nothing_in_an_events_files_acts(bots: Path, koth: Koth, tmp_path: Path) -> None:  # noqa: F811
    config = tmp_path / "config.yaml"
    config.write_text("event: evil\ngame: pazaak\nformat: league\ngames: 20\nlanes: 8\n")
    words = ("--bots", bots, "--results", tmp_path, "--workers", 1)
    for quiet in ((), ("--quiet",)):  # played, then only reported
        answer = koth("league", config, *words, *quiet)
        assert answer.status == 0, answer.err
        assert acting(answer.out) == acting(answer.err) == set()
    answer = koth("verify", tmp_path / "evil", "--bots", bots, "--workers", 1)
    assert acting(answer.out) == acting(answer.err) == set()
    files = sorted(path for path in tmp_path.rglob("*") if path.suffix in (".md", ".json"))
    assert {path.name for path in files} >= {"leaderboard.md", "leaderboard.json", "faults.md"}
    for path in files:
        text = path.read_text(encoding="utf-8")
        assert acting(text) == set(), path
        if path.suffix == ".md":
            page = Page(text)
            assert page.foreign_html() == []
            assert not [link for link in page.links() if "evil/" in link and "//" in link]
    board = json.loads((tmp_path / "evil" / "leaderboard.json").read_text(encoding="utf-8"))
    assert {"n" + ACTS, MARKUP} <= {entrant["name"] for entrant in board["entrants"]}
