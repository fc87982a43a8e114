"""A game card by card, in plain Python and for decks of any size: what `koth simulate` shows.

Slow and plain where `engine` is quick, and written without it, so that each checks the other.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from typing import NamedTuple

from harness.games.camicia.deals import NUMBER, PAYMENTS

_NAMES = "AB"


class Outcome(NamedTuple):
    """What came of a game."""

    status: str
    """`finished` or `loop`."""
    cards: int
    """Cards laid, up to the end or to the first repetition."""
    tricks: int


class Step(NamedTuple):
    """The table after something happened; decks and pile as text, the pile's first card first."""

    round: int
    """From 1."""
    event: str
    """`A lays Q`, `B takes the pile`, `A cannot lay, B takes the pile`."""
    a: str
    b: str
    pile: str
    debtor: str
    """`A` or `B`: who has to lay next."""
    owes: int
    """Cards the debtor still has to pay; 0 when nothing is being paid for."""


class _Table:
    """Two decks, and who starts the next round."""

    def __init__(self, a: str, b: str) -> None:
        self.decks = (deque(a), deque(b))
        self.pile: list[str] = []
        self.turn = self.owes = 0
        self.cards = self.tricks = 0
        self.over = False

    def state(self) -> tuple[deque[str], deque[str], int]:
        """What repeats in a loop: at the start of a round, decks and whose turn it is."""
        return self.decks[0].copy(), self.decks[1].copy(), self.turn

    def is_at(self, state: tuple[deque[str], deque[str], int]) -> bool:
        return self.turn == state[2] and self.decks[0] == state[0] and self.decks[1] == state[1]

    def round(self) -> Iterator[str]:
        """Play a round up to its trick; says what has happened, after each card and the trick."""
        paid = False
        while not paid and self.decks[self.turn]:
            player, card = self.turn, self.decks[self.turn].popleft()
            self.pile.append(card)
            if card != NUMBER:
                self.turn, self.owes = 1 - player, PAYMENTS.index(card) + 1
            elif self.owes == 0:
                self.turn = 1 - player
            else:
                self.owes -= 1
                paid = self.owes == 0
            yield f"{_NAMES[player]} lays {card}"
        loser, winner = self.turn, 1 - self.turn
        self.cards += len(self.pile)
        self.tricks += 1
        self.decks[winner].extend(self.pile)
        self.pile, self.turn, self.owes = [], winner, 0
        self.over = not self.decks[loser]  # whoever cannot lay has none either
        takes = f"{_NAMES[winner]} takes the pile"
        yield takes if paid else f"{_NAMES[loser]} cannot lay, {takes}"

    def play(self, rounds: int) -> None:
        for _ in range(rounds):
            for _event in self.round():
                pass


def simulate(a: str, b: str) -> Outcome:
    """A game of two decks of any size in the characters `-JQKA`, A starting."""
    table = _Table(a, b)
    kept, since, power = table.state(), 0, 1
    while not table.over:
        table.play(1)
        since += 1
        if not table.over and table.is_at(kept):
            return _loop(a, b, since)
        if since == power:  # Brent's test: a state is kept for twice as long as the one before
            kept, since, power = table.state(), 0, 2 * power
    return Outcome("finished", table.cards, table.tricks)


def _loop(a: str, b: str, length: int) -> Outcome:
    """The outcome of a game that ends up in a loop of so many rounds."""
    ahead, behind = _Table(a, b), _Table(a, b)
    ahead.play(length)
    while not ahead.is_at(behind.state()):
        ahead.play(1)
        behind.play(1)
    return Outcome("loop", ahead.cards, ahead.tricks)


def trace(a: str, b: str) -> Iterator[Step]:
    """The same game, a step after each card and each trick, up to its end or first repetition."""
    table = _Table(a, b)
    for number in range(1, simulate(a, b).tricks + 1):
        for event in table.round():
            a, b, pile = ("".join(cards) for cards in (*table.decks, table.pile))
            yield Step(number, event, a, b, pile, _NAMES[table.turn], table.owes)
