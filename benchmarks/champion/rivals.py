"""The seven rivals of the champion as compiled functions.

The strategies are those of the house bots in `bots/pazaak`, written again for Numba: a few hundred
nanoseconds a decision. `me` and `opp` are totals, `action` is the opponent's last (END, STAND or
NO_ACTION), `side[:held]` the side cards in the order they were drawn, and `seen[r]` says how many
cards of rank r lie on the table in both hands.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from harness.games.pazaak import END, STAND

CHAMPION, KID, NESTOR, AUSTIN, T3M4, BASTILA, CAUTIOUS, BOLD = range(8)

NAMES = {
    KID: "The Cincinnati Kid",
    NESTOR: "Nestor",
    AUSTIN: "Austin Powers",
    T3M4: "T3-M4",
    BASTILA: "Bastila",
    CAUTIOUS: "Dumb Cautious Player",
    BOLD: "Dumb Bold Player",
}


@njit
def reply_of(
    bot: int,
    wins: int,
    opponent_wins: int,
    me: int,
    opp: int,
    action: int,
    side: Any,
    held: int,
    opponent_held: int,
    seen: Any,
    own_cards: int,
    coins: Any,
) -> int:
    """The reply of rival `bot`; `coins` is the random state for those that toss one."""
    if me >= 20:
        return STAND
    if bot == KID:
        return kid(me, opp, action, side[:held])
    if bot == NESTOR:
        return nestor(me, opp, action, side[:held], seen)
    if bot == AUSTIN:
        return austin(wins, opponent_wins, me, opp, action, side[:held], seen)
    if bot == T3M4:
        return t3m4(wins, opponent_wins, me, opp, action, side[:held], opponent_held, coins)
    if bot == BASTILA:
        return bastila(me, own_cards, side[:held])
    return END if me < (15 if bot == CAUTIOUS else 20) else STAND


@njit
def first_fitting(side: Any, least: int, most: int) -> int:
    """The first side card of a value from `least` to `most`, or 0."""
    for card in side:
        if least <= card <= most:
            return card
    return 0


@njit
def last_fitting(side: Any, least: int, most: int) -> int:
    """The last side card of a value from `least` to `most`, or 0."""
    return first_fitting(side[::-1], least, most)


@njit
def kid(me: int, opp: int, action: int, side: Any) -> int:
    if opp > 20:
        return STAND
    if me <= 10:
        return END
    best = 0
    smallest = 0
    for card in side:
        if card <= 20 - me:
            best = max(best, card)
            smallest = card if smallest == 0 else min(smallest, card)
    if best and me + best >= opp and me + best > 18:
        return best
    if action == STAND:
        if me < opp:
            return best if best and me + best >= opp else END
        return smallest if me == opp and smallest else STAND
    return END if me < opp or me < 18 else STAND


@njit
def nestor(me: int, opp: int, action: int, side: Any, seen: Any) -> int:
    need = 20 - me
    if action == STAND:
        if me > opp:
            return STAND
        card = first_fitting(side, opp - me + 1, need) or first_fitting(side, opp - me, need)
        return card or END
    if first_fitting(side, need, need):
        return need
    if opp == 20 or me < 10:
        return END

    # Both sums times left * left * (left - 1): whole numbers, so that equal sums are equal.
    unseen = np.zeros(11, np.int64)
    for rank in range(1, 11):
        unseen[rank] = max(0, 4 - seen[rank])
    left = unseen.sum()
    bust = unseen[21 - opp :].sum() if opp > 10 else 0
    standing = bust * nestor_pay(me, opp, 10, 1, 0)
    drawing = 0
    for rank in range(1, 11):
        standing += unseen[rank] * nestor_pay(me, opp + rank, 10, 1, 0)
        if unseen[rank]:
            inner = 0
            for other in range(1, 11):
                count = unseen[other] - (1 if other == rank else 0)
                inner += count * nestor_pay(me + rank, opp + other, 19, 9, 4)
            after = bust * (left - 1) * nestor_pay(me + rank, opp, 19, 9, 4)
            drawing += unseen[rank] * (after + left * inner)
    return END if drawing > standing * left * (left - 1) else STAND


@njit
def nestor_pay(mine: int, theirs: int, win: int, draw: int, lose: int) -> int:
    if mine > 20:
        return draw if theirs > 20 else lose
    if mine == theirs:
        return draw
    return win if mine > theirs else lose


@njit
def austin(
    wins: int, opponent_wins: int, me: int, opp: int, action: int, side: Any, seen: Any
) -> int:
    done = action == STAND
    if opp > 20 or (done and opp < me):
        return STAND
    need = 20 - me
    if done:
        card = first_fitting(side, opp - me + 1, need)
        if card:
            return card
    if first_fitting(side, need, need):
        return need
    safe = 0
    unseen = 0
    for rank in range(1, 11):
        count = max(0, 4 - seen[rank])
        unseen += count
        safe += count if rank <= need else 0
    if wins < opponent_wins and (done or action == END) and safe:
        return END
    return END if 5 * safe > unseen else STAND


@njit
def t3m4(
    wins: int,
    opponent_wins: int,
    me: int,
    opp: int,
    action: int,
    side: Any,
    opponent_held: int,
    coins: Any,
) -> int:
    need = 20 - me
    if need > 10:
        return END
    if opp > 20:
        return STAND
    if first_fitting(side, need, need):
        return need
    if opp == 20:
        return END
    if action == STAND:
        if me > opp:
            return STAND
        card = first_fitting(side, opp - me + 1, need)
        if card:
            return card
        tie = first_fitting(side, opp - me, opp - me)
        if tie:
            if wins == 2 and opponent_wins == 2:
                return tie
            if wins < opponent_wins:
                if opponent_wins == 2:
                    return tie
                if len(side) >= opponent_held + 2 and heads(coins):
                    return tie
            return END
    if opp <= me:
        return END
    card = last_fitting(side, opp - me, need - 1)
    if card and me + card > opp:
        return END
    if opp > 17:
        return card if card and opponent_wins == 2 else STAND
    if opp > 14:
        if card and opponent_wins >= wins:
            return card
        return STAND if heads(coins) else END
    return END


@njit
def heads(coins: Any) -> bool:
    return below(coins, 2) == 1


@njit
def bastila(me: int, own_cards: int, side: Any) -> int:
    card = last_fitting(side, 17 - me, 20 - me)
    if card:
        return card
    return STAND if me + (220 - me) // (40 - own_cards) > 18 else END


@njit
def below(state: Any, bound: int) -> int:
    """A random number in [0, bound) from a SplitMix64 generator whose state is `state[0]`."""
    state[0] += np.uint64(0x9E3779B97F4A7C15)
    return np.int64(((scramble(state[0]) >> np.uint64(32)) * np.uint64(bound)) >> np.uint64(32))


@njit
def scramble(x: Any) -> Any:
    """The output function of SplitMix64."""
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))
