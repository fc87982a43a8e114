"""Dumb Bold Player, of the 2015 King-of-the-Hill challenge "Simple Pazaak".

Code Golf Stack Exchange, question 51731; last of the seven on its leaderboard.
"""

from harness.games.pazaak import END, STAND, Player, View


class DumbBold(Player):
    """Draws until it has twenty, or has gone over; its side cards stay in the hand."""

    name = "Dumb Bold Player"

    def respond(self, view: View) -> int:
        return END if view.total < 20 else STAND
