"""Spades bots against each other in this process, and the Spades engine alone.

    python -m benchmarks.spades bots/spades/normal.py bots/spades/easy.py --deals 2000

A mirrored game is a deal sequence played twice, the teams' hands swapped.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from harness.arena.cache import use_compiled_cache

use_compiled_cache()  # before anything imports Numba

import numpy as np  # noqa: E402
from numba import njit  # noqa: E402
from numpy.typing import NDArray  # noqa: E402

from benchmarks.figures import Figure  # noqa: E402
from benchmarks.measure import load  # noqa: E402
from harness.arena import lanes as loops  # noqa: E402
from harness.arena.deals import Deals  # noqa: E402
from harness.arena.seating import chairs, lineups  # noqa: E402
from harness.games.contract import SCORE  # noqa: E402
from harness.games.spades import Player  # noqa: E402
from harness.games.spades.about import ABOUT, SpadesRules  # noqa: E402
from harness.games.spades.game import GAME  # noqa: E402

LANES = 500


@dataclass(frozen=True)
class Match:
    """What the first bot has done against the second one."""

    won: NDArray[np.int64]
    """Games won, drawn ones as a half each, doubled; shape (deals, legs)."""
    margin: NDArray[np.int64]
    """Its points less the other's; shape (deals, legs)."""
    seconds: tuple[float, float]
    """CPU per decision of both bots, views included."""

    @property
    def share(self) -> float:
        """Of games won."""
        return float(self.won.mean()) / 2

    @property
    def error(self) -> float:
        """Standard error of `share`, over deals."""
        return float((self.won.mean(axis=1) / 2).std(ddof=1) / np.sqrt(len(self.won)))


class Loop:
    """The arena's loops over the lanes of one leg, with a Python function for every chair."""

    def __init__(self, deals: int, key: bytes, leg: int, lanes: int = LANES) -> None:
        rules = SpadesRules()
        assert ABOUT.pairs is not None
        seating = ABOUT.pairs(rules)
        self.source = Deals(key, deals, *ABOUT.words(rules))
        self.table = np.zeros(lanes, GAME.lane)
        self.record = GAME.rules_record(rules)
        self.more = np.zeros((lanes, self.source.rows, self.source.words), np.uint32)
        self.scores = np.zeros((deals, seating.seats), SCORE)
        self.done = np.zeros(deals, np.uint8)
        self.seating = chairs(seating, lineups(deals, 2), leg, 2).astype(np.int16)
        self.state: tuple[Any, ...] = (
            *(self.table, self.record, self.source.first(), self.more),
            *(np.zeros(deals, np.uint32), np.zeros(1, np.int64), self.scores, self.done),
        )
        self.index = np.zeros((lanes, 2), np.int32)
        self.opened = np.zeros(lanes, np.uint8)
        self.fared = np.zeros(lanes, loops.FARED)
        self.which = np.zeros(lanes, np.int32)
        self.frames = [np.zeros(lanes, question.observation) for question in GAME.questions]
        self.replies = np.zeros(lanes, GAME.questions[0].reply)

    def gather(self, chair: int, question: int) -> int:
        return loops.gather(
            *(self.table, self.record, self.seating, chair, question),
            *(self.index, self.opened, self.frames[question]),
        )

    def scatter(self, n: int) -> None:
        faults = loops.scatter(*self.state, self.index, n, self.replies, self.fared)
        if faults:
            raise ValueError(f"{faults} illegal answers")

    def feed(self) -> bool:
        """Continue the words of the lanes that are out of them."""
        n = loops.starved(self.table, self.which)
        for lane in self.which[:n].tolist():
            deal, refills = int(self.table["deal"][lane]), int(self.table["refills"][lane])
            self.more[lane] = self.source.more(deal, refills + 1)
            loops.resume(*self.state, lane)
        return n > 0


def play_match(
    bots: tuple[type[Player], type[Player]], deals: int, seed: int, lanes: int = LANES
) -> Match:
    """Play `deals` mirrored games; every process of the arena is a row of instances here."""
    won, margin = np.zeros((deals, 2), np.int64), np.zeros((deals, 2), np.int64)
    spent, made = [0.0, 0.0], [0, 0]
    for leg in (0, 1):
        loop = Loop(deals, seed.to_bytes(32, "big"), leg, lanes)
        seats = [
            [bots[chair // 2].make(f"{seed} {leg} {chair} {lane}", ".") for lane in range(lanes)]
            for chair in range(4)
        ]
        loops.open_lanes(*loop.state)
        busy = True
        while busy:
            busy = loop.feed()
            for chair in range(4):
                for number, question in enumerate(GAME.questions):
                    n = loop.gather(chair, number)
                    if n == 0:
                        continue
                    busy = True
                    at = loop.index[:n, 0].tolist()
                    began = time.process_time()
                    raw = loop.frames[number][:n].tobytes()
                    views = question.wire.views(raw)
                    if number == 0:
                        replies = [
                            seats[chair][lane].bid(view)
                            for lane, view in zip(at, views, strict=True)
                        ]
                    else:
                        replies = [
                            seats[chair][lane].play(view)
                            for lane, view in zip(at, views, strict=True)
                        ]
                    spent[chair // 2] += time.process_time() - began
                    made[chair // 2] += n
                    loop.replies["code"][:n] = replies
                    loop.scatter(n)
        assert loop.done.all()
        first = np.where(loop.seating[:, 0] < 2, 0, 1)  # a seat of the first bot
        own = loop.scores[np.arange(deals), first]
        other = loop.scores[np.arange(deals), 1 - first]
        won[:, leg] = 1 + own["won"] - other["won"]
        margin[:, leg] = own["points"] - other["points"]
    return Match(won, margin, (spent[0] / made[0], spent[1] / made[1]))


@njit(cache=True)
def _random_replies(bids: Any, plays: Any, replies: Any, n: int, question: int) -> None:
    """Bids of 1 to 5 and random legal cards."""
    for k in range(n):
        if question == 0:
            replies[k].code = np.random.randint(1, 6)
            continue
        # The first legal card from a random one on, round the deck.
        card = np.random.randint(52)
        while not plays[k].legal >> np.uint64(card) & np.uint64(1):
            card = (card + 1) % 52
        replies[k].code = card


def engine_alone(deals: int = 20_000) -> float:
    """Hands per second of the rules with random legal play, in lockstep on one core."""
    rate = 0.0
    for count in (200, deals):  # the first to compile
        loop = Loop(count, bytes(32), 0, 2048)
        hands = 0
        began = time.process_time()
        loops.open_lanes(*loop.state)
        busy = True
        while busy:
            busy = loop.feed()
            for chair in range(4):
                for number in (0, 1):
                    if n := loop.gather(chair, number):
                        busy = True
                        hands += n if number == 0 else 0
                        _random_replies(*loop.frames, loop.replies, n, number)
                        loop.scatter(n)
        assert loop.done.all()
        rate = hands / 4 / (time.process_time() - began)
    return rate


def engine() -> Iterator[Figure]:
    """The line of `python -m benchmarks`."""
    yield Figure(
        "Spades: engine alone, random legal play, one core",
        f"{engine_alone():,.0f} hands/s",
        "aim: 30,000 hands/s",
    )


def main() -> None:
    """Play two bots, or measure the engine when none are named."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("bots", nargs="*", type=Path)
    parser.add_argument("--deals", type=int, default=2000, help="mirrored games")
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    if not chosen.bots:
        print(f"engine alone, random legal play: {engine_alone():,.0f} hands/s")
        return
    one, two = (load(path) for path in chosen.bots)
    match = play_match((one, two), chosen.deals, chosen.seed)
    print(
        f"{one.name} wins {match.share:.2%} +- {match.error:.2%} of {2 * chosen.deals} games "
        f"against {two.name}; {match.margin.mean():+.1f} points a game; CPU per decision "
        f"{match.seconds[0] * 1e6:.1f} us and {match.seconds[1] * 1e6:.1f} us"
    )


if __name__ == "__main__":
    main()
