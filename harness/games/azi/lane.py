"""The record of a session in progress, and of the rule parameters, as the compiled rules see them.

Chips: what a seat pays leaves its stack and stands in three ledgers at once, `bet` (of this deal),
`stake` (the same and the ante) and `contribution` (since the bank was last empty). The bank is the
sum of the contributions; nothing else holds chips.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from harness.games.azi.cards import CARDS
from harness.games.azi.view import MOST_RAISES, MOST_SAID, MOST_SEATS, TRICKS
from harness.games.contract import LANE_HEADER

ENTERING, DEALING, DISCARDING, BETTING, PLAYING, FINISHED = range(6)
NOBODY = -1

# Signed wherever a number is counted or computed with: Numba makes a float of a sum of a signed
# and an unsigned integer.
LANE = np.dtype(
    [
        *LANE_HEADER,
        ("phase", "u1"),
        ("deals", "<i4"),  # finished ones
        ("azi", "<i4"),  # Azi deals in a row
        ("opener", "i1"),  # the left of the last deal's winner, dealt in or not
        ("takers", "<i4"),  # mask of those who took the tricks of the Azi before
        ("entrants", "<i4"),  # mask of those who buy themselves in after it
        ("stack", "<i4", (MOST_SEATS,)),
        ("contribution", "<i4", (MOST_SEATS,)),
        # Of the deal:
        ("deck", "u1", (CARDS,)),  # seat s has `deal` places from `deal` s on, then the turn-up
        ("stake", "<i4", (MOST_SEATS,)),
        ("bet", "<i4", (MOST_SEATS,)),
        ("hand", "<i4", (MOST_SEATS,)),  # masks of cards
        ("turn_up", "i1"),
        ("dealt_in", "<i4"),  # mask
        ("players", "<i4"),  # mask of those still in
        ("pending", "<i4"),  # mask of those who have to answer the highest bet
        ("turn", "i1"),
        ("highest", "<i4"),
        ("raiser", "i1"),  # who bet last; NOBODY while there is no opening bet
        ("raised", "i1", (MOST_SEATS,)),  # bets and raises of each seat
        ("raises", "i1"),  # of all
        ("raise_chips", "<u2", (MOST_RAISES * MOST_SEATS,)),
        ("said", "i1"),
        ("log", "u1", (MOST_SAID,)),
        ("trick", "i1"),
        ("cards_played", "i1"),  # to the trick
        ("leaders", "u1", (TRICKS,)),  # seat + 1
        ("played", "u1", (TRICKS * MOST_SEATS,)),  # card + 1
        ("taken", "i1", (MOST_SEATS,)),
        # How the last deal ended, for transcripts:
        ("winner", "i1"),
        ("share", "<i4", (MOST_SEATS,)),  # what the bank paid
        ("returned", "u1"),  # whether it went back
    ],
    align=True,
)

RULES = np.dtype(
    [
        ("seats", "<i4"),
        ("deal", "<i4"),
        ("stack", "<i4"),
        ("session_deals", "<i4"),
        ("ante", "<i4"),
        ("least_bet", "<i4"),
        ("opener_may_fold", "<i4"),
        ("min_raise", "<i4"),
        ("max_raises", "<i4"),
        ("entry_number", "<i4"),
        ("max_azi", "<i4"),
        ("payout_number", "<i4"),
    ]
)


@njit(cache=True)
def next_of(mask: int, seat: int, seats: int) -> int:
    """The first seat of a mask from `seat` on clockwise; NOBODY if it is empty."""
    for step in range(seats):
        at = (seat + step) % seats
        if mask >> at & 1:
            return at
    return NOBODY


@njit(cache=True)
def single(mask: int) -> bool:
    """Whether exactly one bit is set."""
    return mask != 0 and mask & (mask - 1) == 0


@njit(cache=True)
def several(mask: int) -> bool:
    """Whether more than one bit is set."""
    return mask != 0 and not single(mask)
