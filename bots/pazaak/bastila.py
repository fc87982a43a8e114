"""Bastila, of the 2015 King-of-the-Hill challenge "Simple Pazaak".

Code Golf Stack Exchange, question 51731; written anew from its published strategy.
"""

from harness.games.pazaak import END, STAND, Player, View, play

DECK_CARDS = 40
DECK_SUM = 220


class Bastila(Player):
    """Looks at her own hand alone.

    The last side card that lands on 17 to 20 is played at once, however good the total is already.
    Without one she expects the average of the cards she has not been dealt herself, rounded down,
    and stands if that would take her past 18.
    """

    name = "Bastila"

    def respond(self, view: View) -> int:
        me = view.total
        if me >= 20:
            return STAND
        for card in reversed(view.side_hand):
            if 17 <= me + card <= 20:
                return play(card)
        # She plays a card only to stand, so her hand holds dealt cards only and sums to `me`.
        next_card = (DECK_SUM - me) // (DECK_CARDS - len(view.hand))
        return STAND if me + next_card > 18 else END
