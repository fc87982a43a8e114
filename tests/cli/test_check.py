"""`koth check`."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from tests.cli.conftest import BROKEN, GOOD, Koth, write_bots


@pytest.fixture(scope="module")
def company(bad: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where only two good bots are, for the bad ones to be checked against from outside."""
    sources = {name: GOOD[name] for name in ("bold", "cautious")}
    return write_bots(tmp_path_factory.mktemp("company"), sources)


def test_a_good_bot_is_taken(koth: Koth, good: Path) -> None:
    answer = koth("check", "pazaak", "A Coin", "--games", 100, "--json", "--bots", good)
    found = answer.json
    assert answer.status == 0
    assert answer.err == ""
    assert found["refused"] == found["examples"] == found["not_loaded"] == []
    assert [one["name"] for one in found["opponents"]] == ["Bold", "Cautious | <b>"]
    assert all(sum(one["wins"]) + one["draws"] == one["games"] == 100 for one in found["opponents"])
    assert 1 <= found["rank"] <= found["ranked"] == 3
    best, worst = found["rank_between"]
    assert best <= found["rank"] <= worst
    assert 0 < found["cpu_ms_per_decision"] < found["budgets"]["average_milliseconds"]
    assert 0 < found["cpu_seconds_starting"] < found["budgets"]["start_seconds"]
    assert 5 < found["memory_mb"] < found["budgets"]["memory_mb"]


@pytest.mark.parametrize(
    ("name", "kind", "shown"),
    [
        ("raises", "exception", "ValueError: thirteen is bad luck"),
        pytest.param("exits", "crash", "exit status 3", marks=pytest.mark.slow),
        pytest.param("wrong_types", "protocol", "", marks=pytest.mark.slow),
        pytest.param("hangs", "timeout", "of CPU", marks=pytest.mark.slow),
    ],
)
def test_faults_that_would_retire_it(
    koth: Koth, bad: Path, company: Path, name: str, kind: str, shown: str
) -> None:
    path = bad / "pazaak" / f"{name}.py"
    answer = koth("check", "pazaak", path, "--games", 20, "--json", "--bots", company)
    found = answer.json
    assert answer.status == 1
    assert found["refused"]
    assert found["faults"][kind] > 0
    example = next(one for one in found["examples"] if one["kind"] == kind)
    assert example["saw"]["total"] > 0
    assert example["game"] >= 1
    assert shown in example["traceback"]


@pytest.mark.slow
def test_what_costs_nothing_but_could_be_better(koth: Koth, bad: Path, company: Path) -> None:
    path = bad / "pazaak" / "wasteful.py"
    answer = koth("check", "pazaak", path, "--games", 200, "--bots", company)
    assert answer.status == 0
    assert "OK: an event would take it." in answer.out
    assert "faults in 400 games: " in answer.out
    assert " illegal" in answer.out
    assert "answered 9" in answer.out
    assert "expected rank: " in answer.out
    assert "hint: __init__ takes " in answer.out
    assert "hint: it prints a lot" in answer.out
    assert "\\x1b[2J" in answer.out  # shown, and harmless to the terminal
    assert "\x1b" not in answer.out


@pytest.mark.parametrize(
    "name", ["syntax", *(pytest.param(n, marks=pytest.mark.slow) for n in BROKEN if n != "syntax")]
)
def test_a_bot_that_does_not_load_is_refused(koth: Koth, broken: Path, name: str) -> None:
    words = ["--games", 2] if name == "namesake" else []
    answer = koth("check", "pazaak", name, *words, "--bots", broken)
    assert answer.status == 1
    assert "REFUSED" in answer.out
    assert BROKEN[name][1] in answer.out
    assert "Traceback" not in answer.err


@pytest.mark.slow
def test_a_name_that_is_taken_is_refused_from_outside_too(
    koth: Koth, broken: Path, good: Path
) -> None:
    path = broken / "pazaak" / "namesake.py"
    answer = koth("check", "pazaak", path, "--games", 2, "--json", "--bots", good)
    assert answer.status == 1
    assert answer.json["refused"] == ["the name 'a  coin' is taken by coin"]


@pytest.mark.slow
def test_a_wrong_argument_is_no_verdict(koth: Koth, good: Path) -> None:
    koth("check", "pazaak", "nobody", "--bots", good).refused("no bot 'nobody'")


@pytest.mark.slow
def test_it_takes_half_a_minute_at_most(koth: Koth, bad: Path) -> None:
    for name in ("bold", "hangs"):
        began = time.monotonic()
        koth("check", "pazaak", name, "--bots", bad)
        assert time.monotonic() - began < 30
