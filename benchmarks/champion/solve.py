"""The best reply to the modelled opponent in every situation, by dynamic programming.

Two levels. A *state* lies between hands: own wins, opponent's wins, seat, own side hand, opponent's
side cards. Its worth is the chance to win the game. A *hand* is solved given the worths of the
states it can lead to, from high totals to low, and gives the worth of its own state. A side card
therefore has no price that someone has to guess: playing it leads to a state with less in hand.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from benchmarks.champion.game import LEAST, MOST, SIDE_HANDS, TABLE_SHAPE, WITHOUT
from harness.games.pazaak import END, STAND

LOSS, TIE, WIN = range(3)

SWEEPS = 6
"""A tie may lead back to the state it came from, whose worth is then found by repetition: what is
left of the error shrinks about tenfold each time."""

NEARLY = 1e-9
"""Replies this close in worth are equal; STAND is taken before END before a side card."""

_HANDS = len(SIDE_HANDS)


def solve(
    replies: NDArray[np.float64], cards: NDArray[np.float64]
) -> tuple[NDArray[np.int8], NDArray[np.float64]]:
    """The table of best replies, each plus one, and the worths of all states.

    `replies` and `cards` are the chances of `model`. Shapes: `game.TABLE_SHAPE`, and its last five
    axes.
    """
    table = np.ones(TABLE_SHAPE, np.int8)
    worths = np.full(TABLE_SHAPE[3:], 0.5)
    for total in range(4, -1, -1):
        for wins in range(max(0, total - 2), min(2, total) + 1):
            for seat in range(2):
                _solve_score(wins, total - wins, seat, replies, cards, worths, table)
    return table, worths


@njit
def _solve_score(
    wins: int, theirs: int, seat: int, replies: Any, cards: Any, worths: Any, table: Any
) -> None:
    # Worth of having stood on m while the opponent goes on from o, [side, held, m, o] ...
    stood = np.zeros((_HANDS, 5, 21, 21))
    # ... and of going on from m against an opponent who stood on o.
    chase = np.zeros((_HANDS, 5, 21, 21))
    for side in range(_HANDS):
        for held in range(5):
            for _ in range(SWEEPS):
                worth = np.zeros((_HANDS, 2, 3))
                for card in range(6):
                    # card 0: none played. The opponent may play one as well.
                    rest = WITHOUT[side, card] if card else side
                    if rest >= 0:
                        for used in range(2):
                            after = max(0, held - used)
                            worth[rest, used, LOSS] = (
                                worths[wins, theirs + 1, seat, rest, after] if theirs < 2 else 0.0
                            )
                            worth[rest, used, TIE] = worths[wins, theirs, seat, rest, after]
                            worth[rest, used, WIN] = (
                                worths[wins + 1, theirs, seat, rest, after] if wins < 2 else 1.0
                            )
                answers = table[:, :, :, wins, theirs, seat, side, held]
                chances = replies[1 - seat, wins, theirs, held]
                _they_go_on(side, held, chances[1], cards, worth, stood)
                _i_go_on(side, held, cards, worth, stood, chase, answers)
                if seat == 0:
                    value = _as_player_one(
                        side, held, chances[0], cards, worth, stood, chase, answers
                    )
                else:
                    value = _as_player_two(
                        side, held, chances[0], cards, worth, stood, chase, answers
                    )
                worths[wins, theirs, seat, side, held] = value


@njit
def _outcome(mine: int, theirs: int) -> int:
    """Of two final totals."""
    if mine > 20:
        return TIE if theirs > 20 else LOSS
    if theirs > 20 or mine > theirs:
        return WIN
    return TIE if mine == theirs else LOSS


@njit
def _they_go_on(side: int, held: int, chances: Any, cards: Any, worth: Any, stood: Any) -> None:
    """Fill `stood`: I stand on m, they draw from o until they stand, pass me or bust."""
    for m in range(21):
        for o in range(20, -1, -1):
            value = 0.0
            for card in range(1, 11):
                for reply in range(-1, 6):
                    chance = cards[o, m, card - 1] * chances[m, o, card - 1, reply + 1]
                    if chance:
                        used = int(reply > 0)
                        total = o + card + max(0, reply)
                        if reply == END and total <= m:
                            value += chance * stood[side, held, m, total]
                        else:
                            value += chance * worth[side, used, _outcome(m, total)]
            stood[side, held, m, o] = value


@njit
def _i_go_on(
    side: int, held: int, cards: Any, worth: Any, stood: Any, chase: Any, answers: Any
) -> None:
    """Fill `chase`: they stand on o, I draw from m."""
    for o in range(21):
        for m in range(20, -1, -1):
            value = 0.0
            for card in range(1, 11):
                total = m + card
                best = worth[side, 0, _outcome(total, o)]
                answer = STAND
                if total < 20 and total <= o:
                    if chase[side, held, total, o] > best + NEARLY:
                        best = chase[side, held, total, o]
                        answer = END
                    for play in range(1, 21 - total):
                        if play < 6 and WITHOUT[side, play] >= 0:
                            rest = WITHOUT[side, play]
                            played = worth[rest, 0, _outcome(total + play, o)]
                            if played > best + NEARLY:
                                best = played
                                answer = play
                if LEAST <= total <= MOST:
                    answers[total - LEAST, 1, o] = answer + 1
                value += cards[m, o, card - 1] * best
            chase[side, held, m, o] = value


@njit
def _best(
    side: int, held: int, m: int, o: int, ending: float, standing: float, floor: int, stood: Any
) -> tuple[float, int]:
    """The best reply on m against an active opponent on o, and its worth.

    `ending` and `standing` are the worths of END and STAND. A side card is only considered if it
    makes at least `floor`.
    """
    best, answer = standing, STAND
    if m < 20:
        if ending > best + NEARLY:
            best, answer = ending, END
        for play in range(max(1, floor - m), 21 - m):
            if play < 6 and WITHOUT[side, play] >= 0:
                played = stood[WITHOUT[side, play], held, m + play, o]
                if played > best + NEARLY:
                    best, answer = played, play
    return best, answer


@njit
def _as_player_one(
    side: int,
    held: int,
    chances: Any,
    cards: Any,
    worth: Any,
    stood: Any,
    chase: Any,
    answers: Any,
) -> float:
    """The worth of the state: I draw and reply, then they do, then the round is judged."""
    draw = np.zeros((21, 21))  # I am on m, they on o, both active, and my card comes next
    reply_worth = np.zeros(31)
    for o in range(20, -1, -1):
        for m in range(30, -1, -1):
            ending = 0.0
            for card in range(1, 11):
                for reply in range(-1, 6):
                    seen = min(m, 21)
                    chance = cards[o, seen, card - 1]
                    chance *= chances[seen, o, card - 1, reply + 1]
                    if chance:
                        used = int(reply > 0)
                        total = o + card + max(0, reply)
                        if m > 20 or total > 20 or (reply != END and m > total):
                            ending += chance * worth[side, used, _outcome(m, total)]
                        elif reply == END:
                            ending += chance * draw[m, total]
                        else:
                            ending += chance * chase[side, max(0, held - used), m, total]
            if m > 20:
                reply_worth[m] = ending
            else:
                standing = stood[side, held, m, o]
                reply_worth[m], answer = _best(side, held, m, o, ending, standing, 0, stood)
                if LEAST <= m <= MOST:
                    answers[m - LEAST, 0, o] = answer + 1
        for m in range(21):
            for card in range(1, 11):
                draw[m, o] += cards[m, o, card - 1] * reply_worth[m + card]
    return draw[0, 0]


@njit
def _as_player_two(
    side: int,
    held: int,
    chances: Any,
    cards: Any,
    worth: Any,
    stood: Any,
    chase: Any,
    answers: Any,
) -> float:
    """The worth of the state: they draw and reply, then I do, then the round is judged."""
    draw = np.zeros((21, 21))  # I am on m, they have just ended on o, and my card comes next
    start = np.zeros((21, 21))  # the same, and theirs comes next
    reply_worth = np.zeros(31)
    for o in range(20, -1, -1):
        for m in range(20, -1, -1):
            safe = 0.0
            for card in range(1, 21 - m):
                safe += cards[m, 20, card - 1] if card < 11 else 0.0
            for card in range(1, 11):
                for reply in range(-1, 6):
                    chance = cards[o, m, card - 1] * chances[m, o, card - 1, reply + 1]
                    if chance:
                        used = int(reply > 0)
                        total = o + card + max(0, reply)
                        if total > 20:  # I draw all the same, and may bust too
                            value = safe * worth[side, used, WIN]
                            value += (1 - safe) * worth[side, used, TIE]
                        elif reply == END:
                            value = draw[m, total]
                        else:
                            value = chase[side, max(0, held - used), m, total]
                        start[m, o] += chance * value
        for m in range(30, -1, -1):
            if m > 20:
                reply_worth[m] = worth[side, 0, LOSS]
                continue
            # Who stands below an active opponent loses at once.
            standing = stood[side, held, m, o] if m >= o else worth[side, 0, LOSS]
            reply_worth[m], answer = _best(side, held, m, o, start[m, o], standing, o, stood)
            if LEAST <= m <= MOST:
                answers[m - LEAST, 0, o] = answer + 1
        for m in range(21):
            for card in range(1, 11):
                draw[m, o] += cards[m, o, card - 1] * reply_worth[m + card]
    return start[0, 0]
