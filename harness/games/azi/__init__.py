"""Azi, as its bots see it.

    from harness.games.azi import CALL, Player

    class Caller(Player):
        \"\"\"Never folds, never raises, and plays whatever it may.\"\"\"

        name = "Caller"

        def discard(self, view):
            return view.legal[0]

        def bet(self, view):
            return CALL if CALL in view.legal else view.least

        def play(self, view):
            return view.legal[0]

Everything a bot may import from the game is here; the rules engine is not.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness.games.azi.cards import (
    ACE,
    CARDS,
    NO_CARD,
    RANKS,
    SIX,
    SUITS,
    card,
    lowest,
    name,
    playable,
    strength,
    suit_mask,
)
from harness.games.azi.payout import payout
from harness.games.azi.view import CALL, FOLD, MOST_RAISES, MOST_SEATS, TRICKS, View
from harness.games.player import BatchBot, SingleBot

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = [
    "ACE",
    "CALL",
    "CARDS",
    "FOLD",
    "MOST_RAISES",
    "MOST_SEATS",
    "NO_CARD",
    "RANKS",
    "SIX",
    "SUITS",
    "TRICKS",
    "BatchPlayer",
    "Player",
    "View",
    "card",
    "lowest",
    "name",
    "payout",
    "playable",
    "strength",
    "suit_mask",
]


class Player(SingleBot):
    """A bot that answers one `View` at a time.

    Optional hook: `start_game(self, view)` is called before the first answer of every session.
    """

    def discard(self, view: View) -> int:
        """Return the card to lay away, of four. Asked only where four cards are dealt."""
        raise NotImplementedError

    def bet(self, view: View) -> int:
        """Return FOLD, CALL, or the chips of an opening bet or of a raise.

        The same is asked of those who may buy themselves into the deal after an Azi
        (`view.entering`): CALL pays, FOLD stays out.
        """
        raise NotImplementedError

    def play(self, view: View) -> int:
        """Return the card to play."""
        raise NotImplementedError


class BatchPlayer(BatchBot):
    """A bot that answers all waiting games at once.

    `frame` is a structured array; docs/reference/azi-view.md lists its fields. Every method returns
    one answer per record.
    """

    def discard(self, frame: NDArray[np.void]) -> NDArray[np.int16]:
        """Return the cards to lay away."""
        raise NotImplementedError

    def bet(self, frame: NDArray[np.void]) -> NDArray[np.int16]:
        """Return FOLD, CALL or chips."""
        raise NotImplementedError

    def play(self, frame: NDArray[np.void]) -> NDArray[np.int16]:
        """Return the cards to play."""
        raise NotImplementedError
