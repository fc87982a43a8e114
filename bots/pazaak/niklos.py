"""Niklos, who plays pazaak for small stakes in the cantina of Taris.

Written for koth: how far a handful of rules gets. The two thresholds were found by trial.
"""

from harness.games.pazaak import END, STAND, Player, View, play


class Niklos(Player):
    """Spends a side card only where it decides something, and knows which seat he is in.

    A card is for an exact twenty or for an opponent who stands: the smallest that beats him, or one
    that ties a nineteen or twenty. Player two never stands below an active opponent, which would
    lose at once; in exchange a point less is enough for him, because he has seen the other's hand.
    """

    name = "Niklos"

    def respond(self, view: View) -> int:
        me = view.total
        opp = view.opponent_total
        if me <= 10:
            return END
        if me >= 20 or opp > 20:
            return STAND

        if view.opponent_action == STAND:
            if me > opp:
                return STAND
            winning = [card for card in view.side_hand if opp < me + card <= 20]
            if winning:
                return play(min(winning))
            if me == opp:
                return STAND if me >= 17 else END
            return play(opp - me) if opp >= 19 and opp - me in view.side_hand else END

        if 20 - me in view.side_hand:
            return play(20 - me)
        if view.first:
            return STAND if me >= 18 else END
        return STAND if me >= max(17, opp) else END
