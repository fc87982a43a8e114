"""What koth says and does on machines that can do less, by a kernel that refuses calls."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from harness.sandbox.probe import FULL, STANDARD, WEAK, probe
from tests.attacks.lesser import LEVELS
from tests.cli.conftest import GOOD, ROOT, Answer, write_bots
from tests.sampling import sampled

On = Callable[..., Answer]

needs_full = pytest.mark.skipif(probe().level != FULL, reason="this machine's level is not full")


@pytest.fixture
def on(bots: Path) -> On:
    """Calls `koth` on a machine of a level."""

    def call(level: str, *words: object, bots: Path = bots) -> Answer:
        own = [] if words[0] == "doctor" else ["--bots", str(bots)]
        command = ["-m", "harness"]
        if level != FULL:
            command = ["-m", "tests.attacks.lesser", ",".join(LEVELS[level])]
        done = subprocess.run(
            [sys.executable, *command, *map(str, words), *own],
            cwd=ROOT,
            env=dict(os.environ, PYTHONPATH=str(ROOT)),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )
        return Answer(done.returncode, done.stdout, done.stderr)

    return call


@pytest.fixture(scope="module")
def bots(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_bots(tmp_path_factory.mktemp("good"), GOOD)


@needs_full
@pytest.mark.parametrize("level", sampled([STANDARD, WEAK, "weak without seccomp", FULL], 1))
def test_doctor_shows_level_what_each_layer_withstood_and_the_way_up(on: On, level: str) -> None:
    answer = on(level, "doctor")
    assert answer.status == 0, answer.err
    assert f"Sandbox: {level.split()[0]} " in answer.out
    lines = answer.out.splitlines()
    rows = {line.split()[0]: line for line in lines if line[:1].islower() and "  " in line}
    lacking = {FULL: "", STANDARD: "namespaces", WEAK: "landlock"}.get(level, "seccomp")
    for layer in ("namespaces", "landlock", "seccomp"):
        refused = layer == lacking or (layer == "namespaces" and "unshare" in LEVELS.get(level, ()))
        assert ("withstood: " in rows[layer]) is not refused, rows[layer]
    if level == FULL:
        assert "There is no higher level." in lines
    else:
        at = lines.index(f"To get to {'full' if level == STANDARD else 'standard'}:")
        assert lines[at + 1].startswith(f"  {lacking}: ")
        assert len(lines[at + 1]) > len(lacking) + 20
    assert on(level, "doctor", "--json").json["sandbox"]["level"] == level.split()[0]


LEAGUE = "event: tiny\ngame: pazaak\nformat: league\ngames: 8\nlanes: 4\n"
CUP = (
    "event: tiny\ngame: pazaak\nformat: cup\ngames: 8\nsets_to_win: 1\nmin_entrants: 2\n"
    "seeding_games: 4\nlanes: 4\n"
)
TABLES = "event: tiny\ngame: bs\nformat: tables\ngames: 16\nblock_games: 16\nlanes: 4\n"
HUNT = "event: tiny\ngame: camicia\nformat: hunt\nseconds: 1\nslice_seconds: 0.5\n"
EVENTS = {"league": LEAGUE, "cup": CUP, "tables": TABLES, "hunt": HUNT}


def _event(format_: str, folder: Path) -> list[object]:
    config = folder / f"{format_}.yaml"
    config.write_text(EVENTS[format_])
    return [format_, config, "--results", folder / "results"]


def _slow(name: str) -> object:
    return pytest.param(name, marks=pytest.mark.slow)


@needs_full
@pytest.mark.parametrize("level", [WEAK, _slow("weak without seccomp")])
@pytest.mark.parametrize(
    "command",
    ["bots", *map(_slow, ("duel", "check", "check of a hunter", "replay", "verify", *EVENTS))],
)
def test_weak_is_refused_by_every_command_that_starts_bots(
    on: On, level: str, command: str, bots: Path, tmp_path: Path
) -> None:
    words: list[object] = {
        "bots": ["bots", "pazaak"],
        "duel": ["duel", "pazaak", "cautious", "bold", "--games", 4],
        "check": ["check", "pazaak", "cautious", "--games", 4],
        "check of a hunter": ["check", "camicia", ROOT / "bots/camicia/random_deals.py"],
        "replay": ["replay", "pazaak", "cautious", "bold", 1, "--games", 4, "--secret", "5e" * 32],
    }.get(command, [])
    if command == "verify":
        assert on(FULL, *_event("league", tmp_path), "--workers", 1).status == 0
        words = ["verify", tmp_path / "results" / "tiny"]
    elif command in EVENTS:
        words = _event(command, tmp_path)
    folder = ROOT / "bots" if command in ("tables", "hunt") else bots
    answer = on(level, *words, bots=folder)
    answer.refused("weak sandbox", "koth doctor", "--allow-weak-sandbox")
    if command in EVENTS:
        assert not list(tmp_path.rglob("*.sqlite"))


@needs_full
@pytest.mark.slow
@pytest.mark.parametrize("level", [FULL, STANDARD, WEAK])
@pytest.mark.parametrize("format_", EVENTS)
def test_every_events_reports_say_the_level(
    on: On, level: str, format_: str, bots: Path, tmp_path: Path
) -> None:
    folder = ROOT / "bots" if format_ in ("tables", "hunt") else bots
    words = [*_event(format_, tmp_path), "--workers", 1]
    words += ["--allow-weak-sandbox"] if level == WEAK else []
    answer = on(level, *words, bots=folder)
    assert answer.status == 0, answer.err
    assert f"sandbox     {level}" in answer.out
    results = tmp_path / "results" / "tiny"
    board = json.loads((results / "leaderboard.json").read_text(encoding="utf-8"))
    assert board["sandbox"] == level
    page = (results / "leaderboard.md").read_text(encoding="utf-8")
    assert f"Sandbox: {level}" in page
    assert ("**The sandbox was weak" in page) is (level == WEAK)


@needs_full
@pytest.mark.slow
@pytest.mark.parametrize("level", [FULL, STANDARD, WEAK])
@pytest.mark.parametrize("command", ["duel", "check", "broken"])
def test_duels_and_checks_say_the_level(on: On, level: str, command: str, tmp_path: Path) -> None:
    broken = tmp_path / "broken.py"
    broken.write_text("1 / 0")
    words = {
        "duel": ["duel", "pazaak", "cautious", "bold", "--games", 4],
        "check": ["check", "pazaak", "cautious", "--games", 4],
        "broken": ["check", "pazaak", broken],
    }[command]
    words = [*words, *(["--allow-weak-sandbox"] if level == WEAK else [])]
    assert on(level, *words, "--json").json["sandbox"] == level
    if command != "broken":
        answer = on(level, *words)
        assert f"sandbox {level}" in answer.out.replace("sandbox: ", "sandbox ")


@needs_full
@pytest.mark.slow
def test_the_check_of_a_hunter_says_the_level(on: On) -> None:
    """For once, since it takes ten seconds of CPU."""
    hunter = ROOT / "bots/camicia/random_deals.py"
    assert on(STANDARD, "check", "camicia", hunter, "--json").json["sandbox"] == STANDARD
