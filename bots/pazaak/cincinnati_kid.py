"""The Cincinnati Kid, of the 2015 King-of-the-Hill challenge "Simple Pazaak".

Code Golf Stack Exchange, question 51731; written anew from its published strategy. First on the
leaderboard but for an entry that had cheated.
"""

from harness.games.pazaak import END, STAND, Player, View, play

ENOUGH = 18


class CincinnatiKid(Player):
    """Plays for more than eighteen and never gives up a hand that is behind.

    The Kid knows one side card, the largest that does not bust, and plays it as soon as it takes
    him past eighteen and at least level with the opponent. Against a standing opponent he wins or
    ties with whatever helps. Otherwise he draws while behind or below eighteen.
    """

    name = "The Cincinnati Kid"

    def respond(self, view: View) -> int:
        me = view.total
        opp = view.opponent_total
        if me >= 20 or opp > 20:
            return STAND
        if me <= 10:
            return END

        best = 0
        for card in view.side_hand:
            if best < card <= 20 - me:
                best = card
        if best and me + best > ENOUGH and me + best >= opp:
            return play(best)

        if view.opponent_action == STAND:
            if me < opp:
                return play(best) if me + best >= opp else END
            # `best` fits if any card does, but breaking a tie takes no more than the smallest
            return play(min(view.side_hand)) if me == opp and best else STAND
        return END if me < opp or me < ENOUGH else STAND
