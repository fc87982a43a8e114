"""Spades, as its bots see it.

    from harness.games.spades import ACE, KING, Player, rank

    class Easy(Player):
        \"\"\"Bids its Aces and Kings, and plays the lowest card it may.\"\"\"

        name = "Easy"

        def bid(self, view):
            return max(1, sum(rank(card) >= KING for card in view.hand))

        def play(self, view):
            return min(view.legal, key=rank)

Everything a bot may import from the game is here; the rules engine is not.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness.games.player import BatchBot, SingleBot
from harness.games.spades.cards import (
    ACE,
    CARDS,
    CLUBS,
    DECK,
    DIAMONDS,
    HEARTS,
    JACK,
    KING,
    QUEEN,
    RANKS,
    SPADES,
    SUIT,
    SUITS,
    TEN,
    card,
    cards_of,
    name,
    rank,
    set_of,
    suit,
)
from harness.games.spades.scoring import hand_score
from harness.games.spades.views import (
    BID_FACTS,
    NOT_BID,
    PLAY_FACTS,
    BidView,
    PlayView,
    Trick,
    legal_set,
)

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = [
    "ACE",
    "BID",
    "BID_FACTS",
    "CARDS",
    "CLUBS",
    "DECK",
    "DIAMONDS",
    "HEARTS",
    "JACK",
    "KING",
    "NIL",
    "NOT_BID",
    "PLAY",
    "PLAY_FACTS",
    "QUEEN",
    "RANKS",
    "SPADES",
    "SUIT",
    "SUITS",
    "TEN",
    "BatchPlayer",
    "BidView",
    "PlayView",
    "Player",
    "Trick",
    "card",
    "cards_of",
    "hand_score",
    "legal_set",
    "name",
    "rank",
    "set_of",
    "suit",
]

NIL = 0
"""The bid to take no trick at all."""

BID, PLAY = 0, 1
"""The numbers of the two questions."""


class Player(SingleBot):
    """A bot that answers one view at a time.

    Optional hook: `start_game(self, view)` is called before the first answer of every game.
    """

    def bid(self, view: BidView) -> int:
        """Return the number of tricks bid, 0 (NIL) to 13."""
        raise NotImplementedError

    def play(self, view: PlayView) -> int:
        """Return a card of `view.legal`."""
        raise NotImplementedError


class BatchPlayer(BatchBot):
    """A bot that answers all waiting games at once.

    Sets of cards are uint64 with a bit per card; the fields are those of the records in
    `harness.games.spades.frames`.
    """

    def bid(self, frame: NDArray[np.void]) -> NDArray[np.int16]:
        """Return one bid per record of `frame`; `bids` there are NOT_BID before they are made."""
        raise NotImplementedError

    def play(self, frame: NDArray[np.void]) -> NDArray[np.int16]:
        """Return one card per record of `frame`: a number whose bit is set in `legal`."""
        raise NotImplementedError
