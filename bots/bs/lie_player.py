"""LiePlayer, of the 2015 King-of-the-Hill challenge "That's BS!".

Code Golf Stack Exchange, question 48473; written anew from a description of its strategy.
"""

from collections.abc import Sequence

from harness.games.bs import COPIES, Player, View


class LiePlayer(Player):
    """Lays two cards or more, whatever they are.

    To what it is asked for it adds its first other cards, until there are two. It doubts a claim
    that, with its own cards, takes all four of the rank.
    """

    name = "LiePlayer"

    def lay(self, view: View) -> Sequence[int]:
        hand = view.hand
        cards = [view.rank] * hand.count(view.rank)
        others = [card for card in hand if card != view.rank]
        return cards + others[: max(2 - len(cards), 0)]

    def call(self, view: View) -> bool:
        return view.hand.count(view.rank) + view.number >= COPIES
