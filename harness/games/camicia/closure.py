"""Backward closure: every deal whose game runs into a given one.

Rounds can be undone. Whoever starts a round has won the one before (but for the first), and has its
pile at the bottom of the deck; a pile that was paid for in full ends with a payment card of price v
and exactly v number cards. So a state has a predecessor for every suffix of the starter's deck that
can have been such a pile: one that ends like that and holds no earlier payment made in full, for
there the round would have ended. Who laid which card, and who started, follows from the pile: cards
between two payment cards are the second one's owner's, the owners of payment cards take turns, the
last one is the winner's, and before the first payment card both laid one by one.

The states before a state form a tree (of a game that ends, no state comes twice), and among them
are other deals of 26 and 26 cards, whose games are as long or longer. It is the one known way to
climb: exchanging cards of a long game makes a game as short as any.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from harness.games.camicia.engine import FINISHED, play, play_round, set_bits, trailing_zeros

MOST_STATES = 10_000_000
"""Where a closure gives up. Over a long game there are some ten thousand states; before a state of
a loop there are infinitely many."""

_HEADROOM = 64
"""Rows of the stack that one state can need for its predecessors."""

_0, _1, _2, _3, _26, _52, _63 = (np.uint64(value) for value in (0, 1, 2, 3, 26, 52, 63))


@njit(cache=True)
def _predecessors(state: Any, stack: Any, top: int) -> int:
    """Push every predecessor of a state on the stack; returns its new top.

    A state is a row: mask, queue and cards of the starter, mask and queue of the other one, and the
    cards laid from there to the end of the game.
    """
    xm, xq, xn, ym, yq, cards = state[0], state[1], state[2], state[3], state[4], state[5]
    yn = _52 - xn
    payments = set_bits(xm)
    if payments == _0 or yn == _0:
        return top
    # The last payment card of the starter's deck, and whether exactly its price follows.
    last = _63 - trailing_zeros(_reversed(xm))
    payments -= _1
    price = (xq >> (_2 * payments) & _3) + _1
    if xn - last - _1 != price:
        return top
    # What either laid of the pile from its first payment card on; the leader laid that card. The
    # winner, now the starter, laid the last one, and the loser paid for it.
    lead_m, lead_q, lead_n = _1, price - _1, _1
    other_m, other_q, other_n = _0, _0, price
    winner_leads = True
    run = _0  # number cards before the first payment card
    rest = last  # cards of the deck above the pile
    while True:
        # Before the leader's payment card they took turns, the other one last.
        late, early = run >> _1, (run + _1) >> _1
        lm, ln = lead_m << late, lead_n + late
        om, on = other_m << early, other_n + early
        above = xm & ((_1 << rest) - _1)
        above_q = xq & ((_1 << (_2 * payments)) - _1)
        if winner_leads:
            lq, oq = lead_q | above_q << (_2 * set_bits(lm)), other_q | yq << (_2 * set_bits(om))
            lm, om, ln = lm | above << ln, om | ym << on, ln + rest
            on += yn
        else:
            lq, oq = lead_q | yq << (_2 * set_bits(lm)), other_q | above_q << (_2 * set_bits(om))
            lm, om, ln = lm | ym << ln, om | above << on, ln + yn
            on += rest
        new = stack[top]
        if run & _1:
            new[0], new[1], new[2], new[3], new[4] = om, oq, on, lm, lq
        else:
            new[0], new[1], new[2], new[3], new[4] = lm, lq, ln, om, oq
        new[5] = cards + xn - rest
        top += 1
        # A longer pile: by the card above.
        if rest == _0:
            return top
        rest -= _1
        if xm >> rest & _1 == _0:
            run += _1
            continue
        payments -= _1
        price = (xq >> (_2 * payments) & _3) + _1
        if run >= price:  # it would have been paid for, and the round over
            return top
        # The debtor, who leads, laid all of the run; the new first payment card is the other one's.
        lead_m, lead_n = lead_m << run, lead_n + run
        other_m, other_q, other_n = other_m << _1 | _1, other_q << _2 | price - _1, other_n + _1
        lead_m, lead_q, lead_n, other_m, other_q, other_n = (
            *(other_m, other_q, other_n),
            *(lead_m, lead_q, lead_n),
        )
        winner_leads = not winner_leads
        run = _0


@njit(cache=True)
def _reversed(word: Any) -> Any:
    """A uint64 with its bits in reverse order."""
    turned = _0
    for _ in range(64):
        turned = turned << _1 | word & _1
        word >>= _1
    return turned


@njit(cache=True)
def _ahead(deal: Any, rounds: int, cards: Any) -> Any:
    """The state after so many rounds of a game of `cards` cards, or before its last one."""
    state = np.empty(6, np.uint64)
    xm, xq, xn, ym, yq, yn = deal[0], deal[1], _26, deal[2], deal[3], _26
    for _ in range(rounds):
        after = play_round(xm, xq, xn, ym, yq, yn)
        if after[5] == _0:
            break
        xm, xq, xn, ym, yq, yn = after[0], after[1], after[2], after[3], after[4], after[5]
        cards -= after[7]
    state[0], state[1], state[2], state[3], state[4], state[5] = xm, xq, xn, ym, yq, cards
    return state


@njit(cache=True)
def _close(root: Any, at_least: Any, most: int, deals: Any, cards: Any) -> int:
    """Returns how many deals were found; -1 if there were more than `most` states."""
    # Rows are copied word by word: assignments of whole slices take Numba seconds to compile.
    stack = np.empty((4096, 6), np.uint64)
    state = np.empty(6, np.uint64)
    for word in range(6):
        stack[0, word] = root[word]
    top, found, seen = 1, 0, 0
    while top > 0:
        top -= 1
        for word in range(6):
            state[word] = stack[top, word]
        seen += 1
        if seen > most:
            return -1
        if state[2] == _26 and state[5] >= at_least and found < len(deals):
            deals[found, 0], deals[found, 1] = state[0], state[1]
            deals[found, 2], deals[found, 3] = state[3], state[4]
            cards[found] = state[5]
            found += 1
        if top + _HEADROOM > len(stack):
            larger = np.empty((2 * len(stack), 6), np.uint64)
            for row in range(top):
                for word in range(6):
                    larger[row, word] = stack[row, word]
            stack = larger
        top = _predecessors(state, stack, top)
    return found


def closure(
    deal: NDArray[np.uint64], ahead: int = 0, at_least: int = 0
) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
    """All deals of 26 and 26 cards whose games run into that of `deal`, itself included.

    `deal`: mask and queue of A, then of B, uint64, shape (4,), as in `lockstep`. `ahead`: rounds
    that are played first, so that all is found that joins the game so far on. That is where most
    is: few deals have a predecessor at all, but nearly every game is joined by others in its first
    hundred rounds. `at_least`: leave out games of fewer cards.

    Returns the deals, shape (n, 4), and the cards of their games, shape (n,), in no order. Every
    thousand states cost some 40 microseconds. Raises ValueError for a game that does not end, or
    with more than MOST_STATES states before it.
    """
    status, length, _ = play(deal[0], deal[1], _26, deal[2], deal[3], _26)
    if status != FINISHED:
        raise ValueError("a game that does not end has no closure")
    root = _ahead(deal, ahead, np.uint64(length))
    room = 1024
    while True:
        deals, cards = np.empty((room, 4), np.uint64), np.empty(room, np.uint64)
        found = _close(root, np.uint64(at_least), MOST_STATES, deals, cards)
        if found < 0:
            raise ValueError(f"more than {MOST_STATES:,} states run into this game")
        if found < room:
            return deals[:found], cards[:found]
        room *= 8
