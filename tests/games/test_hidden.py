"""No process is told what its seat may not know; and a game that tells it is caught."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numba import njit

from harness.games import contract
from tests.games import hidden
from tests.games.hidden import CASES, Case, Walk
from tests.sampling import sampled

# Numba keeps the loops compiled for a leaking game as well, told apart by the lane's type, and
# notices no change in these files: with their hash among the fields, a change makes another type.
_FILES = [Path(__file__), Path(hidden.__file__)]
_SOURCE = hashlib.sha256(b"".join(path.read_bytes() for path in _FILES)).hexdigest()[:16]

every_case = pytest.mark.parametrize("case", sampled(CASES, 4), ids=str)


@every_case
def test_what_a_seat_may_not_know_changes_no_byte_of_its_frame(case: Case) -> None:
    walk = Walk(case, seed=1)
    compared: dict[tuple[int, int], int] = {}
    for _ in range(14):
        walk.go(ticks=3)
        for key, records in walk.differences(walk.lanes, times=1).items():
            compared[key] = compared.get(key, 0) + records
    asked = {question for question, _ in compared if sum(_of(compared, question)) > 0}
    # Four-card Azi alone asks for a discard.
    whole = range(len(walk.game.questions))
    assert asked == set(whole) - ({0} if (case.game, case.variant) == ("azi", "text") else set())
    for question in asked:
        assert min(_of(compared, question)) > 10, (question, compared)


def _of(compared: dict[tuple[int, int], int], question: int) -> list[int]:
    return [records for (number, _), records in compared.items() if number == question]


@every_case
def test_redealing_changes_what_is_hidden(case: Case) -> None:
    """Or the test above would show nothing."""
    walk = Walk(case, seed=2)
    walk.go(ticks=9)
    for seat in range(walk.seats):
        waiting = np.flatnonzero(walk.lanes["asked"] >> seat & 1)
        there, here = walk.lanes[waiting], walk.redealt(walk.lanes, seat)[waiting]
        assert len(waiting) > 5
        bits = [[int(case.bit(_Fields(lane), seat)) for lane in lanes] for lanes in (there, here)]
        assert bits[0] != bits[1]
        for name in ("hand", "held", "side"):
            if name in (walk.lanes.dtype.names or ()):
                assert (there[name][:, seat] == here[name][:, seat]).all() or case.game == "bs"


class _Fields:
    """A record as the compiled functions see it."""

    def __init__(self, lane: np.void) -> None:
        self._lane = lane

    def __getattr__(self, name: str) -> Any:
        return self._lane[name]


@every_case
def test_a_record_is_written_to_its_last_byte(case: Case) -> None:
    """Nothing of an earlier frame shines through."""
    walk = Walk(case, seed=3)
    walk.go(ticks=8)
    for number, question in enumerate(walk.game.questions):
        for seat in range(walk.seats):
            one, other = (walk.told(walk.lanes, number, seat, fill) for fill in (0, 255))
            records = [np.frombuffer(told.records, question.observation) for told in (one, other)]
            for name in question.observation.names or ():
                assert (records[0][name] == records[1][name]).all(), name


@pytest.mark.parametrize("case", sampled(CASES[:4], 1), ids=str)
def test_a_game_that_tells_one_hidden_bit_is_caught(case: Case) -> None:
    """With the same loops, from rules that are compiled like any others."""
    walk = Walk(case, seed=4)
    for number in range(len(walk.game.questions)):
        while not (waiting := walk.lanes["question"] == number).sum() > 20:
            walk.go(ticks=1)
        walk.differences(walk.lanes, times=3)
        leaking = leaky(walk.game, number, case)
        lanes = np.zeros(waiting.sum(), leaking.lane)
        for name in walk.game.lane.names or ():
            lanes[name] = walk.lanes[name][waiting]
        caught = Walk(case, seed=4)
        caught.game = leaking
        with pytest.raises(AssertionError, match=f"question {number} tells seat . too much"):
            caught.differences(lanes, times=3)


def leaky(game: contract.Game, question: int, case: Case) -> contract.Game:
    """The same game, but where this question is asked, a hidden bit is added to a number told."""
    asked = game.questions[question]
    told, bit = njit(asked.observe), njit(case.bit)
    by_turn = "game_number" not in (asked.observation.names or ())

    def observe(lane: Any, rules: Any, seat: int, out: Any) -> None:
        told(lane, rules, seat, out)
        if lane.question == question:
            if by_turn:
                out.turn += np.uint16(bit(lane, seat))
            else:
                out.game_number += np.uint32(bit(lane, seat))

    fields: Any = [(name, game.lane.fields[name][0]) for name in game.lane.names or ()]
    mark = (f"leaks_{question}_{_SOURCE}", "u1")
    questions = tuple(
        replace(each, observe=observe) if each.observation == asked.observation else each
        for each in game.questions
    )
    made = replace(game, lane=np.dtype([*fields, mark], align=True), questions=questions)
    contract.implement(made)
    return made
