"""Random deals, tens of millions a second: drawn by tables, and without a branch.

Only what a game depends on is dealt: the places of the sixteen payment cards, and the order of
their prices. Both are drawn in two steps: first how many of what lie in each part, then an
arrangement of each part among all of that kind, which stand side by side in a table.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from math import comb, prod
from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from harness.games.camicia.engine import set_bits

_QUARTER, _PAYMENTS, _OF_EACH = 13, 16, 4
_ALL = (1 << 64) - 1

_0, _1, _2, _3, _4, _5, _13, _15, _16, _26, _32 = (
    np.uint64(value) for value in (0, 1, 2, 3, 4, 5, 13, 15, 16, 26, 32)
)
_LOW, _HAND = (np.uint64((1 << bits) - 1) for bits in (32, 26))
_WORDS_PER_DEAL = _5


def _alias(weights: Sequence[int]) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
    """Tables for drawing by weight with two random numbers (Walker's alias method).

    Of an index drawn evenly, bound / 2**32 is the probability that it stands; else its alias does.
    """
    number, total = len(weights), sum(weights)
    bounds, aliases = [1 << 32] * number, list(range(number))
    # Exact until it is rounded to 32 bits: the weights times their number, and their sum.
    left = [weight * number for weight in weights]
    poor = [index for index in range(number) if left[index] < total]
    rich = [index for index in range(number) if left[index] >= total]
    while poor and rich:
        one, other = poor.pop(), rich[-1]
        bounds[one], aliases[one] = (left[one] << 32) // total, other
        left[other] -= total - left[one]
        if left[other] < total:
            poor.append(rich.pop())
    return np.array(bounds, np.uint64), np.array(aliases, np.uint64)


def _grouped(
    words: NDArray[Any], kinds: NDArray[Any], most: int
) -> tuple[NDArray[np.uint16], NDArray[np.uint64], NDArray[np.uint64]]:
    """The words sorted by their kind, from 0 to `most`; where each kind begins, how many it has."""
    counts = np.bincount(kinds, minlength=most + 1)
    table = words[np.argsort(kinds, kind="stable")].astype(np.uint16)
    return table, (np.cumsum(counts) - counts).astype(np.uint64), counts.astype(np.uint64)


_quarters = np.arange(1 << _QUARTER)
_MASKS, _MASK_FIRST, _MASK_COUNT = _grouped(_quarters, np.bitwise_count(_quarters), _QUARTER)
"""Thirteen places with payment cards in some of them, by their number."""

_splits = [s for s in product(range(_QUARTER + 1), repeat=4) if sum(s) == _PAYMENTS]
_SPLITS = np.array([sum(n << 4 * k for k, n in enumerate(s)) for s in _splits], np.uint64)
"""How many payment cards lie in each quarter of the pack, four bits a quarter."""
_SPLIT_BOUND, _SPLIT_ALIAS = _alias([prod(comb(_QUARTER, n) for n in s) for s in _splits])

_halves = np.arange(1 << 16)  # eight prices of two bits
_found = np.array([(_halves[:, None] >> np.arange(0, 16, 2) & 3 == p).sum(1) for p in range(4)])
_halves, _found = (values[..., (_found <= _OF_EACH).all(axis=0)] for values in (_halves, _found))
_LAST_KIND = 124
"""A kind of half is how many jacks, queens and kings it has, in base five. The other half of a pack
has the rest: what is missing to four of each."""
_ORDERS, _ORDER_FIRST, _ORDER_COUNT = _grouped(
    _halves, _found[0] + 5 * _found[1] + 25 * _found[2], _LAST_KIND
)
"""Eight prices in a row, by their kind."""
_KIND_BOUND, _KIND_ALIAS = _alias([int(ways) for ways in _ORDER_COUNT * _ORDER_COUNT[::-1]])
_LAST, _KINDS = np.uint64(_LAST_KIND), np.uint64(_LAST_KIND + 1)
_NUMBER_OF_SPLITS = np.uint64(len(_SPLITS))


@njit(cache=True)
def _random(seed: Any, counter: Any) -> Any:
    """The output of SplitMix64 (Steele, Lea and Flood, 2014) at a place of its sequence."""
    word = seed + counter * np.uint64(0x9E3779B97F4A7C15)
    word = (word ^ word >> np.uint64(30)) * np.uint64(0xBF58476D1CE4E5B9)
    word = (word ^ word >> np.uint64(27)) * np.uint64(0x94D049BB133111EB)
    return word ^ word >> np.uint64(31)


@njit(cache=True)
def _below(number: Any, word: Any) -> Any:
    """A number below `number` from the lower 32 bits of a word, as even as these allow."""
    return (word & _LOW) * number >> _32


@njit(cache=True)
def _deal(seed: Any, first: Any, deals: Any) -> None:
    for number in range(len(deals)):
        at = (first + np.uint64(number)) * _WORDS_PER_DEAL
        word = _random(seed, at)
        split = _below(_NUMBER_OF_SPLITS, word)
        split = split if word >> _32 < _SPLIT_BOUND[split] else _SPLIT_ALIAS[split]
        quarters = _SPLITS[split]
        one, two = _random(seed, at + _1), _random(seed, at + _2)
        mask = _0
        for word in (two >> _32, two, one >> _32, one):
            cards = quarters & _15
            quarters >>= _4
            choice = _MASK_FIRST[cards] + _below(_MASK_COUNT[cards], word)
            mask = mask << _13 | np.uint64(_MASKS[choice])
        word = _random(seed, at + _3)
        kind = _below(_KINDS, word)
        kind = kind if word >> _32 < _KIND_BOUND[kind] else _KIND_ALIAS[kind]
        word = _random(seed, at + _4)
        upper = _ORDER_FIRST[kind] + _below(_ORDER_COUNT[kind], word)
        kind = _LAST - kind
        lower = _ORDER_FIRST[kind] + _below(_ORDER_COUNT[kind], word >> _32)
        prices = np.uint64(_ORDERS[upper]) << _16 | np.uint64(_ORDERS[lower])
        own = mask & _HAND
        bits = _2 * set_bits(own)
        deals[number, 0], deals[number, 1] = own, prices & ((_1 << bits) - _1)
        deals[number, 2], deals[number, 3] = mask >> _26, prices >> bits


def random_deals(seed: int, first: int, count: int) -> NDArray[np.uint64]:
    """Deals `first` to `first + count - 1` of an endless sequence of random ones.

    Returns uint64, shape (count, 4), a deal a row: mask and queue of A, mask and queue of B (see
    `engine`). The sequence is a function of `seed`, of which 64 bits count.
    """
    deals = np.empty((count, 4), np.uint64)
    _deal(np.uint64(seed & _ALL), np.uint64(first), deals)
    return deals
