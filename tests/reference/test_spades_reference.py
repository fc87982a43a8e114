"""The Spades reference engine against the rules text: every expectation was worked out by hand."""

from __future__ import annotations

import pytest

from tests.reference.spades import BID, PLAY, Rules, lowest, trick_winner
from tests.reference.spades_script import (
    ONE_HAND,
    SHORT_SUITS,
    card,
    cards,
    play,
    suits_of_one_hand,
    trick,
    views,
)

# Rules: the order of bids and plays.


def test_the_deal_goes_one_seat_on_after_every_hand() -> None:
    deals = [suits_of_one_hand(spades) for spades in (0, 1, 2, 3, 0)]
    game = play(deals, [(1, 1, 1, 1)] * 5, first_dealer=2, rules=Rules(max_hands=5))
    assert [record.dealer for record in game.records] == [2, 3, 0, 1, 2]
    bidders = [decision.seat for decision in game.decisions if decision.view.kind == BID]
    assert bidders == [3, 0, 1, 2, 0, 1, 2, 3, 1, 2, 3, 0, 2, 3, 0, 1, 3, 0, 1, 2]
    leaders = [record.tricks[0][0].seat for record in game.records]
    assert leaders == [3, 0, 1, 2, 3]


def test_bids_are_public_at_once_and_come_before_any_card() -> None:
    game = play([SHORT_SUITS], [(5, 1, 0, 3)], first_dealer=0, rules=ONE_HAND)
    told = [decision.view.bids for decision in game.decisions]
    assert told[:4] == [
        (None, None, None, None),
        (None, 1, None, None),
        (None, 1, 0, None),
        (None, 1, 0, 3),
    ]
    assert told[4:] == [(5, 1, 0, 3)] * 52
    assert [decision.view.kind for decision in game.decisions] == [BID] * 4 + [PLAY] * 52


def test_the_winner_leads_and_the_others_follow_clockwise() -> None:
    plays = [("AC",), ("2C",), ("TS", "JD"), ("2S",)]
    game = play([SHORT_SUITS], [(1, 1, 1, 1)], plays, rules=ONE_HAND)
    first, second = game.records[0].tricks[:2]
    assert first == trick("AC 2C TS 2S")
    assert [played.seat for played in second] == [2, 3, 0, 1]


@pytest.mark.parametrize(
    ("names", "leader", "winner"),
    [
        ("2H 9H TH 3H", 0, 2),
        ("2H AC AD 3H", 0, 3),  # higher cards of other suits do not count
        ("AH 2S KH QH", 0, 1),  # the lowest spade beats the highest card
        ("AH 2S 9S TS", 1, 0),  # the highest spade wins
        ("9S AH TS 2S", 2, 0),  # spades led
        ("2C AD AH KD", 3, 3),  # nobody follows
    ],
)
def test_who_wins_a_trick(names: str, leader: int, winner: int) -> None:
    assert trick_winner(trick(names, leader)) == winner


# Rules: what may be played.


def test_a_spade_may_not_be_led_before_spades_are_broken() -> None:
    game = play([SHORT_SUITS], [(1, 1, 1, 1)], [("AC",), (), ("2D",), ("2H",)], rules=ONE_HAND)
    first, second = views(game, 0)[:2]
    assert first.legal == cards("9C TC JC QC KC AC QD KD AD KH AH")
    assert second.legal == cards("9C TC JC QC KC QD KD AD KH AH")
    assert not second.spades_broken


def test_whoever_holds_the_suit_led_follows_and_others_play_anything() -> None:
    game = play([SHORT_SUITS], [(1, 1, 1, 1)], [("AC",), (), (), ()], rules=ONE_HAND)
    assert views(game, 1)[0].legal == cards("2C 3C 4C 5C 6C 7C 8C")
    assert views(game, 2)[0].legal == cards("2D 3D 4D 5D 6D 7D 8D 9D TD JD TS JS QS")
    assert views(game, 3)[0].legal == views(game, 3)[0].hand


def test_a_spade_on_any_trick_breaks_spades_at_once() -> None:
    game = play([SHORT_SUITS], [(1, 1, 1, 1)], [("AC",), (), ("TS",), ()], rules=ONE_HAND)
    assert not views(game, 1)[0].spades_broken
    assert not views(game, 2)[0].spades_broken
    assert views(game, 3)[0].spades_broken
    leads = views(game, 2)[1]
    assert leads.trick == ()
    assert leads.legal == leads.hand == cards("2D 3D 4D 5D 6D 7D 8D 9D TD JD JS QS")


def test_a_hand_of_spades_may_lead_one_and_breaks_them() -> None:
    game = play([suits_of_one_hand(spades=3)], [(1, 1, 1, 1)], first_dealer=2, rules=ONE_HAND)
    lead = views(game, 3)[0]
    assert not lead.spades_broken
    assert lead.legal == lead.hand == tuple(range(39, 52))
    assert views(game, 0)[0].spades_broken


def test_a_new_hand_starts_with_spades_unbroken() -> None:
    game = play([SHORT_SUITS] * 2, [(1, 1, 1, 1)] * 2, rules=Rules(max_hands=2))
    assert views(game, 0)[12].spades_broken
    assert not any(view.spades_broken for view in views(game, 0, BID))
    # Seat 1 leads a club; seat 2 is the first that may break them.
    assert not views(game, 2)[13].spades_broken


# End: illegal answers.


@pytest.mark.parametrize("reply", [-1, 14, 100, None, "3", 2.5])
def test_an_illegal_bid_is_a_one(reply: object) -> None:
    game = play([suits_of_one_hand(spades=3)], [(3, 13, reply, 0)], rules=ONE_HAND)
    assert game.records[0].bids == (3, 13, 1, 0)
    assert [decision.legal for decision in game.decisions[:4]] == [True, True, False, True]
    assert game.decisions[2].reply == reply
    assert views(game, 3, BID)[0].bids == (3, 13, 1, None)
    assert game.scores[0] == -40


ILLEGAL_CARDS = [
    (0, "AS", "9C"),  # a spade led, but none is broken
    (0, "2C", "9C"),  # another's card
    (1, "QH", "2C"),  # holds clubs, and does not follow
    (2, "2C", "2D"),  # cannot follow: the lowest card of all
    (3, "AD", "2H"),  # hearts before spades
]


@pytest.mark.parametrize(("seat", "reply", "played"), ILLEGAL_CARDS)
def test_an_illegal_card_is_the_lowest_legal_one(seat: int, reply: str, played: str) -> None:
    plays: list[tuple[str, ...]] = [("AC",), ("8C",), ("JD",), ("6H",)]
    plays[seat] = (reply,)
    game = play([SHORT_SUITS], [(1, 1, 1, 1)], plays, rules=ONE_HAND)
    assert game.records[0].tricks[0][seat] == (seat, card(played))
    assert [decision.legal for decision in game.decisions].count(False) == 1
    illegal = next(decision for decision in game.decisions if not decision.legal)
    assert (illegal.seat, illegal.reply) == (seat, card(reply))


def test_a_card_played_before_is_illegal() -> None:
    plays = [("AC", "AC"), (), ("2D",), ("2H",)]
    game = play([SHORT_SUITS], [(1, 1, 1, 1)], plays, rules=ONE_HAND)
    assert game.records[0].tricks[1][0] == (0, card("9C"))


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        ("2S 2H 2D 2C", "2C"),
        ("2S 2H 2D", "2D"),
        ("2S 2H 3C", "2H"),
        ("AC 3D 2S", "2S"),
        ("AC KS", "KS"),
    ],
)
def test_the_lowest_of_some_cards(names: str, expected: str) -> None:
    assert lowest(cards(names)) == card(expected)


# What play_game refuses.


@pytest.mark.parametrize("deal", [list(range(51)), [*range(51), 50], list(range(1, 53)), []])
def test_a_deal_of_other_cards_is_refused(deal: list[int]) -> None:
    with pytest.raises(ValueError, match="shuffle"):
        play([deal], [(1, 1, 1, 1)])


@pytest.mark.parametrize("dealer", [-1, 4])
def test_a_dealer_from_elsewhere_is_refused(dealer: int) -> None:
    with pytest.raises(ValueError, match="not a seat"):
        play([SHORT_SUITS], [(1, 1, 1, 1)], first_dealer=dealer)
