"""What the Spades reference engine tells a bot: every expectation was worked out by hand."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, fields

import pytest

from tests.reference.spades import BID, PLAY, ReferenceView, Rules
from tests.reference.spades_script import (
    ONE_HAND,
    SHORT_SUITS,
    Bids,
    cards,
    play,
    suits_of_one_hand,
    trick,
    views,
)


def test_everything_told_in_the_middle_of_a_game() -> None:
    # Seat 1 takes all of the first hand: 85 for its team with five bags, -40 for the other.
    deals = [suits_of_one_hand(spades=1), SHORT_SUITS]
    bids: list[Bids] = [(2, 4, 2, 4), (5, 0, 4, 3)]
    plays = [("KH", "AS", "AH"), ("7H", "QH", "JH"), ("TS", "JS", "2D"), ("2H", "9S", "6H")]
    game = play(deals, bids, plays, rules=Rules(max_hands=2))
    assert views(game, 2, BID)[1] == ReferenceView(
        kind=BID,
        seat=2,
        hand=cards("2D 3D 4D 5D 6D 7D 8D 9D TD JD TS JS QS"),
        dealer=0,
        bids=(None, 0, None, None),
        trick=(),
        tricks=(),
        tricks_won=(0, 0, 0, 0),
        scores=(-40, 85),
        bags=(0, 5),
        spades_broken=False,
        legal=(),
    )
    assert views(game, 3)[13 + 2] == ReferenceView(
        kind=PLAY,
        seat=3,
        hand=cards("3H 4H 5H 6H 2S 3S 4S 5S 6S 7S 8S"),
        dealer=0,
        bids=(5, 0, 4, 3),
        trick=trick("AH JH 2D", leader=0),
        tricks=(trick("7H TS 2H KH", leader=1), trick("JS 9S AS QH", leader=2)),
        tricks_won=(1, 0, 1, 0),
        scores=(-40, 85),
        bags=(0, 5),
        spades_broken=True,
        legal=cards("3H 4H 5H 6H"),
    )


def test_a_view_cannot_be_changed() -> None:
    game = play([SHORT_SUITS], [(1, 1, 1, 1)], rules=ONE_HAND)
    view = game.decisions[0].view
    hash(view)  # so no list in it
    for told in fields(view):
        with pytest.raises(FrozenInstanceError):
            setattr(view, told.name, None)
