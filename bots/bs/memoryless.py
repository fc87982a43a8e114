"""Memoryless, a reference for BS: as good as one gets by looking at the question alone."""

from collections.abc import Sequence

from harness.games.bs import COPIES, Player, View, distance


class Memoryless(Player):
    """Lies with the card that it will need last; doubts the impossible, and whoever goes out."""

    name = "Memoryless"

    def lay(self, view: View) -> Sequence[int]:
        hand = view.hand
        cards = [view.rank] * hand.count(view.rank)
        return cards or [max(hand, key=lambda card: distance(view.turn, card, view.seat))]

    def call(self, view: View) -> bool:
        if view.sizes[view.mover] == 0:
            return True
        return view.hand.count(view.rank) + view.number > COPIES
