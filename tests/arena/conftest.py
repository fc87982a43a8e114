from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from harness import games
from harness.arena.block import Result, play_block
from harness.arena.budgets import Budgets
from harness.arena.job import Job, Player
from harness.sandbox.nursery import Nursery
from tests.arena.bad import DEALS, QUICK
from tests.conftest import CAUTIOUS

Play = Callable[..., Result]


@pytest.fixture
def play(nursery: Nursery, write_bot: Callable[..., Path]) -> Play:
    """Plays a block of a bot (player 0) against Cautious (player 1)."""
    shared = nursery

    def run(
        source: str,
        budgets: Budgets = QUICK,
        *,
        deals: int = DEALS,
        lanes: int = 16,
        nursery: Nursery = shared,
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
