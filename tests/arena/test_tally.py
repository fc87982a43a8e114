"""Tallies: sums and products over deals, by line-up, against counting by hand."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.arena.seating import drawn_lineups
from harness.arena.tally import Tally, canonical, count


@given(players=st.integers(2, 7), places=st.integers(2, 5), seed=st.integers(0, 2**32 - 1))
def test_tallies_are_what_counting_gives(players: int, places: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    drawn = canonical(drawn_lineups(40, places, players, rng.bytes(32)), partners=False)
    wins = rng.integers(0, places + 1, (40, players))
    points = rng.integers(-50, 50, (40, players))
    tallies = count(drawn, wins, points, places)
    assert sum(tally.deals for tally in tallies) == 40
    for tally in tallies:
        deals = [d for d in range(40) if tuple(drawn[d]) == tally.lineup]
        who = list(dict.fromkeys(tally.lineup))
        assert (tally.deals, tally.games) == (len(deals), places * len(deals))
        for taken, sums, products in (
            (wins, tally.wins, tally.win_products),
            (points, tally.points, tally.point_products),
        ):
            assert sums == tuple(sum(int(taken[d, p]) for d in deals) for p in who)
            expected = [
                sum(int(taken[d, a]) * int(taken[d, b]) for d in deals)
                for i, a in enumerate(who)
                for b in who[i:]
            ]
            assert products == tuple(expected)
        again = Tally.of(tally.lineup, json.loads(json.dumps(tally.sums())))
        assert again == tally


def test_tallies_of_one_lineup_add_up() -> None:
    lineups = np.tile(np.arange(3, dtype=np.int16), (10, 1))
    rng = np.random.default_rng(1)
    wins, points = rng.integers(0, 4, (10, 3)), rng.integers(-9, 9, (10, 3))
    (whole,) = count(lineups, wins, points, 3)
    (one,) = count(lineups[:4], wins[:4], points[:4], 3)
    (other,) = count(lineups[4:], wins[4:], points[4:], 3)
    assert one + other == whole
    (strange,) = count(lineups[:1] + np.int16(1), np.zeros((1, 4)), np.zeros((1, 4)), 3)
    with pytest.raises(ValueError, match="tallies of"):
        one + strange


def test_partners_stay_together_whatever_their_seats() -> None:
    seats = np.array([[5, 1, 2, 7], [1, 5, 7, 2], [2, 7, 5, 1], [1, 2, 5, 7]], np.int16)
    assert canonical(seats, partners=True).tolist() == [[1, 7, 2, 5]] * 3 + [[1, 5, 2, 7]]
