"""Cards as numbers, and sets of cards as numbers too.

A card is `suit * 13 + rank`, 0 to 51: suits in the order clubs, diamonds, hearts, spades, ranks
from 0 for a two to 12 for an Ace. A set of cards is an int with one bit per card (bit 0 is the two
of clubs): it is compared, cut and counted in one step, and travels to the bots as it is.
"""

from __future__ import annotations

CLUBS, DIAMONDS, HEARTS, SPADES = range(4)
"""The suits, in the order that decides between equal ranks."""

TEN, JACK, QUEEN, KING, ACE = range(8, 13)
"""The ranks that have names; a two is 0."""

SUITS, RANKS, CARDS = 4, 13, 52

SUIT = tuple(0x1FFF << RANKS * suit for suit in range(SUITS))
"""All cards of each suit, as a set."""

DECK = (1 << CARDS) - 1
"""All cards, as a set."""

_RANK_NAMES, _SUIT_NAMES = "23456789TJQKA", "CDHS"
_numbers = {
    rank_name + suit_name: RANKS * suit + rank
    for suit, suit_name in enumerate(_SUIT_NAMES)
    for rank, rank_name in enumerate(_RANK_NAMES)
}
_names = {number: name for name, number in _numbers.items()}


def card(name: str) -> int:
    """The number of a card named rank first: "QS", "TH", "2C". Raises KeyError for no card."""
    return _numbers[name]


def name(card: int) -> str:
    """The name of a card, as `card` takes it. Raises KeyError for no card."""
    return _names[card]


def suit(card: int) -> int:
    """CLUBS, DIAMONDS, HEARTS or SPADES."""
    return card // RANKS


def rank(card: int) -> int:
    """0 for a two to 12 (ACE) for an Ace."""
    return card % RANKS


class _OneSuit(dict[int, tuple[int, ...]]):
    """From the thirteen bits of a suit to its cards, each tuple made once: at most 8192."""

    def __init__(self, suit: int) -> None:
        self._first = RANKS * suit

    def __missing__(self, bits: int) -> tuple[int, ...]:
        self[bits] = tuple(self._first + rank for rank in range(RANKS) if bits >> rank & 1)
        return self[bits]


_clubs, _diamonds, _hearts, _spades = map(_OneSuit, range(SUITS))


def cards_of(held: int) -> tuple[int, ...]:
    """The cards of a set, lowest number first: suit by suit, in each from the two up."""
    return (
        _clubs[held & 8191]
        + _diamonds[held >> 13 & 8191]
        + _hearts[held >> 26 & 8191]
        + _spades[held >> 39]
    )


def set_of(cards: tuple[int, ...] | list[int]) -> int:
    """The set of these cards."""
    held = 0
    for each in cards:
        held |= 1 << each
    return held
