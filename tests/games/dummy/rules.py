"""The rules of the dummy game, compiled: the whole of the contract in a screenful."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import numpy as np
from numba import njit

from harness.games.contract import LANE_HEADER, OVER, STARVED
from harness.games.draw import draw
from tests.games.dummy import CARDS, HAND, MOST_BID, SEATS

_DEAL, _DISCARD, _SETTLE = 0, SEATS + 1, SEATS + 2  # phases; in phase 1 + s, seat s bids

# Numba keeps the arena's loops compiled for this game, and notices no change in this file; with its
# hash among the lane's fields, a change makes another type.
_SOURCE = hashlib.sha256(Path(__file__).read_bytes()).hexdigest()[:16]

LANE = np.dtype(
    [
        *LANE_HEADER,
        ("deck", "u1", (CARDS,)),  # seat s holds three from 3 s on
        ("bids", "i1", (SEATS,)),
        ("discarded", "u1", (SEATS,)),
        ("points", "<i4", (SEATS,)),
        ("lost", "u1", (SEATS,)),
        ("phase", "u1"),
        ("round", "u1"),
        ("bidder", "u1"),
        (f"source_{_SOURCE}", "u1"),
    ],
    align=True,
)
RULES = np.dtype([("rounds", "u1")])


def start(lane: Any, rules: Any, words: Any) -> None:
    lane.phase = _DEAL
    lane.round = 0
    lane.points[:] = 0
    lane.lost[:] = 0


def proceed(lane: Any, rules: Any, words: Any) -> int:
    while lane.round < rules.rounds:
        if lane.phase == _DEAL:
            if lane.row >= len(words):
                return STARVED
            _deal(lane, words[lane.row])
        if lane.phase < _DISCARD:
            lane.question = 0
            return 1 << (lane.phase - 1)
        if lane.phase == _DISCARD:
            lane.bidder = np.argmax(lane.bids)
            lane.phase = _SETTLE
            lane.question = 1
            return 15 ^ (1 << lane.bidder)
        _settle(lane)
    return OVER


@njit(cache=True)
def _deal(lane: Any, words: Any) -> None:
    at = 0
    for k in range(CARDS):
        lane.deck[k] = k + 1
    for k in range(CARDS):
        pick, at = draw(words, at, CARDS - k)
        card = lane.deck[k + pick]
        lane.deck[k + pick] = lane.deck[k]
        lane.deck[k] = card
    lane.row += 1
    lane.phase = 1
    lane.bids[:] = -1
    lane.discarded[:] = 0


@njit(cache=True)
def _settle(lane: Any) -> None:
    bid = lane.bids[lane.bidder]
    made = lane.discarded.sum() >= bid
    for seat in range(SEATS):
        if seat == lane.bidder:
            lane.points[seat] += bid if made else 0
        elif not made:
            lane.points[seat] += 1
    lane.phase = _DEAL
    lane.round += 1


def observe_bid(lane: Any, rules: Any, seat: int, out: Any) -> None:
    for k in range(HAND):
        out.hand[k] = lane.deck[HAND * seat + k]
    out.bids[:] = lane.bids
    out.seat = seat
    out.round = lane.round
    out.game_number = lane.games


def observe_discard(lane: Any, rules: Any, seat: int, out: Any) -> None:
    """Not a word of what the others discard, although some may have answered already."""
    for k in range(HAND):
        out.hand[k] = lane.deck[HAND * seat + k]
    out.bidder = lane.bidder
    out.bid = lane.bids[lane.bidder]
    out.seat = seat
    out.round = lane.round
    out.game_number = lane.games


def act_bid(lane: Any, rules: Any, seat: int, reply: Any) -> bool:
    if reply.code < 0 or reply.code > MOST_BID:
        return False
    lane.bids[seat] = reply.code
    lane.phase += 1
    return True


def act_discard(lane: Any, rules: Any, seat: int, reply: Any) -> bool:
    if reply.code < 0 or reply.code > HAND:
        return False
    value = 0
    for i in range(reply.code):
        card = reply.cards[i]
        held = False
        for k in range(HAND):
            held = held or lane.deck[HAND * seat + k] == card
        for earlier in range(i):
            held = held and reply.cards[earlier] != card
        if not held:
            return False
        value += card
    lane.discarded[seat] = value
    return True


def substitute(lane: Any, rules: Any, seat: int) -> None:
    """A bid of 0; an empty set."""
    if lane.question == 0:
        lane.bids[seat] = 0
        lane.phase += 1


def forfeit(lane: Any, rules: Any, seat: int) -> bool:
    """The other three play on."""
    lane.lost[seat] = 1
    return False


def score(lane: Any, rules: Any, seat: int, out: Any) -> None:
    won = lane.lost[seat] == 0
    for other in range(SEATS):
        if other != seat and lane.lost[other] == 0 and lane.points[other] >= lane.points[seat]:
            won = False
    out.won = 1 if won else 0
    out.points = lane.points[seat]
