"""The ladder of Azi's house bots, in this process: `python -m benchmarks.azi_ladder`.

Four-seat tables of two bots each, seats rotated: whether each bot is better than the one before it,
how surely, and what a decision costs it. The bots' answers are theirs, but there is no sandbox.
"""

from __future__ import annotations

import math
import sys
import time
from collections import defaultdict
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from harness.arena.cache import use_compiled_cache

use_compiled_cache()

import numpy as np  # noqa: E402

from benchmarks.measure import load  # noqa: E402
from harness.arena import lanes as loops  # noqa: E402
from harness.arena.deals import Deals, derive  # noqa: E402
from harness.arena.seating import chairs, copies, drawn_lineups  # noqa: E402
from harness.games.about import rotation  # noqa: E402
from harness.games.azi.about import ABOUT, AziRules  # noqa: E402
from harness.games.azi.game import GAME  # noqa: E402
from harness.games.contract import SCORE  # noqa: E402
from harness.games.player import SingleBot  # noqa: E402

BOTS = Path(__file__).parents[1] / "bots" / "azi"
LADDER = ("random_legal.py", "always_call_greedy.py", "simple.py", "strong.py")
DEALS = 20_000
LANES = 512


@dataclass(frozen=True)
class Step:
    """What two bots made of the same deals."""

    deals: int
    gain: float
    """Chips per deal that the second bot's seats win, each."""
    margin: float
    """Half the width of its 95 % interval."""
    cost: dict[str, float]
    """Microseconds per decision, by bot."""

    @property
    def separated(self) -> bool:
        """Whether the second bot is better beyond doubt."""
        return self.gain > self.margin


def climb(lower: str, upper: str, rules: AziRules, deals: int, key: bytes = bytes(32)) -> Step:
    """Two bots at tables of `rules.seats` for about so many deals."""
    names = (lower, upper)
    seating = rotation(rules.seats)
    sessions = deals // (rules.session_deals * len(seating.legs))
    lineups = drawn_lineups(sessions, seating.places, 2, key)
    several = copies(seating, lineups)
    bots = [
        load(BOTS / names[chair // several]).make(f"{key.hex()} {chair}", "")
        for chair in range(2 * several)
    ]
    spent: defaultdict[str, float] = defaultdict(float)
    asked: defaultdict[str, int] = defaultdict(int)
    gained = np.zeros(sessions)
    for leg in range(len(seating.legs)):
        taken = chairs(seating, lineups, leg, several)
        points = _leg(rules, key, taken, bots, names, spent, asked)
        gained += np.where(taken // several == 1, points, 0).sum(axis=1)
    # Of every block of legs: chips per deal and seat.
    per_deal = gained / (len(seating.legs) * rules.session_deals * rules.seats / 2)
    margin = 1.96 * float(per_deal.std(ddof=1)) / math.sqrt(sessions)
    cost = {name: 1e6 * spent[name] / asked[name] for name in names}
    played = sessions * len(seating.legs) * rules.session_deals
    return Step(played, float(per_deal.mean()), margin, cost)


def _leg(
    rules: AziRules,
    key: bytes,
    taken: Any,
    bots: list[Any],
    names: tuple[str, str],
    spent: dict[str, float],
    asked: dict[str, int],
) -> Any:
    """All sessions in one seating; returns the points, shape (sessions, seats)."""
    sessions = len(taken)
    rows, words = ABOUT.words(rules)
    source = Deals(derive(key, "ladder"), sessions, rows, words)
    lanes = np.zeros(LANES, GAME.lane)
    more = np.zeros((LANES, rows, words), np.uint32)
    scores = np.zeros((sessions, rules.seats), SCORE)
    done = np.zeros(sessions, np.uint8)
    record = GAME.rules_record(rules)
    state = (lanes, record, source.first(), more, np.zeros(sessions, np.uint32))
    state = (*state, np.zeros(1, np.int64), scores, done)
    index = np.zeros((LANES, 2), np.int32)
    opened = np.zeros(LANES, np.uint8)
    fared = np.zeros(LANES, loops.FARED)
    which = np.zeros(LANES, np.int32)
    frame = np.zeros(LANES, GAME.questions[0].observation)
    replies = np.zeros(LANES, GAME.questions[0].reply)
    loops.open_lanes(*state)
    while not done.all():
        for number, question in enumerate(GAME.questions):
            for chair, bot in enumerate(bots):
                n = loops.gather(lanes, record, taken, chair, number, index, opened, frame)
                if n == 0:
                    continue
                answer = getattr(bot, question.wire.method)
                began = time.process_time()
                if isinstance(bot, SingleBot):
                    replies["code"][:n] = [*map(answer, question.wire.views(frame[:n].tobytes()))]
                else:
                    replies["code"][:n] = answer(frame[:n])
                name = names[chair // (len(bots) // 2)]
                spent[name] += time.process_time() - began
                asked[name] += n
                faults = loops.scatter(*state, index, n, replies, fared)
                assert faults == 0, f"{name} answered something illegal"
        for lane in which[: loops.starved(lanes, which)].tolist():
            deal, refills = int(lanes["deal"][lane]), int(lanes["refills"][lane])
            more[lane] = source.more(deal, refills + 1)
            loops.resume(*state, lane)
    return scores["points"]


def main(arguments: list[str]) -> None:
    """Every step of the ladder, or the two bots named."""
    rules = AziRules()
    pairs = [tuple(arguments)] if arguments else list(pairwise(LADDER))
    for lower, upper in pairs:
        step = climb(lower, upper, rules, DEALS)
        verdict = "separated" if step.separated else "not separated"
        cost = ", ".join(f"{name} {cost:.1f} us" for name, cost in step.cost.items())
        print(
            f"{upper} over {lower}: {step.gain:+.3f} +- {step.margin:.3f} chips per deal, "
            f"{verdict} in {step.deals} deals; a decision: {cost}"
        )


if __name__ == "__main__":
    main(sys.argv[1:])
