"""Scripted games of Spades for the tests of the reference engine: cards by name, and deals."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tests.reference.spades import (
    BID,
    PLAY,
    TEXT,
    CardPlayed,
    Outcome,
    ReferenceView,
    Rules,
    play_game,
)

RANKS = "23456789TJQKA"
SUITS = "CDHS"
ONE_HAND = Rules(max_hands=1)


def card(name: str) -> int:
    """Return the number of a card named like TH, the ten of hearts."""
    return SUITS.index(name[1]) * 13 + RANKS.index(name[0])


def cards(names: str) -> tuple[int, ...]:
    """Return the numbers of cards named with spaces between them."""
    return tuple(map(card, names.split()))


def trick(names: str, leader: int = 0) -> tuple[CardPlayed, ...]:
    """Return the trick of these cards, clockwise from the leader."""
    return tuple(
        CardPlayed((leader + turn) % 4, number) for turn, number in enumerate(cards(names))
    )


def suits_of_one_hand(spades: int) -> list[int]:
    """Return the deal that gives each seat a whole suit, and spades to the seat named.

    That seat takes all thirteen tricks, whatever anybody plays.
    """
    suits = [(seat - spades - 1) % 4 for seat in range(4)]
    return [suit * 13 + rank for suit in suits for rank in range(13)]


SHORT_SUITS = [
    *cards("AC KC QC JC TC 9C AD KD QD AH KH AS KS"),
    *cards("8C 7C 6C 5C 4C 3C 2C QH JH TH 9H 8H 7H"),
    *cards("JD TD 9D 8D 7D 6D 5D 4D 3D 2D QS JS TS"),
    *cards("6H 5H 4H 3H 2H 9S 8S 7S 6S 5S 4S 3S 2S"),
]
"""Seats 1 to 3 hold two suits each; with dealer 3, seat 0 leads."""

Bids = tuple[object, object, object, object]


def play(
    deals: Sequence[Sequence[int]],
    bids: Sequence[Bids],
    plays: Sequence[Sequence[str]] = ((), (), (), ()),
    first_dealer: int = 3,
    rules: Rules = TEXT,
) -> Outcome:
    """Play a game of exactly these deals, with bids by hand and seat.

    `plays` are the cards that each seat answers first in the last hand; the other answers are the
    first legal card.
    """
    answers = [[card(name) for name in names] for names in plays]
    begun: list[Sequence[int]] = []

    def source() -> Iterator[Sequence[int]]:
        for deal in deals:
            begun.append(deal)
            yield deal

    def decide(seat: int, view: ReferenceView) -> int:
        if view.kind == BID:
            return bids[len(begun) - 1][seat]  # type: ignore[return-value]
        scripted = answers[seat] if len(begun) == len(deals) else []
        return scripted.pop(0) if scripted else view.legal[0]

    game = play_game(source(), decide, first_dealer, rules)
    assert not any(answers), "an answer nobody asked for"
    assert game.hands == len(game.records) == len(begun) == len(deals)
    return game


def views(game: Outcome, seat: int, kind: str = PLAY) -> list[ReferenceView]:
    """Return what one player was told, question by question."""
    return [
        decision.view
        for decision in game.decisions
        if decision.seat == seat and decision.view.kind == kind
    ]
