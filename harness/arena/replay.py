"""Any game of a match, told: its block is played again with one game watched.

Games are not stored. A block's result depends on nothing but its job, so playing it once more
gives every game anew; only what the clock decided may come out differently.

A game's `transcript(rules, words, more, decisions, names)` turns the watched game into lines:
`words` are the deal's random words (uint32, shape (rows, words per row)), `more(n)` their n-th
continuation, `decisions` the `Decision`s in the order of the questions, `names` the bots' by seat.
A seat that is asked and has no next decision has forfeited the game there; at tables it may be that
of a bot that was retired before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from harness import games
from harness.arena.cache import use_compiled_cache
from harness.arena.deals import Deals
from harness.arena.faults import CRASH, MEMORY, TIMEOUT
from harness.arena.job import Job, Result, Watch

_FORFEITING = (TIMEOUT, MEMORY, CRASH)


def find_game(
    result: Result, first: int, lost_by: int | None = None, faulty: bool = False
) -> int | None:
    """The first game of a block, from index `first` on, that is wanted; None if there is none.

    `lost_by`: the number of a player who must have lost it; `faulty`: somebody must have committed
    a fault in it. Games are counted from 0, the legs of a deal one after the other.
    """
    won = _per_game(result.won)
    wanted = np.ones(len(won), np.bool_)
    if lost_by is not None:
        own = _per_game(result.seats_of(lost_by))
        wanted &= (won.sum(axis=1) > 0) & own.any(axis=1) & ~(own & (won > 0)).any(axis=1)
    if faulty:
        wanted &= _per_game(result.faulty).any(axis=1)
    found = np.flatnonzero(wanted[first:])
    return first + int(found[0]) if len(found) else None


def _per_game(array: NDArray[Any]) -> NDArray[Any]:
    """From shape (legs, deals, seats) to (games, seats), in the order of the games."""
    return array.swapaxes(0, 1).reshape(-1, array.shape[2])


def tell(
    job: Job, watch: Watch, result: Result, shown: Callable[[str], str] = str
) -> Iterator[str]:
    """The watched game, a line per step, and how it ended. Imports Numba.

    `result` is that of the block with the game watched; `shown` makes a name fit to be shown.
    """
    use_compiled_cache()
    game = games.load(job.game)
    names = [shown(player.name) for player in job.players]
    faulty = result.faulty[watch.leg, watch.deal]
    seated = result.seated[watch.leg, watch.deal].tolist()
    seats = _seats(seated, names, job.seating.partners)
    if not result.watched and not faulty.any():
        # Nobody was asked: the absence of some decides the game.
        gone = [n for n in range(len(names)) if n in job.absent or result.players[n].retired]
        retired = _listed(names[n] for n in gone if n in seated)
        yield f"This game was not played: {retired} had been retired."
        if job.tables:
            yield _counted(watch, result, seats, game.about.points)
        return
    away = [player for player in job.absent if player in seated]
    if away:
        yield f"Retired before: {', '.join(names[n] for n in away)}; the rules play for the absent."
    deals = Deals(job.key, job.deals, *game.about.words(job.rules))
    yield from game.transcript(
        job.rules,
        deals.first()[watch.deal],
        lambda refill: deals.more(watch.deal, refill),
        result.watched,
        seats,
    )
    if away or faulty.any() or any(player.retired for player in result.players):
        yield from _ending(watch, result, names, seats, game.about.points)


def _seats(seated: list[int], names: list[str], partners: bool) -> tuple[str, ...]:
    """Names by seat. A bot that sits there several times is told apart, but for its own partner."""
    return tuple(
        f"{names[player]} (seat {seat})"
        if seated.count(player) > 1 and not partners
        else names[player]
        for seat, player in enumerate(seated, 1)
    )


def _ending(
    watch: Watch, result: Result, names: list[str], seats: tuple[str, ...], points: str
) -> Iterator[str]:
    """What counts for the match, which is not what the cards say if the game was forfeited."""
    seated = result.seated[watch.leg, watch.deal].tolist()
    for number in dict.fromkeys(seated):
        name, player = names[number], result.players[number]
        for example in player.log.examples:
            if (example.leg, example.deal) == (watch.leg, watch.deal):
                if example.kind in _FORFEITING:
                    yield f"{name} forfeits the game: {example.kind}, {example.traceback}."
                else:
                    yield f"{name} committed a fault: {example.kind}."
        if player.retired:
            yield f"{name} is retired in this block: {player.retired}."
    yield _counted(watch, result, seats, points)


def _counted(watch: Watch, result: Result, seats: tuple[str, ...], points: str) -> str:
    won = dict(zip(seats, result.won[watch.leg, watch.deal].tolist(), strict=True))
    score = dict(zip(seats, result.points[watch.leg, watch.deal].tolist(), strict=True))
    winners = _listed(seat for seat, one in won.items() if one)
    standing = ", ".join(f"{seat} {own}" for seat, own in score.items())
    return f"Counted: won by {winners or 'nobody'}; {points}: {standing}."


def _listed(names: Iterator[str]) -> str:
    return " and ".join(names)
