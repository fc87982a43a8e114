"""Pazaak for tests: its variants, two plain players, and lanes in the middle of games."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from harness.arena import lanes as loops
from harness.arena.seating import lineups
from harness.games.contract import SCORE
from harness.games.pazaak import END, STAND, View
from harness.games.pazaak.about import VARIANTS
from harness.games.pazaak.game import GAME
from tests.games.lockstep import deals_of

TEXT, ORIGINAL = VARIANTS["text"], VARIANTS["original-2015"]


def alternating(seat: int, view: View) -> int:
    return END if view.total < 12 + 5 * (view.hand_number % 2) else STAND


def careless(seat: int, view: View) -> int:
    return END if view.total < 19 or not view.side_hand else view.side_hand[-1]


SEATED = lineups(4000, 2)


def games_in_play() -> tuple[Any, ...]:
    """What the loops work on, in the middle of games, side cards already played in many."""
    source = deals_of(GAME, TEXT, b"resample".ljust(32), 4000)
    table = np.zeros(300, GAME.lane)
    state: tuple[Any, ...] = (
        *(table, GAME.rules_record(TEXT), source.first(), np.zeros((300, 13, 28), np.uint32)),
        *(np.zeros(4000, np.uint32), np.zeros(1, np.int64)),
        *(np.zeros((4000, 2), SCORE), np.zeros(4000, np.uint8)),
    )
    index, opened = np.zeros((300, 2), np.int32), np.zeros(300, np.uint8)
    fared = np.zeros(300, loops.FARED)
    frame, replies = (
        np.zeros(300, dtype) for dtype in (GAME.questions[0].observation, GAME.questions[0].reply)
    )
    loops.open_lanes(*state)
    rng = np.random.default_rng(5)
    for _ in range(20):
        for player in (0, 1):
            n = loops.gather(table, state[1], SEATED, player, 0, index, opened, frame)
            replies["code"][:n] = rng.choice([END, END, END, STAND, 1, 2, 3, 4, 5], n)
            loops.scatter(*state, index, n, replies, fared)
    assert (table["asked"] != 0).all()
    assert len({*map(tuple, table["side_cards"].tolist())}) > 8
    return state


def lanes_in_play() -> NDArray[np.void]:
    table: NDArray[np.void] = games_in_play()[0]
    return table
