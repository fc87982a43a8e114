"""Single hands of the compiled rules of Spades, laid out card by card."""

from __future__ import annotations

import numpy as np
import pytest

from harness.games.frames import EXCEPTION, PROTOCOL, UNANSWERED
from harness.games.spades import card, set_of
from harness.games.spades.about import SpadesRules
from harness.games.spades.rules import lowest
from tests.games.spades_tables import PLAYS, SHORT, compare, first_hand
from tests.reference import spades as reference


def test_a_spade_is_led_only_when_spades_are_broken() -> None:
    """Seat 0 may not lead the Ace of spades; seat 3 ruffs; then seat 3 may lead spades."""
    played = first_hand(SHORT, [5, 1, 2, 5], ["AS", "", "", "2S 9S"])
    compare(played, SpadesRules(max_hands=1), 0)
    plays = [each for each in played.decisions[0] if each.question == PLAYS]
    assert not plays[0].legal
    assert [view_of.view.spades_broken for view_of in plays[:5]] == [False] * 4 + [True]
    assert plays[1].view.trick == ((0, card("9C")),)  # the lowest legal card instead
    assert plays[4].seat == 3
    assert plays[4].legal
    assert card("9S") == plays[4].reply
    assert plays[4].view.tricks_won == (0, 0, 0, 1)


def test_who_holds_only_spades_may_lead_one_and_breaks_them() -> None:
    suits = [" ".join(rank + suit for rank in "23456789TJQKA") for suit in "SCDH"]
    played = first_hand(suits, [13, 0, 0, 0], [""] * 4)
    compare(played, SpadesRules(max_hands=1), 0)
    first, second = [each.view for each in played.decisions[0] if each.question == PLAYS][:2]
    assert first.legal == first.hand
    assert not first.spades_broken
    assert second.spades_broken
    assert played.scores["points"][0].tolist() == [230, 200, 230, 200]


SUBSTITUTES = [
    ("2C 2D 2H 2S", "2C"),
    ("3C 2S 2H", "2H"),
    ("AC KS", "KS"),
    ("AD AC", "AC"),
    ("TS JH", "TS"),
]


@pytest.mark.parametrize(("held", "expected"), SUBSTITUTES)
def test_the_lowest_card_is_the_one_of_the_text(held: str, expected: str) -> None:
    cards = [card(each) for each in held.split()]
    assert lowest(np.uint64(set_of(cards))) == card(expected) == reference.lowest(cards)


def test_an_illegal_bid_counts_as_one() -> None:
    for wrong in (-1, 14, 255, UNANSWERED, EXCEPTION, PROTOCOL):
        played = first_hand(SHORT, [wrong, 3, wrong, 4], [""] * 4)
        last = played.decisions[0][-1].view
        assert last.bids == (1, 3, 1, 4)
        assert [each.legal for each in played.decisions[0][:4]] == [False, True, False, True]
