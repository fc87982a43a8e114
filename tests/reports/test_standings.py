"""`koth standings`: what was played, read back, and what it is without some of the bots."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from harness.arena.job import Result
from harness.cli.standings import standings
from harness.errors import UserError
from harness.events.match import Match
from tests.reports.conftest import Report
from tests.reports.page import board
from tests.reports.synthetic import at_tables, block, by_order, event
from tests.reports.test_league import NAMES, eventful, failing

TABLES = ["Ant", "Bee", "Cat", "Dog", "Elk", "Fox"]


@pytest.fixture
def said(capsys: pytest.CaptureFixture[str]) -> Any:
    """What the command prints, which must change nothing in the folder."""

    def content(folder: Path) -> dict[Path, bytes]:
        # Where a run has the ledger open, readers leave their marks in the memory shared with it.
        paths = [path for path in folder.iterdir() if not path.name.endswith("-shm")]
        return {path: path.read_bytes() for path in paths}

    def call(folder: Path, *words: str) -> str:
        before = content(folder)
        assert standings.main([str(folder), *words], standalone_mode=False) == 0
        assert before == content(folder)
        return capsys.readouterr().out

    return call


def refused(folder: Path, *words: str) -> str:
    """Why the command is refused."""
    with pytest.raises(UserError) as error:
        standings.main([str(folder), *words], standalone_mode=False)
    return str(error.value)


@pytest.mark.parametrize("format_", ["league", "cup", "tables"])
def test_without_anybody_left_out_it_is_the_leaderboard(
    report: Report, said: Any, format_: str
) -> None:
    if format_ == "tables":
        folder = report(event(TABLES, "tables", game="bs"), at_tables)
    else:
        folder = report(event(NAMES, format_), by_order(NAMES))
    told = json.loads(said(folder, "--json"))
    published = board(folder)
    assert told["without"] == []
    for key in told.keys() - {"without", "games"}:
        assert told[key] == published[key], key
    assert told["games"] == published["games"]


def test_a_league_without_a_bot_is_the_league_that_never_had_it(report: Report, said: Any) -> None:
    folder = report(event(NAMES), by_order(NAMES), place="with")
    never = report(event([n for n in NAMES if n != "Dog"]), by_order(NAMES), place="never")
    told = json.loads(said(folder, "--without", "dog", "--json"))
    for key in ("standings", "cross", "disqualified", "games"):
        assert told[key] == board(never)[key], key
    assert told["without"] == ["Dog"]
    assert "Dog" not in said(folder, "--without", "Dog").split("\n", 1)[1]


def test_several_are_left_out_and_it_works_from_the_leaderboard_alone(
    report: Report, said: Any
) -> None:
    folder = report(event(NAMES), by_order(NAMES), place="with")
    (folder / "ledger.sqlite").unlink()
    never = report(event(["Ant | Bee", "Elk"]), by_order(NAMES), place="never")
    words = ("--without", "Dog", "--without", "Fox", "--without", "Cat", "--without", "Dog")
    told = json.loads(said(folder, *words, "--json"))
    assert told["standings"] == board(never)["standings"]
    assert told["without"] == ["Dog", "Fox", "Cat"]


def test_who_was_disqualified_stays_so(report: Report, said: Any) -> None:
    """Elk was retired in three matches; without one of these it still was."""
    folder = report(event(NAMES), failing("Elk"))
    told = json.loads(said(folder, "--without", "Cat", "--json"))
    assert [row["name"] for row in told["standings"]] == ["Ant | Bee", "Dog", "Fox"]
    assert [row["name"] for row in told["disqualified"]] == ["Elk"]
    assert {row["games"] for row in told["standings"]} == {2 * 40}


def test_walkovers_against_a_bot_that_is_left_out_go_with_it(report: Report, said: Any) -> None:
    folder = report(event(NAMES[:3]), failing("Cat"))
    told = json.loads(said(folder, "--without", "Cat", "--json"))
    assert told["games"] == 40
    assert {row["name"] for row in told["standings"]} == {"Ant | Bee", "Dog"}
    assert all(row["retirements"] == [] for row in told["standings"])


def by_hand(published: dict[str, Any], out: str) -> dict[str, tuple[int, int]]:
    """(games, wins) of every bot at the tables where `out` did not sit, from the blocks."""
    (match,) = published["matches"]
    names = match["players"]
    sums = {name: (0, 0) for name in names if name != out}
    for one in match["blocks"]:
        for lineup, _, games, wins, *_ in one["tallies"]:
            sat = [names[number] for number in lineup]
            if out not in sat:
                for name, won in zip(sat, wins, strict=True):
                    sums[name] = (sums[name][0] + games, sums[name][1] + won)
    return sums


def test_tables_without_a_bot_are_those_at_which_it_did_not_sit(report: Report, said: Any) -> None:
    folder = report(event(TABLES, "tables", game="bs", games=200), at_tables)
    published = board(folder)
    told = json.loads(said(folder, "--without", "Fox", "--json"))
    expected = by_hand(published, "Fox")
    rows = told["standings"]
    assert {row["name"]: (row["games"], row["wins"]) for row in rows} == expected
    assert told["games"] == sum(games for games, _ in expected.values()) // 4
    assert 0 < told["games"] < published["games"]
    # Numbers of games differ now, so that ranks go by shares; Bee, retired, stays last.
    shares = [row["share"]["value"] for row in rows[:-1]]
    assert shares == sorted(shares, reverse=True)
    assert [row["rank"] for row in rows] == [1, 2, 3, 4, 5]
    assert rows[-1]["name"] == "Bee"
    assert all(row["band"][1] <= 5 for row in rows)
    text = said(folder, "--without", "Fox")
    assert f"{told['games']} games count, of {published['games']}: those at tables" in text


def test_tables_of_which_nothing_is_left_are_refused(report: Report) -> None:
    folder = report(event(TABLES[:4], "tables", game="bs"), at_tables)
    assert "no deal was played without Cat" in refused(folder, "--without", "Cat")


def test_a_cup_is_refused_with_a_reason(report: Report) -> None:
    folder = report(event(NAMES, "cup"), by_order(NAMES))
    reason = refused(folder, "--without", "Dog")
    assert "without Dog other bots would have met" in reason
    assert "--only" in reason


def test_unknown_bots_are_named_with_those_that_come_near(report: Report) -> None:
    folder = report(event(NAMES), by_order(NAMES))
    assert "no bot 'Dig'" in refused(folder, "--without", "Dig")
    assert "did you mean dog?" in refused(folder, "--without", "dgo")
    assert "there were: Ant | Bee, Cat" in refused(folder, "--without", "zzz")
    assert "did you mean" not in refused(folder, "--without", "zzz")


def test_too_few_left_are_refused(report: Report) -> None:
    folder = report(event(NAMES[:3]), by_order(NAMES))
    words = [word for name in NAMES[:2] for word in ("--without", name)]
    assert "too few bots are left to be compared: 1" in refused(folder, *words)


def test_what_is_not_there_is_said(tmp_path: Path) -> None:
    assert "no results of an event" in refused(tmp_path / "nowhere")
    (tmp_path / "ledger.sqlite").write_bytes(b"")
    assert "no event is stored in it" in refused(tmp_path)
    (tmp_path / "ledger.sqlite").write_bytes(b"no ledger at all" * 100)
    assert "cannot be used as a ledger" in refused(tmp_path)


def broken_off(match: Match, number: int, deals: int) -> Result:
    """Nothing after the first block."""
    if number:
        raise KeyboardInterrupt
    return block(deals, 1)


def test_an_event_that_is_being_played_is_shown_as_far_as_it_is(
    report: Report, said: Any, tmp_path: Path
) -> None:
    """The run has not let go of its ledger."""
    with pytest.raises(KeyboardInterrupt):
        report(event(NAMES), broken_off)
    folder = tmp_path / "results" / "synthetic-league"
    assert "the event is not finished" in said(folder)
    assert json.loads(said(folder, "--json"))["complete"] is False


def test_the_faults_of_those_who_stay_are_told(report: Report, said: Any) -> None:
    folder = report(event(NAMES), eventful)
    told = json.loads(said(folder, "--without", "Fox", "--json"))
    published = {row["name"]: row["faults"] for row in board(folder)["standings"]}
    assert {row["name"]: row["faults"] for row in told["standings"]} == {
        name: faults for name, faults in published.items() if name != "Fox"
    }
