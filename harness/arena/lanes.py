"""Many games in lockstep: the compiled loops over all lanes of a table.

`gather` writes one observation per lane that waits for a player, `scatter` carries out the replies
and plays every lane on to its next question. Both work for every game: the game's functions are
found by the types of the records (see `harness.games.contract`).

Arrays, all of one leg of a block:

    lanes     lane records, shape (lanes,)
    rules     the rules record
    words     random words, uint32, shape (deals, rows, words per row)
    more      their continuation for lanes that needed more, shape (lanes, rows, words per row)
    seating   which player sits where, int8, shape (deals, seats)
    next_deal the next deal nobody plays yet, shape (1,)
    scores    SCORE records, shape (deals, seats)
    done      1 for finished games, uint8, shape (deals,)
"""

from __future__ import annotations

import numpy as np
from numba import njit

from harness.games.contract import OVER, STARVED, act, forfeit, observe, proceed, score, start
from harness.games.frames import EXCEPTION, PROTOCOL, UNANSWERED

# How a reply fared, per record of a frame.
LEGAL, ILLEGAL, BROKEN, RAISED = 0, 1, 2, 3
FARED = np.dtype([("deal", "<i4"), ("how", "u1")])

IDLE = -1


@njit(cache=True)
def open_lanes(lanes, rules, words, more, next_deal, scores, done):  # type: ignore[no-untyped-def]
    """Start a game on every lane."""
    for i in range(len(lanes)):
        lanes[i].games = 0
        _next_game(lanes[i], rules, words, next_deal)
        _play_on(lanes[i], more[i], rules, words, next_deal, scores, done)


@njit(cache=True)
def gather(lanes, rules, seating, player, question, index, frame):  # type: ignore[no-untyped-def]
    """Observations of all lanes that wait for `player` on `question`, into `frame`.

    Fills `index`, int32 of shape (capacity, 2), with (lane, seat) and returns how many.
    """
    n = 0
    for i in range(len(lanes)):
        lane = lanes[i]
        if lane.asked == 0 or lane.question != question:
            continue
        for seat in range(seating.shape[1]):
            if lane.asked >> seat & 1 and seating[lane.deal, seat] == player:
                observe(lane, rules, seat, frame[n])
                index[n, 0] = i
                index[n, 1] = seat
                n += 1
    return n


@njit(cache=True)
def scatter(  # type: ignore[no-untyped-def]
    lanes, rules, words, more, next_deal, scores, done, index, n, replies, fared
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
            _play_on(lane, more[index[k, 0]], rules, words, next_deal, scores, done)
    return faults


@njit(cache=True)
def lose(lanes, rules, words, more, next_deal, scores, done, lane_number, seat):  # type: ignore[no-untyped-def]
    """End the lane's game, forfeited by `seat`, and begin the next."""
    lane = lanes[lane_number]
    forfeit(lane, rules, seat)
    lane.asked = 0
    _finish(lane, rules, scores, done)
    _next_game(lane, rules, words, next_deal)
    _play_on(lane, more[lane_number], rules, words, next_deal, scores, done)


@njit(cache=True)
def walk_over(lanes, rules, words, more, next_deal, scores, done, retired):  # type: ignore[no-untyped-def]
    """Score every game that is not done as lost by the seats `retired` (bool, deals x seats).

    Where all seats are retired, nobody wins.
    """
    lane = lanes[0]
    for deal in range(len(done)):
        if done[deal]:
            continue
        lane.row = 0
        start(lane, rules, words[deal])
        for seat in range(retired.shape[1]):
            if retired[deal, seat]:
                forfeit(lane, rules, seat)
        for seat in range(retired.shape[1]):
            score(lane, rules, seat, scores[deal, seat])
            if retired[deal, seat]:
                scores[deal, seat].won = 0
                scores[deal, seat].points = 0
        done[deal] = 1


@njit(cache=True)
def resume(lanes, rules, words, more, next_deal, scores, done, lane_number):  # type: ignore[no-untyped-def]
    """Go on with a starved lane whose random words have been continued."""
    lane = lanes[lane_number]
    lane.row = 0
    lane.refills += 1
    _play_on(lane, more[lane_number], rules, words, next_deal, scores, done)


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
def _next_game(lane, rules, words, next_deal):  # type: ignore[no-untyped-def]
    """Begin the next deal on the lane, or leave it idle when none is left."""
    lane.asked = 0
    lane.refills = 0
    lane.row = 0
    if next_deal[0] >= len(words):
        lane.deal = IDLE
        return
    lane.deal = next_deal[0]
    next_deal[0] += 1
    start(lane, rules, words[lane.deal])


@njit(cache=True)
def _play_on(lane, more, rules, words, next_deal, scores, done):  # type: ignore[no-untyped-def]
    """Play until the lane waits for somebody: a bot, random words, or nothing any more."""
    while lane.deal != IDLE:
        # The first rows lie in the block's array, later ones in the lane's own.
        if lane.refills == 0:
            state = proceed(lane, rules, words[lane.deal])
        else:
            state = proceed(lane, rules, more)
        if state == STARVED:
            return
        if state != OVER:
            lane.asked = state
            return
        _finish(lane, rules, scores, done)
        _next_game(lane, rules, words, next_deal)


@njit(cache=True)
def _finish(lane, rules, scores, done):  # type: ignore[no-untyped-def]
    for seat in range(scores.shape[1]):
        score(lane, rules, seat, scores[lane.deal, seat])
    done[lane.deal] = 1
    lane.games += 1
