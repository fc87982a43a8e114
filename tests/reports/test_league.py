"""The leaderboard of a league: what it says, and that it always says it in the same bytes."""

from __future__ import annotations

import json
import shlex
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from harness import config as configs
from harness.arena.job import Result
from harness.cli.event import league
from harness.events.match import Match
from harness.ledger import Ledger
from harness.reports.event import write_reports
from harness.reports.files import dumps
from harness.reports.leaderboard import leaderboard
from tests.reports.conftest import Report
from tests.reports.golden import same_as_golden
from tests.reports.page import Page, board, page
from tests.reports.synthetic import Rule, always, block, by_order, event, with_sandbox

NAMES = ["Ant | Bee", "Cat", "Dog", "Elk", "Fox"]


def failing(name: str, kind: str = "exception", times: int = 9) -> Rule:
    """By order, but this bot has too many faults in every first block."""
    usual = by_order(NAMES)

    def rule(match: Match, number: int, deals: int) -> Result:
        if name not in match.players:
            return usual(match, number, deals)
        side = match.players.index(name)
        faults: list[dict[str, int]] = [{}, {}]
        faults[side] = {kind: times}
        won = (0, deals) if side == 0 else (deals, 0)
        return block(deals, *won, faults=(faults[0], faults[1]))

    return rule


def eventful(match: Match, number: int, deals: int) -> Result:
    """Elk is bad in everything, Dog makes some illegal moves, and once the clock decides."""
    result = failing("Elk")(match, number, deals)
    if "Elk" not in match.players and "Dog" in match.players:
        result.players[match.players.index("Dog")].log.add("illegal", 1234)
    if match.players == ("Cat", "Fox") and number == 1:
        result.players[0].log.add("timeout")
    return result


def test_golden(report: Report) -> None:
    folder = report(event(NAMES), eventful)
    same_as_golden(folder / "leaderboard.md", "league.md")
    same_as_golden(folder / "leaderboard.json", "league.json")


def test_the_same_bytes_for_any_order_of_entrants_and_blocks(report: Report) -> None:
    one = report(event(NAMES), eventful, place="one")
    two = report(event(NAMES[::-1]), eventful, place="two", backwards=True)
    for name in ("leaderboard.md", "leaderboard.json"):
        assert (one / name).read_bytes() == (two / name).read_bytes()


def test_written_again_it_does_not_change(tmp_path: Path, report: Report) -> None:
    folder = report(event(NAMES), eventful)
    before = {path.name: path.read_bytes() for path in folder.glob("leaderboard.*")}
    (folder / ".leaderboard.md.x1y2z3").write_text("half of it, from a run that was killed")
    with Ledger(folder / "ledger.sqlite") as ledger:
        write_reports(event(NAMES), ledger, Path("results"))
    assert before == {path.name: path.read_bytes() for path in folder.glob("leaderboard.*")}
    assert not [path for path in folder.iterdir() if path.name.startswith(".")]


def test_the_page_follows_from_the_json_alone(report: Report) -> None:
    folder = report(event(NAMES), eventful)
    text = (folder / "leaderboard.json").read_text(encoding="utf-8")
    assert dumps(json.loads(text)) == text
    assert leaderboard(json.loads(text)) == page(folder)
    assert text.endswith("}\n")


def test_a_disqualified_bot_is_listed_apart_and_counts_for_nobody(report: Report) -> None:
    folder = report(event(NAMES), failing("Elk"))
    said = board(folder)
    assert [row["name"] for row in said["standings"]] == ["Ant | Bee", "Cat", "Dog", "Fox"]
    assert {row["games"] for row in said["standings"]} == {3 * 40}
    (out,) = said["disqualified"]
    assert out["name"] == "Elk"
    assert out["faults"] == {"exception": 27}
    assert [retired["kind"] for retired in out["retirements"]] == ["exception"] * 3
    # The fourth match is not played any more.
    assert sum("Elk" in match["players"] for match in said["matches"]) == 3
    assert "## Disqualified" in page(folder)
    tables = Page(page(folder)).tables()
    assert tables[1][1][:2] == ["Elk", "author of Elk"]
    assert "match: Ant | Bee - Elk (exception)" in tables[1][1][2]


def test_walkovers_are_no_games_that_were_played(report: Report) -> None:
    folder = report(event(NAMES[:3]), failing("Cat"))
    said = board(folder)
    assert said["games"] == 3 * 40 - 2 * 20
    assert [match["walkovers"] for match in said["matches"]] == [20, 0, 20]
    cat = next(row for row in said["standings"] if row["name"] == "Cat")
    assert cat["games"] == 80
    assert len(cat["retirements"]) == 2
    assert "retired in 2 matches (exception)" in page(folder)
    unfinished = "Among them are those that a retired bot left unfinished."
    assert f"80 games were played. {unfinished} 40 more were walkovers." in page(folder)
    (retired,) = [
        t for t in Page(page(folder)).tables() if t[0] == ["match", "retired", "walkovers"]
    ]
    assert retired[1:] == [
        ["match: Ant | Bee - Cat", "Cat (exception)", "20"],
        ["match: Cat - Dog", "Cat (exception)", "20"],
    ]
    quiet = page(report(event(NAMES[:3]), by_order(NAMES), place="quiet"))
    assert "walkover" not in quiet
    assert "## Retired" not in quiet
    assert "unfinished" not in quiet


def test_both_may_be_retired_in_a_match(report: Report) -> None:
    rule = always(faults=({"start": 1}, {"crash": 9}), retired=("start", "crash"))
    folder = report(event(NAMES[:2]), rule)
    (retired,) = [
        t for t in Page(page(folder)).tables() if t[0] == ["match", "retired", "walkovers"]
    ]
    assert retired[1] == ["match: Ant | Bee - Cat", "Ant | Bee (start), Cat (crash)", "20"]


def test_only_kinds_of_fault_that_occurred_have_a_column(report: Report) -> None:
    quiet = Page(page(report(event(NAMES), by_order(NAMES), place="quiet"))).tables()[0]
    assert quiet[0][-1] == "rating"
    loud = Page(page(report(event(NAMES), eventful, place="loud"))).tables()[0]
    assert loud[0][-2:] == ["illegal", "timeout"]


def test_equal_bots_are_shown_as_equal(report: Report) -> None:
    folder = report(event(NAMES), always())
    said = board(folder)
    assert {row["rank"] for row in said["standings"]} == {1}
    assert {tuple(row["band"]) for row in said["standings"]} == {(1, 5)}
    assert said["winners"] == sorted(NAMES)
    assert len({(row["elo"], row["elo_margin"]) for row in said["standings"]}) == 1
    table = Page(page(folder)).tables()[0]
    assert {row[0] for row in table[1:]} == {"1="}
    assert "50.0 % (50.0-50.0)" in page(folder)
    assert "Equal at the top: **Ant &#124; Bee, Cat, Dog, Elk and Fox**." in page(folder)


def test_a_hundred_percent_is_finite_and_not_certain(report: Report) -> None:
    folder = report(event(NAMES[:2]), by_order(NAMES), place="a")
    all_won = report(event(NAMES[:2]), lambda match, number, deals: block(deals, deals), place="b")
    assert board(folder)["standings"][0]["share"]["high"] < 1
    first, last = board(all_won)["standings"]
    assert first["share"]["value"] == 1
    assert first["share"]["low"] < 1
    assert last["share"]["value"] == 0
    assert abs(first["elo"]) < 10_000
    assert "NaN" not in dumps(board(all_won))
    assert "Infinity" not in dumps(board(all_won))


def test_before_any_game(tmp_path: Path) -> None:
    nothing = event(NAMES)
    (tmp_path / "synthetic-league").mkdir()
    with Ledger(tmp_path / "synthetic-league" / "ledger.sqlite") as ledger:
        write_reports(nothing, ledger, tmp_path)
    said = board(tmp_path / "synthetic-league")
    assert said["complete"] is False
    assert said["winners"] == []
    assert said["games"] == 0
    assert all(row["elo"] is None for row in said["standings"])
    text = page(tmp_path / "synthetic-league")
    assert "**Not finished**" in text
    assert "50.0" not in text
    assert (tmp_path / "synthetic-league" / "timing.md").exists()


def test_when_nobody_can_play_nobody_has_won(report: Report) -> None:
    rule = always(faults=({"start": 1}, {"start": 1}), retired=("start", "start"))
    folder = report(event(NAMES[:2]), rule)
    assert board(folder)["complete"] is True
    assert Page(page(folder)).tables()[0][0][-2:] == ["start", "notes"]


def test_blocks_that_the_clock_decided_are_named_as_exempt(report: Report) -> None:
    folder = report(event(NAMES), eventful)
    (exempt,) = [t for t in Page(page(folder)).tables() if t[0] == ["match", "block"]]
    assert exempt[1:] == [["match: Cat - Fox", "1"]]
    assert "exempt" not in page(report(event(NAMES), by_order(NAMES), place="other"))


def test_integers_from_which_everything_can_be_computed_again(report: Report) -> None:
    said = board(report(event(NAMES), by_order(NAMES)))
    assert len(said["matches"]) == 10
    for match in said["matches"]:
        for key in ("wins", "points", "decisions"):
            sums = [sum(b[key][side] for b in match["blocks"]) for side in (0, 1)]
            assert sums == match[key]
        for key in ("games", "deals", "squares"):
            assert sum(b[key] for b in match["blocks"]) == match[key]


def test_the_sandbox_level_is_said_and_a_weak_one_loudly(report: Report) -> None:
    assert "Sandbox: full." in page(report(event(NAMES), by_order(NAMES), place="full"))
    weak = page(report(with_sandbox(event(NAMES), "weak"), by_order(NAMES), place="weak"))
    assert "**The sandbox was weak**" in weak
    assert "--allow-weak-sandbox" in weak


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"rules": "original-2015"},
        {"rules": {"variant": "text", "wins_needed": 5}, "games": 60},
        {"entrants": ["Cat", "Ant | Bee", "Dog", "Elk", "Fox"]},
    ],
)
def test_the_command_and_the_config_on_the_page_are_those_of_the_event(
    report: Report, tmp_path: Path, changes: dict[str, Any]
) -> None:
    played = event(NAMES, **changes)
    fences = Page(page(report(played, by_order(NAMES)))).fences()
    shell, text = next((a, b) for a, b in pairwise(fences) if "koth" in a)
    path = tmp_path / "again.yaml"
    path.write_text(text, encoding="utf-8")
    words = shlex.split(shell.splitlines()[0])
    assert words[:3] == ["koth", "league", "configs/synthetic-league.yaml"]
    parsed = league.make_context("league", words[2:]).params
    given = {key: parsed[key] for key in ("games", "rules") if parsed[key] is not None}
    again = configs.read(path, given)
    assert again == played.config
    assert parsed["secret"] == played.secret.hex()
    if "entrants" not in changes:
        assert sorted(parsed["only"].split(",")) == sorted(e.file for e in played.entrants)
