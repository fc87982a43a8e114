"""The cards of Azi, and what they are worth to each other.

A card is a whole number, `rank * 3 + suit`: of two cards of a suit the larger number is the higher
card, but for "six on stage". A set of cards is a mask with bit `card` set. The functions are plain
Python that Numba compiles as well: bots and the rules use the same ones.
"""

from __future__ import annotations

SUITS = ("hearts", "diamonds", "spades")
RANKS = ("6", "7", "8", "9", "10", "J", "Q", "K", "A")
CARDS = len(SUITS) * len(RANKS)

SIX, ACE = 0, len(RANKS) - 1
"""The lowest and the highest rank."""

NO_CARD = -1
"""In place of a card where there is none."""

_HEARTS = 0b001001001001001001001001001  # the mask of all hearts; others are this, shifted


def card(name: str) -> int:
    """A card by its name, "h10": the suit's first letter, then the rank. Raises ValueError."""
    suits = [suit[0] for suit in SUITS]
    if name[:1] not in suits or name[1:] not in RANKS:
        raise ValueError(f"{name!r} is no card; cards are written like h10, d6 or sA")
    return RANKS.index(name[1:]) * len(SUITS) + suits.index(name[0])


def name(card: int) -> str:
    """The card as `card` reads it."""
    return SUITS[card % 3][0] + RANKS[card // 3]


def suit_mask(suit: int) -> int:
    """All cards of a suit, 0 to 2."""
    return _HEARTS << suit


def strength(card: int, led: int, turn_up: int) -> int:
    """What a card is worth in a trick: the highest takes it, 0 cannot.

    `led`: any card of the suit led; `turn_up`: the card that made the trumps. If that is an Ace,
    the 6 of trumps is the highest card ("six on stage").
    """
    suit = card % 3
    rank = card // 3
    if suit == turn_up % 3:
        if rank == 0 and turn_up // 3 == 8:
            rank = 9
        return 11 + rank
    if suit == led % 3:
        return 1 + rank
    return 0


def lowest(cards: int, turn_up: int) -> int:
    """The card of the lowest rank in a set that is not empty; of equal ones the first suit's.

    Trumps have no higher ranks than others here, but for the six on stage.
    """
    others = cards
    if turn_up // 3 == 8:
        others = cards & ~(1 << turn_up % 3)
    if others:
        cards = others
    card = 0
    while not cards >> card & 1:
        card += 1
    return card


def playable(hand: int, led: int, turn_up: int) -> int:
    """The cards of a hand that may be played; `led`: the card led, NO_CARD for the leader.

    The suit led must be followed; without it a trump must be played; without trumps, any card.
    """
    if led < 0:
        return hand
    following = hand & _HEARTS << led % 3
    if following:
        return following
    trumps = hand & _HEARTS << turn_up % 3
    if trumps:
        return trumps
    return hand
