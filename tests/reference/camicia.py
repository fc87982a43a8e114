"""Camicia played by the letter: the rules text as a plain, slow program.

The fast engine is judged against this one, so nothing here comes from it, or imports from the
harness at all. Citations: "Rules" and "Deal text" are the sections of the rules text.

A game is a function of the two decks: nobody is asked, and nothing is random.

Readings, where the text leaves a gap:

- A player who has no card to begin with "must lay a card and has none" like anybody else, so the
  other takes the pile, a trick, though it may hold no card: an empty A against any B is finished
  with 0 cards and 1 trick, an empty B against any A with 1 card and 1 trick.
- A round starts after every trick, the first with the deal. A loop is found when its round would
  start, and the cards and tricks are those until then.
- Spaces and commas may be mixed, and the mark of a number card may stand among ranks, as in the
  example `- J -`. Text without any of them is a single rank (`10`) or one mark for each card.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

FINISHED = "finished"
LOOP = "loop"

NUMBER_CARD = "-"
NUMBERS = ("2", "3", "4", "5", "6", "7", "8", "9", "10")
PAYMENTS = {"J": 1, "Q": 2, "K": 3, "A": 4}
"""Rules: the cards that the opponent must pay."""


class Result(NamedTuple):
    """How a game came out."""

    status: str
    """FINISHED or LOOP."""
    cards: int
    """Cards laid."""
    tricks: int
    """Piles taken, the last included."""


class Step(NamedTuple):
    """What a trace shows: the table at the start of a round or after a card was laid."""

    round: int
    """Counts from 1. The last step of a game is after its last trick, so in a round not played."""
    deck_a: tuple[str, ...]
    """Cards as they were given, ranks or marks; top card first."""
    deck_b: tuple[str, ...]
    pile: tuple[str, ...]
    """In the order laid."""
    player: int
    """Who lays the next card, 0 for A, 1 for B; once all is paid, who takes the pile."""
    owes: int
    """Cards that player still owes; 0 if nobody owes anything."""


def parse_deck(deck: str | Sequence[str]) -> list[str]:
    """Deal text: the cards of a deck, top card first, each a rank or the mark of a number card.

    Raises ValueError for what is neither.
    """
    if not isinstance(deck, str):
        cards = list(deck)
    elif any(mark.isspace() or mark == "," for mark in deck):
        cards = deck.replace(",", " ").split()
    elif deck in NUMBERS:
        cards = [deck]
    else:
        cards = list(deck)
    for card in cards:
        if card != NUMBER_CARD and card not in NUMBERS and card not in PAYMENTS:
            raise ValueError(f"not a card: {card!r}")
    return cards


def simulate(
    a: str | Sequence[str], b: str | Sequence[str], trace: list[Step] | None = None
) -> Result:
    """Play the game of these two decks, of any size, top card first; A starts.

    If `trace` is given, every step of the game is appended to it. Raises ValueError for what is
    not a card.
    """
    decks = (parse_deck(a), parse_deck(b))
    table = _Table(decks, trace)
    starts: set[tuple[int, str, str]] = set()
    while True:
        # Rules, Loop: both decks as at an earlier start, and the same player to start.
        start = (table.player, _alike(decks[0]), _alike(decks[1]))
        if start in starts:
            return Result(LOOP, table.cards, table.tricks)
        starts.add(start)
        table.play_round()
        # Rules: after a trick, one player may hold all cards; whoever could not lay has none.
        if not decks[0] or not decks[1]:
            return Result(FINISHED, table.cards, table.tricks)


class _Table:
    """A game in progress."""

    def __init__(self, decks: tuple[list[str], list[str]], trace: list[Step] | None) -> None:
        self.decks = decks
        self.trace = trace
        self.pile: list[str] = []
        self.player = 0
        """Who lays the next card; between rounds, who starts."""
        self.owes = 0
        self.cards = 0
        self.tricks = 0
        self.show()

    def play_round(self) -> None:
        """Lay cards until the pile is taken."""
        while self.decks[self.player]:
            card = self.lay()
            if card in PAYMENTS:
                # Rules: the opponent must pay; laid while paying, it stops that payment.
                self.owes = PAYMENTS[card]
                self.player = 1 - self.player
            elif self.owes == 0:
                # Rules: 2-10, the turn passes.
                self.player = 1 - self.player
            else:
                self.owes -= 1
                if self.owes == 0:
                    # Rules: paid in full, to the player of the last payment card.
                    self.player = 1 - self.player
                    self.show()
                    self.take(self.player)
                    return
            self.show()
        # Rules: must lay a card and has none.
        self.take(1 - self.player)

    def lay(self) -> str:
        """Move the top card of the player's deck to the pile."""
        card = self.decks[self.player].pop(0)
        self.pile.append(card)
        self.cards += 1
        return card

    def take(self, taker: int) -> None:
        """Rules: the pile to the bottom of a deck, in pile order; the taker starts next."""
        self.decks[taker].extend(self.pile)
        self.pile.clear()
        self.owes = 0
        self.player = taker
        self.tricks += 1
        self.show()

    def show(self) -> None:
        """Add the table as it is to the trace, if there is one."""
        if self.trace is None:
            return
        deck_a, deck_b = map(tuple, self.decks)
        # The pile of a finished round is taken in that round, what follows is the next.
        step = Step(self.tricks + 1, deck_a, deck_b, tuple(self.pile), self.player, self.owes)
        self.trace.append(step)


def _alike(deck: list[str]) -> str:
    """Rules, Loop: one mark for each card, the same for all number cards."""
    return "".join(card if card in PAYMENTS else NUMBER_CARD for card in deck)
