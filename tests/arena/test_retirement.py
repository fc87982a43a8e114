"""What retires a bot: too many faults, too much time, not starting at all."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from harness import games
from harness.arena.block import play_block
from harness.arena.budgets import Budgets
from harness.arena.job import Job, Player
from harness.sandbox.nursery import Nursery
from tests.arena.bad import BATCH, GAMES, QUICK, counts
from tests.arena.conftest import Play
from tests.conftest import CAUTIOUS
from tests.sampling import sampled


def test_more_than_max_faults_retires_and_the_rest_are_walkovers(play: Play) -> None:
    source = "class Bad(Player):\n    def respond(self, view):\n        raise ValueError('no')\n"
    result = play(source, QUICK.model_copy(update={"max_faults": 100}))
    assert result.players[0].retired == "exception"
    assert 100 < counts(result)["exception"] <= 100 + 16
    assert result.players[1].wins >= GAMES - 100
    assert result.players[1].points >= 3 * (GAMES - 100)


def test_a_bot_over_its_average_is_retired(play: Play) -> None:
    source = """
import time
class Bad(Player):
    def respond(self, view):
        end = time.process_time() + 0.003
        while time.process_time() < end:
            pass
        return END if view.total < 15 else STAND
"""
    result = play(source, Budgets(slack_seconds=0.2))
    assert counts(result) == {"over_budget": 1}
    assert result.players[0].retired == "over_budget"
    assert result.players[0].cpu < 1.0
    assert result.players[1].wins > 0.9 * GAMES


def test_one_lane_for_one_bot_does_not_retire_a_vectorised_opponent(
    nursery: Nursery, write_bot: Callable[..., Path]
) -> None:
    single = CAUTIOUS.replace("Player):", "Player):\n    lanes = 1")
    players = (
        Player("single", str(write_bot(single, "single")), False, False, 1),
        Player("batch", str(write_bot(BATCH.format(what="pass"), "batch")), True, True, None),
    )
    game = games.load("pazaak")
    budgets = Budgets(slack_seconds=0.1)
    job = Job("pazaak", game.about.variants["text"], players, bytes(32), 200, 2048, budgets)
    result = play_block(job, game, nursery)
    assert [p.retired for p in result.players] == [None, None]


@pytest.mark.parametrize("lanes", ["None", "1"])
def test_short_naps_are_counted_too(play: Play, lanes: str) -> None:
    source = f"""
import time
class Bad(Player):
    lanes = {lanes}
    def respond(self, view):
        time.sleep(0.015)
        return END if view.total < 15 else STAND
"""
    result = play(source, Budgets(slack_seconds=0.1))
    assert result.players[0].retired == "over_budget"
    assert result.seconds < 10


def test_a_bot_that_sleeps_is_over_budget_by_the_clock(play: Play) -> None:
    source = """
import time
class Bad(Player):
    def respond(self, view):
        time.sleep(0.01)
        return END if view.total < 15 else STAND
"""
    result = play(source, Budgets(slack_seconds=0.2))
    assert result.players[0].retired == "over_budget"
    assert result.seconds < 10


@pytest.mark.parametrize(
    ("source", "said"),
    sampled(
        [
            ("raise RuntimeError('not today')", "not today"),
            ("def broken(:\n    pass", "SyntaxError"),
            ("while True:\n    pass", "not ready"),
            ("import os\nos._exit(5)", "exit status 5"),
            ("x = 1", "found 0"),
            ("class A(Player):\n    pass", "no method respond"),
            (CAUTIOUS + "\n    def __init__(self):\n        1 / 0", "ZeroDivisionError"),
            (CAUTIOUS + "\n    def __init__(self, extra):\n        pass", "TypeError"),
        ],
        4,
    ),
)
def test_a_bot_that_does_not_start_is_retired_with_the_reason(
    play: Play, source: str, said: str
) -> None:
    result = play(source, QUICK.model_copy(update={"start_seconds": 1.0}))
    assert result.players[0].retired == ("slow_start" if said == "not ready" else "start")
    assert said in result.players[0].log.examples[0].traceback
    assert result.players[1].wins == GAMES
    assert result.players[1].points == 3 * GAMES
    assert result.players[0].points == 0


def test_two_retired_bots_leave_games_without_a_winner(
    nursery: Nursery, write_bot: Callable[..., Path]
) -> None:
    path = str(write_bot("1 / 0"))
    players = (Player("a", path, False, False, None), Player("b", path, False, False, None))
    game = games.load("pazaak")
    job = Job("pazaak", game.about.variants["text"], players, bytes(32), 10, 8, QUICK)
    result = play_block(job, game, nursery)
    assert [p.retired for p in result.players] == ["start", "start"]
    assert not result.won.any()
    assert not result.points.any()
