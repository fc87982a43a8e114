"""T3-M4, of a later run of the 2015 King-of-the-Hill challenge "Simple Pazaak".

Code Golf Stack Exchange, question 51731; written anew from what its published strategy effectively
does.
"""

from harness.games.pazaak import END, STAND, Player, View, play


class T3M4(Player):
    """Stakes everything on twenty, and looks at the score when the opponent is ahead.

    Short of twenty the droid only stands when the opponent has bust, or stands below it, or when a
    lead of the opponent looks too good to draw against; a lead of 15 to 17 is often left to a coin.
    It beats a standing opponent with the first side card that does, and spends a card on a mere
    tie when the score of the game calls for it.
    """

    name = "T3-M4"

    def respond(self, view: View) -> int:
        me = view.total
        opp = view.opponent_total
        if me >= 20:
            return STAND
        if me < 10:
            return END
        if opp > 20:
            return STAND
        need = 20 - me
        if need in view.side_hand:
            return play(need)
        if opp == 20:
            return END

        if view.opponent_action == STAND:
            if me > opp:
                return STAND
            for card in view.side_hand:
                if opp - me < card <= need:
                    return play(card)
            if opp - me in view.side_hand:
                return self.tie_with_a_stander(view)
        return self.chase(view) if opp > me else END

    def tie_with_a_stander(self, view: View) -> int:
        """A side card would tie with the standing opponent, none would beat it."""
        tie = play(view.opponent_total - view.total)
        if view.wins == view.opponent_wins == 2:
            return tie
        if view.wins < view.opponent_wins:
            if view.opponent_wins == 2:
                return tie
            if len(view.side_hand) >= view.opponent_side_cards + 2:
                return self.flip(END, tie)
        return END

    def chase(self, view: View) -> int:
        """The opponent is ahead; only a card that just ties is ever played, never a better one."""
        opp = view.opponent_total
        lead = opp - view.total
        best = 0
        for card in view.side_hand:
            if lead <= card < 20 - view.total:
                best = card  # the last one counts
        if best > lead or opp <= 14:
            return END
        if best == lead:
            if opp > 17:
                return play(best) if view.opponent_wins == 2 else STAND
            if view.opponent_wins >= view.wins:
                return play(best)
        return STAND if opp > 17 else self.flip(END, STAND)

    def flip(self, heads: int, tails: int) -> int:
        """One or the other, at even odds."""
        return heads if self.rng.random() < 0.5 else tails
