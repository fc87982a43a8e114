"""The rules of BS, compiled: the one implementation that matches, replays and tests use.

Section numbers refer to docs/games/bs.md. A hand and the pile are arrays in order, oldest card
first.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from harness.games.bs import CARDS, NOBODY, RANKS, SEATS
from harness.games.bs.about import CALLER, CARD, TURNS_PER_ROW
from harness.games.bs.frames import CALL, NO_CALL
from harness.games.contract import LANE_HEADER, OVER, STARVED
from harness.games.draw import draw

_LAY, _CALL = 0, 1  # the questions
_BEGIN, _LAID, _CALLED = 0, 1, 2  # what `proceed` has to go on from

LANE = np.dtype(
    [
        *LANE_HEADER,
        ("phase", "u1"),
        ("turn", "<u2"),  # turns finished
        ("rank", "u1"),  # that is to be laid in this turn
        ("number", "u1"),  # cards laid in it, 0 before
        ("lied", "u1"),  # whether one of them has another rank
        ("calls", "u1"),  # bit mask of the seats that call
        ("pile_size", "u1"),
        ("sizes", "u1", (SEATS,)),
        # The turn before.
        ("last_rank", "u1"),
        ("last_number", "u1"),
        ("last_caller", "u1"),
        ("last_lied", "u1"),
        ("last_taken", "u1"),
        ("last_given", "u1"),  # the card drawn from the caller's hand; NOBODY: none was
        ("hand", "u1", (SEATS, CARDS)),
        ("pile", "u1", (CARDS,)),
    ],
    align=True,
)

RULES = np.dtype(
    [
        ("ranks", "u1"),
        ("copies", "u1"),
        ("max_rounds", "<u2"),
        ("deck", "u1", (CARDS,)),  # in order, padded with zeros; a shuffle starts from a copy
    ]
)


def start(lane: Any, rules: Any, words: Any) -> None:
    """A new game: the deck is shuffled by Fisher and Yates, in the pile's place, and dealt."""
    cards = np.int64(rules.ranks) * rules.copies
    for k in range(CARDS):
        lane.pile[k] = rules.deck[k]
    row = words[lane.row]
    at = 0
    each = cards // SEATS
    for k in range(cards):
        pick, at = draw(row, at, cards - k)
        card = lane.pile[k + pick]
        lane.pile[k + pick] = lane.pile[k]
        lane.hand[k // each, k % each] = card
    lane.row += 1
    for seat in range(SEATS):
        lane.sizes[seat] = each
    lane.pile_size = 0
    lane.phase = _BEGIN
    lane.turn = 0
    lane.rank = 0
    lane.number = 0
    lane.last_rank = 0
    lane.last_number = 0
    lane.last_caller = NOBODY
    lane.last_lied = 0
    lane.last_taken = 0
    lane.last_given = NOBODY


def proceed(lane: Any, rules: Any, words: Any) -> int:
    """Ask the mover, then the others, then settle; until a hand is empty or the rounds are over."""
    if lane.phase == _CALLED:
        _settle(lane, words[lane.row - 1])
        _next_turn(lane, rules)
    if lane.phase == _BEGIN:
        for seat in range(SEATS):
            if lane.sizes[seat] == 0:
                return OVER
        if lane.turn == SEATS * np.int64(rules.max_rounds):
            return OVER
        if lane.turn % TURNS_PER_ROW == 0:
            if lane.row >= len(words):
                return STARVED
            lane.row += 1
        lane.question = _LAY
        return 1 << _mover(lane)
    lane.phase = _CALLED
    lane.calls = 0
    lane.question = _CALL
    return (1 << SEATS) - 1 - (1 << _mover(lane))


@njit(cache=True)
def _mover(lane: Any) -> Any:
    return np.int64(lane.turn) % SEATS


@njit(cache=True)
def _settle(lane: Any, words: Any) -> None:
    """Who takes the pile ("A turn", 3). What chance decides is at fixed places in the words."""
    lane.last_rank = lane.rank
    lane.last_number = lane.number
    lane.last_caller = NOBODY
    lane.last_lied = 0
    lane.last_taken = 0
    lane.last_given = NOBODY
    if lane.calls == 0:
        return
    caller = _drawn_caller(lane, words)
    lane.last_caller = caller
    lane.last_lied = lane.lied
    lane.last_taken = lane.pile_size
    if not lane.lied:
        _take_pile(lane, caller)
        return
    _take_pile(lane, _mover(lane))
    size: Any = np.int64(lane.sizes[caller])
    pick, _ = draw(words, _place(lane, CARD), size)
    card = lane.hand[caller, pick]
    for k in range(pick, size - 1):
        lane.hand[caller, k] = lane.hand[caller, k + 1]
    lane.sizes[caller] = size - 1
    lane.pile[0] = card
    lane.pile_size = 1
    lane.last_given = card


@njit(cache=True)
def _place(lane: Any, purpose: int) -> Any:
    """Where in its row the turn's word for CALLER or CARD is."""
    return 2 * (np.int64(lane.turn) % TURNS_PER_ROW) + purpose


@njit(cache=True)
def _drawn_caller(lane: Any, words: Any) -> Any:
    """One of the seats that call, at even odds; they are counted from the mover on."""
    calls: Any = np.int64(lane.calls)
    callers: Any = 0
    for seat in range(SEATS):
        callers += calls >> seat & 1
    pick, _ = draw(words, _place(lane, CALLER), callers)
    seat = _mover(lane)
    while pick >= 0:
        seat = (seat + 1) % SEATS
        pick -= calls >> seat & 1
    return seat


@njit(cache=True)
def _take_pile(lane: Any, seat: Any) -> None:
    size = np.int64(lane.sizes[seat])
    for k in range(lane.pile_size):
        lane.hand[seat, size + k] = lane.pile[k]
    lane.sizes[seat] = size + lane.pile_size
    lane.pile_size = 0


@njit(cache=True)
def _next_turn(lane: Any, rules: Any) -> None:
    lane.phase = _BEGIN
    lane.turn += 1
    lane.rank += 1
    if lane.rank == rules.ranks:
        lane.rank = 0
    lane.number = 0


def observe(lane: Any, rules: Any, seat: int, out: Any) -> None:
    """What the seat may know; see `harness.games.bs.View`."""
    out.turn = lane.turn
    size = np.int64(lane.sizes[seat])
    for k in range(size):
        out.hand[k] = lane.hand[seat, k]
    for k in range(size, CARDS):
        out.hand[k] = NOBODY
    for k in range(SEATS):
        out.sizes[k] = lane.sizes[k]
    out.seat = seat
    out.rank = lane.rank
    out.number = lane.number
    out.pile = lane.pile_size
    out.last_rank = lane.last_rank
    out.last_number = lane.last_number
    out.last_caller = lane.last_caller
    out.last_lied = lane.last_lied
    out.last_taken = lane.last_taken
    out.given = lane.last_given if lane.last_caller == seat else np.uint8(NOBODY)


def act_lay(lane: Any, rules: Any, seat: int, reply: Any) -> bool:
    """The cards laid leave the hand, the first of equal ones first."""
    number = np.int64(reply.code)
    size = np.int64(lane.sizes[seat])
    if number < 1 or number > size:
        return False
    # How many of each rank, four bits a rank: no rank has more than thirteen cards.
    held = np.uint64(0)
    for k in range(size):
        held += np.uint64(1) << np.uint64(4 * lane.hand[seat, k])
    kept = held
    for k in range(number):
        card = reply.cards[k]
        if card >= RANKS or (kept >> np.uint64(4 * card)) & np.uint64(15) == 0:
            return False
        kept -= np.uint64(1) << np.uint64(4 * card)
    _remove(lane, seat, held - kept)
    lied = 0
    for k in range(number):
        lane.pile[lane.pile_size + k] = reply.cards[k]
        if reply.cards[k] != lane.rank:
            lied = 1
    _laid(lane, number, lied)
    return True


@njit(cache=True)
def _remove(lane: Any, seat: int, gone: Any) -> None:
    """Take cards out of the hand, the first of equal ones; `gone`: how many, four bits a rank."""
    left: Any = 0
    for k in range(np.int64(lane.sizes[seat])):
        card = lane.hand[seat, k]
        one = np.uint64(4 * card)
        # Without a branch: which cards go is as good as random, and guessing wrong is slow.
        goes = np.uint64((gone >> one) & np.uint64(15) != 0)
        gone -= goes << one
        lane.hand[seat, left] = card
        left += 1 - np.int64(goes)
    lane.sizes[seat] = left


@njit(cache=True)
def _laid(lane: Any, number: Any, lied: int) -> None:
    lane.pile_size += number
    lane.number = number
    lane.lied = lied
    lane.phase = _LAID


def act_call(lane: Any, rules: Any, seat: int, reply: Any) -> bool:
    """CALL or NO_CALL."""
    if reply.code == CALL:
        lane.calls |= np.uint8(1 << seat)
        return True
    return bool(reply.code == NO_CALL)


def substitute(lane: Any, rules: Any, seat: int) -> None:
    """The lowest-rank card held is laid; no call."""
    if lane.question == _CALL:
        return
    lowest = lane.hand[seat, 0]
    for k in range(1, np.int64(lane.sizes[seat])):
        lowest = min(lowest, lane.hand[seat, k])
    _remove(lane, seat, np.uint64(1) << np.uint64(4 * lowest))
    lane.pile[lane.pile_size] = lowest
    _laid(lane, 1, 1 if lowest != lane.rank else 0)


def forfeit(lane: Any, rules: Any, seat: int) -> bool:
    """The others play on; the seat's cards stay in the game and are laid one by one."""
    return False


def score(lane: Any, rules: Any, seat: int, out: Any) -> None:
    """Whose hand is empty has won; the points are the cards it does not hold."""
    out.won = 1 if lane.sizes[seat] == 0 else 0
    out.points = np.int64(rules.ranks) * rules.copies - lane.sizes[seat]
