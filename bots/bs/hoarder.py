"""Hoarder, of the 2015 King-of-the-Hill challenge "That's BS!".

Code Golf Stack Exchange, question 48473; written anew from a description of its strategy.
"""

from collections.abc import Sequence

from harness.games.bs import RANKS, SEATS, Player, View


class Hoarder(Player):
    """Lays its whole hand, again and again, until the hand it gets back could be laid honestly.

    That is one card in every turn without a miss. It doubts whoever has no more cards left than it
    has laid.
    """

    name = "Hoarder"

    def lay(self, view: View) -> Sequence[int]:
        if is_straight(view.hand, view.rank):
            return [view.rank] * view.hand.count(view.rank)
        return view.hand

    def call(self, view: View) -> bool:
        return view.sizes[view.mover] <= view.number


def is_straight(hand: tuple[int, ...], rank: int) -> bool:
    """Whether one card of the rank asked for in each of the coming turns uses up the hand."""
    left = list(hand)
    while left:
        if rank not in left:
            return False
        left.remove(rank)
        rank = (rank + SEATS) % RANKS
    return True
