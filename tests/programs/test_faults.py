"""The fault table for programs, as `tests/arena` has it for bots in Python.

What exactly a program may say wrong is in `test_bridge.py`; here whole blocks are played.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from harness import games
from harness.arena.block import Result, play_block
from harness.arena.budgets import Budgets
from harness.arena.job import Job, Player
from harness.entrants import load
from harness.sandbox.nursery import Nursery
from tests.conftest import CAUTIOUS
from tests.programs.conftest import WriteProgram, needs
from tests.sampling import sampled

DEALS = 10
GAMES = 2 * DEALS
# Python as a program starts slowly, and thinks slowly where others measure something as well.
BUDGETS = Budgets(
    decision_seconds=0.3, decision_wall_seconds=0.6, slack_seconds=20, start_wall_seconds=60
)

BAD = """
import json, os, sys, threading, time
input()
print('{"koth": 1}', flush=True)
GONE = []
for line in sys.stdin:
    view = json.loads(line)
    answer = 0 if view["total"] < 15 else -1
    reply = {"lane": view["lane"], "answer": answer}
    if WHEN:
        ACT
    print(json.dumps(reply), flush=view["left"] == 0)
"""
# Once per process, in the third game of a lane.
ONCE = 'view["game"] == 2 and not GONE and not GONE.append(1)'
NOW_AND_THEN = 'view["hand_number"] == 1 and len(view["hand"]) == 1'

Play = Callable[..., Result]


@pytest.fixture
def play(nursery: Nursery, write_program: WriteProgram, write_bot: Callable[..., Path]) -> Play:
    """Plays a program (player 0) against Cautious (player 1), whom it resembles."""
    needs("python3")

    def run(act: str, when: str = NOW_AND_THEN, budgets: Budgets = BUDGETS) -> Result:
        text = BAD.replace("ACT", act).replace("WHEN", when)
        folder = write_program(files={"bad.txt": text}, command=["python3", "-S", "bad.txt"])
        entrant = load("pazaak", folder, nursery, budgets)
        assert entrant.error is None, entrant.traceback
        rival = Player("cautious", str(write_bot(CAUTIOUS, "cautious")), False, False, None)
        game = games.load("pazaak")
        rules = game.about.variants["text"]
        players = (entrant.player(), rival)
        return play_block(
            Job("pazaak", rules, players, bytes(32), DEALS, 3, budgets), game, nursery
        )

    return run


def counts(result: Result, player: int = 0) -> dict[str, int]:
    return {kind: n for kind, n in result.players[player].log.counts.items() if n}


def test_an_honest_program_plays_like_its_twin_in_python(play: Play) -> None:
    result = play("pass")
    assert counts(result) == counts(result, 1) == {}
    assert result.squares == 0
    assert result.players[0].wins == result.players[1].wins


@pytest.mark.parametrize(
    ("act", "kind"),
    sampled(
        [
            ('reply["lane"] = 99', "protocol"),
            ('reply["answer"] = 9', "illegal"),
            ('reply = {"lane": view["lane"], "error": "I give up"}', "exception"),
        ],
        1,
    ),
)
def test_a_wrong_answer_costs_the_action(play: Play, act: str, kind: str) -> None:
    result = play(act)
    assert set(counts(result)) == {kind}
    example = result.players[0].log.examples[0]
    assert example.saw["hand_number"] == 1
    assert ("I give up" in example.traceback) == (kind == "exception")
    assert result.players[0].retired is None
    assert sum(player.wins for player in result.players) == GAMES


@pytest.mark.parametrize(
    ("act", "kind", "words"),
    sampled(
        [
            ("sys.stdout.flush(); os._exit(3)", "crash", "exit status 3"),
            ("sys.stdout.flush(); time.sleep(60)", "timeout", "no answer"),
            ("sys.stdout.flush(); os.abort()", "crash", "SIGABRT"),
            ("sys.stdout.flush(); sys.exit(77)", "memory", "out of memory"),
        ],
        1,
    ),
)
def test_a_program_that_breaks_forfeits_the_game_it_broke_in_and_plays_on(
    play: Play, act: str, kind: str, words: str
) -> None:
    result = play(act, ONCE)
    assert set(counts(result)) == {kind}
    example = result.players[0].log.examples[0]
    assert words in example.traceback
    own = result.seats_of(0)[example.leg, example.deal]
    assert result.won[example.leg, example.deal, own].tolist() == [0]
    assert result.points[example.leg, example.deal, ~own].tolist() == [3]
    assert sum(player.wins for player in result.players) == GAMES
    assert result.players[0].retired is None
    assert result.players[0].starts > 2


@pytest.mark.slow
def test_more_than_max_faults_retires(play: Play) -> None:
    result = play("reply = 0", "True", BUDGETS.model_copy(update={"max_faults": 10}))
    assert result.players[0].retired == "protocol"
    assert result.players[1].wins == GAMES


def test_a_thread_that_thinks_all_the_time_uses_its_program_up(play: Play) -> None:
    act = "GONE.append(threading.Thread(target=lambda: [0 for _ in iter(int, 1)], daemon=True)); "
    result = play(act + "GONE[0].start()", "not GONE", Budgets(slack_seconds=0.2))
    assert result.players[0].retired in ("over_budget", "timeout")
    assert result.players[1].retired is None
    assert result.seconds < 20
