"""Commit now, play later: `--commit-only`, `--salt-from` and `--salt`."""

from __future__ import annotations

import json
import re
import shlex
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from harness.ledger import Ledger
from tests.cli.conftest import SECRET, Koth

SOURCE = "the lottery of 5 December, | as printed"
SALT = "3 7 19 `22` 30 Zürich"
CONFIG = """
event: salted
game: pazaak
format: league
games: 40
block_games: 20
lanes: 16
"""


@pytest.fixture(scope="module")
def words(good: Path, tmp_path_factory: pytest.TempPathFactory) -> list[Any]:
    """A league of two, by its command."""
    folder = tmp_path_factory.mktemp("salt")
    (folder / "salted.yaml").write_text(CONFIG)
    return ["league", folder / "salted.yaml", "--bots", good, "--only", "bold,coin", "--workers", 1]


@pytest.fixture(scope="module")
def salted(koth: Koth, words: list[Any], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The league as it is played with a salt, from commitment to report."""
    results = tmp_path_factory.mktemp("salted")
    words = [*words, "--results", results]
    committed = koth(*words, "--salt-from", SOURCE, "--secret", SECRET)
    assert committed.status == 0, committed.err
    assert f"still awaited ({SOURCE})" in committed.out
    assert "To play once the salt is known: " in committed.out
    (commitment,) = re.findall(r"^commitment +([0-9a-f]{64})$", committed.out, re.MULTILINE)
    folder = results / "salted"
    assert not (folder / "leaderboard.json").exists()

    koth(*words).refused("waits for its salt, which is to be: the lottery of 5 December")
    played = koth(*words, "--salt", SALT)
    assert played.status == 0, played.err
    assert commitment in played.out
    assert f"{SALT} ({SOURCE})" in played.out
    board = json.loads((folder / "leaderboard.json").read_text())
    assert (board["salt_source"], board["salt"]) == (SOURCE, SALT)
    assert (board["commitment"], board["secret"]) == (commitment, SECRET)
    return folder


def test_another_salt_is_refused(koth: Koth, words: list[Any], salted: Path) -> None:
    where = ("--results", salted.parent)
    koth(*words, *where, "--salt", SALT + "1").refused("these results have the salt")


@pytest.mark.slow
def test_a_finished_event_is_not_asked_for_its_salt_again(
    koth: Koth, words: list[Any], salted: Path
) -> None:
    words = [*words, "--results", salted.parent]
    before = (salted / "leaderboard.json").read_bytes()
    again = koth(*words)
    assert again.status == 0, again.err
    assert (salted / "leaderboard.json").read_bytes() == before


@pytest.mark.slow
def test_while_the_salt_is_awaited_nothing_else_goes_on(
    koth: Koth, words: list[Any], tmp_path: Path
) -> None:
    words = [*words, "--results", tmp_path]
    assert koth(*words, "--salt-from", SOURCE, "--secret", SECRET, "--quiet").status == 0
    koth("verify", tmp_path / "salted", "--bots", words[3]).refused("waits for its salt")
    other = koth(*words, "--salt", SALT, "--secret", "00" * 32)
    assert other.status == 2
    assert "the secret is another one" in other.err
    dry = koth(*words, "--salt", SALT, "--dry-run")
    assert f"{SALT} ({SOURCE})" in dry.out
    with Ledger(tmp_path / "salted" / "ledger.sqlite") as ledger:
        assert "salt" not in ledger.event()


@pytest.mark.slow
def test_the_page_says_how_to_play_it_again(
    koth: Koth, words: list[Any], salted: Path, tmp_path: Path
) -> None:
    """With secret and salt, elsewhere: the same to the byte. And `koth verify` is content."""
    page = (salted / "leaderboard.md").read_text()
    assert "Salt, not known yet at the time of the commitment: 3 7 19" in page
    (command,) = re.findall(r"^koth (league .* --results again)$", page, re.MULTILINE)
    _, config, *rest = shlex.split(command)
    assert config == "configs/salted.yaml"
    rest = [str(tmp_path) if word == "again" else word for word in rest]
    done = koth(*words[:4], *rest)
    assert done.status == 0, done.err
    for kind in ("json", "md"):
        # The page names the folder of the results.
        roots = (tmp_path, salted.parent)
        one, other = (
            (root / "salted" / f"leaderboard.{kind}").read_text().replace(str(root), "results")
            for root in roots
        )
        assert one == other
    answer = koth("verify", salted, "--blocks", "all", "--workers", 1, "--bots", words[3])
    assert answer.status == 0, answer.out


@pytest.mark.slow
@pytest.mark.parametrize(
    ("key", "named"),
    [
        ("salt", r"blocks       DIFFERS  match: A Coin - Bold, block \d: "),
        ("salt_source", "commitment   DIFFERS  recorded "),
    ],
)
def test_another_salt_is_found_out(
    koth: Koth, words: list[Any], salted: Path, tmp_path: Path, key: str, named: str
) -> None:
    board = json.loads((salted / "leaderboard.json").read_text())
    text = (salted / "leaderboard.json").read_text()
    before, after = json.dumps(board[key], ensure_ascii=False)[1:-1], board[key] + "x"
    (tmp_path / "leaderboard.json").write_text(text.replace(before, after))
    answer = koth("verify", tmp_path, "--workers", 1, "--bots", words[3])
    assert answer.status == 1
    assert re.search(named, answer.out)


@pytest.mark.slow
def test_a_duel_with_the_salt_plays_the_same_games(
    koth: Koth, words: list[Any], salted: Path, tmp_path: Path
) -> None:
    """As a league of default config does."""
    duel = ("duel", "pazaak", "bold", "coin", "--bots", words[3], "--games", 40, "--json")
    with_salt = koth(*duel, "--secret", SECRET, "--salt", SALT).json
    without = koth(*duel, "--secret", SECRET).json
    assert (with_salt["salt"], without["salt"]) == (SALT, None)
    assert with_salt["decisions"] != without["decisions"]
    config = tmp_path / "salted.yaml"
    config.write_text("event: salted\ngame: pazaak\nformat: league\ngames: 40\n")
    given = ("--secret", SECRET, "--salt-from", SOURCE, "--salt", SALT)
    done = koth("league", config, *words[2:], *given, "--results", tmp_path)
    assert done.status == 0, done.err
    (match,) = json.loads((tmp_path / "salted" / "leaderboard.json").read_text())["matches"]
    assert match["wins"] == with_salt["wins"][::-1]
    assert match["decisions"] == with_salt["decisions"][::-1]


@pytest.mark.slow
def test_a_commitment_may_be_posted_before_an_event_without_a_salt(
    koth: Koth, words: list[Any], tmp_path: Path
) -> None:
    words = [*words, "--results", tmp_path]
    dry = koth(*words, "--dry-run")
    assert "commitment  of a secret that is yet to be drawn" in dry.out
    first, second = (koth(*words, "--commit-only", "--quiet") for _ in range(2))
    assert first.status == second.status == 0, first.err
    assert first.out.splitlines()[0] == second.out.splitlines()[0]
    assert "nothing played yet" in first.out
    assert "--commit-only" not in first.out
    played = koth(*words, "--quiet")
    assert played.status == 0, played.err
    board = json.loads((tmp_path / "salted" / "leaderboard.json").read_text())
    assert board["commitment"] == first.out.splitlines()[0]
    assert "salt" not in board
    assert "salt_source" not in board
    koth(*words, "--salt", SALT).refused("committed to without a salt")


@pytest.mark.slow
def test_a_salt_without_a_commitment_before_it_is_refused(
    koth: Koth, words: list[Any], tmp_path: Path
) -> None:
    """And nothing is written."""
    words = [*words, "--results", tmp_path / "none"]
    koth(*words, "--salt", SALT).refused("commit first with --salt-from SOURCE")
    assert not (tmp_path / "none").exists()


def test_the_ledger_never_changes_what_it_knows(tmp_path: Path) -> None:
    with Ledger(tmp_path / "ledger.sqlite") as ledger:
        ledger.set_event({"secret": "a", "salt_source": "s"})
        ledger.set_event({"secret": "b", "salt_source": "s", "salt": "1"})
        ledger.set_event({"secret": "a", "salt_source": "s", "salt": "2"})
        assert ledger.event() == {"secret": "a", "salt_source": "s", "salt": "1"}
    with sqlite3.connect(tmp_path / "ledger.sqlite") as db:
        assert db.execute("SELECT count(*) FROM event").fetchone() == (3,)
    db.close()
