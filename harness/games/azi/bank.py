"""The bank, compiled: who can pay for a deal, who gets what of it. Sections 1 and 8."""

from __future__ import annotations

from typing import Any

from numba import njit

from harness.games.azi.lane import DEALING, NOBODY, several
from harness.games.azi.payout import settle

_ALL, _TRICK_PLAYERS, _HALF_BANK = range(3)  # as in `about.ENTRIES`

_settle = njit(cache=True)(settle)


@njit(cache=True)
def pay(lane: Any, seat: int, chips: int) -> None:
    """From the stack into the bank."""
    lane.stack[seat] -= chips
    lane.contribution[seat] += chips


@njit(cache=True)
def carried(lane: Any, rules: Any) -> int:
    """The chips in the bank."""
    bank = 0
    for seat in range(rules.seats):
        bank += lane.contribution[seat]
    return bank


@njit(cache=True)
def _solvent(lane: Any, rules: Any, mask: int, chips: int) -> int:
    """Of the seats in a mask, those that can pay so many chips."""
    able = 0
    for seat in range(rules.seats):
        if mask >> seat & 1 and lane.stack[seat] >= chips:
            able |= 1 << seat
    return able


@njit(cache=True)
def entitled(lane: Any, rules: Any) -> int:
    """The seats that are dealt in for the ante alone: 1, and 8 after an Azi."""
    mask = (1 << rules.seats) - 1
    if lane.azi > 0 and rules.entry_number != _ALL:
        mask = lane.takers
    return _solvent(lane, rules, mask, rules.ante)


@njit(cache=True)
def price(lane: Any, rules: Any) -> int:
    """Half the carried bank, rounded up."""
    return (carried(lane, rules) + 1) // 2


@njit(cache=True)
def buyers(lane: Any, rules: Any) -> int:
    """The seats that may buy themselves into the deal after an Azi."""
    if lane.azi == 0 or rules.entry_number != _HALF_BANK:
        return 0
    others = ((1 << rules.seats) - 1) & ~lane.takers
    return _solvent(lane, rules, others, price(lane, rules) + rules.ante)


@njit(cache=True)
def is_over(lane: Any, rules: Any) -> bool:
    """Whether no deal is due, or nobody but one can pay for it and nothing is to go back."""
    if lane.deals >= rules.session_deals:
        return True
    return carried(lane, rules) == 0 and not several(entitled(lane, rules))


@njit(cache=True)
def give_back(lane: Any, rules: Any) -> None:
    """Everybody takes back exactly its own contribution, if anything is carried."""
    if carried(lane, rules) == 0:
        return
    lane.returned = 1
    for seat in range(rules.seats):
        lane.share[seat] = lane.contribution[seat]
    _empty_bank(lane, rules)


@njit(cache=True)
def _empty_bank(lane: Any, rules: Any) -> None:
    for seat in range(rules.seats):
        lane.stack[seat] += lane.share[seat]
        lane.contribution[seat] = 0
    lane.azi = 0
    lane.takers = 0


@njit(cache=True)
def award(lane: Any, rules: Any, winner: int) -> None:
    """The bank is paid out ("Payout"), and the winner's left opens the next deal."""
    _settle(lane.contribution, rules.seats, winner, rules.payout_number, lane.share)
    _empty_bank(lane, rules)
    lane.opener = (winner + 1) % rules.seats
    lane.winner = winner
    lane.returned = 0
    lane.deals += 1
    lane.phase = DEALING


@njit(cache=True)
def carry(lane: Any, rules: Any) -> None:
    """Azi: the bank is carried to the next deal, but not for ever."""
    lane.azi += 1
    lane.takers = 0
    for seat in range(rules.seats):
        lane.share[seat] = 0
        if lane.taken[seat]:
            lane.takers |= 1 << seat
    lane.winner = NOBODY
    lane.returned = 0
    lane.deals += 1
    lane.phase = DEALING
    if lane.azi >= rules.max_azi:
        give_back(lane, rules)
