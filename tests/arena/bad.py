"""What the tests of bad bots share: a short block, small budgets, and sources to be filled in."""

from __future__ import annotations

from harness.arena.block import Result
from harness.arena.budgets import Budgets

DEALS = 60
GAMES = 2 * DEALS
QUICK = Budgets(decision_seconds=0.1, decision_wall_seconds=0.5, slack_seconds=3)

ONCE = """
import time
class Bad(Player):
    def respond(self, view):
        if view.game_number == 2 and view.hand_number == 1 and not GONE:
            GONE.append(1)
            {how}
        return END if view.total < 15 else STAND
GONE = []
"""
"""Cautious, who does something in a lane's third game, once per process."""

BATCH = """
import numpy as np
class Bad(BatchPlayer):
    def respond(self, frame):
        replies = np.where(frame["total"] < 15, END, STAND)
        {what}
        return replies
"""
"""Cautious as a `BatchPlayer`."""


def counts(result: Result, player: int = 0) -> dict[str, int]:
    """The faults that occurred, by kind."""
    return {kind: n for kind, n in result.players[player].log.counts.items() if n}
