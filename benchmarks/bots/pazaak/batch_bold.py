"""Dumb Bold Player, vectorised."""

import numpy as np

from harness.games.pazaak import END, STAND, BatchPlayer


class BatchBold(BatchPlayer):
    """Ends its turn below twenty."""

    name = "Batch Bold"

    def respond(self, frame):
        return np.where(frame["total"] < 20, END, STAND)
