"""The peer: two Pazaak bots in a plain in-process loop, as one would write it without an arena.

No sandbox, no time limits, no lanes; a deck is shuffled per hand, a view made per question, the bot
called. Everything within reason is done to be quick in plain Python, so that the comparison means
something.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from harness.games.pazaak import END, STAND, View

_DECK = [card for card in range(1, 11) for _ in range(4)]
_POOL = [card for card in range(1, 6) for _ in range(2)]

Respond = Callable[[View], int]


def play_match(bots: tuple[Any, Any], games: int, seed: int) -> list[int]:
    """Wins of both bots over `games` games; each opens half of them."""
    rng = random.Random(seed)
    wins = [0, 0]
    for number in range(games):
        first = number % 2
        order = (bots[first].respond, bots[1 - first].respond)
        winner = _play_game(order, number, rng)
        wins[first if winner == 0 else 1 - first] += 1
    return wins


def _play_game(respond: tuple[Respond, Respond], number: int, rng: random.Random) -> int:
    side = [rng.sample(_POOL, 4), rng.sample(_POOL, 4)]
    wins = [0, 0]
    hand_number = 0
    while wins[0] < 3 and wins[1] < 3:
        winner = _play_hand(respond, side, wins, hand_number, number, rng)
        if winner is not None:
            wins[winner] += 1
        hand_number += 1
    return 0 if wins[0] == 3 else 1


def _play_hand(
    respond: tuple[Respond, Respond],
    side: list[list[int]],
    wins: list[int],
    hand_number: int,
    number: int,
    rng: random.Random,
) -> int | None:
    deck = iter(rng.sample(_DECK, 30))
    hands: tuple[list[int], list[int]] = ([], [])
    totals = [0, 0]
    standing = [False, False]
    actions: list[int | None] = [None, None]
    played = [False, False]
    while True:
        for seat in (0, 1):
            if standing[seat]:
                continue
            card = next(deck)
            hands[seat].append(card)
            totals[seat] += card
            other = 1 - seat
            reply = respond[seat](
                View(
                    wins[seat],
                    wins[other],
                    seat == 0,
                    tuple(hands[seat]),
                    tuple(hands[other]),
                    tuple(side[seat]),
                    len(side[other]),
                    actions[other],
                    played[other],
                    totals[seat],
                    totals[other],
                    hand_number,
                    number,
                )
            )
            if reply == END:
                actions[seat] = END
                continue
            standing[seat] = True
            actions[seat] = STAND
            if reply in side[seat]:
                side[seat].remove(reply)
                hands[seat].append(reply)
                totals[seat] += reply
                played[seat] = True
        one, two = totals
        if one > 20 or two > 20:
            return None if one > 20 and two > 20 else int(one > 20)
        if standing[0] and standing[1]:
            return None if one == two else int(two > one)
        if standing[0] and two > one:
            return 1
        if standing[1] and one > two:
            return 0
