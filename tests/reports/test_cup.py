"""The leaderboard of a cup: every place, the way there, and how each pairing was decided."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from harness.arena.job import Result
from harness.events.match import Match
from harness.ledger import Ledger
from harness.reports.event import write_reports
from harness.reports.tree import tree
from tests.reports.conftest import Report
from tests.reports.golden import same_as_golden
from tests.reports.page import Page, board, page
from tests.reports.synthetic import Rule, always, block, by_order, event

NAMES = ["Ant", "Bee", "Cat", "Dog", "Elk"]


def mixed(match: Match, number: int, deals: int) -> Result:
    """By order, but Bee takes two sets off Ant, Cat and Dog draw all, Elk gets a set by hands."""
    if match.players == ("Ant", "Bee") and match.stage in ("set 2", "set 3"):
        return block(deals, 0, 2)
    if match.players == ("Cat", "Dog") and match.stage != "seeding":
        return block(deals, 0)
    if match.players == ("Dog", "Elk") and match.stage in ("set 1", "set 2", "set 3"):
        return block(deals, 0, hands=(40, 60))
    return by_order(NAMES)(match, number, deals)


def disqualifying(name: str, stage: str) -> Rule:
    """By order, but this bot does not start from that stage on."""

    def rule(match: Match, number: int, deals: int) -> Result:
        if name in match.players and match.stage.startswith(stage):
            side = match.players.index(name)
            retired = ("start", None) if side == 0 else (None, "start")
            won = (0, deals) if side == 0 else (deals, 0)
            return block(deals, *won, retired=retired, faults=({}, {}))
        return by_order(NAMES)(match, number, deals)

    return rule


def pairing(said: dict[str, Any], *names: str) -> dict[str, Any]:
    """The pairing of the two that was played."""
    (found,) = [p for p in said["pairings"] if {p["first"], p["second"]} == set(names)]
    return dict(found)


def test_golden(report: Report) -> None:
    folder = report(event(NAMES, "cup"), mixed)
    same_as_golden(folder / "leaderboard.md", "cup.md")
    same_as_golden(folder / "leaderboard.json", "cup.json")


def test_the_same_bytes_for_any_order_of_entrants_and_blocks(report: Report) -> None:
    one = report(event(NAMES, "cup"), mixed, place="one")
    two = report(event(NAMES[::-1], "cup"), mixed, place="two", backwards=True)
    for name in ("leaderboard.md", "leaderboard.json"):
        assert (one / name).read_bytes() == (two / name).read_bytes()


def test_every_way_to_decide_a_pairing_is_told(report: Report) -> None:
    folder = report(event(NAMES, "cup"), mixed)
    said = board(folder)
    final = pairing(said, "Ant", "Bee")
    assert (final["name"], final["winner"], final["score"]) == ("final", "Ant", [4, 2])
    assert [s["winner"] for s in final["sets"]] == [0, 1, 1, 0, 0, 0]
    lots = pairing(said, "Cat", "Dog")
    assert lots["how"] == "lot"
    assert {s["how"] for s in lots["sets"]} == {"lot"}
    assert all(len(s["plays"]) == 3 for s in lots["sets"])
    byes = [p for p in said["pairings"] if p["how"] == "bye"]
    assert byes
    assert all(p["score"] is None and p["winner"] for p in byes)
    rows = next(t for t in Page(page(folder)).tables() if t[0][0] == "round")
    assert {row[-1] for row in rows[1:]} >= {"", "bye", "by lot"}
    sets = next(t for t in Page(page(folder)).tables() if t[0][0] == "pairing")
    assert sum(row[-1] == "drawn" for row in sets[1:]) >= 2 * len(lots["sets"])


def test_hands_decide_after_three_drawn_plays(report: Report) -> None:
    folder = report(event(NAMES[:2], "cup"), always(hands=(40, 60)))
    (final,) = board(folder)["pairings"]
    assert (final["how"], final["winner"]) == ("hands", "Bee")
    assert sorted(final["score"]) == [0, 4]
    assert "(by hands)" in Page(page(folder)).fences()[0]
    assert "Bee, by hands" in page(folder)


def test_everybody_has_one_place_and_the_pairings_add_up(report: Report) -> None:
    for number in (2, 3, 5, 9):
        names = [f"bot {n}" for n in range(number)]
        said = board(report(event(names, "cup"), by_order(names), place=f"{number}"))
        assert [row["place"] for row in said["places"]] == list(range(1, number + 1))
        assert [row["name"] for row in said["places"]] == names
        assert said["winners"] == names[:1]
        played = [p for p in said["pairings"] if p["how"] != "bye"]
        assert sum(row["pairings"][0] for row in said["places"]) == len(played)
        assert sum(row["pairings"][1] for row in said["places"]) == len(played)
        assert sum(match["games"] for match in said["matches"]) == said["games"]


def test_the_tree_leads_from_the_first_round_to_the_final(report: Report) -> None:
    names = [f"bot {n}" for n in range(8)]
    lines = tree(board(report(event(names, "cup"), by_order(names)))).split("\n")
    assert lines == [
        "final: bot 0  4-0  bot 1",
        "├─ semi-final: bot 0  4-0  bot 3",
        "│  ├─ quarter-final: bot 0  4-0  bot 7",
        "│  └─ quarter-final: bot 3  4-0  bot 4",
        "└─ semi-final: bot 1  4-0  bot 2",
        "   ├─ quarter-final: bot 1  4-0  bot 6",
        "   └─ quarter-final: bot 2  4-0  bot 5",
    ]


def test_a_bot_that_is_disqualified_on_the_way(report: Report) -> None:
    folder = report(event(NAMES, "cup"), disqualifying("Bee", "set"))
    said = board(folder)
    (out,) = said["disqualified"]
    assert out["name"] == "Bee"
    assert len(out["retirements"]) == 3
    row = next(row for row in said["places"] if row["name"] == "Bee")
    assert row["disqualified"] is True
    assert row["elo"] is None
    ended = [p for p in said["pairings"] if p["how"] == "disqualified"]
    assert ended
    assert all(p["winner"] != "Bee" for p in ended)
    assert "Bee disqualified" in page(folder)
    assert "disqualified; retired in 3 matches (start)" in page(folder)


def test_a_bot_that_is_disqualified_in_the_seeding(report: Report) -> None:
    folder = report(event(NAMES, "cup"), disqualifying("Ant", "seeding"))
    said = board(folder)
    assert said["seeding"]["disqualified"] == ["Ant"]
    assert said["seeds"][-1] == "Ant"
    assert said["winners"] == ["Bee"]
    assert "Disqualified there: Ant." in page(folder)
    for p in said["pairings"]:
        if "Ant" in (p["first"], p["second"]) and p["how"] != "bye":
            assert (p["score"], p["sets"]) == ([0, 0], [])


def test_two_equal_bots(report: Report) -> None:
    folder = report(event(NAMES[:2], "cup"), always())
    said = board(folder)
    assert said["pairings"][0]["how"] == "lot"
    assert [row["place"] for row in said["places"]] == [1, 2]
    first, second = (
        page(folder).split("## Seeds")[1].count(f"| 1= | 1-2 | {n} |") for n in NAMES[:2]
    )
    assert (first, second) == (1, 1)


def test_a_drawn_cup_has_no_seeding_league(report: Report) -> None:
    folder = report(event(NAMES, "cup", draw="random"), by_order(NAMES))
    said = board(folder)
    assert said["seeding"] is None
    assert sorted(said["seeds"]) == NAMES
    text = page(folder).split("## Seeds")[1]
    assert "Drawn from the secret." in text
    assert "1-2" not in text.split("## How it was played")[0]


@pytest.mark.parametrize("played", [0, 3, 10, 30])
def test_a_cup_that_is_not_finished(tmp_path: Path, played: int) -> None:
    cup = event(NAMES, "cup")
    folder = tmp_path / cup.config.event
    folder.mkdir()
    with Ledger(folder / "ledger.sqlite") as ledger:
        for _ in range(played):
            match, number = next(
                (match, outcome.missing[0])
                for match in cup.schedule.matches(cup.outcomes)
                if (outcome := cup.outcomes(match)).missing
            )
            deals = dict(match.blocks())[number]
            row = ledger.add(match, number, by_order(NAMES)(match, number, deals))
            cup.learn_block(match, row)
        write_reports(cup, ledger, tmp_path)
    said = board(folder)
    assert said["complete"] is False
    assert said["winners"] == []
    assert {row["place"] for row in said["places"]} == {None}
    assert "**Not finished**" in page(folder)
    assert Page(page(folder)).foreign_html() == []
