"""`koth simulate` and `koth records`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from harness.games.camicia import records
from tests.cli.conftest import Koth

LONGEST = "---AJ--Q---------QAKQJJ-QK/-----A----KJ-K--------A---"


def test_simulate(koth: Koth) -> None:
    assert koth("simulate", "camicia", LONGEST, "--json").json == {
        "status": "finished",
        "cards": 8344,
        "tricks": 1164,
    }
    answer = koth("simulate", "camicia", "J 2 3", "4,J,5")
    assert (answer.status, answer.out) == (0, "loop: 8 cards, 3 tricks\n")
    # A deck of two number cards looks like the end of the options.
    assert koth("simulate", "camicia", "--", "-J").out == "finished: 4 cards, 1 trick\n"


def test_trace(koth: Koth) -> None:
    answer = koth("simulate", "camicia", "2 A 7 8 Q 10", "3 4 5 6 K 9 J", "--trace")
    lines = answer.out.splitlines()
    assert len(lines) == 1 + 1 + 13 + 1 + 1  # heading, deal, cards, trick, outcome
    assert lines[4].split() == ["1", "--Q-", "---K-J", "--A", "B", "4", "A", "lays", "A"]
    assert lines[-2].endswith("B takes the pile")
    assert lines[-1] == "finished: 13 cards, 1 trick"
    steps = koth("simulate", "camicia", "-J", "-", "--trace", "--json").json["trace"]
    assert [step["event"] for step in steps][2:] == ["A lays J", "B cannot lay, A takes the pile"]
    assert steps[2] | {"event": ""} == {
        "round": 1,
        "event": "",
        "a": "",
        "b": "",
        "pile": "--J",
        "debtor": "B",
        "owes": 1,
    }


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["2 11", "3"], "'11' is no card"),
        (["2 3"], "'2 3' is no deal: expected two decks separated by one `/`"),
        (["-/-J", "--jsn"], "a deal with its `/`, or two decks without one; found '-/-J' and"),
        (["2", "3", "4"], "found '2' and '3' and '4'"),
        (["--jsn", "-"], "deck A: '--jsn' is no card"),
        (["J/2 x"], "deck B: 'x' is no card; a card is"),
        (["/---"], "deck A is empty; expected one card at least"),
        (["---/"], "deck B is empty"),
        (["J", ""], "deck B is empty"),
    ],
)
def test_what_cannot_be_simulated(koth: Koth, words: list[str], reason: str) -> None:
    koth("simulate", "camicia", *words).refused(reason)


def test_records(koth: Koth) -> None:
    answer = koth("records", "--verify")
    assert answer.status == 0
    assert "9 of 9 records replayed as published" in answer.out
    rows = koth("records", "--json").json
    assert [row["cards"] for row in rows if row["deal"] == LONGEST] == [8344]


def test_a_wrong_record_is_found_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from harness.cli.records import records as command

    wrong = tmp_path / "records.csv"
    text = records._FILE.read_text(encoding="utf-8")
    wrong.write_text(text.replace("8344,1164", "8345,1164"), encoding="utf-8")
    monkeypatch.setattr(records, "_FILE", wrong)
    assert command.main(["--verify", "--json"], standalone_mode=False) == 1
    rows = json.loads(capsys.readouterr().out)
    assert [row["found"]["cards"] for row in rows if not row["verified"]] == [8344]


def test_tables_have_no_camicia(koth: Koth) -> None:
    koth("duel", "camicia", "a", "b").refused("camicia is played as: koth hunt")


def test_a_hunt_has_no_matches_to_replay(koth: Koth) -> None:
    answer = koth("replay", "results/camicia-hunt", 1)
    answer.refused("holds a hunt", "koth simulate camicia DEAL", "koth verify results/camicia-hunt")
