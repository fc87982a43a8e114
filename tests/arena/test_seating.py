"""Who sits where: everybody equally often, everywhere, and never twice in one chair."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from harness.arena.seating import chairs, copies, drawn_lineups, even_deals, lineups
from harness.games.about import PAIR, Seating, rotation

PARTNERS = Seating(((0, 1, 0, 1), (1, 0, 1, 0)), partners=True)


@given(
    players=st.integers(2, 64),
    places=st.integers(2, 6),
    times=st.integers(1, 3),
    key=st.binary(min_size=32, max_size=32),
)
def test_everybody_plays_equally_often(players: int, places: int, times: int, key: bytes) -> None:
    deals = times * even_deals(places, players)
    drawn = drawn_lineups(deals, places, players, key)
    counts = np.bincount(drawn.ravel(), minlength=players)
    assert (counts == deals * places // players).all()
    for deal in range(1, deals):
        so_far = np.bincount(drawn[:deal].ravel(), minlength=players)
        assert so_far.max() - so_far.min() <= 1
    for lineup in drawn:
        most = -(-places // players)
        assert np.bincount(lineup, minlength=players).max() <= most


@given(players=st.integers(4, 12), key=st.binary(min_size=32, max_size=32))
def test_everybodys_partners_come_round(players: int, key: bytes) -> None:
    deals = 60 * even_deals(4, players)
    drawn = drawn_lineups(deals, 4, players, key, partners=True)
    assert sorted(map(sorted, drawn)) == sorted(
        map(sorted, drawn_lineups(deals, 4, players, key).tolist())
    )
    together = np.zeros((players, players), np.int64)
    for a, b, c, d in drawn:
        for one, other in ((a, c), (b, d)):
            together[[one, other], [other, one]] += 1
    met = together[np.triu_indices(players, 1)]
    assert met.max() - met.min() <= 6  # independent draws differ by four standard errors or more
    if players == 4:
        assert met.max() - met.min() <= 1


def test_lineups_depend_on_the_key_and_nothing_else() -> None:
    one = drawn_lineups(50, 4, 9, b"a" * 32)
    assert (one == drawn_lineups(50, 4, 9, b"a" * 32)).all()
    assert (one != drawn_lineups(50, 4, 9, b"b" * 32)).any()


def test_every_bot_meets_every_other_about_equally_often() -> None:
    drawn = drawn_lineups(9000, 4, 9, bytes(32))
    together = np.zeros((9, 9))
    for lineup in drawn:
        together[np.ix_(lineup, lineup)] += 1
    pairs = together[np.triu_indices(9, 1)]
    expected = 9000 * 6 / 36
    assert (abs(pairs - expected) < 5 * np.sqrt(expected)).all()


def test_every_cyclic_order_comes_up_equally_often() -> None:
    drawn = drawn_lineups(6000, 4, 4, bytes(32))
    first = np.argmax(drawn == 0, axis=1)
    orders = [tuple(np.roll(row, -at)) for row, at in zip(drawn, first, strict=True)]
    counts = np.array([orders.count(order) for order in set(orders)])
    assert len(counts) == 6
    assert (abs(counts - 1000) < 5 * np.sqrt(1000)).all()


def test_over_the_legs_of_a_deal_everybody_sits_everywhere() -> None:
    drawn = drawn_lineups(30, 4, 7, bytes(32))
    legs = np.array([chairs(rotation(4), drawn, leg, 1) for leg in range(4)])
    for deal in range(30):
        for seat in range(4):
            assert sorted(legs[:, deal, seat]) == sorted(drawn[deal])
        for leg in range(1, 4):  # neighbours stay neighbours
            at = np.argmax(legs[leg, deal] == legs[0, deal, 0])
            assert (np.roll(legs[leg, deal], -at) == legs[0, deal]).all()


def test_half_of_the_deals_begin_with_the_other_leg() -> None:
    seated = chairs(PAIR, lineups(10, 2), 0, 1)
    assert seated.tolist() == [[0, 1], [1, 0]] * 5
    assert (chairs(PAIR, lineups(10, 2), 1, 1) == seated[:, ::-1]).all()


def test_partners_have_a_chair_each() -> None:
    assert copies(PARTNERS, lineups(3, 2)) == 2
    assert chairs(PARTNERS, lineups(2, 2), 0, 2).tolist() == [[0, 2, 1, 3], [2, 0, 3, 1]]


@given(players=st.integers(2, 9), seats=st.integers(2, 6), key=st.binary(min_size=32, max_size=32))
def test_a_chair_is_taken_once_in_a_game(players: int, seats: int, key: bytes) -> None:
    drawn = drawn_lineups(20, seats, players, key)
    each = copies(rotation(seats), drawn)
    assert each == -(-seats // players)
    for leg in range(seats):
        seated = chairs(rotation(seats), drawn, leg, each)
        for deal in range(20):
            assert len(set(seated[deal])) == seats
            assert sorted(seated[deal] // each) == sorted(drawn[deal])
