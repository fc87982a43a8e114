"""Many random games side by side, without a branch: how a hunt samples millions of deals a second.

One step of the inner loop carries every game (*lane*) on by one payment: the debtor lays number
cards until its debt is paid, a payment card is met or nothing is left. Where that makes a trick,
the same step moves the pile and opens the next round up to its first payment card. What does not
apply to a lane is computed all the same and masked away, so that LLVM makes vector code of it.

The words of a lane are those of `engine`, but for a sentinel: a hand's mask has one more bit set,
just above its last card, so that a shifted mask of 1 is an empty hand, and neither a length nor a
comparison is needed to notice the end.
"""

from __future__ import annotations

from itertools import product
from math import comb, prod
from typing import Any

import numpy as np
from llvmlite import ir  # type: ignore[import-untyped]
from numba import njit, types
from numba.extending import intrinsic
from numpy.typing import NDArray

from harness.games.camicia.engine import FINISHED, LOOP_CAP, play, set_bits

LANES = 136
"""Games side by side: enough to fill the vectors, few enough for the first-level cache, and no
stride of 4 KiB between the fields, which that cache would store in the same place."""
_STEPS = 10
"""Steps between looks for finished games."""

# The fields of a lane, each a row of LANES words: debtor and creditor (mask with sentinel, queue),
# pile (mask, queue, cards), cards of the debtor, bits in the queues of creditor and pile (two a
# payment card), the debt as a bit, and the cards of the tricks so far, with a bit added at the end.
_XM, _XQ, _YM, _YQ, _PM, _PQ, _PN, _XN, _YB, _PB, _DEBT, _LAID = range(12)
_FIELDS = 12

_0, _1, _2, _3, _4, _15, _26, _30, _32, _52 = (
    np.uint64(value) for value in (0, 1, 2, 3, 4, 15, 26, 30, 32, 52)
)
_END, _CAP = np.uint64(1 << 63), np.uint64(LOOP_CAP)

_ALL = (1 << 64) - 1
_LOW, _HAND = (np.uint64((1 << bits) - 1) for bits in (32, 26))
_PAYMENTS = np.uint64(16)
_PRICES = np.uint64(0xFFAA5500)
"""The queue of four each of J, Q, K and A in order."""
_WORDS_PER_DEAL = np.uint64(11)
"""Random words that a deal takes."""


@intrinsic
def _place_of(typing: Any, bit: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        word, double = ir.IntType(64), ir.DoubleType()
        magic = ir.Constant(word, 0x4330000000000000)
        biased = builder.bitcast(builder.or_(arguments[0], magic), double)
        exact = builder.fsub(biased, ir.Constant(double, float(1 << 52)))
        exponent = builder.lshr(builder.bitcast(exact, word), ir.Constant(word, 52))
        return builder.sub(exponent, ir.Constant(word, 1023))

    return types.uint64(types.uint64), generate


_place: Any = _place_of
"""The place of the one bit set in a uint64 below 2**52.

Through the exponent of a float: or-ing the exponent of 2**52 in and taking 2**52 off converts an
integer exactly. Vector units without a count of trailing zeros (AVX2) do it in a third of the
instructions that LLVM would use.
"""


@njit(cache=True)
def _choose(condition: Any, one: Any, other: Any) -> Any:
    return one if condition else other


@njit(cache=True)
def _advance(f: Any) -> None:
    """One step of every lane."""
    for lane in range(LANES):
        xm, xq, xn = f[_XM * LANES + lane], f[_XQ * LANES + lane], f[_XN * LANES + lane]
        ym, yq, yb = f[_YM * LANES + lane], f[_YQ * LANES + lane], f[_YB * LANES + lane]
        pm, pq, pn = f[_PM * LANES + lane], f[_PQ * LANES + lane], f[_PN * LANES + lane]
        pb, debt, laid = f[_PB * LANES + lane], f[_DEBT * LANES + lane], f[_LAID * LANES + lane]
        yn = _52 - xn - pn

        # The debtor lays a run of number cards: up to its debt, a payment card or its last card.
        stop = xm | debt
        stop &= _0 - stop
        run = _place(stop)
        rest = xm >> run
        taken = pn + run
        empty = rest == _1
        met = (stop != debt) & ~empty

        # Unless it met a payment card, the creditor takes the pile ...
        sentinel = _1 << yn
        wm = (ym - sentinel) | (pm | _1 << taken) << yn
        wq, wb, wn = yq | pq << yb, yb + pb, yn + taken
        # ... and the next round is opened with as many number cards of either hand as the shorter
        # run has, and the card after it: of the winner, who starts, or else of the loser.
        low = wm | rest
        low &= _0 - low
        even = _place(low)
        own = (wm & low) != _0
        of_loser = _choose(own, even, even + _1)
        wm >>= even + _1
        lm = rest >> of_loser
        opened = _choose(own, wm, lm)
        waits = _choose(own, lm, wm)
        first = _choose(own, wq, xq)
        waits_n = _choose(own, _52 - wn, wn - _1) - even

        # What the step comes to: the payment card's owner is the creditor now.
        queue = _choose(met, xq, first)
        price = queue & _3
        creditor = _choose(met, rest >> _1, opened)
        below = _choose(met, taken, even + of_loser)  # cards of the pile under the payment card
        over = empty | (creditor == _0)
        more = _choose(met, _0, taken) + _choose((creditor == _0) & ~empty, below, _0)
        f[_LAID * LANES + lane] = _choose(
            np.int64(laid) < 0, laid, laid + more + _choose(over, _END, _0)
        )
        f[_XM * LANES + lane] = _choose(met, ym, waits)
        f[_XQ * LANES + lane] = _choose(met, yq, _choose(own, xq, wq))
        f[_XN * LANES + lane] = _choose(met, yn, waits_n)
        f[_YM * LANES + lane] = creditor
        f[_YQ * LANES + lane] = queue >> _2
        f[_YB * LANES + lane] = _choose(own & ~met, wb - _2, _30 - wb)
        f[_PM * LANES + lane] = _choose(met, pm, _0) | _1 << below
        f[_PQ * LANES + lane] = _choose(met, pq, _0) | price << _choose(met, pb, _0)
        f[_PN * LANES + lane] = below + _1
        f[_PB * LANES + lane] = _choose(met, pb, _0) + _2
        f[_DEBT * LANES + lane] = _2 << price


@njit(cache=True)
def _seat(f: Any, lane: Any, deal: Any) -> None:
    """Begin a game: B owes nothing to A, who takes an empty pile and opens the first round."""
    am, aq, bm, bq = deal[0], deal[1], deal[2], deal[3]
    f[_XM * LANES + lane], f[_XQ * LANES + lane] = bm | _1 << _26, bq
    f[_YM * LANES + lane], f[_YQ * LANES + lane] = am | _1 << _26, aq
    f[_PM * LANES + lane] = f[_PQ * LANES + lane] = f[_PN * LANES + lane] = _0
    f[_XN * LANES + lane] = _26
    f[_YB * LANES + lane], f[_PB * LANES + lane] = _2 * set_bits(am), _0
    f[_DEBT * LANES + lane] = _1
    f[_LAID * LANES + lane] = _0


@njit(cache=True)
def _play_all(deals: Any, cards: Any) -> None:
    f = np.full(_FIELDS * LANES, _END)
    owner = np.full(LANES, -1, np.int64)
    following = going = 0
    while True:
        for lane in range(LANES):
            if f[_LAID * LANES + lane] <= _CAP:
                continue
            if owner[lane] >= 0:
                cards[owner[lane]] = f[_LAID * LANES + lane] & ~_END
                owner[lane] = -1
                going -= 1
            f[_LAID * LANES + lane] = _END
            if following < len(deals):
                _seat(f, lane, deals[following])
                owner[lane] = following
                following += 1
                going += 1
        if going == 0:
            return
        for _ in range(_STEPS):
            _advance(f)


@njit(cache=True)
def _lengths(deals: Any, cards: Any) -> None:
    _play_all(deals, cards)
    for number in range(len(deals)):
        if cards[number] > _CAP:
            am, aq, bm, bq = deals[number]
            status, laid, _tricks = play(am, aq, _26, bm, bq, _26)
            cards[number] = laid if status == FINISHED else 0


@njit(cache=True)
def _random(seed: Any, counter: Any) -> Any:
    """The output of SplitMix64 (Steele, Lea and Flood, 2014) at a place of its sequence."""
    word = seed + counter * np.uint64(0x9E3779B97F4A7C15)
    word = (word ^ word >> np.uint64(30)) * np.uint64(0xBF58476D1CE4E5B9)
    word = (word ^ word >> np.uint64(27)) * np.uint64(0x94D049BB133111EB)
    return word ^ word >> np.uint64(31)


def _patterns() -> tuple[NDArray[np.uint64], NDArray[np.uint64], NDArray[np.uint64]]:
    """Every way to lay payment cards among thirteen places, those of k cards one after another.

    Returns the patterns (8192), and for every k from 0 to 13 where they begin, and their number.
    """
    words = np.arange(1 << 13, dtype=np.uint64)
    cards = np.bitwise_count(words)
    counts = np.bincount(cards)
    return (
        words[np.argsort(cards, kind="stable")],
        (np.cumsum(counts) - counts).astype(np.uint64),
        counts.astype(np.uint64),
    )


def _splits() -> tuple[NDArray[np.uint64], NDArray[np.uint64], NDArray[np.uint64]]:
    """How the sixteen payment cards may be divided among the four quarters of the pack.

    Walker's alias method: drawn evenly, split i stands with a probability of bound[i] / 2**32, else
    its alias does. Returns the splits, four bits a quarter, the bounds and the aliases.
    """
    splits, ways = [], []
    for split in product(range(14), repeat=4):
        if sum(split) == int(_PAYMENTS):
            splits.append(sum(cards << 4 * quarter for quarter, cards in enumerate(split)))
            ways.append(prod(comb(13, cards) for cards in split))
    number, total = len(splits), sum(ways)
    bounds, aliases = [1 << 32] * number, list(range(number))
    # Exact until it is rounded to 32 bits; each is compared with the average, times `number`.
    weights = [way * number for way in ways]
    poor = [i for i in range(number) if weights[i] < total]
    rich = [i for i in range(number) if weights[i] >= total]
    while poor and rich:
        one, other = poor.pop(), rich[-1]
        bounds[one], aliases[one] = (weights[one] << 32) // total, other
        weights[other] -= total - weights[one]
        if weights[other] < total:
            poor.append(rich.pop())
    words = (np.array(list_, np.uint64) for list_ in (splits, bounds, aliases))
    return tuple(words)  # type: ignore[return-value]


_PATTERNS, _FIRST, _COUNT = _patterns()
_SPLITS, _BOUNDS, _ALIASES = _splits()


@njit(cache=True)
def _deal(seed: Any, first: Any, deals: Any) -> None:
    splits = np.uint64(len(_SPLITS))
    for number in range(len(deals)):
        at = (first + np.uint64(number)) * _WORDS_PER_DEAL
        # How many payment cards lie in each quarter of the pack, and then where. Every draw takes
        # 32 bits times the number of choices; their upper half is as even as 2**32 choices are.
        word = _random(seed, at)
        split = (word & _LOW) * splits >> _32
        split = _choose(word >> _32 < _BOUNDS[split], split, _ALIASES[split])
        quarters = _SPLITS[split]
        mask = _0
        for pair in range(2):
            word = _random(seed, at + _1 + np.uint64(pair))
            for half in range(2):
                cards = quarters & _15
                pattern = _FIRST[cards] + ((word & _LOW) * _COUNT[cards] >> _32)
                mask |= _PATTERNS[pattern] << np.uint64(13 * (2 * pair + half))
                quarters >>= _4
                word >>= _32
        # And their prices, shuffled by Fisher and Yates; two draws a word.
        prices = _PRICES
        at += _3
        for pair in range(8):
            word = _random(seed, at + np.uint64(pair))
            for half in range(2):
                left = np.uint64(16 - 2 * pair - half)
                place = _2 * left - _2
                other = _2 * ((word & _LOW) * left >> _32)
                word >>= _32
                differ = (prices >> place ^ prices >> other) & _3
                prices ^= differ << place | differ << other
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


def lengths(deals: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """The cards laid in each of these deals (shape (n, 4), as above), 0 where it is a loop.

    Exact: what passes LOOP_CAP cards is played again with a loop test.
    """
    cards = np.empty(len(deals), np.uint64)
    _lengths(deals, cards)
    return cards
