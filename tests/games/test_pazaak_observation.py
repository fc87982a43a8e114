"""What a seat at Pazaak is told: views as the records have them, and nothing hidden."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numba import njit
from numpy.typing import NDArray

from harness.games.contract import observe
from harness.games.pazaak import END, NO_ACTION, STAND, View, cards
from harness.games.pazaak.frames import OBSERVATION, views
from harness.games.pazaak.game import GAME
from tests.games.pazaak_tables import TEXT, lanes_in_play


@settings(max_examples=50)
@given(st.integers(0, 2**32), st.integers(0, 60))
def test_views_say_what_the_records_say(seed: int, n: int) -> None:
    rng = np.random.default_rng(seed)
    frame = np.frombuffer(rng.bytes(n * OBSERVATION.size), GAME.questions[0].observation).copy()
    for name in ("first", "opponent_played"):
        frame[name] &= 1
    frame["opponent_action"] = rng.choice([END, STAND, NO_ACTION], n)
    for name in ("hand", "opponent_hand", "side_hand"):
        lengths = rng.integers(0, 17, n)
        for k in range(n):
            hand = rng.integers(1, 16, lengths[k]).tolist()
            frame[name][k] = sum(card << 4 * place for place, card in enumerate(hand))
    decoded = list(views(frame.tobytes()))
    assert len(decoded) == n
    unpacked = {name: cards(frame[name]) for name in ("hand", "opponent_hand", "side_hand")}
    for k, view in enumerate(decoded):
        assert type(view) is View
        assert View(**view._asdict()) == view
        for name, value in view._asdict().items():
            told = frame[name][k].item()
            if name in unpacked:
                assert value == tuple(card for card in unpacked[name][k].tolist() if card)
                assert all(type(card) is int for card in value)
            elif name == "opponent_action":
                assert value == {END: END, STAND: STAND, NO_ACTION: None}[told]
            elif name in ("first", "opponent_played"):
                assert value is bool(told)
            else:
                assert type(value) is int
                assert value == told


@njit(cache=True)
def _observe(lanes, rules, seat, frame):  # type: ignore[no-untyped-def]
    for k in range(len(lanes)):
        observe(lanes[k], rules, seat, frame[k])


def observations(lanes: NDArray[np.void], seat: int) -> bytes:
    frame = np.zeros(len(lanes), GAME.questions[0].observation)
    _observe(lanes, GAME.rules_record(TEXT), seat, frame)
    return frame.tobytes()


@pytest.mark.parametrize("seat", [0, 1])
def test_what_a_seat_is_told_follows_from_what_it_may_know(seat: int) -> None:
    """Everything in the lane's record is overwritten at random, except the facts of the rules."""
    table = lanes_in_play()
    other = 1 - seat
    rng = np.random.default_rng(seat)
    noise = np.frombuffer(rng.bytes(table.nbytes), table.dtype).copy()
    public = ["hand", "total", "wins", "side_cards", "hand_number", "games"]
    for name in public:
        noise[name] = table[name]
    noise["side"][:, seat] = table["side"][:, seat]
    noise["action"][:, other] = table["action"][:, other]
    noise["played"][:, other] = table["played"][:, other]
    assert observations(noise, seat) == observations(table, seat)
