"""PlayerConMan, of the 2015 King-of-the-Hill challenge "That's BS!", which it won.

Code Golf Stack Exchange, question 48473; written anew from a description of its strategy. What the
description leaves open was chosen so that the scoreboard comes out: a belief counts for HONESTY of
a card, and is given up when the lie is exposed or there is no room for it.
"""

from collections.abc import Sequence

from harness.games.bs import COPIES, RANKS, SEATS, Player, View, distance

HONESTY = 0.3
"""What a card that was claimed and not seen counts for."""
PILE = SEATS
"""The place after the seats. Cards in no place are unknown."""


class PlayerConMan(Player):
    """Keeps a model of where all cards are.

    It is sure of the cards that it has laid itself, and wherever they went with the pile; of those
    that others claimed to lay it believes it, more or less. It doubts a claim that leaves too few
    cards for what is sure and believed to be elsewhere, and the last cards of a hand unless it is
    sure that they were there. Without the rank asked for it lays one card of the rank that it will
    be asked for last.
    """

    name = "PlayerConMan"

    def __init__(self) -> None:
        self.sure = [[0] * (SEATS + 1) for _ in range(RANKS)]
        self.told = [[0] * (SEATS + 1) for _ in range(RANKS)]
        self.in_pile: set[int] = set()
        self.believed = 0

    def lay(self, view: View) -> Sequence[int]:
        self.follow(view)
        hand = view.hand
        cards = [view.rank] * hand.count(view.rank)
        if not cards:
            cards = [max(hand, key=lambda card: distance(view.turn, card, view.seat))]
        self.in_pile.add(cards[0])
        self.sure[cards[0]][PILE] += len(cards)
        self.believed = 0
        return cards

    def call(self, view: View) -> bool:
        self.follow(view)
        rank, number, mover = view.rank, view.number, view.mover
        sure, told = self.sure[rank], self.told[rank]
        own = view.hand.count(rank)
        unknown = COPIES - own - sum(sure) - sum(told)
        if unknown < 0:
            make_room(sure, make_room(told, -unknown))
            unknown = 0

        elsewhere = own + sum(sure) - sure[mover] + HONESTY * (sum(told) - told[mover])
        from_known = move(sure, mover, PILE, number)
        from_told = move(told, mover, PILE, number - from_known)
        self.believed = min(number - from_known - from_told, unknown)
        told[PILE] += self.believed
        self.in_pile.add(rank)

        needed = number - from_known - HONESTY * from_told
        possible = COPIES - elsewhere
        if needed > possible:
            return True
        return view.sizes[mover] == 0 and number > from_known

    def follow(self, view: View) -> None:
        """Let the cards of a pile that was taken go with it."""
        last = view.last
        if last is None or last.taker is None:
            return
        if last.lied:
            self.told[last.rank][PILE] -= self.believed
        for rank in self.in_pile:
            for row in (self.sure[rank], self.told[rank]):
                if last.taker != view.seat:  # the own hand is in the view
                    row[last.taker] += row[PILE]
                row[PILE] = 0
        self.in_pile.clear()


def move(row: list[int], there: int, here: int, most: int) -> int:
    """Move up to `most` cards from one place to another; returns how many."""
    moved = min(row[there], most)
    row[there] -= moved
    row[here] += moved
    return moved


def make_room(row: list[int], over: int) -> int:
    """Forget up to `over` cards; returns for how many there were none."""
    for place, cards in enumerate(row):
        row[place] -= min(cards, over)
        over -= min(cards, over)
    return over
