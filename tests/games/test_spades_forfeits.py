"""What a forfeit makes of a game of Spades."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numba import njit
from numpy.typing import NDArray

from harness.games.contract import SCORE, forfeit, score
from harness.games.spades.game import GAME
from tests.games.spades_tables import TEXT, lanes_in_play


@pytest.fixture(scope="module")
def in_play() -> NDArray[np.void]:
    return lanes_in_play()


@njit(cache=True)
def _forfeit_and_score(lanes: Any, rules: Any, seats: Any, scores: Any, over: Any) -> None:
    for k in range(len(lanes)):
        for seat in seats:
            over[k] = forfeit(lanes[k], rules, seat)
        for each in range(4):
            score(lanes[k], rules, each, scores[k, each])


@pytest.mark.parametrize("seat", range(4))
def test_a_forfeit_gives_the_game_to_the_other_team(in_play: NDArray[np.void], seat: int) -> None:
    table, team = in_play.copy(), seat % 2
    scores = np.zeros((len(table), 4), SCORE)
    over = np.zeros(len(table), np.bool_)
    _forfeit_and_score(table, GAME.rules_record(TEXT), np.array([seat]), scores, over)
    assert over.all()
    for other in range(4):
        own = other % 2 == team
        assert (scores["won"][:, other] == (0 if own else 1)).all()
        expected = in_play["score"][:, team] if own else TEXT.win_at
        assert (scores["points"][:, other] == expected).all()


@pytest.mark.parametrize("seats", [(0, 1), (3, 2), (1, 0, 3)])
def test_nobody_wins_a_game_that_both_teams_forfeit(
    in_play: NDArray[np.void], seats: tuple[int, ...]
) -> None:
    scores = np.zeros((len(in_play), 4), SCORE)
    over = np.zeros(len(in_play), np.bool_)
    _forfeit_and_score(in_play.copy(), GAME.rules_record(TEXT), np.array(seats), scores, over)
    assert (scores["won"] == 0).all()
