"""The fault table: one tiny bad bot per row; its verdict, its cost, its record."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from harness import games
from harness.arena.block import Result, play_block
from harness.arena.budgets import Budgets
from harness.arena.job import Job, Player
from harness.sandbox.nursery import Nursery
from tests.conftest import CAUTIOUS
from tests.sampling import sampled

DEALS = 60
GAMES = 2 * DEALS
QUICK = Budgets(decision_seconds=0.1, decision_wall_seconds=0.5, slack_seconds=3)

Play = Callable[..., Result]


@pytest.fixture
def play(nursery: Nursery, write_bot: Callable[..., Path]) -> Play:
    """Plays a bot (player 0) against Cautious (player 1)."""

    def run(
        source: str, budgets: Budgets = QUICK, *, deals: int = DEALS, lanes: int = 16
    ) -> Result:
        batch = "BatchPlayer)" in source
        own = 1 if "lanes = 1" in source else None
        players = (
            Player("bad", str(write_bot(source)), batch, batch or "numpy" in source, own),
            Player("cautious", str(write_bot(CAUTIOUS, "cautious")), False, False, None),
        )
        game = games.load("pazaak")
        rules = game.about.variants["text"]
        job = Job("pazaak", rules, players, bytes(32), deals, lanes, budgets)
        return play_block(job, game, nursery)

    return run


def counts(result: Result, player: int = 0) -> dict[str, int]:
    """The faults that occurred, by kind."""
    return {kind: n for kind, n in result.players[player].log.counts.items() if n}


def test_a_bot_without_faults_plays_every_game(play: Play) -> None:
    result = play(CAUTIOUS)
    assert counts(result) == counts(result, 1) == {}
    assert sum(p.wins for p in result.players) == result.games == GAMES
    assert result.won.shape == (2, DEALS, 2)


def test_identical_bots_split_every_deal(play: Play) -> None:
    result = play(CAUTIOUS)
    assert result.squares == 0
    assert result.players[0].wins == result.players[1].wins


ILLEGAL = """
class Bad(Player):
    def respond(self, view):
        return {reply} if view.total >= 15 else END
"""


@pytest.mark.parametrize("reply", sampled(["play(9)", "-2", "-32765", "12345", "play(15)"], 2))
def test_an_illegal_action_is_replaced_and_counted_without_limit(play: Play, reply: str) -> None:
    result = play(ILLEGAL.format(reply=reply), QUICK.model_copy(update={"max_faults": 0}))
    assert set(counts(result)) == {"illegal"}
    assert counts(result)["illegal"] > GAMES
    assert result.players[0].retired is None
    # The substitute is STAND, so this bot is Cautious with another spelling.
    assert result.players[0].wins == result.players[1].wins
    example = result.players[0].log.examples[0]
    assert example.kind == "illegal"
    assert example.saw["total"] >= 15
    assert str(example.answered) in reply


@pytest.mark.parametrize(
    "reply",
    sampled(
        [
            "True",
            "1.0",
            "None",
            "10**30",
            "-10**30",
            "40000",
            "'END'",
            "(1,)",
            "Int(0)",
            "object()",
        ],
        4,
    ),
)
def test_a_reply_of_the_wrong_type_is_a_protocol_fault(play: Play, reply: str) -> None:
    source = f"""
class Int(int):
    pass
class Bad(Player):
    def respond(self, view):
        return {reply} if view.hand_number == 1 and len(view.hand) == 1 else STAND
"""
    result = play(source, QUICK.model_copy(update={"max_faults": 10_000}))
    assert set(counts(result)) == {"protocol"}
    assert result.players[0].retired is None
    assert result.players[0].log.examples[0].saw["hand_number"] == 1


@pytest.mark.parametrize(
    "error",
    sampled(
        [
            "1 / 0",
            "raise SystemExit(0)",
            "raise KeyboardInterrupt",
            "raise StopIteration",
            "raise GeneratorExit",
            "self.respond(view)",
            "raise BaseException('x' * 1_000_000)",
        ],
        3,
    ),
)
def test_an_exception_costs_the_action_and_keeps_its_traceback(play: Play, error: str) -> None:
    source = f"""
class Bad(Player):
    def respond(self, view):
        if view.game_number == 1 and len(view.hand) == 1:
            {error}
        return END if view.total < 15 else STAND
"""
    result = play(source, QUICK.model_copy(update={"max_faults": 10_000}))
    assert set(counts(result)) == {"exception"}
    example = result.players[0].log.examples[0]
    assert example.saw["game_number"] == 1
    assert "respond" in example.traceback
    assert "runner.py" not in example.traceback
    assert result.players[0].wins > 0


def test_more_than_max_faults_retires_and_the_rest_are_walkovers(play: Play) -> None:
    source = "class Bad(Player):\n    def respond(self, view):\n        raise ValueError('no')\n"
    result = play(source, QUICK.model_copy(update={"max_faults": 100}))
    assert result.players[0].retired == "exception"
    assert 100 < counts(result)["exception"] <= 100 + 16
    assert result.players[1].wins >= GAMES - 100
    assert result.players[1].points >= 3 * (GAMES - 100)


HANG = """
import time
class Bad(Player):
    def respond(self, view):
        if view.game_number == 2 and view.hand_number == 1 and not GONE:
            GONE.append(1)
            {how}
        return END if view.total < 15 else STAND
GONE = []
"""


@pytest.mark.parametrize(
    ("how", "kind"),
    sampled(
        [
            ("while True: pass", "timeout"),
            ("__import__('os')._exit(3)", "crash"),
            ("[bytearray(1 << 30) for _ in range(64)]", "memory"),
            ("__import__('ctypes').string_at(8)", "crash"),
            ("time.sleep(60)", "timeout"),
            ("pow(7, 10**9)", "timeout"),
            ("sum(range(10**11))", "timeout"),
            ("__import__('re').match('(a*)*b', 'a' * 60)", "timeout"),
            ("__import__('os')._exit(0)", "crash"),
        ],
        4,
    ),
)
def test_a_process_that_breaks_forfeits_the_game_it_broke_in_and_plays_on(
    play: Play, how: str, kind: str
) -> None:
    result = play(HANG.format(how=how))
    # Every new process of the bot forgets, so it breaks once per process; but once a lane's
    # instances are fresh it needs three games more to get there.
    assert set(counts(result)) == {kind}
    assert result.players[0].retired is None
    example = result.players[0].log.examples[0]
    assert example.kind == kind
    assert example.saw["hand_number"] == 1
    own = result.seats_of(0)[example.leg, example.deal]
    assert result.won[example.leg, example.deal, own].tolist() == [0]
    assert result.won[example.leg, example.deal, ~own].tolist() == [1]
    assert result.points[example.leg, example.deal, ~own].tolist() == [3]
    assert sum(p.wins for p in result.players) == GAMES


def test_a_bot_that_closes_its_channel_has_crashed(play: Play) -> None:
    result = play(HANG.format(how="__import__('os').closerange(0, 64)"))
    # It went on answering the frame until it had to ring, so the last game of the frame is lost.
    assert set(counts(result)) == {"crash"}
    assert sum(p.wins for p in result.players) == GAMES


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


BATCH = """
import numpy as np
class Bad(BatchPlayer):
    def respond(self, frame):
        replies = np.where(frame["total"] < 15, END, STAND)
        {what}
        return replies
"""


def test_a_batch_player_plays_like_its_single_twin(play: Play) -> None:
    result = play(BATCH.format(what="pass"))
    assert counts(result) == {}
    assert result.squares == 0


@pytest.mark.parametrize(
    ("what", "kind"),
    sampled(
        [
            ("replies = replies[:-1]", "protocol"),
            ("replies = list(replies)", "protocol"),
            ("replies = replies.astype(float)", "protocol"),
            ("replies = replies.reshape(-1, 1)", "protocol"),
            ("replies = replies == 0", "protocol"),
            ("replies = None", "protocol"),
            ("1 / 0", "exception"),
        ],
        3,
    ),
)
def test_a_batch_fault_is_one_fault_for_the_whole_frame(play: Play, what: str, kind: str) -> None:
    source = BATCH.format(
        what="self.n = getattr(self, 'n', 0) + 1\n        if self.n == 3: " + what
    )
    result = play(source)
    assert counts(result) == {kind: 2}  # once per leg
    assert result.players[0].retired is None


def test_a_batch_reply_out_of_range_is_a_protocol_fault(play: Play) -> None:
    result = play(BATCH.format(what="replies = replies.astype(np.int64); replies[0] = 10**12"))
    assert set(counts(result)) == {"protocol"}


def test_a_batch_player_that_hangs_forfeits_its_frame(play: Play) -> None:
    hang = "self.n = getattr(self, 'n', 0) + 1\n        while self.n == 3: pass"
    result = play(BATCH.format(what=hang), deals=16)
    assert set(counts(result)) == {"timeout"}
    assert sum(p.wins for p in result.players) == 32


def test_printing_a_lot_harms_nothing(play: Play) -> None:
    source = """
import os, sys
class Bad(Player):
    def respond(self, view):
        print("x" * 1_000_000)
        sys.stderr.write("y" * 1000)
        return END if view.total < 15 else STAND
"""
    result = play(source, QUICK.model_copy(update={"output_kb": 64, "slack_seconds": 30.0}))
    assert counts(result) == {}
    assert result.squares == 0
    assert 0 < len(result.players[0].output) <= 64 * 1024


def test_one_lane_means_strictly_one_game_after_another(play: Play) -> None:
    source = """
class Bad(Player):
    lanes = 1
    games = -1
    def respond(self, view):
        assert view.game_number in (self.games, self.games + 1)
        self.games = view.game_number
        return END if view.total < 15 else STAND
"""
    assert counts(play(source)) == {}


def test_the_hook_is_called_before_the_first_answer_of_every_game(play: Play) -> None:
    source = """
class Bad(Player):
    begun = 0
    def start_game(self, view):
        assert view.game_number == self.begun
        assert len(view.hand) == 1
        self.begun += 1
    def respond(self, view):
        assert self.begun == view.game_number + 1
        return END if view.total < 15 else STAND
"""
    assert counts(play(source)) == {}


def test_a_bell_rung_without_answers_is_the_bots_own_loss(play: Play) -> None:
    source = """
import os
class Bad(Player):
    def respond(self, view):
        if view.hand_number == 1:
            for fd in range(3, 64):
                try:
                    os.write(fd, bytes(4))
                except OSError:
                    pass
        return END if view.total < 15 else STAND
"""
    result = play(source, QUICK.model_copy(update={"max_faults": 10_000}), deals=4)
    assert set(counts(result)) <= {"protocol", "crash"}
    assert counts(result)
    assert sum(p.wins for p in result.players) == 8


def test_random_calls_of_a_bot_change_no_deal_and_are_reproducible(play: Play) -> None:
    source = """
import random
class Bad(Player):
    def respond(self, view):
        {extra}
        return END if view.total < 15 else STAND
"""
    plain = play(source.format(extra="pass"))
    calls = play(source.format(extra="[random.random() for _ in range(1000)]"))
    assert (plain.won == calls.won).all()
    assert (plain.points == calls.points).all()
    rolls = source.format(extra="if random.random() < .3 or self.rng.random() < .3: return STAND")
    once, again = play(rolls), play(rolls)
    assert (once.points == again.points).all()
    assert (once.points != plain.points).any()


@pytest.mark.parametrize(
    "act",
    sampled(
        [
            "os._exit(77)",
            "os._exit(78)",
            "__import__('signal').raise_signal(40)",
            "os.abort()",
            "[os.write(fd, b'[' * 3000 + b'\\n') for fd in FDS]; os._exit(1)",
            "[os.write(fd, ISOLATION) for fd in FDS]; os._exit(78)",
        ],
        3,
    ),
)
@pytest.mark.parametrize("when", ["loading", "playing"])
def test_a_bot_that_plays_the_harness_hurts_only_itself(play: Play, act: str, when: str) -> None:
    open_fds = """
import os
ISOLATION = b'{"note": "failed", "kind": "isolation"}\\n'
FDS = []
for fd in range(3, 64):
    try:
        os.write(fd, b"")
        FDS.append(fd)
    except OSError:
        pass
"""
    playing = f"        if view.game_number == 1:\n            {act}\n" if when == "playing" else ""
    source = (
        f"{open_fds}\n{act if when == 'loading' else ''}\n"
        "class Bad(Player):\n    def respond(self, view):\n"
        f"{playing}        return END if view.total < 15 else STAND\n"
    )
    result = play(source, QUICK.model_copy(update={"max_faults": 20}), deals=20)
    bad = result.players[0]
    assert bad.retired is not None or counts(result)
    assert counts(result, 1) == {}
    assert sum(p.wins for p in result.players) == 40
