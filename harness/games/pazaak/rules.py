"""The rules of Simple Pazaak, compiled: the one implementation that matches, replays and tests use.

Section numbers refer to docs/games/pazaak.md. Seat 0 is player one. A hand's cards are packed into
one 64-bit number, four bits a card, the first card lowest: a hand is appended to and compared in
one step, and travels to the bots as it is.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from harness.games.contract import LANE_HEADER, OVER, STARVED
from harness.games.draw import draw
from harness.games.pazaak import END, NO_ACTION, STAND
from harness.games.pazaak.about import MOST_MAIN_CARDS

_JUDGE = 2  # the value of `turn` when both players have acted

LANE = np.dtype(
    [
        *LANE_HEADER,
        ("hand", "<u8", (2,)),
        ("side", "<u8", (2,)),
        ("hand_cards", "u1", (2,)),
        ("side_cards", "u1", (2,)),
        ("total", "u1", (2,)),
        ("wins", "u1", (2,)),
        ("standing", "u1", (2,)),
        ("action", "i1", (2,)),
        ("played", "u1", (2,)),
        ("turn", "u1"),
        ("in_hand", "u1"),  # 0 between hands
        ("hand_number", "<u2"),
        ("deck", "u1", (MOST_MAIN_CARDS,)),
        ("dealt", "u1"),
        ("word", "<u2"),  # next unused random word of the hand's row
    ],
    align=True,
)

RULES = np.dtype(
    [
        ("main_copies", "u1"),
        ("main_ranks", "u1"),
        ("side_copies", "u1"),
        ("side_ranks", "u1"),
        ("side_hand", "u1"),
        ("target", "u1"),
        ("wins_needed", "u1"),
        ("auto_stand", "u1"),
        # In order, padded with zeros; a shuffle starts from a copy.
        ("main_deck", "u1", (MOST_MAIN_CARDS,)),
        ("side_pool", "u1", (MOST_MAIN_CARDS,)),
    ]
)


def start(lane: Any, rules: Any, words: Any) -> None:
    """A new game: both side hands are drawn, each from a pool of its seat's own."""
    at = 0
    pool = rules.side_copies * rules.side_ranks
    for seat in range(2):
        # A partial Fisher-Yates shuffle, in the lane's deck: no hand is being played yet.
        for k in range(MOST_MAIN_CARDS):
            lane.deck[k] = rules.side_pool[k]
        side = np.uint64(0)
        for k in range(rules.side_hand):
            pick, at = draw(words[lane.row], at, pool - k)
            card = lane.deck[k + pick]
            lane.deck[k + pick] = lane.deck[k]
            side |= np.uint64(card) << np.uint64(4 * k)
        lane.side[seat] = side
        lane.side_cards[seat] = rules.side_hand
        lane.wins[seat] = 0
    lane.row += 1
    lane.hand_number = 0
    lane.in_hand = 0


def proceed(lane: Any, rules: Any, words: Any) -> int:
    """Deal and judge until a player must be asked or the game is over."""
    while True:
        if lane.wins[0] >= rules.wins_needed or lane.wins[1] >= rules.wins_needed:
            return OVER
        if not lane.in_hand:
            if lane.row >= len(words):
                return STARVED
            _begin_hand(lane, rules)
        if lane.turn == _JUDGE:
            _judge(lane, rules)
            continue
        seat = lane.turn
        if lane.standing[seat]:
            lane.turn += 1
            continue
        _deal_card(lane, rules, words[lane.row - 1], seat)
        if rules.auto_stand and lane.total[seat] == rules.target:  # "A hand", 5
            lane.standing[seat] = 1
            lane.action[seat] = STAND
            lane.turn += 1
            continue
        return 1 << seat


@njit(cache=True)
def _begin_hand(lane: Any, rules: Any) -> None:
    lane.row += 1
    lane.in_hand = 1
    lane.turn = 0
    lane.dealt = 0
    lane.word = 0
    for k in range(MOST_MAIN_CARDS):  # a constant length: it becomes a few wide copies
        lane.deck[k] = rules.main_deck[k]
    for seat in range(2):
        lane.hand[seat] = 0
        lane.hand_cards[seat] = 0
        lane.total[seat] = 0
        lane.standing[seat] = 0
        lane.action[seat] = NO_ACTION
        lane.played[seat] = 0


@njit(cache=True)
def _deal_card(lane: Any, rules: Any, words: Any, seat: int) -> None:
    """The next card of a Fisher-Yates shuffle that goes only as far as cards are needed."""
    left = rules.main_copies * rules.main_ranks - lane.dealt
    pick, at = draw(words, lane.word, left)
    lane.word = at
    card = lane.deck[lane.dealt + pick]
    lane.deck[lane.dealt + pick] = lane.deck[lane.dealt]
    lane.dealt += 1
    _lay(lane, seat, card)


@njit(cache=True)
def _lay(lane: Any, seat: int, card: int) -> None:
    lane.hand[seat] |= np.uint64(card) << np.uint64(4 * lane.hand_cards[seat])
    lane.hand_cards[seat] += 1
    lane.total[seat] += card


@njit(cache=True)
def _judge(lane: Any, rules: Any) -> None:
    """Once per round, after both have acted ("Judging")."""
    lane.turn = 0
    bust_one = lane.total[0] > rules.target
    bust_two = lane.total[1] > rules.target
    if bust_one or bust_two:
        if not bust_one:
            lane.wins[0] += 1
        elif not bust_two:
            lane.wins[1] += 1
    elif lane.standing[0] and lane.standing[1]:
        if lane.total[0] > lane.total[1]:
            lane.wins[0] += 1
        elif lane.total[1] > lane.total[0]:
            lane.wins[1] += 1
    elif lane.standing[0] and lane.total[1] > lane.total[0]:
        lane.wins[1] += 1
    elif lane.standing[1] and lane.total[0] > lane.total[1]:
        lane.wins[0] += 1
    else:
        return
    lane.in_hand = 0
    lane.hand_number += 1


def observe(lane: Any, rules: Any, seat: int, out: Any) -> None:
    """What the seat may know; see `harness.games.pazaak.View`."""
    other = 1 - seat
    out.hand = lane.hand[seat]
    out.opponent_hand = lane.hand[other]
    out.side_hand = lane.side[seat]
    out.game_number = lane.games
    out.hand_number = lane.hand_number
    out.wins = lane.wins[seat]
    out.opponent_wins = lane.wins[other]
    out.first = 1 - seat
    out.opponent_side_cards = lane.side_cards[other]
    out.opponent_action = lane.action[other]
    out.opponent_played = lane.played[other]
    out.total = lane.total[seat]
    out.opponent_total = lane.total[other]


def act(lane: Any, rules: Any, seat: int, reply: Any) -> bool:
    """END, STAND or PLAY."""
    code = reply.code
    if code == END:
        lane.turn += 1
        lane.action[seat] = END
        return True
    if code != STAND and not (code > 0 and _play(lane, seat, code)):
        return False
    _stand(lane, seat)
    return True


def substitute(lane: Any, rules: Any, seat: int) -> None:
    """Whatever is no action, a card not held included, is a STAND."""
    _stand(lane, seat)


@njit(cache=True)
def _stand(lane: Any, seat: int) -> None:
    lane.turn += 1
    lane.standing[seat] = 1
    lane.action[seat] = STAND


@njit(cache=True)
def _play(lane: Any, seat: int, card: int) -> bool:
    """Move a side card to the hand; False if it is not held."""
    side = lane.side[seat]
    for k in range(lane.side_cards[seat]):
        shift = np.uint64(4 * k)
        if np.int64((side >> shift) & np.uint64(15)) == card:
            below = side & ((np.uint64(1) << shift) - np.uint64(1))
            above = (side >> (shift + np.uint64(4))) << shift if k < 15 else np.uint64(0)
            lane.side[seat] = below | above
            lane.side_cards[seat] -= 1
            lane.played[seat] = 1
            _lay(lane, seat, card)
            return True
    return False


def forfeit(lane: Any, rules: Any, seat: int) -> bool:
    """The opponent gets the game; the seat keeps the hands it won."""
    lane.wins[1 - seat] = rules.wins_needed
    return True


def score(lane: Any, rules: Any, seat: int, out: Any) -> None:
    """A game won, and the hands won in it."""
    out.won = 1 if lane.wins[seat] >= rules.wins_needed else 0
    out.points = lane.wins[seat]
