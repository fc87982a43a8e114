"""Cards, tricks and payouts of Azi: the examples of the rules text, and more worked out by hand."""

from __future__ import annotations

import random

import pytest

from tests.reference.azi_cards import (
    Play,
    legal_cards,
    lowest,
    lowest_discard,
    payout,
    trick_winner,
)
from tests.reference.azi_script import card, cards

# Payout.


@pytest.mark.parametrize(
    ("contributions", "scaled", "matched"),
    [
        ((40, 100, 100), [120, 60, 60], [120, 60, 60]),
        ((35, 100, 100, 20), [112, 65, 65, 13], [125, 65, 65, 0]),
        ((40, 100), [80, 60], [80, 60]),
        ((100, 40, 100), [240, 0, 0], [240, 0, 0]),
        ((1, 1, 0), [2, 0, 0], [2, 0, 0]),
        ((1, 0, 3), [2, 0, 2], [2, 0, 2]),
    ],
)
def test_the_payout_examples(
    contributions: tuple[int, ...], scaled: list[int], matched: list[int]
) -> None:
    seats = len(contributions)
    for winner in range(seats):  # the same table, counted from another seat
        turned = [contributions[(seat - winner) % seats] for seat in range(seats)]
        for rule, expected in (("scaled", scaled), ("matched", matched)):
            shares = [expected[(seat - winner) % seats] for seat in range(seats)]
            assert payout(turned, winner, rule) == shares


def test_equal_fractions_go_clockwise_from_the_winners_left() -> None:
    # Payout 2 * (11 + 5 - 2) // 5 = 5; 6 left for 5, 2 and 2: 3 3/9, 1 3/9, 1 3/9.
    assert payout((2, 5, 2, 2), 0) == [5, 4, 1, 1]
    assert payout((5, 2, 2, 2), 2) == [3, 1, 5, 2]
    assert payout((2, 2, 5, 2), 0) == [5, 2, 3, 1]


def test_the_largest_remainder_comes_first() -> None:
    # Payout 1 * (10 + 5 - 1) // 5 = 2; 8 left for 5, 2 and 2: 4 4/9, 1 7/9, 1 7/9.
    assert payout((1, 5, 2, 2), 0) == [2, 4, 2, 2]


def test_payout_invariants() -> None:
    source = random.Random(82714)
    for _ in range(4000):
        contributions = [source.choice((0, source.randrange(1, 30))) for _ in range(6)]
        winner = source.randrange(6)
        contributions[winner] = own = source.randrange(1, 30)
        for rule in ("scaled", "matched"):
            paid = payout(contributions, winner, rule)
            assert sum(paid) == sum(contributions)
            assert own <= paid[winner] <= sum(contributions)
            refunds = [paid[seat] - contributions[seat] for seat in range(6) if seat != winner]
            assert max(refunds) <= 0
            assert min(paid) >= 0


@pytest.mark.parametrize(("contributions", "winner"), [((0, 5), 0), ((5, -1), 0)])
def test_payouts_that_cannot_be(contributions: tuple[int, ...], winner: int) -> None:
    with pytest.raises(ValueError, match="no payout"):
        payout(contributions, winner)


# Cards and tricks: hearts trump.


@pytest.mark.parametrize(
    ("hand", "led", "turn_up", "legal"),
    [
        ("s6 hA", "s9", "hQ", "s6"),
        ("hA s6", "s9", "hQ", "s6"),
        ("h6 dA", "s9", "hQ", "h6"),
        ("dA d6", "s9", "hQ", "dA d6"),
        ("sA s6 dA", "s9", "hQ", "sA s6"),
        ("h6 dA hA", "s9", "hQ", "h6 hA"),
        ("h6 dA s6", "h9", "hA", "h6"),  # six on stage follows as a trump
        ("h6 s6", "s9", "hA", "s6"),
        ("h6 d6", "s9", "hA", "h6"),
    ],
)
def test_what_must_be_followed(hand: str, led: str, turn_up: str, legal: str) -> None:
    assert legal_cards(cards(hand), card(led), card(turn_up)) == cards(legal)


def test_any_card_can_be_led() -> None:
    assert legal_cards(cards("s6 hA d6"), None, card("hQ")) == cards("s6 hA d6")


@pytest.mark.parametrize(
    ("trick", "turn_up", "winner"),
    [
        ("hK h6", "hA", 1),  # six on stage
        ("h6 hK", "hA", 0),
        ("h6 h7", "hK", 1),
        ("h7 h6", "hK", 0),
        ("d6 d7", "hA", 1),  # side suits are unchanged
        ("s6 dA", "hQ", 0),  # a diamond discarded on a spade lead never wins
        ("s6 dA h6 sA", "hQ", 2),
        ("s6 h7 h6 hA", "hQ", 3),
        ("s9 sT s8", "hQ", 1),
        ("dA h6", "dQ", 0),
    ],
)
def test_who_takes_the_trick(trick: str, turn_up: str, winner: int) -> None:
    plays = [Play(seat, played) for seat, played in enumerate(cards(trick))]
    assert trick_winner(plays, card(turn_up)) == winner


def test_the_lowest_card() -> None:
    assert lowest(cards("sA d7 h8 s7"), card("hQ")) == card("d7")
    assert lowest(cards("sA h7 s8"), card("hQ")) == card("h7")
    assert lowest(cards("h6 sA hK"), card("hA")) == card("hK")
    assert lowest(cards("s6 h6 sA"), card("hA")) == card("s6")
    assert lowest_discard(cards("h6 sK dA"), card("hQ")) == card("sK")
    assert lowest_discard(cards("h9 h7 hA"), card("hQ")) == card("h7")
    assert lowest_discard(cards("h6 h7 hK"), card("hA")) == card("h7")
