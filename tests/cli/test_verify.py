"""`koth verify`: passes on what was played, and fails when anything of it is changed."""

from __future__ import annotations

import json
import re
import shutil
import sqlite3
from pathlib import Path

import pytest

from harness.events import verify as questions
from harness.events.archive import event_of, stored
from harness.events.verify import first_difference
from harness.reports.files import dumps
from harness.sandbox.isolation import Layers
from tests.cli.conftest import ROOT, Koth
from tests.cli.leaves import NOT_VERIFIED, check, command, kind, leaves, verify
from tests.sampling import sampled

slow = pytest.mark.slow
REFERENCE = ROOT / "docs" / "reference" / "leaderboard.md"
BOARDS = [
    path
    for path in sorted((ROOT / "results").glob("*/leaderboard.json"))
    if json.loads(path.read_text())["format"] != "hunt"
]


@pytest.fixture
def copy(league: Path, tmp_path: Path) -> Path:
    """The league's results, to be changed."""
    return Path(shutil.copytree(league, tmp_path / "tiny"))


def change(path: Path, pattern: str, replacement: str) -> None:
    text, times = re.subn(pattern, replacement, path.read_text(), count=1, flags=re.MULTILINE)
    assert times == 1
    path.write_text(text)


def test_what_was_played_is_confirmed(koth: Koth, league: Path, good: Path) -> None:
    answer = koth("verify", league, "--blocks", "all", "--workers", 1, "--bots", good)
    assert answer.status == 0, answer.out + answer.err
    assert "12 of 12 played again, all as recorded" in answer.out


def test_elsewhere_a_leaderboard_and_the_bots_are_enough(
    koth: Koth, league: Path, good: Path, tmp_path: Path
) -> None:
    """Nothing else lies in the folder, no config either; and a bot may have moved."""
    bots = Path(shutil.copytree(good, tmp_path / "bots"))
    (bots / "pazaak" / "bold.py").rename(bots / "pazaak" / "renamed.py")
    shutil.copy(league / "leaderboard.json", tmp_path)
    answer = koth("verify", ".", "--blocks", 2, "--workers", 1, cwd=tmp_path)
    assert answer.status == 0, answer.out + answer.err
    assert "3 files, all as they were; bold is called renamed here" in answer.out
    assert "there is no leaderboard.md beside a leaderboard.json" in answer.out
    assert "2 of 12 played again, all as recorded; they were drawn at random, and" in answer.out
    assert {path.name for path in tmp_path.iterdir()} == {"bots", "leaderboard.json"}


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


# What changes a leaf of the leaderboard is found out, whichever it is.


def test_a_changed_leaf_is_named(copy: Path, good: Path) -> None:
    """A sample here; all of them below."""
    (copy / "ledger.sqlite").unlink()
    board = copy / "leaderboard.json"
    places = [*leaves(json.loads(board.read_text()))]
    kinds = {kind(at): (at, value) for at, value in places if kind(at) not in NOT_VERIFIED}
    assert len(kinds) > 80
    check(board, good, list(kinds.values())[::3])


@pytest.mark.slow
@pytest.mark.timeout(900)  # hundreds of changes, one at a time
@pytest.mark.parametrize("format_", ["league", "cup"])
def test_every_changed_leaf_is_named(
    request: pytest.FixtureRequest, good: Path, tmp_path: Path, format_: str
) -> None:
    board = tmp_path / "leaderboard.json"
    shutil.copy(request.getfixturevalue(format_) / "leaderboard.json", board)
    places = [*leaves(json.loads(board.read_text()))]
    check(board, good, [place for place in places if kind(place[0]) not in NOT_VERIFIED])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("key", "value"),
    [("koth", "0.0.1"), ("sandbox", "standard"), ("entrants", [{"file": "elsewhere"}])],
)
def test_what_is_not_verified_is_listed(
    copy: Path, good: Path, key: str, value: str | list[dict[str, str]]
) -> None:
    """These nobody can derive; the page of reference says so."""
    (copy / "ledger.sqlite").unlink()
    board = copy / "leaderboard.json"
    document = json.loads(board.read_text())
    if isinstance(value, list):
        document[key][0].update(value[0])
        name = "entrants[].file"
    else:
        document[key] = name = key
        document[key] = value
    board.write_text(dumps(document))
    (copy / "leaderboard.md").unlink()
    assert name in NOT_VERIFIED
    assert command(copy, good).status == 0
    (listed,) = re.findall(r"^Not verified: (.*)\.$", REFERENCE.read_text(), re.MULTILINE)
    assert {*re.findall("`([^`]+)`", listed)} == NOT_VERIFIED


@pytest.mark.parametrize(
    ("pattern", "replacement", "named"),
    [
        (r'"schema": 1,', '"schema": 1,\n  "schema": 1,', "line 3: recorded"),
        (r'"complete": true', '"complete" : true', "complete"),
        pytest.param(r'"rules": null,\s*', "", "config.rules: recorded nothing", marks=slow),
        pytest.param(r'"draws": 0', '"draws": 0, "more": 1', ".more: recorded 1", marks=slow),
    ],
)
def test_a_leaderboard_spelled_otherwise_is_found_out(
    copy: Path, good: Path, pattern: str, replacement: str, named: str
) -> None:
    """A key that stands there twice: a reader might see the other value than a program."""
    change(copy / "leaderboard.json", pattern, replacement)
    answer = verify(copy, good)
    assert answer.status == 1
    assert named in answer.out


def test_a_changed_digit_on_the_page_is_named(copy: Path, good: Path) -> None:
    page = copy / "leaderboard.md"
    number = next(n for n, line in enumerate(page.read_text().split("\n"), 1) if "| 1 |" in line)
    change(page, r"\| 1 \|", "| 2 |")
    found = questions.page(copy)
    assert found.differences[0].startswith(f"line {number}: recorded '| 2 |")
    change(page, r"\| 2 \|", "| 1 |")
    assert questions.page(copy).differences == []
    change(page, r"^koth verify .*/tiny$", "koth verify results/tiny; do-harm /tiny")
    assert "do-harm" in questions.page(copy).differences[0]
    change(copy / "leaderboard.json", r'"koth": "[^"]*"', '"koth": "0.0.1"')
    assert questions.page(copy).text.startswith("not compared: leaderboard.md is of koth 0.0.1")


@pytest.mark.slow
def test_a_bot_under_another_name_is_found_out(copy: Path, good: Path) -> None:
    """Though the name was changed wherever it stands."""
    (copy / "ledger.sqlite").unlink()
    for path in (copy / "leaderboard.json", copy / "leaderboard.md"):
        path.write_text(path.read_text().replace("Bold", "Bald"))
    answer = command(copy, good)
    assert answer.status == 1
    assert re.search(
        r"bots +DIFFERS  .*bold.py: calls itself 'Bold' by '', but is recorded as 'Ba", answer.out
    )


@pytest.mark.slow
def test_another_commitment_than_the_posted_one_is_found_out(
    koth: Koth, league: Path, good: Path
) -> None:
    posted = json.loads((league / "leaderboard.json").read_text())["commitment"]
    words = ("verify", league, "--bots", good, "--blocks", 1, "--workers", 1, "--commitment")
    assert ", and was posted\n" in koth(*words, posted.upper()).out
    answer = koth(*words, "0" * 64)
    assert answer.status == 1
    assert f"commitment   DIFFERS  posted {'0' * 64}, but recorded {posted}" in answer.out
    koth(*words, "12").refused("expected 64 hex digits")


@pytest.mark.parametrize("board", sampled(BOARDS[::-1], 4), ids=lambda path: path.parent.name)
def test_what_is_published_follows_from_its_blocks(board: Path) -> None:
    """With its commitment and page; playing the blocks again would take minutes."""
    with stored(board.parent) as source:
        facts = source.event()
        event = event_of(facts, Layers(), facts["sandbox"])
        for answer in (
            questions.commitment(event, facts),
            questions.leaderboard(event, source, board.parent),
            questions.page(board.parent),
        ):
            assert answer.differences == []


@pytest.mark.slow
def test_a_changed_number_in_the_ledger_is_named(copy: Path, good: Path) -> None:
    """Every kind of number, in the last row of its table."""
    path = copy / "ledger.sqlite"
    columns = {
        "blocks": ("block", "games", "deals", "squares"),
        "block_players": ("block", "wins", "points", "decisions"),
    }
    whole = path.read_bytes()
    for table, names in columns.items():
        for name in names:
            path.write_bytes(whole)
            with sqlite3.connect(path) as ledger:
                (row,) = ledger.execute(
                    f"SELECT match, block FROM {table} ORDER BY match DESC, block DESC LIMIT 1"
                ).fetchall()
                where = "WHERE match = ? AND block = ?"
                more = f"UPDATE {table} SET {name} = {name} + 2 {where}"
                ledger.execute(more, row)
            ledger.close()
            answer = verify(copy, good)
            assert answer.status == 1, (table, name, answer)
            assert re.search(r"DIFFERS  \S", answer.out), (table, name, answer)


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


@pytest.mark.slow
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
    (tmp_path / "leaderboard.json").write_text("[" * 100_000)
    koth("verify", tmp_path, "--bots", good).refused("recursion limit exceeded")
    koth("verify", tmp_path, "--blocks", "some").refused("neither a number of blocks nor 'all'")


def test_first_difference() -> None:
    recorded = {"a": [1, {"b": 2}], "c": None}
    assert first_difference(recorded, json.loads(json.dumps(recorded))) == ""
    assert first_difference(recorded, {"a": [1, {"b": 3}], "c": None}) == (
        "a[1].b: recorded 2, derived 3"
    )
    assert first_difference(recorded, {"a": [1], "c": None}).startswith("a: recorded [1, {")
    assert first_difference({"a": 1}, {"a": 1, "d": 4}) == "d: recorded nothing, derived 4"
    assert first_difference({"a": 1, "d": None}, {"a": 1}) == "d: recorded None, derived nothing"
    assert first_difference([1.0], [1]) == "[0]: recorded 1.0, derived 1"
    assert first_difference([True], [1]) == "[0]: recorded True, derived 1"
    assert len(first_difference("a" * 1000, "b")) < 300


def test_a_page_may_name_any_folder_and_nothing_else_may_differ(copy: Path) -> None:
    """The folder of the results is what was typed; here it has been copied since."""
    path = copy / "leaderboard.md"
    text = path.read_text()
    assert questions.page(copy).differences == []
    for wrong in (
        text.replace("koth verify ", "koth verify --blocks 0 "),
        re.sub("koth verify .*", "koth verify results/other", text),
        re.sub("koth verify .*", "koth verify 'results", text),
        text.replace("A Coin", "A Con"),
    ):
        path.write_text(wrong)
        (difference,) = questions.page(copy).differences
        assert re.match(r"line \d+: recorded ", difference)


def test_an_absurd_number_of_games_is_refused_at_once(copy: Path, koth: Koth) -> None:
    board = json.loads((copy / "leaderboard.json").read_text())
    board["config"]["games"] = 10**15
    path = copy.parent / "elsewhere" / "leaderboard.json"
    path.parent.mkdir()
    path.write_text(json.dumps(board))
    answer = koth("verify", path.parent)
    assert answer.status == 2
    assert "more than 100,000 blocks" in answer.err
