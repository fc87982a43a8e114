"""What is no fault: prints, instances that remember, hooks."""

from __future__ import annotations

from tests.arena.bad import QUICK, counts
from tests.arena.conftest import Play


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
