"""Dumb Cautious Player, vectorised."""

import numpy as np

from harness.games.pazaak import END, STAND, BatchPlayer


class BatchCautious(BatchPlayer):
    """Ends its turn below fifteen, then stands."""

    name = "Batch Cautious"

    def respond(self, frame):
        return np.where(frame["total"] < 15, END, STAND)
