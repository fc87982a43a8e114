"""The goals of the Makefile: what they say, when they install, what they run."""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path

import pytest

from .conftest import ROOT, Checkout

VENV = "venv"
PACKAGES = (
    "python|-m|pip|install|--quiet|--disable-pip-version-check"
    "|--require-hashes|--only-binary|:all:|--requirement|requirements.lock|"
)
PROJECT = (
    "python|-m|pip|install|--quiet|--disable-pip-version-check"
    "|--no-deps|--no-build-isolation|--editable|.|"
)


@pytest.fixture(autouse=True)
def python3(checkout: Checkout) -> Path:
    return checkout.python("python3", (3, 11, 2))


def test_help_is_the_default_and_lists_every_goal(checkout: Checkout) -> None:
    (checkout.bin / "python3").unlink()  # which it does without
    result = checkout.make()
    assert result.returncode == 0
    assert result.stdout == checkout.make("help").stdout
    goals = re.findall(r"^\.PHONY: (\S+)$", (ROOT / "Makefile").read_text(), re.MULTILINE)
    assert {"setup", "cup", "league", "check", "test", "test-all", "lint", "bench"} < set(goals)
    listed = re.findall(r"^make (\S+) +\S.+$", result.stdout, re.MULTILINE)
    assert listed == goals


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("cup", "PYTHON=old"), "koth needs Python 3.11 or newer"),
        (("test", "PYTHON=bare"), "apt install python3.12-venv"),
        (("check",), "Say which bot: make check BOT="),
        (("check", "BOT="), "Say which bot: make check BOT="),
    ],
)
def test_what_is_missing_takes_one_line(
    checkout: Checkout, arguments: tuple[str, ...], said: str
) -> None:
    checkout.python("old", (3, 9, 2))
    checkout.python("bare", (3, 12, 1), able=False)
    result = checkout.make(*arguments)
    assert result.returncode != 0
    assert result.stdout == ""
    assert result.stderr.count("\n") == 1
    assert said in result.stderr
    assert not (checkout.folder / ".venv").exists()


def test_set_up_happens_once(checkout: Checkout) -> None:
    assert checkout.make("setup").returncode == 0
    assert checkout.calls() == [VENV, PACKAGES, PROJECT]
    for name in ("requirements.lock", "pyproject.toml"):
        os.utime(checkout.folder / name)  # as a checkout of another branch and back does
    assert checkout.make("cup").returncode == 0
    assert checkout.calls() == ["koth|cup|pazaak|"]
    assert "pip" not in checkout.make("-n", "setup", "test", "lint").stdout


def test_set_up_follows_what_it_was_made_from(checkout: Checkout) -> None:
    checkout.make("setup")
    checkout.calls()

    with (checkout.folder / "pyproject.toml").open("a") as project:
        project.write("\n")
    checkout.make("setup")
    assert checkout.calls() == [PROJECT]

    with (checkout.folder / "requirements.lock").open("a") as lock:
        lock.write("\n")
    checkout.make("setup")
    assert checkout.calls() == [VENV, PACKAGES, PROJECT]

    checkout.python("python3", (3, 12, 1))
    checkout.make("setup")
    assert checkout.calls() == [VENV, PACKAGES, PROJECT]

    moved = Checkout(checkout.folder.with_name("moved"), checkout.bin)
    shutil.move(checkout.folder, moved.folder)
    moved.make("setup")
    assert moved.calls() == [VENV, PACKAGES, PROJECT]


@pytest.mark.parametrize("step", ["--require-hashes", "--editable"])
def test_a_set_up_that_breaks_off_does_not_count(checkout: Checkout, step: str) -> None:
    (checkout.folder / "broken").write_text(step)
    assert checkout.make("cup").returncode != 0
    assert "koth|cup|pazaak|" not in checkout.calls()
    (checkout.folder / "broken").unlink()
    assert checkout.make("cup").returncode == 0
    assert checkout.calls()[-2:] == [PROJECT, "koth|cup|pazaak|"]


def test_a_broken_off_change_leaves_nothing_to_go_back_to(checkout: Checkout) -> None:
    checkout.make("setup")
    lock = checkout.folder / "requirements.lock"
    before = lock.read_text()
    lock.write_text(before + "\n")
    (checkout.folder / "broken").write_text("--require-hashes")
    assert checkout.make("setup").returncode != 0
    checkout.calls()
    lock.write_text(before)
    (checkout.folder / "broken").unlink()
    checkout.make("setup")
    assert checkout.calls() == [VENV, PACKAGES, PROJECT]


def test_check_passes_any_name_on_whole(checkout: Checkout) -> None:
    checkout.make("setup")
    checkout.calls()
    checkout.make("check", "BOT=The 'Kid' & \"co\"; exit")
    checkout.make("check", "GAME=bs", "BOT=x")
    assert checkout.calls() == [
        "koth|check|pazaak|The 'Kid' & \"co\"; exit|",
        "koth|check|bs|x|",
    ]


def test_goals(checkout: Checkout) -> None:
    checkout.make("setup")
    checkout.calls()
    for goal in ("league", "test", "test-all", "bench", "hunt"):
        checkout.make(goal)
    checkout.make("tables", "GAME=bs")
    assert checkout.calls() == [
        "koth|league|pazaak|",
        "python|-m|harness.arena.compiling|",
        "python|-m|pytest|--numprocesses|2|--dist|loadfile|-m|not slow|",
        "python|-m|harness.arena.compiling|",
        "python|-m|pytest|--numprocesses|2|--dist|loadfile|",
        "python|-m|benchmarks|",
        "koth|hunt|",
        "koth|tables|bs|",
    ]


def test_clean_keeps_results(checkout: Checkout) -> None:
    for folder in ("results", "harness", "bots", "benchmarks", "tests", "harness/__pycache__"):
        (checkout.folder / folder).mkdir()
    checkout.make("setup")
    assert checkout.make("clean").returncode == 0
    left = {path.name for path in checkout.folder.iterdir()}
    assert "results" in left
    assert ".venv" not in left
    assert not (checkout.folder / "harness/__pycache__").exists()
