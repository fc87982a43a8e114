"""Player1, of the 2015 King-of-the-Hill challenge "That's BS!".

Code Golf Stack Exchange, question 48473; written anew from a description of its strategy.
"""

from collections.abc import Sequence

from harness.games.bs import Player, View


class Player1(Player):
    """Lays what it is asked for, or else its first card; doubts whoever lays three or more."""

    name = "Player1"

    def lay(self, view: View) -> Sequence[int]:
        return [view.rank] * view.hand.count(view.rank) or view.hand[:1]

    def call(self, view: View) -> bool:
        return view.number >= 3
