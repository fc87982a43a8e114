"""What an event says on the terminal: in full, quietly, and with names that would rather act."""

from __future__ import annotations

import io
import re
import shlex
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from rich.console import Console

from harness.cli.live import LiveDisplay, PlainDisplay
from harness.cli.terminal import Terminal
from harness.cli.words import duration, share, standings
from harness.events.run import Event, Run
from harness.ledger import Ledger
from harness.standings.intervals import Interval
from tests.reports.synthetic import Rule, always, by_order, entrant, event, played
from tests.reports.test_names import HOSTILE

NAMES = ["Ant", "Bee", "Cat"]
_CONTROL = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e]")
_STYLING = re.compile(r"\x1b\[[0-9;?]*[a-zA-Z]")


@contextmanager
def finished(folder: Path, played_event: Event, rule: Rule) -> Iterator[Run]:
    with played(folder, played_event, rule) as ledger:
        yield Run(played_event, ledger)


def test_the_plan_says_exactly_what_will_be_played(capsys: pytest.CaptureFixture[str]) -> None:
    league = event(NAMES, event="a-league")
    broken = replace(entrant("bad"), error="SyntaxError: what\nis this")
    Terminal(quiet=False).plan(league, [broken], Path("results/a-league"), 3, resumed=40)
    said = capsys.readouterr().out
    for part in (
        *("Simple Pazaak league: a-league", "3 bots", "Ant", "author of Ant", "ant"),
        "cannot play: /bots/pazaak/bad.py: SyntaxError: what\\nis this\n",
        *("40 per match; 120 in all", "text (main_copies=4, ", "wins_needed=3"),
        *("0.1 ms CPU per decision", "512 MB", "retired after 5 faults", "full"),
        *(league.commitment + "\n", "results/a-league\n", "40 games are played already"),
    ):
        assert part in said
    assert re.search(r"workers +3\n", said)
    assert re.search(r"duration +about 1 s; at worst \d+ ", said)
    assert league.secret.hex() not in said


def test_the_plan_of_a_cup(capsys: pytest.CaptureFixture[str]) -> None:
    Terminal(quiet=False).plan(event(NAMES, "cup"), [], Path("r"), None, resumed=0)
    said = capsys.readouterr().out
    assert "best 4 of 7 sets; seeded by a league of 20 games per pair" in said
    assert "40 per set; 380 to 620 in all" in said
    assert "one per core" in said


def test_quiet_is_the_result_only(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    league, terminal = event(NAMES), Terminal(quiet=True)
    terminal.plan(league, [entrant("bad")], tmp_path, 1, resumed=0)
    with finished(tmp_path, league, by_order(NAMES)) as run:
        with terminal.progress(league, run) as display:
            match = next(iter(league.schedule.matches(league.outcomes)))
            display.block(match, 0, by_order(NAMES)(match, 0, 10))
            display.idle()
        assert capsys.readouterr().out == ""
        terminal.result(league, tmp_path)
    said = capsys.readouterr().out
    assert len(said.strip().splitlines()) == 1 + 3 + 1
    assert str(tmp_path / "leaderboard.md") in said


def test_the_result_of_a_league(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    league = event(NAMES)
    with finished(tmp_path, league, by_order(NAMES)):
        Terminal(quiet=False).result(league, tmp_path)
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split() == ["rank", "bot", "wins", "share", "(95", "%)", "rating"]
    assert lines[1].split()[:3] == ["1", "Ant", "52"]
    assert re.search(r"65\.0 ± \d+\.\d % +\+\d+\.\d ± \d+\.\d", lines[1])


def test_equal_and_disqualified_bots_in_the_result(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    league = event(NAMES)
    with finished(tmp_path, league, always()):
        Terminal(quiet=False).result(league, tmp_path)
    assert capsys.readouterr().out.count("1=  ") == 3


def test_the_result_of_a_cup(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    cup = event(NAMES, "cup")
    with finished(tmp_path, cup, by_order(NAMES)):
        Terminal(quiet=False).result(cup, tmp_path)
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert [line[:2] for line in lines[1:4]] == [["1", "Ant"], ["2", "Bee"], ["3", "Cat"]]
    assert ["final:", "Ant", "4-0", "Bee"] in lines


def test_interrupted_it_says_how_to_go_on(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        sys, "argv", ["/nowhere/bin/koth", "league", "my config.yaml", "--games", "8"]
    )
    league, terminal = event(NAMES), Terminal(quiet=False)
    with Ledger(tmp_path / "ledger.sqlite") as ledger:
        terminal.plan(league, [], tmp_path, 1, resumed=0)
        capsys.readouterr()
        terminal.interrupted(Run(league, ledger))
    said = capsys.readouterr().out
    assert f"0 of 120 games are stored in {tmp_path}" in said
    command = said.split("To go on: ")[1]
    assert shlex.split(command) == sys.argv


def test_no_name_acts_on_the_terminal(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    league, terminal = event(HOSTILE, block_games=40), Terminal(quiet=False)
    broken = [replace(entrant(name), path=name, error=name) for name in HOSTILE]
    terminal.plan(league, broken, tmp_path / "x\x1b[31m", 1, resumed=0)
    with finished(tmp_path, league, by_order(HOSTILE)) as run:
        with terminal.progress(league, run) as display:
            for match in league.schedule.matches(league.outcomes):
                display.block(match, 0, by_order(HOSTILE)(match, 0, 10))
        terminal.result(league, tmp_path)
    said = capsys.readouterr().out
    assert not _CONTROL.search(said)
    for shown in ("[red]x[/red]", "\\x1b[31mred\\x1b[0m\\x07", "line\\nbreak", "\\u202eRTL"):
        assert said.count(shown) > 2


@pytest.mark.parametrize("format_", ["league", "cup"])
def test_the_live_display_with_any_names(format_: str, tmp_path: Path) -> None:
    screen = io.StringIO()
    console = Console(file=screen, force_terminal=True, width=150, height=100, highlight=False)
    names = [*HOSTILE[:12], "\x1b[2J", "[bold]b"]
    watched = event(names, format_, sets_to_win=1, block_games=40)
    with Ledger(tmp_path / "ledger.sqlite") as ledger:
        run = Run(watched, ledger)
        with LiveDisplay(console, watched, run) as display:
            for _ in range(4):
                match = next(
                    match
                    for match in watched.schedule.matches(watched.outcomes)
                    if not watched.outcomes(match).complete
                )
                result = by_order(names)(match, 0, match.games // 2)
                watched.learn_block(match, ledger.add(match, 0, result))
                display.block(match, 0, result)
                display._due = 0
                display.idle()
    drawn = screen.getvalue()
    assert "\\x1b[2J" in drawn
    assert "\x1b[2J" not in drawn
    assert "[bold]b" in drawn
    assert "games/s" in drawn
    assert not _CONTROL.search(_STYLING.sub("", drawn).replace("\r", ""))


def test_drawing_costs_next_to_nothing(tmp_path: Path) -> None:
    console = Console(file=io.StringIO(), force_terminal=True, width=120)
    names = [f"bot {number}" for number in range(9)]
    league = event(names)
    with (
        finished(tmp_path, league, by_order(names)) as run,
        LiveDisplay(console, league, run) as display,
    ):
        display.idle()  # the first one also imports and compiles what it needs
        display._due = 0
        began, cpu = time.monotonic(), time.thread_time()
        while time.monotonic() < began + 2:
            display.idle()
            time.sleep(0.02)
        spent = time.thread_time() - cpu
    # The last picture may still have to be paid for by the pause after it.
    assert spent < 2 * 0.01 + 0.1


def test_plain_lines_come_with_matches_and_after_a_while(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    screen = io.StringIO()
    console = Console(file=screen, width=150, highlight=False)
    league = event(NAMES)
    now = time.monotonic()
    monkeypatch.setattr("harness.cli.live.time.monotonic", lambda: now)
    with Ledger(tmp_path / "ledger.sqlite") as ledger:
        run = Run(league, ledger)
        with PlainDisplay(console, league, run) as display:
            match = next(iter(league.schedule.matches(league.outcomes)))
            for number in (0, 1):
                result = by_order(NAMES)(match, number, 10)
                league.learn_block(match, ledger.add(match, number, result))
                now += 1
                display.block(match, number, result)
                display.idle()
            now += 20
            display.idle()
            display.idle()
    lines = screen.getvalue().splitlines()
    assert lines[0].startswith(
        "match: Ant - Bee 25-15; 40 of 120 games, 20 games/s, about 4 s left"
    )
    assert len(lines) == 2
    assert lines[1].startswith("40 of 120 games")


def test_the_bracket_while_it_is_played(tmp_path: Path) -> None:
    screen = io.StringIO()
    cup = event([*NAMES, "Dog"], "cup", draw="random")
    Console(file=screen, width=100).print(standings(cup.standing(cup.outcomes), cup.config.about))
    assert screen.getvalue().count("semi-final") == 2
    assert screen.getvalue().count("0-0") == 2


def test_durations() -> None:
    assert [duration(s) for s in (0, 0.2, 59.4, 200, 7500, 273_600)] == [
        *("0 s", "1 s", "59 s", "3 min 20 s", "2 h 5 min", "3 d 4 h")
    ]


@pytest.mark.parametrize(
    ("low", "value", "high", "shown"),
    [
        (0.519, 0.523, 0.527, "52.3 ± 0.4 %"),
        (0.0, 0.0, 0.49, "0.0 % (0.0 to 49.0)"),
        (0.99, 0.9998, 0.99999, "99.98 % (99.0 to 99.999)"),
        (0.75, 1.0, 1.0, "100.0 % (75.0 to 100.0)"),
        (0.5, 0.5, 0.5, "50.0 ± 0.0 %"),
    ],
)
def test_shares_on_the_terminal(low: float, value: float, high: float, shown: str) -> None:
    """Nothing below 0 or above 100, and these two only for what is exactly that."""
    assert share(Interval(value, low, high)) == shown
