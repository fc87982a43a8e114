"""The speed of Azi's rules alone: `python -m benchmarks.azi`.

Lanes in lockstep on one core, without bots: a compiled random player, at three seats, answers every
question with a legal reply, each kind of bet as likely as the others.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from harness.arena.cache import use_compiled_cache

use_compiled_cache()

import numpy as np  # noqa: E402
from numba import njit  # noqa: E402
from numpy.typing import NDArray  # noqa: E402

from benchmarks.figures import Figure  # noqa: E402
from harness.arena import lanes as loops  # noqa: E402
from harness.arena.deals import Deals  # noqa: E402
from harness.arena.seating import chairs, lineups  # noqa: E402
from harness.games.about import rotation  # noqa: E402
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
def random_legal(frame: Any, n: int, replies: Any, state: Any) -> None:
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


Answer = Callable[[Any, int, Any, Any], None]
"""Answers the first n records of a frame: frame, n, replies, state of a generator."""


@dataclass(frozen=True)
class Run:
    """Sessions that were played, and how long it took."""

    points: NDArray[np.int64]
    """Shape (sessions, seats)."""
    deals: int
    questions: int
    seconds: float
    """CPU, not the clock: one thread, on a machine that may be shared."""


def run(rules: AziRules, sessions: int, answer: Answer, key: bytes = bytes(32)) -> Run:
    """Play sessions on one core, every question answered by `answer`."""
    rows, words = ABOUT.words(rules)
    source = Deals(key, sessions, rows, words)
    lanes = np.zeros(LANES, GAME.lane)
    more = np.zeros((LANES, rows, words), np.uint32)
    seating = chairs(rotation(rules.seats), lineups(sessions, rules.seats), 0, 1).astype(np.int16)
    scores = np.zeros((sessions, rules.seats), SCORE)
    done = np.zeros(sessions, np.uint8)
    record = GAME.rules_record(rules)
    began = time.process_time()
    state = (lanes, record, source.first(), more, np.zeros(sessions, np.uint32))
    state = (*state, np.zeros(1, np.int64), scores, done)
    index = np.zeros((LANES, 2), np.int32)
    opened = np.zeros(LANES, np.uint8)
    fared = np.zeros(LANES, loops.FARED)
    which = np.zeros(LANES, np.int32)
    frame = np.zeros(LANES, GAME.questions[0].observation)
    replies = np.zeros(LANES, GAME.questions[0].reply)
    random = np.array([88172645463325252], np.uint64)
    deals = questions = 0
    loops.open_lanes(*state)
    while not done.all():
        for number in range(len(GAME.questions)):
            for chair in range(rules.seats):
                n = loops.gather(lanes, record, seating, chair, number, index, opened, frame)
                if n:
                    questions += n
                    answer(frame, n, replies, random)
                    before = lanes["deals"].copy()
                    assert loops.scatter(*state, index, n, replies, fared) == 0
                    deals += int((lanes["deals"] != before).sum())  # back to 0: another session
        for lane in which[: loops.starved(lanes, which)].tolist():
            deal, refills = int(lanes["deal"][lane]), int(lanes["refills"][lane])
            more[lane] = source.more(deal, refills + 1)
            loops.resume(*state, lane)
    return Run(scores["points"], deals, questions, time.process_time() - began)


def engine() -> Iterator[Figure]:
    """The line of `python -m benchmarks`."""
    run(RULES, LANES, random_legal)
    played = run(RULES, 20_000, random_legal)
    yield Figure(
        f"Azi: engine alone, random legal play, {RULES.seats} seats, "
        f"{played.questions / played.deals:.1f} questions a deal, one core",
        f"{played.deals / played.seconds:,.0f} deals/s",
        "aim: 100,000 deals/s",
    )


def main() -> None:
    """Print the figure."""
    for figure in engine():
        print(f"{figure.what}: {figure.measured} ({figure.aim})")


if __name__ == "__main__":
    main()
