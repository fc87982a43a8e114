"""The speed of BS: `python -m benchmarks.bs` its rules alone, with `--bots` the field of 2015 too.

The rules alone: lanes in lockstep on one core, without bots. A compiled random player lays every
card it holds with probability 1/2, at least one, and calls with probability 1/2.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from typing import Any

from harness.arena.cache import use_compiled_cache

use_compiled_cache()

import numpy as np  # noqa: E402
from numba import njit  # noqa: E402

from benchmarks.figures import Figure  # noqa: E402
from harness.arena import lanes as loops  # noqa: E402
from harness.arena.deals import Deals  # noqa: E402
from harness.arena.seating import chairs, lineups  # noqa: E402
from harness.games.about import rotation  # noqa: E402
from harness.games.bs import SEATS  # noqa: E402
from harness.games.bs.about import ABOUT, BsRules  # noqa: E402
from harness.games.bs.game import GAME  # noqa: E402
from harness.games.contract import SCORE  # noqa: E402

RULES = BsRules()
LANES = 512  # their records fit a core's second cache


@njit(cache=True)
def _bits(state: Any) -> Any:
    """64 random bits, by a xorshift generator: quick, and random enough to play cards with."""
    x = state[0]
    x ^= x << np.uint64(13)
    x ^= x >> np.uint64(7)
    x ^= x << np.uint64(17)
    state[0] = x
    return x


@njit(cache=True)
def lay(frame: Any, n: int, replies: Any, state: Any) -> None:
    """Half of the hand, any cards, at least one, for each of the first `n` records."""
    for k in range(n):
        size = np.int64(frame[k].sizes[frame[k].seat])
        bits = _bits(state)
        number = 0
        for place in range(size):
            if bits >> np.uint64(place) & np.uint64(1):
                replies[k].cards[number] = frame[k].hand[place]
                number += 1
        if number == 0:
            replies[k].cards[0] = frame[k].hand[np.int64(bits >> np.uint64(58)) % size]
            number = 1
        replies[k].code = number


@njit(cache=True)
def call(frame: Any, n: int, replies: Any, state: Any) -> None:
    """Call or not, at even odds."""
    for k in range(n):
        replies[k].code = np.int64(_bits(state) >> np.uint64(40)) & 1


def rules_alone(deals: int) -> tuple[float, float]:
    """Random play of `deals` games on one core: games per second, and questions per game."""
    rows, words = ABOUT.words(RULES)
    source = Deals(bytes(32), deals, rows, words)
    lanes, record = np.zeros(LANES, GAME.lane), GAME.rules_record(RULES)
    more = np.zeros((LANES, rows, words), np.uint32)
    seating = chairs(rotation(SEATS), lineups(deals, SEATS), 0, 1)
    scores, done = np.zeros((deals, SEATS), SCORE), np.zeros(deals, np.uint8)
    began = time.process_time()  # one thread: the machine may be shared
    state = (lanes, record, source.first(), more, np.zeros(deals, np.uint32))
    state = (*state, np.zeros(1, np.int64), scores, done)
    index, opened = np.zeros((LANES, 2), np.int32), np.zeros(LANES, np.uint8)
    fared, starving = np.zeros(LANES, loops.FARED), np.zeros(LANES, np.int32)
    frame = np.zeros(LANES, GAME.questions[0].observation)
    replies = [np.zeros(LANES, question.reply) for question in GAME.questions]
    random = np.array([88172645463325252], np.uint64)
    questions = 0
    loops.open_lanes(*state)
    busy = True
    while busy:
        busy = False
        for number, answer in enumerate((lay, call)):
            for chair in range(SEATS):
                n = loops.gather(lanes, record, seating, chair, number, index, opened, frame)
                if n:
                    busy = True
                    questions += n
                    answer(frame, n, replies[number], random)
                    assert loops.scatter(*state, index, n, replies[number], fared) == 0
        for lane in starving[: loops.starved(lanes, starving)].tolist():
            busy = True
            deal, refills = int(lanes["deal"][lane]), int(lanes["refills"][lane])
            more[lane] = source.more(deal, refills + 1)
            loops.resume(*state, lane)
    seconds = time.process_time() - began
    assert done.all()
    return deals / seconds, questions / deals


def field_of_2015(games: int) -> float:
    """Games per second of the nine, sandboxed, the start of the arena included."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "harness", "tables", "configs/bs-2015.yaml", "--quiet"]
        command += ["--games", str(games), "--results", folder]
        began = time.perf_counter()
        subprocess.run(command, check=True, capture_output=True)
        return games * 9 / 4 / (time.perf_counter() - began)


def figures() -> Iterator[Figure]:
    """The lines of `python -m benchmarks`."""
    rules_alone(LANES)  # loads or compiles the rules
    rate, questions = rules_alone(20_000)
    yield Figure(
        f"BS: engine alone, random play of {questions:.0f} questions a game, one core",
        f"{rate:,.0f} games/s",
        "aim: 50,000 games/s",
    )
    yield Figure(
        "BS: the field of 2015, sandboxed, two workers",
        f"{field_of_2015(20_000):,.0f} games/s",
        "aim: 3,000 games/s, what the 2015 controller does",
    )


def main(arguments: list[str]) -> None:
    """Print the figures."""
    rules_alone(LANES)  # loads or compiles the rules
    rate, questions = rules_alone(50_000)
    print(f"rules alone: {rate:,.0f} games/s per core, {questions:.0f} questions a game")
    if "--bots" in arguments:
        print(f"the field of 2015, sandboxed: {field_of_2015(40_000):,.0f} games/s")


if __name__ == "__main__":
    main(sys.argv[1:])
