"""Illegal answers at BS, and how answers travel."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from harness.games.bs import Turn
from harness.games.bs.frames import (
    CALL,
    CALL_REPLY,
    ILLEGAL,
    LAY_REPLY,
    NO_CALL,
    encode_call,
    encode_lay,
)
from harness.games.frames import PROTOCOL
from tests.games.bs_tables import Game, dealt


@pytest.mark.parametrize(
    "reply", [[], [12], [0] * 5, [13], [-1], [256], [0] * 60, None, "0", 0, [True], [0.0], {0}]
)
def test_an_illegal_lay_is_the_first_of_the_lowest_cards(reply: object) -> None:
    hands = dealt([9, 3, 0, 5, 0], [12] * 4, [1] * 4)
    game = Game(hands)
    assert not game.answer(0, reply, LAY_REPLY.dtype(), encode_lay)
    assert game.pile == [0]
    assert game.hand(0) == (9, 3, 5, 0, *hands[0][5:])


@pytest.mark.parametrize("reply", [1, 0, None, "True", 1.0, [True], np.bool_(True)])
def test_what_is_not_true_or_false_is_no_call(reply: object) -> None:
    game = Game(dealt([5]))
    game.answer(0, [5], LAY_REPLY.dtype(), encode_lay)
    game.asked = game._one.proceed(game.words)
    for seat in (1, 2, 3):
        assert not game.answer(seat, reply, CALL_REPLY.dtype(), encode_call)
    game._one.proceed(game.words)
    assert game.view(1).last == Turn(0, 0, 1, None, None, None, 0)


@pytest.mark.parametrize(
    ("reply", "code"),
    [
        ([], 0),
        ([7, 12], 2),
        ((1, 1, 1), 3),
        ([0] * 52, 52),
        ([0] * 53, ILLEGAL),
        ([13], ILLEGAL),
        ([-1], ILLEGAL),
        ([10**30], ILLEGAL),
        ([True], PROTOCOL),
        ("7", PROTOCOL),
        (b"7", PROTOCOL),
        (7, PROTOCOL),
        (None, PROTOCOL),
    ],
)
def test_cards_travel_as_code_and_payload(reply: Any, code: int) -> None:
    record = np.zeros(1, LAY_REPLY.dtype())
    assert encode_lay(reply, memoryview(record.view(np.uint8))[2:]) == code
    if code > 0:
        assert record["cards"][0][:code].tolist() == list(reply)


def test_calls_travel_as_codes() -> None:
    nothing = memoryview(bytearray())
    assert encode_call(True, nothing) == CALL
    assert encode_call(False, nothing) == NO_CALL
    assert encode_call(1, nothing) == encode_call(None, nothing) == PROTOCOL
