"""`koth duel`."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from harness.arena.faults import KINDS
from tests.cli.conftest import SECRET, Koth

FIELDS = {
    *("game", "rules", "bots", "games", "wins", "draws", "hands", "rate", "interval", "faults"),
    *("seconds", "games_per_second", "cpu_seconds", "secret", "decisions", "retired"),
}


def test_json_says_all_there_is_to_say_and_nothing_else(koth: Koth, good: Path) -> None:
    words = ("--games", 200, "--json", "--bots", good, "--secret", SECRET)
    answer = koth("duel", "pazaak", "coin", "bold", *words, "--workers", 1)
    found = answer.json
    assert answer.err == ""
    assert found.keys() >= FIELDS
    assert (found["game"], found["rules"], found["secret"]) == ("pazaak", "text", SECRET)
    assert found["bots"] == ["A Coin", "Bold"]  # in the order given
    assert sum(found["wins"]) + found["draws"] == found["games"] == 200
    assert found["rate"] == found["wins"][0] / 200
    low, high = found["interval"]
    assert 0 <= low < found["rate"] < high <= 1
    assert found["faults"] == [dict.fromkeys(KINDS, 0)] * 2
    assert found["retired"] == [None, None]
    assert all(cpu > 0 for cpu in found["cpu_seconds"])

    # The same secret gives the same games, whoever is named first and however.
    path = good / "pazaak" / "coin.py"
    other = koth("duel", "pazaak", "Bold", path, *words, "--workers", 2).json
    assert other["bots"] == found["bots"][::-1]
    for key in ("wins", "hands", "decisions"):
        assert other[key] == found[key][::-1]


@pytest.mark.slow
def test_a_bot_may_play_itself_and_faults_are_counted(koth: Koth, bad: Path) -> None:
    path = bad / "pazaak" / "raises.py"  # without --bots: it may lie anywhere
    found = koth("duel", "pazaak", path, path, "--games", 60, "--json").json
    assert found["bots"] == ["Raises", "Raises (2)"]
    assert found["wins"] == [30, 30]
    assert found["interval"] == [0.5, 0.5]
    assert found["faults"][0] == found["faults"][1]
    assert found["faults"][0]["exception"] > 0
    assert len(bytes.fromhex(found["secret"])) == 32


def test_people_are_told_who_won_and_how_to_see_a_game(koth: Koth, good: Path) -> None:
    words = ["duel", "pazaak", "coin", "cautious", "--games", 40, "--bots", good]
    answer = koth(*words, "--secret", SECRET, "--rules", "original-2015")
    assert answer.status == 0
    assert "\x1b" not in answer.out
    assert "A Coin" in answer.out
    assert "Cautious | <b>" in answer.out
    assert " % (" in answer.out  # a share is never shown without its interval
    assert SECRET in answer.out
    command = answer.out.split("move by move: ")[1].strip()
    assert command.startswith("koth replay ")
    shown = koth(*shlex.split(command)[1:])
    assert shown.status == 0, shown.err
    assert shown.out.splitlines()[-1].endswith((" 3 to 0.", " 3 to 1.", " 3 to 2."))


@pytest.mark.slow
def test_a_bot_that_hangs_loses(koth: Koth, bad: Path) -> None:
    answer = koth("duel", "pazaak", "bold", "hangs", "--games", 20, "--bots", bad)
    assert answer.status == 0
    assert "Bold beats Hangs, 20 games to 0." in answer.out
    assert " timeout" in answer.out


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("poker", "coin", "bold"), ("no game 'poker'", "pazaak")),
        (("pazaak", "coin", "nobody"), ("no bot 'nobody'", "A Coin (coin)", "Bold (bold)")),
        (("pazaak", "coin", "blod"), ("did you mean bold?",)),
        (("pazaak", "coin"), ("takes 2 values",)),
        (("pazaak", "coin", "bold", "--games", "7"), ("7 is odd",)),
        (("pazaak", "coin", "bold", "--secret", "abc"), ("64 hex digits", "'abc'")),
        (("pazaak", "coin", "bold", "--rules", "no"), ("no variant 'no'", "original-2015")),
    ],
)
def test_wrong_usage_is_explained(
    koth: Koth, good: Path, words: tuple[str, ...], expected: tuple[str, ...]
) -> None:
    koth("duel", *words, "--bots", good).refused(*expected)


def test_a_broken_bot_is_refused_with_its_reason(koth: Koth, broken: Path) -> None:
    answer = koth("duel", "pazaak", "coin", "two", "--bots", broken)
    answer.refused("two.py", "found 2: A, B", "koth check pazaak")
