"""How a game of Pazaak ends: won, by a forfeit, or by a walkover."""

from __future__ import annotations

import numpy as np
import pytest
from numba import njit

from harness.arena import lanes as loops
from harness.games.contract import SCORE, forfeit, score
from harness.games.pazaak.game import GAME
from tests.games.lockstep import play
from tests.games.pazaak_tables import (
    ORIGINAL,
    SEATED,
    TEXT,
    alternating,
    games_in_play,
    lanes_in_play,
)


@njit(cache=True)
def _forfeit_and_score(lanes, rules, seat, scores):  # type: ignore[no-untyped-def]
    for k in range(len(lanes)):
        forfeit(lanes[k], rules, seat)
        for each in range(2):
            score(lanes[k], rules, each, scores[k, each])


@pytest.mark.parametrize("seat", [0, 1])
def test_a_forfeit_gives_the_game_away_and_leaves_the_hands_won(seat: int) -> None:
    table = lanes_in_play()
    wins = table["wins"].copy()
    assert {*wins.ravel().tolist()} == {0, 1, 2}
    scores = np.zeros((len(table), 2), SCORE)
    _forfeit_and_score(table, GAME.rules_record(TEXT), seat, scores)
    assert (scores["won"][:, seat] == 0).all()
    assert (scores["won"][:, 1 - seat] == 1).all()
    assert (scores["points"][:, seat] == wins[:, seat]).all()
    assert (scores["points"][:, 1 - seat] == TEXT.wins_needed).all()


@pytest.mark.parametrize(
    ("retired", "won", "points"),
    [
        ((True, False), [0, 1], [0, 3]),
        ((False, True), [1, 0], [3, 0]),
        ((True, True), [0, 0], [0, 0]),
    ],
)
def test_a_walkover_is_won_with_all_hands_and_finished_games_stay(
    retired: tuple[bool, bool], won: list[int], points: list[int]
) -> None:
    state = games_in_play()
    scores, done = state[-2:]
    finished, before = done == 1, scores[done == 1].copy()
    begun = np.zeros(len(done), np.bool_)
    begun[state[0]["deal"]] = True
    assert finished.any()
    loops.retire(*state, SEATED, np.array(retired, np.uint8))
    assert done.all()
    assert (scores[finished] == before).all()
    assert (scores["points"][~finished & ~begun] == points).all()
    assert (scores["won"][~finished] == won).all()


def test_a_finished_game_has_one_winner_with_the_hands_it_needs() -> None:
    played = play(GAME, ORIGINAL, b"score".ljust(32), 200, 50, alternating)
    won, points = played.scores["won"], played.scores["points"]
    assert (won.sum(axis=1) == 1).all()
    assert (points[won == 1] == ORIGINAL.wins_needed).all()
    assert (points[won == 0] < ORIGINAL.wins_needed).all()
