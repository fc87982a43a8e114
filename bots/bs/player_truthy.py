"""PlayerTruthy, of the 2015 King-of-the-Hill challenge "That's BS!".

Code Golf Stack Exchange, question 48473. Its source is lost; this one is fitted to its results.
"""

from collections.abc import Sequence

from harness.games.bs import COPIES, Player, View, distance


class PlayerTruthy(Player):
    """Lies with cards that it will not need soon, and doubts what its own make impossible.

    Without the rank asked for it lays its first card of a rank that is not among the next three it
    will be asked for, or else its first card.
    """

    name = "PlayerTruthy"

    def lay(self, view: View) -> Sequence[int]:
        hand = view.hand
        cards = [view.rank] * hand.count(view.rank)
        if cards:
            return cards
        late = (card for card in hand if distance(view.turn, card, view.seat) > 3)
        return [next(late, hand[0])]

    def call(self, view: View) -> bool:
        return view.hand.count(view.rank) + view.number > COPIES
