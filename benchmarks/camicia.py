"""Camicia's figures: random deals a second, with and without lockstep, and backward closure."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numba import njit

from benchmarks.figures import Figure
from harness.games.camicia import compiled
from harness.games.camicia.closure import closure
from harness.games.camicia.deals import pack_deal
from harness.games.camicia.engine import play
from harness.games.camicia.lockstep import lengths, random_deals
from harness.games.camicia.records import records

_DEALS = 300_000
_TIMES = 7
_SIDE = np.uint64(26)


@njit(cache=True)
def _exactly(deals: Any) -> Any:
    """Play every deal with the loop test after every round; the cards of all games."""
    cards = 0
    for number in range(len(deals)):
        am, aq, bm, bq = deals[number]
        cards += play(am, aq, _SIDE, bm, bq, _SIDE)[1]
    return cards


def engine() -> Iterator[Figure]:
    """Random deals, dealt and played, on one core; the best of several runs, in CPU time."""
    compiled.load()
    deals = random_deals(1, 0, _DEALS)
    yield Figure(
        "Camicia: random deals, dealt and played",
        f"{_rate(lambda: lengths(random_deals(1, 0, _DEALS))):,.0f} deals/s",
        "aim: 3,000,000 deals/s",
    )
    yield Figure(
        "Camicia: the same, dealt beforehand",
        f"{_rate(lambda: lengths(deals)):,.0f} deals/s",
        "aim: 3,000,000 deals/s",
    )
    _exactly(deals[:1])
    yield Figure(
        "Camicia: with an exact loop test in every game",
        f"{_rate(lambda: _exactly(deals)):,.0f} deals/s",
        "aim: 1,000,000 deals/s",
    )


def _rate(run: Callable[[], object]) -> float:
    """Deals a second of CPU time."""
    return _DEALS / min(_seconds(run) for _ in range(_TIMES))


def _seconds(run: Callable[[], object]) -> float:
    began = time.process_time()
    run()
    return time.process_time() - began


def backward() -> Iterator[Figure]:
    """What runs into the longest known game, in its first hundred rounds."""
    longest = max(records(), key=lambda record: record.claimed.cards)
    deal = np.array(pack_deal(longest.deal), np.uint64)
    found, _ = closure(deal, ahead=100)
    seconds = min(_seconds(lambda: closure(deal, ahead=100)) for _ in range(20))
    yield Figure(
        "Camicia: closing the longest known game",
        f"{1000 * seconds:.2f} ms for {len(found)} deals",
        "peer: 3 ms",
    )
