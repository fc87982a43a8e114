"""A block: a fixed slice of a match's deals, played in all legs. The unit of work and of storage.

A leg is played by fresh processes, so that no process ever sees a deal twice. The result depends on
nothing but the job, unless a bot hits a time limit.
"""

from __future__ import annotations

import time

import numpy as np
from numpy.typing import NDArray

from harness.arena.deals import Deals
from harness.arena.job import Decision, Job, PlayerResult, Result, Watch
from harness.arena.leg import Leg
from harness.arena.seating import copies
from harness.arena.tally import canonical, count
from harness.games.about import Seating
from harness.games.contract import Game
from harness.sandbox.nursery import Nursery


def play_block(job: Job, game: Game, nursery: Nursery, watch: Watch | None = None) -> Result:
    """Play all legs of a block. Raises HarnessFault when a process of ours died."""
    began = time.monotonic()
    deals = Deals(job.key, job.deals, *game.about.words(job.rules))
    words = deals.first()
    seating, lineups = job.seating, job.lineups()
    each = copies(seating, lineups)
    players = [PlayerResult() for _ in job.players]
    shape = (len(seating.legs), job.deals, seating.seats)
    chairs = np.zeros(shape, np.int16)
    won, points = np.zeros(shape, np.int8), np.zeros(shape, np.int64)
    faulty = np.zeros(shape, np.bool_)
    watched: list[Decision] = []
    for number in range(len(seating.legs)):
        leg = Leg(job, game, nursery, words, deals, number, lineups, each, players, watch)
        leg.play()
        watched += leg.watched
        chairs[number] = leg.seating
        won[number], points[number] = leg.scores["won"], leg.scores["points"]
        faulty[number] = leg.faulty
    wins, scored = _by_player(chairs, won, points, len(players), each, seating)
    for number, player in enumerate(players):
        player.wins, player.points = int(wins[:, number].sum()), int(scored[:, number].sum())
    places = canonical(lineups, seating.partners and job.tables)
    return Result(
        games=len(seating.legs) * job.deals,
        deals=job.deals,
        tallies=count(places, wins, scored, len(seating.legs)),
        players=players,
        seated=chairs // np.int16(each),
        won=won,
        points=points,
        faulty=faulty,
        seconds=time.monotonic() - began,
        watched=watched,
        tables=job.tables,
        absent=job.absent,
    )


def _by_player(
    chairs: NDArray[np.int16],
    won: NDArray[np.int8],
    points: NDArray[np.int64],
    players: int,
    copies: int,
    seating: Seating,
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Wins and points by player: each deal's sums over its legs, shape (deals, players).

    Partners win and score as one: a player with both seats of a side counts the first only.
    """
    _, deals, seats = chairs.shape
    wins = np.zeros((deals, players), np.int64)
    scored = np.zeros((deals, players), np.int64)
    rows = np.arange(deals)
    for leg in range(len(chairs)):
        for seat in range(seats):
            chair = chairs[leg, :, seat]
            counts = (chair % copies == 0) | (not seating.partners)
            player = chair // copies
            # A deal has one player in a seat, so no index occurs twice.
            wins[rows, player] += won[leg, :, seat] * counts
            scored[rows, player] += points[leg, :, seat] * counts
    return wins, scored
