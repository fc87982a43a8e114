"""Who sits where: line-ups of a block's deals, and the chairs they take leg by leg.

A *line-up* says which players a deal is played by; the game's `Seating` puts them on seats, anew
for every leg. A *chair* is one process of one player: a player who has several seats in a game has
a process for each, numbered `player * copies + copy`.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from harness.arena.deals import derive, keystream
from harness.games.about import Seating


def lineups(deals: int, places: int) -> NDArray[np.int16]:
    """The line-ups of a match, the same in every deal: int16, shape (deals, places)."""
    return np.tile(np.arange(places, dtype=np.int16), (deals, 1))


def drawn_lineups(
    deals: int, places: int, players: int, key: bytes, partners: bool = False
) -> NDArray[np.int16]:
    """Random line-ups in random order: int16, shape (deals, places).

    Every deal is played by those who have played least, ties drawn by lot: the numbers of deals of
    any two players never differ by more than one, and not at all after a multiple of
    `even_deals(places, players)`. Fewer players than places sit several times. `partners`: the four
    of a deal are partnered as they have been least, so that everybody's partners come round.
    """
    size = deals * (players + places) * 8
    lots = np.frombuffer(keystream(derive(key, "lineups"), size), "<u8")
    lots = lots.reshape(deals, players + places)
    times, rest = divmod(places, players)
    always = np.repeat(np.arange(players), times)
    played = np.zeros(players, np.int64)
    together = np.zeros((players, players), np.int64)
    drawn = np.empty((deals, places), np.int16)
    for deal in range(deals):
        least = np.lexsort((lots[deal, :players], played))[:rest]
        played[least] += 1
        who = np.concatenate((always, least))
        drawn[deal] = who[np.argsort(lots[deal, players:], kind="stable")]
        if partners:
            drawn[deal] = _partnered(drawn[deal], together)
    return drawn


_PARTNERINGS = ((0, 1, 2, 3), (0, 2, 1, 3), (0, 1, 3, 2))
"""Orders of four; in each, the first and the third play together."""


def _partnered(four: NDArray[np.int16], together: NDArray[np.int64]) -> NDArray[np.int16]:
    """The four in the first of the orders whose partners have met least; counts it.

    `together`: how often two players have been partners, shape (players, players).
    """
    orders = [four[list(order)] for order in _PARTNERINGS]
    times = [together[a, c] + together[b, d] for a, b, c, d in orders]
    chosen = orders[int(np.argmin(times))]
    for one, other in (chosen[0::2], chosen[1::2]):
        together[one, other] += 1
        together[other, one] += 1
    return chosen


def even_deals(places: int, players: int) -> int:
    """After how many deals everybody can have played the same number of them."""
    return players // int(np.gcd(places, players))


def copies(seating: Seating, lineups: NDArray[np.int16]) -> int:
    """The most seats that one player has in a game."""
    taken = np.sort(lineups[:, list(seating.legs[0])], axis=1)
    most, run = 1, np.ones(len(taken), np.int64)
    for seat in range(1, taken.shape[1]):
        run = np.where(taken[:, seat] == taken[:, seat - 1], run + 1, 1)
        most = max(most, int(run.max(initial=1)))
    return most


def chairs(
    seating: Seating, lineups: NDArray[np.int16], leg: int, copies: int
) -> NDArray[np.int16]:
    """Which chair has which seat: int16, shape (deals, seats).

    The legs begin at another one from deal to deal, so that in every leg everybody sits everywhere
    and every process always has work.
    """
    legs = np.array(seating.legs)
    turns = legs[(np.arange(len(lineups)) + leg) % len(legs)]
    players = np.take_along_axis(lineups, turns, axis=1)
    taken = players * np.int16(copies)
    for seat in range(1, players.shape[1]):
        taken[:, seat] += (players[:, :seat] == players[:, seat : seat + 1]).sum(axis=1)
    return taken
