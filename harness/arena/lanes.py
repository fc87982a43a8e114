"""Many games in lockstep: the compiled loops over all lanes of a table.

`gather` writes one observation per lane that waits for a chair, `scatter` carries out the replies
and plays every lane on to its next question. Both work for every game: the game's functions are
found by the types of the records (see `harness.games.contract`).

A *chair* is a bot's process at the table. Arrays, all of one leg of a block:

    lanes     lane records, shape (lanes,)
    rules     the rules record
    words     random words, uint32, shape (deals, rows, words per row)
    more      their continuation for lanes that needed more, shape (lanes, rows, words per row)
    absent    bit mask of the seats that do not play, uint32, shape (deals,)
    next_deal the next deal nobody plays yet, shape (1,)
    scores    SCORE records, shape (deals, seats)
    done      1 for finished games, uint8, shape (deals,)
    seating   which chair has which seat, int16, shape (deals, seats)
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from harness.games.contract import (
    OVER,
    STARVED,
    act,
    forfeit,
    observe,
    proceed,
    score,
    start,
    substitute,
)
from harness.games.frames import EXCEPTION, PROTOCOL, UNANSWERED

# How a reply fared, per record of a frame.
LEGAL, ILLEGAL, BROKEN, RAISED = 0, 1, 2, 3
FARED = np.dtype([("deal", "<i4"), ("how", "u1")])

IDLE = -1


@njit(cache=True)
def open_lanes(lanes, rules, words, more, absent, next_deal, scores, done):  # type: ignore[no-untyped-def]
    """Start a game on every lane."""
    for i in range(len(lanes)):
        lanes[i].games = 0
        _next_game(lanes[i], rules, words, absent, next_deal, scores, done)
        _play_on(lanes[i], more[i], rules, words, absent, next_deal, scores, done)


@njit(cache=True)
def gather(lanes, rules, seating, chair, question, index, opened, frame):  # type: ignore[no-untyped-def]
    """Observations of all lanes that wait for `chair` on `question`, into `frame`.

    Fills `index`, int32 of shape (capacity, 2), with (lane, seat), and `opened`, uint8, with
    whether it is the seat's first question in the game. Returns how many.
    """
    seats = seating.shape[1]
    n: Any = 0
    for i in range(len(lanes)):
        lane = lanes[i]
        asked = lane.asked
        if asked == 0 or lane.question != question:  # in step, as most lanes are, or none
            continue
        # Without a branch: whom a lane waits for is as good as random, and guessing wrong is slow.
        deal = lane.deal
        waiting: Any = np.uint32(0)
        taken: Any = 0
        for seat in range(seats):
            here = (asked >> np.uint32(seat)) & np.uint32(seating[deal, seat] == chair)
            taken |= seat * np.int64(here)
            waiting |= here
        index[n, 0] = i
        index[n, 1] = taken
        n += np.int64(waiting)
    for k in range(n):
        lane = lanes[index[k, 0]]
        seat = index[k, 1]
        observe(lane, rules, seat, frame[k])
        opened[k] = 1 - (lane.met >> seat & 1)
        lane.met |= np.uint32(1 << seat)
    return n


@njit(cache=True)
def scatter(  # type: ignore[no-untyped-def]
    lanes, rules, words, more, absent, next_deal, scores, done, index, n, replies, fared
):
    """Carry out `replies[:n]`, play the lanes on, and say in `fared` how each reply fared.

    Returns how many replies were not legal.
    """
    faults = 0
    for k in range(n):
        lane = lanes[index[k, 0]]
        seat = index[k, 1]
        fared[k].deal = lane.deal
        fared[k].how = LEGAL
        if not act(lane, rules, seat, replies[k]):
            substitute(lane, rules, seat)
            faults += 1
            code = replies[k].code
            if code == EXCEPTION:
                fared[k].how = RAISED
            elif code == PROTOCOL or code == UNANSWERED:
                fared[k].how = BROKEN
            else:
                fared[k].how = ILLEGAL
        lane.asked &= ~np.uint32(1 << seat)
        if lane.asked == 0:
            _play_on(lane, more[index[k, 0]], rules, words, absent, next_deal, scores, done)
    return faults


@njit(cache=True)
def lose(lanes, rules, words, more, absent, next_deal, scores, done, lane_number, seat):  # type: ignore[no-untyped-def]
    """`seat` forfeits the lane's game; where that does not end it, the others play on."""
    lane = lanes[lane_number]
    bit = np.uint32(1 << seat)
    lane.out |= bit
    if forfeit(lane, rules, seat):
        lane.asked = 0
        _finish(lane, rules, scores, done)
        _next_game(lane, rules, words, absent, next_deal, scores, done)
    elif lane.asked & bit:
        substitute(lane, rules, seat)
        lane.asked &= ~bit
        if lane.asked != 0:
            return
    else:
        return
    _play_on(lane, more[lane_number], rules, words, absent, next_deal, scores, done)


@njit(cache=True)
def retire(lanes, rules, words, more, absent, next_deal, scores, done, seating, out):  # type: ignore[no-untyped-def]
    """The chairs that are `out` (uint8, shape (chairs,)) lose every game that is not done."""
    for deal in range(next_deal[0], len(done)):
        for seat in range(seating.shape[1]):
            if out[seating[deal, seat]]:
                absent[deal] |= np.uint32(1 << seat)
    for i in range(len(lanes)):
        lane = lanes[i]
        deal = lane.deal
        if deal == IDLE:
            continue
        losing = np.uint32(0)
        for seat in range(seating.shape[1]):
            if out[seating[deal, seat]] and not lane.out >> seat & 1:
                losing |= np.uint32(1 << seat)
        lane.out |= losing  # all of them before the first forfeit, or it would win for the second
        for seat in range(seating.shape[1]):
            if losing >> seat & 1 and lane.deal == deal:
                lose(lanes, rules, words, more, absent, next_deal, scores, done, i, seat)


@njit(cache=True)
def resume(lanes, rules, words, more, absent, next_deal, scores, done, lane_number):  # type: ignore[no-untyped-def]
    """Go on with a starved lane whose random words have been continued."""
    lane = lanes[lane_number]
    lane.row = 0
    lane.refills += 1
    _play_on(lane, more[lane_number], rules, words, absent, next_deal, scores, done)


@njit(cache=True)
def starved(lanes, which):  # type: ignore[no-untyped-def]
    """List the lanes that wait for random words in `which` (int32); returns how many."""
    n = 0
    for i in range(len(lanes)):
        if lanes[i].deal != IDLE and lanes[i].asked == 0:
            which[n] = i
            n += 1
    return n


@njit(cache=True)
def _next_game(lane, rules, words, absent, next_deal, scores, done):  # type: ignore[no-untyped-def]
    """Begin the next deal on the lane, or leave it idle when none is left.

    A deal that the absence of a seat decides is scored and passed by.
    """
    while True:
        lane.asked = 0
        lane.met = 0
        lane.out = 0
        lane.refills = 0
        lane.row = 0
        if next_deal[0] >= len(words):
            lane.deal = IDLE
            return
        lane.deal = next_deal[0]
        next_deal[0] += 1
        start(lane, rules, words[lane.deal])
        away = absent[lane.deal]
        if away == 0:
            return
        lane.out = away
        decided = False
        for seat in range(scores.shape[1]):
            if away >> seat & 1 and forfeit(lane, rules, seat):
                decided = True
        if not decided:
            return
        _finish(lane, rules, scores, done)
        for seat in range(scores.shape[1]):
            if away >> seat & 1:
                scores[lane.deal, seat].points = 0


@njit(cache=True)
def _play_on(lane, more, rules, words, absent, next_deal, scores, done):  # type: ignore[no-untyped-def]
    """Play until the lane waits for somebody: a bot, random words, or nothing any more."""
    while lane.deal != IDLE:
        # The first rows lie in the block's array, later ones in the lane's own.
        if lane.refills == 0:
            state = proceed(lane, rules, words[lane.deal])
        else:
            state = proceed(lane, rules, more)
        if state == STARVED:
            return
        if state == OVER:
            _finish(lane, rules, scores, done)
            _next_game(lane, rules, words, absent, next_deal, scores, done)
            continue
        lane.asked = state
        silent = lane.asked & lane.out
        if silent:
            for seat in range(scores.shape[1]):
                if silent >> seat & 1:
                    substitute(lane, rules, seat)
            lane.asked &= ~silent
        if lane.asked != 0:
            return


@njit(cache=True)
def _finish(lane, rules, scores, done):  # type: ignore[no-untyped-def]
    for seat in range(scores.shape[1]):
        score(lane, rules, seat, scores[lane.deal, seat])
        if lane.out >> seat & 1:
            scores[lane.deal, seat].won = 0
    done[lane.deal] = 1
    lane.games += 1
