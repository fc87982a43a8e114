"""A block: a fixed slice of a match's deals, played in all legs. The unit of work and of storage.

A leg is played by fresh processes, so that no process ever sees a deal twice. The result depends on
nothing but the job, unless a bot hits a time limit.
"""

from __future__ import annotations

import time

import numpy as np

from harness.arena.deals import Deals
from harness.arena.job import Decision, Job, PlayerResult, Result, Watch
from harness.arena.leg import Leg
from harness.games.contract import Game
from harness.sandbox.nursery import Nursery


def play_block(job: Job, game: Game, nursery: Nursery, watch: Watch | None = None) -> Result:
    """Play all legs of a block. Raises HarnessFault when a process of ours died."""
    began = time.monotonic()
    rows, words_per_row = game.about.words(job.rules)
    deals = Deals(job.key, job.deals, rows, words_per_row)
    words = deals.first()
    players = [PlayerResult() for _ in job.players]
    shape = (game.about.legs, job.deals, len(players))
    won, points = np.zeros(shape, np.int8), np.zeros(shape, np.int64)
    faulty = np.zeros(shape, np.bool_)
    watched: list[Decision] = []
    for number in range(game.about.legs):
        leg = Leg(job, game, nursery, words, deals, number, players, watch)
        leg.play()
        watched += leg.watched
        # From seats to players: each deal has its own seating.
        np.put_along_axis(won[number], leg.seating, leg.scores["won"], axis=1)
        np.put_along_axis(points[number], leg.seating, leg.scores["points"], axis=1)
        faulty[number] = leg.faulty
    for number, player in enumerate(players):
        player.wins = int(won[:, :, number].sum())
        player.points = int(points[:, :, number].sum())
    per_deal = won.sum(axis=0, dtype=np.int64)
    return Result(
        games=game.about.legs * job.deals,
        deals=job.deals,
        squares=int(((per_deal[:, 0] - per_deal[:, 1]) ** 2).sum()),
        players=players,
        won=won,
        points=points,
        faulty=faulty,
        seconds=time.monotonic() - began,
        watched=watched,
    )
