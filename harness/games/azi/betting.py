"""Betting, compiled: whose turn it is, what is legal, what an answer does. Sections 3 to 5."""

from __future__ import annotations

from typing import Any

from numba import njit

from harness.games.azi.bank import pay
from harness.games.azi.lane import NOBODY, next_of, single
from harness.games.azi.view import CALL, CALLED, FOLD, FOLDED, RAISED


@njit(cache=True)
def next_bettor(lane: Any, rules: Any) -> int:
    """The seat to be asked; NOBODY when the betting is over.

    A seat without chips has nothing to decide: it stays in.
    """
    if single(lane.players):
        return NOBODY
    while True:
        seat = next_of(lane.pending, lane.turn, rules.seats)
        if seat == NOBODY or lane.stack[seat] > 0:
            return seat
        lane.pending &= ~(1 << seat)


@njit(cache=True)
def missing(lane: Any, rules: Any, seat: int) -> int:
    """Chips that a call in full takes; before there is a bet, those that the least one takes."""
    if lane.raiser == NOBODY:
        return rules.least_bet
    return lane.highest - lane.bet[seat]


@njit(cache=True)
def may_fold(lane: Any, rules: Any) -> bool:
    """The opener has to bet, or go all-in."""
    return lane.raiser != NOBODY or rules.opener_may_fold != 0


@njit(cache=True)
def may_call(lane: Any, rules: Any, seat: int) -> bool:
    """An opener has nothing to call, and can only be all-in below the least bet."""
    return lane.raiser != NOBODY or lane.stack[seat] < rules.least_bet


@njit(cache=True)
def bounds(lane: Any, rules: Any, seat: int) -> tuple[int, int]:
    """The smallest and the largest legal bet or raise; 0 and 0 if there is none."""
    least, most = rules.least_bet, lane.stack[seat]
    if lane.raiser != NOBODY:
        least, most = rules.min_raise, lane.stack[seat] - missing(lane, rules, seat)
        if lane.raised[seat] >= rules.max_raises:
            return 0, 0
    if most < least:
        return 0, 0
    return least, most


@njit(cache=True)
def say(lane: Any, rules: Any, seat: Any, code: Any) -> bool:
    """FOLD, CALL or chips; False, and nothing is changed, if that is illegal."""
    kind = RAISED
    if code == FOLD:
        if not may_fold(lane, rules):
            return False
        kind = FOLDED
        lane.players &= ~(1 << seat)
    elif code == CALL:
        if not may_call(lane, rules, seat):
            return False
        kind = CALLED
        _put(lane, seat, min(missing(lane, rules, seat), lane.stack[seat]))
    else:
        least, most = bounds(lane, rules, seat)
        if code < 0 or least == 0 or code < least or code > most:
            return False
        _put(lane, seat, lane.highest - lane.bet[seat] + code)
        lane.highest += code
        lane.raiser = seat
        lane.raised[seat] += 1
        lane.raise_chips[lane.raises] = code
        lane.raises += 1
        lane.pending = lane.players
    lane.log[lane.said] = seat | kind << 3
    lane.said += 1
    lane.pending &= ~(1 << seat)
    lane.turn = (seat + 1) % rules.seats
    return True


@njit(cache=True)
def _put(lane: Any, seat: int, chips: int) -> None:
    pay(lane, seat, chips)
    lane.stake[seat] += chips
    lane.bet[seat] += chips


@njit(cache=True)
def first_leader(lane: Any, rules: Any) -> int:
    """Who leads: the last raiser, or the highest stake if nobody was able to bet in full."""
    if lane.raiser != NOBODY:
        return lane.raiser
    leader = NOBODY
    for step in range(rules.seats):
        seat = (lane.opener + step) % rules.seats
        if lane.players >> seat & 1 and (leader == NOBODY or lane.stake[seat] > lane.stake[leader]):
            leader = seat
    return leader
