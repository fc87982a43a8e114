"""Dumb Cautious Player, of the 2015 King-of-the-Hill challenge "Simple Pazaak".

Code Golf Stack Exchange, question 51731; last but one on its leaderboard.
"""

from harness.games.pazaak import END, STAND, Player, View


class DumbCautious(Player):
    """Ends its turn below fifteen, then stands; its side cards stay in the hand."""

    name = "Dumb Cautious Player"

    def respond(self, view: View) -> int:
        return END if view.total < 15 else STAND
