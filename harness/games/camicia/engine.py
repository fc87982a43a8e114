"""One game at a time, exact: the engine that every deal of a hunt is replayed with.

A hand is three 64-bit words: a mask (bit i: card i from the top is a payment card), a queue of
two-bit prices less one, the first payment card's lowest, and a length. Number cards are all alike,
so a run of them is a count of trailing zeros, and a shift lays all of it.

Everything here may be called from a bot's compiled code as well. Constants are uint64 throughout:
Numba turns a mixture of signed and unsigned integers into floats.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir  # type: ignore[import-untyped]
from numba import njit, types
from numba.extending import intrinsic

from harness.games.camicia.deals import DealError, pack

FINISHED, LOOP = 0, 1
STATUS = ("finished", "loop")

MOST_CARDS = 63
MOST_PAYMENTS = 31
"""What fits into the words; larger decks are for `harness.games.camicia.trace`."""

LOOP_CAP = 50_000
"""No finished game of 52 cards is known to come anywhere near so many cards; what passes it is
tested for a loop."""

_0, _1, _2, _3, _64 = (np.uint64(value) for value in (0, 1, 2, 3, 64))


@intrinsic
def _trailing_zeros(typing: Any, word: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 0))

    return types.uint64(types.uint64), generate


@intrinsic
def _set_bits(typing: Any, word: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.uint64(types.uint64), generate


# Their signatures are Numba's business: called, they take one argument less.
trailing_zeros: Any = _trailing_zeros
"""The place of the lowest set bit of a uint64; 64 if there is none."""
set_bits: Any = _set_bits
"""How many bits of a uint64 are set."""


@njit(cache=True)
def play_round(xm: Any, xq: Any, xn: Any, ym: Any, yq: Any, yn: Any) -> Any:
    """One round, X starting, up to the trick and with it.

    X and Y are hands: mask, queue and length, all uint64. Returns the winner's hand, who starts
    the next round, the loser's, whether the winner is Y (0 or 1), and the cards laid. The loser
    has no cards: the game is over.
    """
    # Up to the first payment card only the shorter of both runs of number cards matters.
    run, other = trailing_zeros(xm | _1 << xn), trailing_zeros(ym | _1 << yn)
    swapped = _0
    if run <= other:
        xm, xn, ym, yn = xm >> run, xn - run, ym >> run, yn - run
        pile = run + run
    else:
        run = other + _1
        xm, xn, ym, yn = xm >> run, xn - run, ym >> other, yn - other
        pile = run + other
        xm, xq, xn, ym, yq, yn = ym, yq, yn, xm, xq, xn
        swapped = _1
    pm, pq, payments = _0, _0, _0
    # From here on X has to lay: first the payment card that is on top, or nothing is left at all.
    debt = _64
    while True:
        run = trailing_zeros(xm | _1 << xn)
        if run >= debt:  # paid in full
            xm, xn, pile = xm >> debt, xn - debt, pile + debt
            break
        if run == xn:  # nothing left to lay
            xn, pile = _0, pile + run
            break
        price = xq & _3
        pm |= _1 << (pile + run)
        pq |= price << (_2 * payments)
        payments += _1
        run += _1
        pile += run
        debt = price + _1
        xm, xq, xn, ym, yq, yn = ym, yq, yn, xm >> run, xq >> _2, xn - run
        swapped ^= _1
    yq |= pq << (_2 * set_bits(ym))
    ym |= pm << yn
    return ym, yq, yn + pile, xm, xq, xn, swapped ^ _1, pile


@njit(cache=True)
def _lead(xm: Any, xq: Any, xn: Any, ym: Any, yq: Any, yn: Any, rounds: Any) -> Any:
    """The start of the round of that number, with A's hand first; and who starts it (0: A)."""
    who = _0
    for _ in range(rounds):
        xm, xq, xn, ym, yq, yn, swapped, _cards = play_round(xm, xq, xn, ym, yq, yn)
        who ^= swapped
    return xm, xq, xn, ym, yq, yn, who


@njit(cache=True)
def play(xm: Any, xq: Any, xn: Any, ym: Any, yq: Any, yn: Any) -> Any:
    """A whole game, X starting: (FINISHED or LOOP, cards, tricks).

    The loop test is Brent's: the state of a round is kept and compared with those that follow, and
    replaced by a later one whenever the number of rounds has doubled. Where a loop is found, it is
    followed from its beginning to the first repetition.
    """
    am, aq, an, bm, bq, bn = xm, xq, xn, ym, yq, yn
    km, kq, jm, jq, kn = xm, xq, ym, yq, xn
    kept_who = who = _0
    cards: Any = 0
    tricks: Any = 0
    kept, power = 0, 1
    while True:
        xm, xq, xn, ym, yq, yn, swapped, laid = play_round(xm, xq, xn, ym, yq, yn)
        who ^= swapped
        cards += np.int64(laid)
        tricks += 1
        if yn == _0:
            return FINISHED, cards, tricks
        if xm == km and ym == jm and xn == kn and xq == kq and yq == jq and who == kept_who:
            break
        if tricks - kept == power:
            km, kq, kn, jm, jq, kept_who = xm, xq, xn, ym, yq, who
            kept, power = tricks, 2 * power
    # The loop's length is known; two games that far apart meet where it is entered.
    length = tricks - kept
    xm, xq, xn, ym, yq, yn, who = _lead(am, aq, an, bm, bq, bn, length)
    cards, tricks = 0, length
    km, kq, kn, jm, jq, jn, kept_who = am, aq, an, bm, bq, bn, _0
    while not (xm == km and ym == jm and xn == kn and xq == kq and yq == jq and who == kept_who):
        xm, xq, xn, ym, yq, yn, swapped, laid = play_round(xm, xq, xn, ym, yq, yn)
        who ^= swapped
        km, kq, kn, jm, jq, jn, swapped, laid = play_round(km, kq, kn, jm, jq, jn)
        kept_who ^= swapped
        tricks += 1
    for _ in range(tricks):
        am, aq, an, bm, bq, bn, swapped, laid = play_round(am, aq, an, bm, bq, bn)
        cards += np.int64(laid)
    return LOOP, cards, tricks


def simulate(a: str, b: str) -> tuple[str, int, int]:
    """A game of two decks in the characters `-JQKA`, A starting: (status, cards, tricks).

    Raises DealError for more cards than the engine holds; `trace.simulate` takes any number.
    """
    (am, aq, an), (bm, bq, bn) = pack(a), pack(b)
    payments = am.bit_count() + bm.bit_count()
    if an + bn > MOST_CARDS or payments > MOST_PAYMENTS:
        raise DealError(
            f"{an + bn} cards, {payments} of them payment cards; this engine holds {MOST_CARDS} "
            f"and {MOST_PAYMENTS}"
        )
    words = (np.uint64(word) for word in (am, aq, an, bm, bq, bn))
    status, cards, tricks = play(*words)
    return STATUS[status], int(cards), int(tricks)
