"""Cards from random words, the slow way: what the compiled rules deal is compared with this."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count

import numpy as np
from numpy.typing import NDArray

from harness.arena.deals import Deals
from harness.games.pazaak.about import ABOUT, PazaakRules

_WORD = 1 << 32


class Draws:
    """Numbers below n from 32-bit words, after the paper: multiply, take the upper half.

    A product whose lower half is below 2**32 mod n is one too many of its number, and skipped.
    """

    def __init__(self, words: Sequence[int]) -> None:
        self._words = iter(words)

    def below(self, n: int) -> int:
        for word in self._words:
            upper, lower = divmod(word * n, _WORD)
            if lower >= _WORD % n:
                return upper
        raise LookupError("out of random words")


def shuffled(cards: list[int], words: Sequence[int] | Draws, known: int) -> list[int]:
    """The cards as Fisher and Yates shuffle them, from the first on; `known` of them by `words`.

    The rest comes in reverse: no game may depend on it.
    """
    deck = list(cards)
    draws = words if isinstance(words, Draws) else Draws(words)
    for k in range(known):
        other = k + draws.below(len(deck) - k)
        deck[k], deck[other] = deck[other], deck[k]
    return deck[:known] + deck[known:][::-1]


def rows_of(deals: Deals, first: NDArray[np.uint32], deal: int) -> Iterator[list[int]]:
    """All rows of a deal's random words, without end. `first`: what `deals.first()` gives."""
    yield from first[deal].tolist()
    for refill in count(1):
        yield from deals.more(deal, refill).tolist()


def words_dealing(cards: list[int], wanted: Sequence[int]) -> list[int]:
    """Words by which `shuffled(cards, words, len(wanted))` begins with the cards wanted."""
    deck, words = list(cards), []
    for k, card in enumerate(wanted):
        other = deck.index(card, k)
        choices = len(deck) - k
        # The first word whose product belongs to this choice and is not skipped.
        words.append(-(-((other - k) * _WORD + _WORD % choices) // choices))
        deck[k], deck[other] = deck[other], deck[k]
    return words


@dataclass(frozen=True)
class Rigged(Deals):
    """One deal of given rows, dealt out as many at a time as `rows` says."""

    given: NDArray[np.uint32]

    def first(self) -> NDArray[np.uint32]:
        return self.more(0, 0)[None]

    def more(self, deal: int, refill: int) -> NDArray[np.uint32]:
        rows = self.given[refill * self.rows : (refill + 1) * self.rows]
        if len(rows) < self.rows:
            raise LookupError("no more words are given")
        return rows.copy()


def pazaak_words(
    rules: PazaakRules, sides: Sequence[Sequence[int]], hands: Sequence[Sequence[int]]
) -> NDArray[np.uint32]:
    """The rows that deal these side hands and, hand by hand, these cards from the main deck.

    Where a hand takes more cards, they are the remaining ones in order.
    """
    pool, deck = pazaak_cards(rules)
    rows = [[word for side in sides for word in words_dealing(pool, side)]]
    rows += [words_dealing(deck, hand) for hand in hands]
    words = np.ones((len(rows), ABOUT.words(rules)[1]), np.uint32)
    for k, row in enumerate(rows):
        words[k, : len(row)] = row
    return words


def pazaak_cards(rules: PazaakRules) -> tuple[list[int], list[int]]:
    """A side pool and the main deck, unshuffled."""
    pool = [rank for rank in range(1, rules.side_ranks + 1) for _ in range(rules.side_copies)]
    deck = [rank for rank in range(1, rules.main_ranks + 1) for _ in range(rules.main_copies)]
    return pool, deck


def pazaak_deal(
    rules: PazaakRules, rows: Iterator[list[int]]
) -> tuple[list[list[int]], Callable[[int], list[int]]]:
    """Side hands and main decks from rows of random words, as the reference engine takes them."""
    pool, deck = pazaak_cards(rules)
    draws = Draws(next(rows))
    sides = [shuffled(pool, draws, rules.side_hand)[: rules.side_hand] for _ in range(2)]
    most = min(len(deck), 2 * rules.most_dealt)
    return sides, lambda hand: shuffled(deck, next(rows), most)
