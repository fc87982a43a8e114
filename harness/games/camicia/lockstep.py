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

from typing import Any

import numpy as np
from llvmlite import ir  # type: ignore[import-untyped]
from numba import njit, types
from numba.extending import intrinsic
from numpy.typing import NDArray

from harness.games.camicia.dealing import random_deals
from harness.games.camicia.engine import FINISHED, LOOP_CAP, play, set_bits

__all__ = ["lengths", "random_deals"]

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

_0, _1, _2, _3, _26, _30, _52 = (np.uint64(value) for value in (0, 1, 2, 3, 26, 30, 52))
_END, _CAP = np.uint64(1 << 63), np.uint64(LOOP_CAP)


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


def lengths(deals: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """The cards laid in each of these deals (shape (n, 4), as above), 0 where it is a loop.

    Exact: what passes LOOP_CAP cards is played again with a loop test.
    """
    cards = np.empty(len(deals), np.uint64)
    _lengths(deals, cards)
    return cards
