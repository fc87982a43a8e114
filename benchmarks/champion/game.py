"""Games of Simple Pazaak between the champion and a rival, fast and in mirrored pairs.

A small engine of its own, for the text rules only: `harness/games/pazaak/rules.py` plays whatever
the arena wants; this one counts, while it plays, what the champion has to know about its rivals.
"""

from __future__ import annotations

from itertools import combinations_with_replacement
from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from benchmarks.champion.rivals import CHAMPION, below, reply_of, scramble
from harness.games.pazaak import END, NO_ACTION, STAND

SIDE_HANDS = [
    hand
    for size in range(5)
    for hand in combinations_with_replacement(range(1, 6), size)
    if all(hand.count(card) <= 2 for card in hand)
]
"""All side hands that can be held, smaller ones first; a side hand's index is its number here."""

# Number of the side hand without `card`, [side, card]; -1 if the card is not in it.
WITHOUT = np.full((len(SIDE_HANDS), 6), -1)
for _number, _hand in enumerate(SIDE_HANDS):
    for _card in _hand:
        _rest = list(_hand)
        _rest.remove(_card)
        WITHOUT[_number, _card] = SIDE_HANDS.index(tuple(_rest))

LEAST, MOST = 11, 19
"""Totals for which the table has an answer: below, END; above, STAND."""

TABLE_SHAPE = (MOST - LEAST + 1, 2, 21, 3, 3, 2, len(SIDE_HANDS), 5)
"""Own total, opponent standing, opponent's total, own wins, the opponent's, seat, own side hand,
opponent's side cards. In this order equal answers lie together, and the table packs well."""

# What the rival did: [its seat, champion's wins, its wins, its side cards, champion standing,
# champion's total (21 if bust), its total before the card, the card - 1, reply + 1].
REPLIES_SHAPE = (2, 3, 3, 5, 2, 22, 21, 10, 7)

# What was dealt: [own total before, total of the other (21 if bust), card - 1].
CARDS_SHAPE = (21, 22, 10)


@njit
def champion_reply(
    table: Any,
    wins: int,
    theirs: int,
    seat: int,
    side: int,
    held: int,
    me: int,
    opp: int,
    done: int,
) -> int:
    if me < LEAST:
        return END
    if me > MOST or opp > 20:
        return STAND
    return np.int64(table[me - LEAST, done, opp, wins, theirs, seat, side, held]) - 1


@njit
def play_game(
    key: Any, rival: int, seat: int, table: Any, explore: int, replies: Any, dealt: Any
) -> int:
    """Play game number `key` with the champion in `seat`; 1 if it wins, else 0.

    The cards depend on `key` alone, whoever sits where. In `explore` of 1000 decisions the champion
    does something at random, so that its rivals' replies to that are known too. If `replies` is
    not empty, they and the cards are counted.
    """
    bots = np.full(2, rival)
    bots[seat] = CHAMPION
    deals = np.array([scramble(key)])
    coins = np.array([scramble(key + np.uint64(seat + 1))])

    side = np.zeros((2, 4), np.int64)
    held = np.array([4, 4])
    for player in range(2):
        pool = np.arange(10) // 2 + 1
        for k in range(4):
            swap(pool, k, k + below(deals, 10 - k))
        side[player] = pool[:4]
    number = number_of(side[seat])

    wins = np.zeros(2, np.int64)
    seen = np.zeros(11, np.int64)
    total = np.zeros(2, np.int64)
    cards = np.zeros(2, np.int64)
    action = np.zeros(2, np.int64)
    deck = np.zeros(40, np.int64)
    hand = 0
    while wins[0] < 3 and wins[1] < 3:
        hand += 1
        deals[0] = scramble(key + np.uint64(hand << 40))
        top = 0
        for k in range(40):
            deck[k] = k // 4 + 1
        seen[:] = 0
        total[:] = 0
        cards[:] = 0
        action[:] = NO_ACTION
        winner = -1
        while winner == -1:
            for player in range(2):
                if action[player] == STAND:
                    continue
                other = 1 - player
                swap(deck, top, top + below(deals, 40 - top))
                card = deck[top]
                top += 1
                before = total[player]
                total[player] += card
                cards[player] += 1
                seen[card] += 1
                me, opp, done = total[player], total[other], int(action[other] == STAND)
                if player == seat:
                    reply = champion_reply(
                        table, wins[player], wins[other], seat, number, held[other], me, opp, done
                    )
                    if explore and below(coins, 1000) < explore:
                        reply = whim(me, side[player, : held[player]], coins)
                else:
                    reply = reply_of(
                        rival,
                        wins[player],
                        wins[other],
                        me,
                        opp,
                        action[other],
                        side[player],
                        held[player],
                        held[other],
                        seen,
                        cards[player],
                        coins,
                    )
                    if replies.size:
                        replies[
                            player,
                            wins[other],
                            wins[player],
                            held[player],
                            done,
                            min(opp, 21),
                            before,
                            card - 1,
                            reply + 1,
                        ] += 1
                if replies.size:
                    dealt[before, min(opp, 21), card - 1] += 1
                if reply > 0:
                    take(side[player], held[player], reply)
                    held[player] -= 1
                    total[player] += reply
                    cards[player] += 1
                    seen[reply] += 1
                    if player == seat:
                        number = WITHOUT[number, reply]
                action[player] = STAND if reply else END
            winner = judge(total, action)
        if winner < 2:
            wins[winner] += 1
    return int(wins[seat] == 3)


@njit
def judge(total: Any, action: Any) -> int:
    """The seat that wins the hand, 2 for a tie, -1 if it goes on."""
    one, two = total
    if one > 20 or two > 20:
        if one > 20 and two > 20:
            return 2
        return 1 if one > 20 else 0
    if action[0] == STAND and action[1] == STAND and one == two:
        return 2
    if action[1] == STAND and one > two:
        return 0
    if action[0] == STAND and two > one:
        return 1
    if action[0] == STAND and action[1] == STAND:
        return 0 if one > two else 1
    return -1


@njit
def number_of(side: Any) -> int:
    """The number of a side hand of four: add its cards to the empty one, one by one."""
    number = 0
    for card in side:
        for larger in range(WITHOUT.shape[0]):
            if WITHOUT[larger, card] == number:
                number = larger
                break
    return number


@njit
def whim(me: int, side: Any, coins: Any) -> int:
    """A random reply: END, STAND or, one time in four, a side card that does not bust."""
    choice = below(coins, 8)
    if choice >= 6 and len(side):
        card = side[below(coins, len(side))]
        if me + card <= 20:
            return card
    return END if choice < 3 else STAND


@njit
def take(side: Any, held: int, card: int) -> None:
    """Remove a card from a side hand, the others keep their order."""
    at = 0
    while side[at] != card:
        at += 1
    side[at : held - 1] = side[at + 1 : held].copy()


@njit
def swap(cards: Any, i: int, j: int) -> None:
    cards[i], cards[j] = cards[j], cards[i]


@njit
def key_of(seed: int, deal: int) -> Any:
    return scramble(scramble(np.uint64(seed)) + np.uint64(deal))


@njit
def _observe(
    seed: int, deals: int, field: Any, table: Any, explore: int, replies: Any, dealt: Any
) -> None:
    for deal in range(deals):
        rival = field[deal % len(field)]
        for seat in range(2):
            play_game(key_of(seed, deal), rival, seat, table, explore, replies, dealt)


@njit
def _match(seed: int, deals: int, rival: int, table: Any, replies: Any, dealt: Any) -> Any:
    scores = np.zeros(3, np.int64)
    for deal in range(deals):
        key = key_of(seed, deal)
        won = 0
        for seat in range(2):
            won += play_game(key, rival, seat, table, 0, replies, dealt)
        scores[won] += 1
    return scores


def observe(
    seed: int,
    deals: int,
    field: NDArray[np.int64],
    table: NDArray[np.int8],
    explore: int,
    replies: NDArray[np.int32],
    dealt: NDArray[np.int64],
) -> None:
    """Add to `replies` and `dealt` what happens in `deals` deals, both seatings each.

    The rivals are met in the order of `field`, over and over.
    """
    _observe(seed, deals, field, table, explore, replies, dealt)


def match(seed: int, deals: int, rival: int, table: NDArray[np.int8]) -> tuple[float, float]:
    """The share of games won in `deals` mirrored deals, and half its 95 % interval.

    The interval counts deals, not games: the two games of a deal are correlated.
    """
    nothing = np.zeros((0,) * len(REPLIES_SHAPE), np.int32)
    no_cards = np.zeros((0,) * len(CARDS_SHAPE), np.int64)
    scores = _match(seed, deals, rival, table, nothing, no_cards)
    points = np.array([0.0, 0.5, 1.0])
    share = float(scores @ points) / deals
    variance = float(scores @ (points - share) ** 2) / deals
    return share, 1.96 * (variance / deals) ** 0.5
