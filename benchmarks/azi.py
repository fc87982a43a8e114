"""The speed of Azi's rules alone: `python -m benchmarks.azi`.

Lanes in lockstep on one core, without bots: a compiled random player, at three seats, answers every
question with a legal reply, each kind of bet as likely as the others.
"""

from __future__ import annotations

import time
from typing import Any

from harness.arena.cache import use_compiled_cache

use_compiled_cache()

import numpy as np  # noqa: E402
from numba import njit  # noqa: E402

from harness.arena import lanes as loops  # noqa: E402
from harness.arena.deals import Deals  # noqa: E402
from harness.arena.seating import chairs, lineups  # noqa: E402
from harness.games.azi import CALL, FOLD  # noqa: E402
from harness.games.azi.about import ABOUT, AziRules  # noqa: E402
from harness.games.azi.game import GAME  # noqa: E402
from harness.games.contract import SCORE  # noqa: E402

RULES = AziRules(seats=3)
LANES = 2048


@njit(cache=True)
def _draw(state: Any, choices: int) -> int:
    """A xorshift generator: quick, and random enough to play cards with."""
    x = state[0]
    x ^= x << np.uint64(13)
    x ^= x >> np.uint64(7)
    x ^= x << np.uint64(17)
    state[0] = x
    return np.int64((x >> np.uint64(33)) % np.uint64(choices))


@njit(cache=True)
def answer(frame: Any, n: int, replies: Any, state: Any) -> None:
    """A random legal reply to each of the first `n` records."""
    for k in range(n):
        legal = np.int64(frame[k].legal)
        if legal:
            count, rest = 0, legal
            while rest:
                rest &= rest - 1
                count += 1
            for _ in range(_draw(state, count)):
                legal &= legal - 1
            code = 0
            while not legal >> code & 1:
                code += 1
        else:
            fold, call, most = frame[k].may_fold, frame[k].may_call, np.int64(frame[k].most)
            kind = _draw(state, np.int64(fold) + np.int64(call) + np.int64(most > 0))
            if fold and kind == 0:
                code = FOLD
            elif call and kind == np.int64(fold):
                code = CALL
            else:
                least = np.int64(frame[k].least)
                code = least + _draw(state, most - least + 1)
        replies[k].code = code


def deals_per_second(rules: AziRules, sessions: int) -> float:
    """Sessions of random play on one core; returns how many deals a second they had."""
    rows, words = ABOUT.words(rules)
    source = Deals(bytes(32), sessions, rows, words)
    lanes = np.zeros(LANES, GAME.lane)
    more = np.zeros((LANES, rows, words), np.uint32)
    seating = chairs(ABOUT.tables(rules), lineups(sessions, rules.seats), 0, 1).astype(np.int16)
    scores = np.zeros((sessions, rules.seats), SCORE)
    done = np.zeros(sessions, np.uint8)
    record = GAME.rules_record(rules)
    began = time.process_time()  # one thread: the machine may be shared
    state = (lanes, record, source.first(), more, np.zeros(sessions, np.uint32))
    state = (*state, np.zeros(1, np.int64), scores, done)
    index = np.zeros((LANES, 2), np.int32)
    opened = np.zeros(LANES, np.uint8)
    fared = np.zeros(LANES, loops.FARED)
    frame = np.zeros(LANES, GAME.questions[0].observation)
    replies = np.zeros(LANES, GAME.questions[0].reply)
    random = np.array([88172645463325252], np.uint64)
    deals = questions = 0
    loops.open_lanes(*state)
    busy = True
    while busy:
        busy = False
        for number in range(len(GAME.questions)):
            for chair in range(rules.seats):
                n = loops.gather(lanes, record, seating, chair, number, index, opened, frame)
                if n:
                    busy = True
                    questions += n
                    answer(frame, n, replies, random)
                    # A deal is over when its bank is paid out: count by the views' numbers.
                    before = lanes["deals"].copy()
                    assert loops.scatter(*state, index, n, replies, fared) == 0
                    deals += int(np.maximum(lanes["deals"] - before, lanes["deals"] < before).sum())
    seconds = time.process_time() - began
    assert done.all()
    print(f"{deals / sessions:.1f} deals a session, {questions / deals:.1f} questions a deal")
    return deals / seconds


def main() -> None:
    """Print the figure."""
    deals_per_second(RULES, LANES)
    print(f"{deals_per_second(RULES, 20_000):,.0f} deals/s per core")


if __name__ == "__main__":
    main()
