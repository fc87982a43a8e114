"""CalculatingLiar, of the 2015 King-of-the-Hill challenge "That's BS!".

Code Golf Stack Exchange, question 48473; written anew from a description of its strategy.
"""

from collections.abc import Sequence

from harness.games.bs import COPIES, Player, View, distance


class CalculatingLiar(Player):
    """Counts the cards it holds and those it has laid itself.

    Without the rank asked for it lays one card of the rank that it will be asked for last. It
    remembers what it laid until it sees somebody take the pile. It doubts what its cards and these
    make impossible, whoever would win by it, and, when it has one card itself, whoever has fewer
    than five.
    """

    name = "CalculatingLiar"

    def __init__(self) -> None:
        self.in_pile: list[int] = []

    def lay(self, view: View) -> Sequence[int]:
        self.follow(view)
        hand = view.hand
        cards = [view.rank] * hand.count(view.rank)
        if not cards:
            cards = [max(hand, key=lambda card: distance(view.turn, card, view.seat))]
        self.in_pile += cards
        return cards

    def call(self, view: View) -> bool:
        self.follow(view)
        left = view.sizes[view.mover]
        if left == 0:
            return True
        own = view.hand.count(view.rank) + self.in_pile.count(view.rank)
        if own + view.number > COPIES:
            return True
        return left < 5 and view.sizes[view.seat] == 1

    def follow(self, view: View) -> None:
        """Forget the own cards in a pile that was taken."""
        last = view.last
        if last is not None and last.taker is not None:
            self.in_pile.clear()
