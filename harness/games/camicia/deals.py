"""Deals of Camicia as text: decks of `-` for a number card and J, Q, K, A for the payment cards.

A deal is two decks, top card first, `A/B`; A starts. Which number a number card shows plays no
part, so two deals are equal exactly if their texts are.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

NUMBER = "-"
PAYMENTS = "JQKA"
"""The payment cards; the one at index i is paid for with i + 1 cards."""

SIDE = 26
"""Cards of a side in the contest."""
_OF_EACH_PAYMENT = 4
_MOST_QUOTED = 60

_SEPARATORS = re.compile(r"[\s,]+")
_NUMBERS = frozenset(str(rank) for rank in range(2, 11))


class DealError(ValueError):
    """A text that is no deck or deal, or no deal of the contest; the message says why."""


def parse_deck(text: str, name: str = "") -> str:
    """A deck in the characters `-JQKA`.

    `text` is that already, or ranks (2 to 10, J, Q, K, A, or `-`) separated by spaces or commas.
    Raises DealError with the first thing that is no card; it begins with `name`, if there is one.
    """
    where = f"{name}: " if name else ""
    deck = []
    for word in _SEPARATORS.split(text.strip()):
        if word in _NUMBERS:
            deck.append(NUMBER)
            continue
        for card in word.upper():
            if card != NUMBER and card not in PAYMENTS:
                raise DealError(
                    f"{where}{_quoted(word)} is no card; a card is `-`, 2 to 10, J, Q, K or A, and "
                    "ranks in figures are separated by spaces or commas"
                )
            deck.append(card)
    return "".join(deck)


def parse_deal(text: str) -> tuple[str, str]:
    """Both decks of a deal `A/B`, in the characters `-JQKA`. Raises DealError."""
    sides = text.split("/")
    if len(sides) != 2:
        raise DealError(
            f"{_quoted(text)} is no deal: expected two decks separated by one `/`, as in "
            f"`--J-/-Q--`; found {len(sides) - 1} of them"
        )
    return parse_deck(sides[0], "deck A"), parse_deck(sides[1], "deck B")


def contest_deal(text: str) -> str:
    """The deal in its one spelling, `A/B` in the characters `-JQKA`.

    Raises DealError unless it is 52 cards, 26 a side, with four each of J, Q, K and A.
    """
    decks = parse_deal(text)
    for side, deck in zip("AB", decks, strict=True):
        if len(deck) != SIDE:
            raise DealError(f"deck {side} has {len(deck)} cards instead of {SIDE}")
    for payment in PAYMENTS:
        found = sum(deck.count(payment) for deck in decks)
        if found != _OF_EACH_PAYMENT:
            raise DealError(f"{found} cards are {payment}; a pack has {_OF_EACH_PAYMENT}")
    return "/".join(decks)


def _quoted(text: str) -> str:
    return repr(text if len(text) <= _MOST_QUOTED else text[:_MOST_QUOTED] + "...")


def pack(deck: str) -> tuple[int, int, int]:
    """A deck as the compiled engine holds it: mask, values, cards.

    Bit i of the mask says that card i from the top is a payment card; bits 2k and 2k + 1 of the
    values are the k-th payment card's price less one.
    """
    mask = values = payments = 0
    for place, card in enumerate(deck):
        if card != NUMBER:
            mask |= 1 << place
            values |= PAYMENTS.index(card) << 2 * payments
            payments += 1
    return mask, values, len(deck)


def unpack(mask: int, values: int, cards: int) -> str:
    """The deck that `pack` makes these of."""
    deck = []
    for place in range(cards):
        if mask >> place & 1:
            deck.append(PAYMENTS[values & 3])
            values >>= 2
        else:
            deck.append(NUMBER)
    return "".join(deck)


def pack_deal(deal: str) -> tuple[int, int, int, int]:
    """A deal in its one spelling as a row of `lockstep`: mask and values of A, then of B."""
    a, b = deal.split("/")
    return *pack(a)[:2], *pack(b)[:2]


def unpack_deal(row: Iterable[int]) -> str:
    """The deal of 26 and 26 cards in a row of `lockstep`, or any four numbers."""
    am, aq, bm, bq = (int(word) for word in row)
    return f"{unpack(am, aq, SIDE)}/{unpack(bm, bq, SIDE)}"
