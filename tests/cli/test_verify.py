"""`koth verify`: passes on what was played, and fails when anything of it is changed."""

from __future__ import annotations

import json
import re
import shutil
import sqlite3
from pathlib import Path

import pytest

from harness.events import verify
from harness.events.verify import first_difference
from tests.cli.conftest import Koth


@pytest.fixture
def copy(league: Path, tmp_path: Path) -> Path:
    """The league's results, to be changed."""
    return Path(shutil.copytree(league, tmp_path / "tiny"))


def change(path: Path, pattern: str, replacement: str) -> None:
    text, times = re.subn(pattern, replacement, path.read_text(), count=1)
    assert times == 1
    path.write_text(text)


def test_what_was_played_is_confirmed(koth: Koth, league: Path, good: Path) -> None:
    answer = koth("verify", league, "--blocks", "all", "--workers", 1, "--bots", good)
    assert answer.status == 0, answer.out + answer.err
    assert "12 of 12 played again, all as recorded" in answer.out


@pytest.mark.slow
def test_a_leaderboard_is_enough_and_a_bot_may_have_moved(
    koth: Koth, copy: Path, good: Path, tmp_path: Path
) -> None:
    (copy / "ledger.sqlite").unlink()
    bots = Path(shutil.copytree(good, tmp_path / "bots"))
    (bots / "pazaak" / "bold.py").rename(bots / "pazaak" / "renamed.py")
    answer = koth("verify", copy, "--blocks", 2, "--workers", 1, "--bots", bots)
    assert answer.status == 0, answer.out + answer.err
    assert "2 of 12 played again, all as recorded" in answer.out


@pytest.mark.slow
def test_a_cup_is_confirmed_by_a_sample(koth: Koth, cup: Path, good: Path) -> None:
    answer = koth("verify", cup, "--workers", 1, "--bots", good)
    assert answer.status == 0, answer.out + answer.err
    assert "3 of " in answer.out


def test_a_changed_digit_in_the_leaderboard_is_named(koth: Koth, copy: Path, good: Path) -> None:
    change(copy / "leaderboard.json", r'"losses": \d', r'"losses": 1')
    answer = koth("verify", copy, "--bots", good)
    assert answer.status == 1
    assert "standings[0].losses: recorded 1" in answer.out


def test_a_changed_digit_in_the_ledger_is_named(koth: Koth, copy: Path, good: Path) -> None:
    (copy / "leaderboard.json").unlink()
    with sqlite3.connect(copy / "ledger.sqlite") as ledger:
        where = "WHERE match LIKE '%Coin%Bold%' AND block = 2 AND player = 1"
        ledger.execute(f"UPDATE block_players SET decisions = decisions + 1 {where}")
    ledger.close()
    answer = koth("verify", copy, "--blocks", "all", "--workers", 1, "--bots", good)
    assert answer.status == 1
    assert "match: A Coin - Bold, block 2: decisions of Bold recorded as " in answer.out


@pytest.mark.slow
def test_numbers_that_cannot_be_are_no_traceback(koth: Koth, copy: Path, good: Path) -> None:
    with sqlite3.connect(copy / "ledger.sqlite") as ledger:
        ledger.execute("UPDATE block_players SET wins = 1000")
    ledger.close()
    answer = koth("verify", copy, "--bots", good)
    assert answer.status == 1
    assert "make no sense" in answer.out
    assert answer.err == ""


def test_another_secret_is_found_out(koth: Koth, copy: Path, good: Path) -> None:
    (copy / "ledger.sqlite").unlink()
    change(copy / "leaderboard.json", r'"secret": "5e', '"secret": "6e')
    answer = koth("verify", copy, "--bots", good)
    assert answer.status == 1
    assert re.search(r"commitment +DIFFERS", answer.out)


def test_another_bot_is_found_out(koth: Koth, copy: Path, good: Path, tmp_path: Path) -> None:
    bots = Path(shutil.copytree(good, tmp_path / "bots"))
    with (bots / "pazaak" / "bold.py").open("a") as file:
        file.write("# a comment\n")
    answer = koth("verify", copy, "--bots", bots)
    assert answer.status == 1
    assert "bold.py has changed since the event" in answer.out


def test_wrong_usage_is_explained(koth: Koth, tmp_path: Path, good: Path) -> None:
    koth("verify", tmp_path, "--bots", good).refused("no results of an event")
    (tmp_path / "leaderboard.json").write_text("{}")
    koth("verify", tmp_path, "--bots", good).refused("not a leaderboard")
    koth("verify", tmp_path, "--blocks", "some").refused("neither a number of blocks nor 'all'")


def test_first_difference() -> None:
    recorded = {"a": [1, {"b": 2}], "c": None}
    assert first_difference(recorded, json.loads(json.dumps(recorded))) == ""
    assert first_difference(recorded, {"a": [1, {"b": 3}], "c": None}) == (
        "a[1].b: recorded 2, derived 3"
    )
    assert first_difference(recorded, {"a": [1], "c": None}).startswith("a: recorded [1, {")
    assert first_difference({"a": 1}, {"a": 1, "d": 4}) == "d: recorded None, derived 4"


def test_a_page_may_name_any_folder_and_nothing_else_may_differ(copy: Path) -> None:
    """The folder of the results is what was typed; here it has been copied since."""
    path = copy / "leaderboard.md"
    text = path.read_text()
    assert verify.page(copy).differences == []
    for wrong in (
        text.replace("koth verify ", "koth verify --blocks 0 "),
        re.sub("koth verify .*", "koth verify results/other", text),
        re.sub("koth verify .*", "koth verify 'results", text),
        text.replace("A Coin", "A Con"),
    ):
        path.write_text(wrong)
        (difference,) = verify.page(copy).differences
        assert re.match(r"line \d+: recorded ", difference)
