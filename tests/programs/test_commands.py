"""The commands take a program as they take any bot."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.cli.conftest import SECRET, Koth, koth, write_bots
from tests.programs.conftest import EXAMPLES, WriteProgram, needs

__all__ = ["koth"]  # the fixture

BOLD = """
class Bold(Player):
    def respond(self, view):
        return END if view.total < 19 else STAND
"""


@pytest.mark.slow
def test_an_event_with_a_program_can_be_verified_and_replayed(koth: Koth, tmp_path: Path) -> None:
    needs("gcc")
    bots = write_bots(tmp_path / "bots", {"bold": BOLD})
    shutil.copytree(EXAMPLES / "niklos_c", bots / "pazaak" / "niklos_c")
    config = tmp_path / "config.yaml"
    config.write_text(
        "event: tiny\ngame: pazaak\nformat: league\ngames: 40\nblock_games: 20\nlanes: 4\n"
    )
    words = ("--bots", bots, "--results", tmp_path, "--secret", SECRET, "--quiet", "--workers", 1)
    assert koth("league", config, *words).status == 0
    again = koth("verify", tmp_path / "tiny", "--bots", bots)
    assert again.status == 0, again.out
    told = koth("replay", tmp_path / "tiny", "Niklos in C", "Bold", 1, "--bots", bots)
    assert told.status == 0, told.err
    assert "Niklos in C" in told.out
    source = bots / "pazaak" / "niklos_c" / "niklos.c"
    source.write_text(source.read_text().replace("me >= 18", "me >= 17"))
    changed = koth("verify", tmp_path / "tiny", "--bots", bots)
    assert changed.status == 1
    assert "Niklos in C" in changed.out + changed.err


@pytest.mark.slow
def test_check_shows_what_a_compiler_said(
    koth: Koth, write_program: WriteProgram, tmp_path: Path
) -> None:
    needs("gcc")
    write_program(files={"b.c": "int main(void) { oops }"}, command=["./b"], build=["gcc", "b.c"])
    answer = koth("check", "pazaak", "mine", "--bots", tmp_path / "bots")
    assert answer.status == 1
    assert "build: gcc b.c ended with exit status 1: b.c:1:" in answer.out + answer.err
    assert "oops" in answer.out + answer.err
    (found,) = koth("bots", "pazaak", "--json", "--bots", tmp_path / "bots").json
    assert found["path"].endswith("mine/bot.yaml")
    assert found["error"].startswith("build: gcc b.c")
