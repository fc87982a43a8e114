"""Player4, of the 2015 King-of-the-Hill challenge "That's BS!".

Code Golf Stack Exchange, question 48473; written anew from a description of its strategy.
"""

from collections.abc import Sequence

from harness.games.bs import COPIES, Player, View


class Player4(Player):
    """Lays what it is asked for, or else its first two cards.

    Doubts a claim that its own cards make impossible, and any that would end the game.
    """

    name = "Player4"

    def lay(self, view: View) -> Sequence[int]:
        return [view.rank] * view.hand.count(view.rank) or view.hand[:2]

    def call(self, view: View) -> bool:
        if view.sizes[view.mover] == 0:
            return True
        return view.hand.count(view.rank) + view.number > COPIES
