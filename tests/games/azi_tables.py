"""Azi for tests: cards of both numberings, decks from words and words for decks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from harness.games.azi.about import ABOUT, AziRules
from harness.games.azi.cards import CARDS, card
from tests.games.cards import Rigged, shuffled, words_dealing
from tests.reference.azi_cards import RANKS

PACK = list(range(CARDS))


def theirs(ours: int) -> int:
    """The reference's number of a card: suit by suit, where ours goes rank by rank."""
    rank, suit = divmod(ours, 3)
    return suit * RANKS + rank


def ours(theirs: int) -> int:
    """Our number of the reference's card."""
    suit, rank = divmod(theirs, RANKS)
    return rank * 3 + suit


def first_opener(rules: AziRules, row: Sequence[int]) -> int:
    """The seat that the first row of a session's words draws."""
    return shuffled(list(range(rules.seats)), row, 1)[0]


def decks(rules: AziRules, rows: Iterator[list[int]]) -> Iterator[list[int]]:
    """A session's decks, in the reference's numbers, from its rows after the first."""
    for _ in range(rules.session_deals):
        deck = shuffled(PACK, next(rows), rules.seats * rules.deal + 1)
        yield [theirs(card) for card in deck]


def hand(names: str) -> list[int]:
    """Cards by their names: "h6 sA"."""
    return [card(name) for name in names.split()]


def session_words(
    rules: AziRules, opener: int, deals: Iterable[tuple[Sequence[str], str]]
) -> NDArray[np.uint32]:
    """The rows of a session: who opens, then deal by deal the hands by seat and the turn-up."""
    rows = [words_dealing(list(range(rules.seats)), [opener])]
    for hands, turn_up in deals:
        cards = [card for names in hands for card in hand(names)]
        rows.append(words_dealing(PACK, [*cards, *hand(turn_up)]))
    words = np.ones((len(rows), ABOUT.words(rules)[1]), np.uint32)
    for k, row in enumerate(rows):
        words[k, : len(row)] = row
    return words


def rigged(rules: AziRules, words: NDArray[np.uint32]) -> Rigged:
    """One session of these rows."""
    return Rigged(bytes(32), 1, len(words), words.shape[1], words)
