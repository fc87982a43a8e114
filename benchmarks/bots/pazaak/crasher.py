"""A bot whose process ends in every game, at its first decision."""

import os

from harness.games.pazaak import Player


class Crasher(Player):
    """Costs as much trouble as a bot can make by dying."""

    def respond(self, view):
        os._exit(1)
