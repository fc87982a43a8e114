"""The speed of bots in other languages: `python -m benchmarks.programs`.

Each example plays a match against a vectorised bot, which costs next to nothing, on one core that
the table, the program and its bridge share, as in an event.
"""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Iterator
from pathlib import Path

from harness.arena.cache import use_compiled_cache

use_compiled_cache()

from benchmarks.figures import Figure  # noqa: E402
from benchmarks.measure import BATCH, BOTS, LANES, player  # noqa: E402
from harness import games  # noqa: E402
from harness.arena.block import play_block  # noqa: E402
from harness.arena.budgets import Budgets  # noqa: E402
from harness.arena.job import Job, Player  # noqa: E402
from harness.entrants import load  # noqa: E402
from harness.sandbox.nursery import Nursery  # noqa: E402
from harness.sandbox.probe import probe  # noqa: E402

EXAMPLES = Path("bots/examples/pazaak")
DEALS = 10_000
NEEDS = {"niklos_c": "gcc", "niklos_javascript": "node", "niklos_java": "javac"}
# Measured is what a machine can do, however busy it is: nobody is to be retired here.
BUDGETS = Budgets(slack_seconds=600)


def decisions() -> Iterator[Figure]:
    """Decisions a second of the examples, beside the house bot in Python that they repeat."""
    core = min(os.sched_getaffinity(0))
    before = os.sched_getaffinity(0)
    nursery = Nursery("pazaak", probe().layers, core)
    os.sched_setaffinity(0, {core})
    try:
        python, _ = _rate(player(BOTS / "niklos.py"), nursery)
        for name, command in NEEDS.items():
            if shutil.which(command) is None:
                yield Figure(f"decisions of {name}", f"not measured: no {command}", "")
                continue
            entrant = load("pazaak", EXAMPLES / name, nursery, BUDGETS)
            rate, own = _rate(entrant.player(), nursery)
            yield Figure(
                f"decisions of {name}, one core",
                f"{rate:,.0f}/s; {own * 1e6:.2f} us of its own CPU each",
                ("aim: 100,000/s; " if name == "niklos_c" else "")
                + f"the same bot in Python {python:,.0f}/s",
            )
    finally:
        os.sched_setaffinity(0, before)
        nursery.close()


def _rate(bot: Player, nursery: Nursery) -> tuple[float, float]:
    """Decisions a second of a whole block, and the CPU of one in the bot's own process."""
    game = games.load("pazaak")
    rival = player(BATCH / "batch_cautious.py", batch=True)
    for deals in (200, DEALS):  # the first loads everything once
        job = Job(
            "pazaak",
            game.about.variants["text"],
            (bot, rival),
            bytes(32),
            deals,
            LANES,
            BUDGETS,
        )
        began = time.perf_counter()
        result = play_block(job, game, nursery)
        seconds = time.perf_counter() - began
    own = result.players[0]
    assert not any(own.log.counts.values())
    return own.decisions / seconds, own.cpu / own.decisions


if __name__ == "__main__":
    for figure in decisions():
        print(f"{figure.what}: {figure.measured} ({figure.aim})")
