"""Blocks at tables, with real processes: instances, records in batches, and games that go on."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from harness import games
from harness.arena.block import Result, play_block
from harness.arena.budgets import Budgets
from harness.arena.job import Job, Player
from harness.arena.seating import drawn_lineups
from harness.sandbox.nursery import Nursery
from harness.sandbox.probe import probe
from tests.sampling import sampled

DEALS = 20
QUICK = Budgets(decision_seconds=0.1, decision_wall_seconds=0.5, slack_seconds=3)

# Lays the card it is asked for or its first one; calls when it sees a fourth or fifth card.
USUAL = """
class Usual(Player):
    def lay(self, view):
        return [view.rank] * view.hand.count(view.rank) or view.hand[:1]

    def call(self, view):
        return view.hand.count(view.rank) + view.number > 3
"""
IN_BATCHES = """
import numpy as np
from harness.games.bs.frames import CALL_REPLY, LAY_REPLY

class InBatches(BatchPlayer):
    def lay(self, frame):
        replies = np.zeros(len(frame), LAY_REPLY.dtype())
        same = (frame["hand"] == frame["rank"][:, None]).sum(axis=1)
        replies["code"] = np.maximum(same, 1)
        replies["cards"] = frame["rank"][:, None]
        replies["cards"][same == 0, 0] = frame["hand"][same == 0, 0]
        return replies

    def call(self, frame):
        replies = np.zeros(len(frame), CALL_REPLY.dtype())
        same = (frame["hand"] == frame["rank"][:, None]).sum(axis=1)
        replies["code"] = same + frame["number"] > 3
        return replies
"""

Play = Callable[..., Result]


@pytest.fixture(scope="module")
def bs() -> Iterator[Nursery]:
    nursery = Nursery("bs", probe().layers, core=None)
    yield nursery
    nursery.close()


@pytest.fixture
def play(bs: Nursery, tmp_path: Path) -> Play:
    """Plays a block of a bot (player 0) and four or more usual ones."""

    def run(source: str, *, lanes: int = DEALS, absent: tuple[int, ...] = ()) -> Result:
        players = []
        for number in range(5):
            text = USUAL if number else source
            path = tmp_path / f"bot{number}.py"
            header = "from harness.games.bs import BatchPlayer, Player\n"
            path.write_text(header + textwrap.dedent(text), encoding="utf-8")
            batch = "BatchPlayer)" in text
            players.append(Player(f"bot{number}", str(path), batch, batch, None))
        game = games.load("bs")
        rules = game.about.variants["text"]
        job = Job("bs", rules, tuple(players), bytes(32), DEALS, lanes, QUICK, True, absent)
        return play_block(job, game, bs)

    return run


def test_everybody_plays_its_share_and_one_at_most_wins(play: Play) -> None:
    result = play(USUAL)
    assert result.games == 4 * DEALS
    for player in range(5):
        assert result.seats_of(player).sum() == 4 * DEALS * 4 // 5
    assert (result.won.sum(axis=2) <= 1).all()
    assert result.won.sum() > 0.9 * result.games
    assert not any(any(player.log.counts.values()) for player in result.players)
    assert sum(tally.deals for tally in result.tallies) == DEALS
    lineups = drawn_lineups(DEALS, 4, 5, bytes(32))
    for deal in range(DEALS):
        assert sorted(result.seated[0, deal]) == sorted(lineups[deal])


def test_a_batch_player_with_records_plays_as_the_same_player_does(play: Play) -> None:
    one, other = play(USUAL), play(IN_BATCHES)
    assert not any(other.players[0].log.counts.values())
    assert (one.won == other.won).all()
    assert (one.points == other.points).all()
    assert one.players[0].decisions == other.players[0].decisions


@pytest.mark.parametrize(
    "wrong",
    sampled(
        [
            "return np.zeros(len(frame), np.int16)",
            "return np.zeros(len(frame) + 1, LAY_REPLY.dtype())",
            "return [None] * len(frame)",
            "return np.zeros((len(frame), 1), LAY_REPLY.dtype())",
        ],
        1,
    ),
)
def test_a_batch_of_the_wrong_kind_is_one_fault(play: Play, wrong: str) -> None:
    result = play(IN_BATCHES.replace("replies = np.zeros(len(frame), LAY_REPLY.dtype())", wrong, 1))
    counts = result.players[0].log.counts
    assert {kind for kind, n in counts.items() if n} == {"protocol"}
    assert "expected" in result.players[0].log.examples[0].traceback


def test_a_code_that_no_reply_has_is_a_fault(play: Play) -> None:
    wrong = IN_BATCHES.replace('replies["code"] = np.maximum(same, 1)', 'replies["code"] = -32768')
    assert play(wrong).players[0].log.counts["protocol"] > 0


def test_every_game_has_an_instance_of_its_own(play: Play) -> None:
    source = USUAL.replace(
        "    def lay(self, view):",
        """    games = 0

    def start_game(self, view):
        self.games += 1
        self.first = view.turn

    def lay(self, view):
        if self.games != 1 or self.first > 3:
            raise ValueError(f"game {self.games}, from turn {self.first}")""",
    )
    result = play(source, lanes=7)
    assert not any(result.players[0].log.counts.values())
    assert (result.won == play(USUAL).won).all()


def test_whoever_crashes_cannot_win_and_the_others_play_on(play: Play) -> None:
    source = USUAL.replace(
        "    def call(self, view):",
        """    def call(self, view):
        if view.turn == 9:
            __import__("os")._exit(1)""",
    )
    result = play(source)
    own = result.players[0]
    assert own.log.counts["crash"] > 10
    crashed = result.faulty & result.seats_of(0)
    assert crashed.any()
    games_hit = crashed.any(axis=2)
    assert not (result.won.astype(bool) & crashed).any()
    # The other three go on: nearly all of these games have a winner.
    assert result.won[games_hit].sum() > 0.9 * games_hit.sum()
    assert not any(any(player.log.counts.values()) for player in result.players[1:])


def test_whoever_is_retired_on_the_way_wins_nothing_more(play: Play) -> None:
    result = play("raise SystemExit")
    assert result.players[0].retired == "start"
    assert not (result.won.astype(bool) & result.seats_of(0)).any()
    assert result.players[0].decisions == 0
    assert result.won.sum() > 0.9 * result.games


def test_an_absent_player_is_not_even_started(play: Play) -> None:
    result = play("raise SystemExit", absent=(0,))
    assert result.players[0].retired is None
    assert result.players[0].starts == 0
    assert not any(result.players[0].log.counts.values())
    assert not (result.won.astype(bool) & result.seats_of(0)).any()
    assert (result.won == play("raise SystemExit").won).all()


@pytest.mark.slow
def test_the_same_block_comes_out_the_same(play: Play) -> None:
    dice = USUAL.replace(
        ".count(view.rank) + view", ".count(view.rank) + self.rng.choice([0, 1]) + view"
    )
    one, other = play(dice), play(dice)
    assert (one.won == other.won).all()
    assert one.tallies == other.tallies
    assert np.array_equal(one.seated, other.seated)
