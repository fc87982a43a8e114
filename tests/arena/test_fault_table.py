"""The fault table, row by row: a bot that commits it, its verdict, its cost and its record.

Every bot is Cautious, one game at a time, but for one decision of its third game. So what the fault
cost is exactly what differs from the block that Cautious plays.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from harness.arena.block import Result
from harness.arena.faults import COUNTING, KINDS, RETIRING, TIMED
from harness.events.match import Match
from harness.ledger import Ledger
from harness.standings.pairs import LEGS
from tests.arena.bad import QUICK, counts
from tests.arena.conftest import Play
from tests.conftest import CAUTIOUS
from tests.sampling import sampled

DEALS = 4
GAME = 2
"""The game in which it happens, from 0: with one lane it is also the number of the deal."""
OWN, OTHER = 0, 1

SINGLE = """
import os, time
class Bad(Player):
    lanes = 1
    def respond(self, view):
        if view.game_number == 2 and view.hand_number == 1 and {when}:
            {act}
        return END if view.total < 15 else STAND
"""
BATCH = """
import os, time
import numpy as np
class Bad(BatchPlayer):
    lanes = 1
    def respond(self, frame):
        (view,) = frame
        replies = np.where(frame["total"] < 15, END, STAND)
        if view["game_number"] == 2 and view["hand_number"] == 1 and {when}:
            {act}
        return replies
"""
STANDING = ("view.total >= 15", 'view["total"] >= 15')
"""When it would stand anyway, which is Pazaak's substitute."""
BEGINNING = ("len(view.hand) == 1", 'view["hand"] < 16')
LOADING = "import time\n{act}\n" + CAUTIOUS.replace("(Player):", "({base}):\n    lanes = 1")


@dataclass(frozen=True)
class Case:
    """A row of the table, for one of the two kinds of bots."""

    kind: str
    source: str
    batch: bool
    record: str
    """What the record must say: in the traceback, or as the answer."""


def _pair(kind: str, when: tuple[str, str], acts: tuple[str, str], record: str) -> list[Case]:
    sources = [t.format(when=w, act=a) for t, w, a in zip((SINGLE, BATCH), when, acts, strict=True)]
    return [Case(kind, source, batch, record) for batch, source in enumerate(sources)]


def _both(kind: str, act: str, record: str) -> list[Case]:
    return _pair(kind, BEGINNING, (act, act), record)


def _loading(kind: str, act: str, record: str) -> list[Case]:
    bases = ("Player", "BatchPlayer")
    return [
        Case(kind, LOADING.format(act=act, base=base), batch, record)
        for batch, base in enumerate(bases)
    ]


BURN = """end = time.process_time() + 0.01
            while time.process_time() < end: pass"""
CASES = [
    *_pair("illegal", STANDING, ("return play(9)", "replies[:] = 9"), "9"),
    *_pair("protocol", STANDING, ("return None", "replies = None"), "None"),
    *_pair("exception", STANDING, ("1 / 0", "1 / 0"), "ZeroDivisionError"),
    *_both("timeout", "while True: pass", "no answer after 0."),
    *_both("memory", "[bytearray(1 << 30) for _ in range(64)]", "out of memory"),
    *_both("crash", "os._exit(3)", "exit status 3"),
    *_loading("start", "1 / 0", "ZeroDivisionError"),
    *_loading("slow_start", "while True: pass", "not ready within"),
    *_pair("over_budget", ("True", "True"), (BURN, BURN), "are allowed"),
]
# From its third game on, not only in it.
CASES[-2:] = [
    Case(c.kind, re.sub(r"if view.*and True", "if True", c.source), c.batch, c.record)
    for c in CASES[-2:]
]
SUBSTITUTED, FORFEITED = KINDS[:3], KINDS[3:6]


def _name(case: Case) -> str:
    return f"{case.kind}-{'batch' if case.batch else 'single'}"


every_case = pytest.mark.parametrize("case", CASES, ids=_name)


def play_case(play: Play, case: Case, max_faults: int = 100) -> Result:
    changes = {"max_faults": max_faults, "start_seconds": 0.2, "slack_seconds": 0.2}
    return play(case.source, QUICK.model_copy(update=changes), deals=DEALS)


@pytest.fixture(scope="module")
def blocks() -> dict[str, Result]:
    """What was played already: three tests look at one block."""
    return {}


@pytest.fixture
def result(play: Play, case: Case, blocks: dict[str, Result]) -> Result:
    """The block that the case's bot plays."""
    if case.source not in blocks:
        blocks[case.source] = play_case(play, case)
    return blocks[case.source]


@pytest.fixture
def usual(play: Play, blocks: dict[str, Result]) -> Result:
    """The block that Cautious plays."""
    if "" not in blocks:
        blocks[""] = play(CAUTIOUS.replace(":", ":\n    lanes = 1", 1), deals=DEALS)
        assert counts(blocks[""]) == counts(blocks[""], OTHER) == {}
    return blocks[""]


def test_every_row_has_its_bots_and_its_line_in_the_reference() -> None:
    assert {(case.kind, case.batch) for case in CASES} == {(k, b) for k in KINDS for b in (0, 1)}
    page = (Path(__file__).parents[2] / "docs" / "reference" / "faults.md").read_text("utf-8")
    assert tuple(re.findall(r"^\| `(\w+)` \|", page, flags=re.MULTILINE)) == KINDS
    assert ("illegal", *COUNTING) == (*SUBSTITUTED, *FORFEITED)
    assert KINDS[6:] == RETIRING


@every_case
def test_verdict(case: Case, result: Result) -> None:
    """Nothing but this fault, and only the bot's own."""
    retires = case.kind in RETIRING
    assert counts(result) == {case.kind: 1 if retires else LEGS}  # retired in the first leg
    assert counts(result, OTHER) == {}
    assert result.players[OWN].retired == (case.kind if retires else None)
    assert result.players[OWN].log.timed == (case.kind in TIMED)
    if not retires:
        # One game of each leg is marked, the one in which it happened.
        assert [tuple(at[:2]) for at in np.argwhere(result.faulty)] == [(0, GAME), (1, GAME)]
        assert (result.faulty & ~result.seats_of(OWN)).sum() == 0


@every_case
def test_cost(case: Case, result: Result, usual: Result) -> None:
    """A substitute action, the game it happened in, or all that is left of the match."""
    own, other = result.seats_of(OWN), result.seats_of(OTHER)
    differs = (result.won != usual.won).any(axis=2) | (result.points != usual.points).any(axis=2)
    if case.kind in SUBSTITUTED:
        assert not differs.any()
    elif case.kind in FORFEITED:
        lost = np.zeros_like(differs)
        lost[:, GAME] = True
        assert not (differs & ~lost).any()
        assert (result.won[lost[:, :, None] & own] == 0).all()
        assert (result.won[lost[:, :, None] & other] == 1).all()
        assert (result.points[lost[:, :, None] & other] == 3).all()
    else:
        left = np.maximum.accumulate(differs.ravel()).reshape(differs.shape)
        assert left[-1].all()
        assert (result.won[left[:, :, None] & own] == 0).all()
        assert (result.won[left[:, :, None] & other] == 1).all()
        assert (result.points[left[:, :, None] & other] == 3).all()
        if case.kind != "over_budget":
            assert left.all()


@pytest.mark.parametrize(
    "case", sampled([CASES[0], CASES[3], *CASES[1:3], *CASES[4:]], 2), ids=_name
)
def test_it_counts_towards_the_limit_or_does_not(play: Play, case: Case) -> None:
    if case.kind in COUNTING:
        assert play_case(play, case, max_faults=LEGS).players[OWN].retired is None
        result = play_case(play, case, max_faults=LEGS - 1)
        assert result.players[OWN].retired == case.kind
        # In its second leg: the games before are played, those after are walkovers.
        after = result.won[1, GAME + 1 :]
        assert (after[result.seats_of(OTHER)[1, GAME + 1 :]] == 1).all()
        assert result.won[0][result.seats_of(OWN)[0]].any()
    else:
        retired = case.kind if case.kind in RETIRING else None
        assert play_case(play, case, max_faults=0).players[OWN].retired == retired


@every_case
def test_record(case: Case, result: Result, tmp_path: Path) -> None:
    """What the ledger keeps: how many, and the circumstances for the bot's author."""
    match = Match("match", ("bad", "cautious"), LEGS * DEALS, LEGS * DEALS)
    with Ledger(tmp_path / "ledger.sqlite") as ledger:
        ledger.add(match, 0, result)
    with Ledger(tmp_path / "ledger.sqlite", read_only=True) as ledger:
        (row,) = ledger.rows(match).values()
        examples = list(ledger.examples())
    times = 1 if case.kind in RETIRING else LEGS
    assert dict(row.players[OWN].faults) == {case.kind: times}
    assert row.players[OWN].retired == result.players[OWN].retired
    assert row.players[OTHER].faults == {}
    assert [(block, player) for _, block, player, _ in examples] == [(0, OWN)] * times
    for leg, (*_, example) in enumerate(examples):
        assert example["kind"] == case.kind
        if case.kind in RETIRING:
            assert (example["leg"], example["deal"]) == (0, -1)
            assert example["saw"] == {}
        else:
            assert (example["leg"], example["deal"]) == (leg, GAME)
            assert (example["saw"]["game_number"], example["saw"]["hand_number"]) == (GAME, 1)
        said = str(example["answered"]) if case.kind == "illegal" else example["traceback"]
        assert case.record in said
