"""Simple Pazaak, as its bots see it.

    from harness.games.pazaak import END, STAND, Player, play

    class DumbCautious(Player):
        \"\"\"Ends its turn below fifteen, then stands.\"\"\"

        name = "Dumb Cautious Player"

        def respond(self, view):
            return END if view.total < 15 else STAND

Everything a bot may import from the game is here; the rules engine is not.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from harness.games.player import BatchBot, SingleBot

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

END = 0
"""End the turn: another card next round."""
STAND = -1
"""Keep the total: no more cards, no more questions in this hand."""


def play(card: int) -> int:
    """Add `card` of the side hand to the own hand and stand."""
    return card


class View(NamedTuple):
    """What a bot is told every time it is asked; the first eight are the facts of the rules.

    `hand` and `opponent_hand` hold the cards on the table in the order they came, played side
    cards included; `side_hand` the side cards still held, in the order they were drawn.
    """

    wins: int
    """Hands of this game won so far."""
    opponent_wins: int
    first: bool
    """Whether this bot is player one, who acts first in every hand of the game."""
    hand: tuple[int, ...]
    opponent_hand: tuple[int, ...]
    side_hand: tuple[int, ...]
    opponent_side_cards: int
    """How many side cards the opponent still holds."""
    opponent_action: int | None
    """The opponent's last action in this hand, END or STAND (a PLAY stands); None before it."""
    opponent_played: bool
    """Whether the opponent has played a side card in this hand."""
    total: int
    opponent_total: int
    hand_number: int
    """Hands finished in this game, ties included: 0 in the first."""
    game_number: int
    """Games this instance has finished: 0 in its first."""


class Player(SingleBot):
    """A bot that answers one `View` at a time.

    Optional hook: `start_game(self, view)` is called before the first answer of every game.
    """

    def respond(self, view: View) -> int:
        """Return END, STAND or `play(card)`."""
        raise NotImplementedError


class BatchPlayer(BatchBot):
    """A bot that answers all waiting games at once."""

    def respond(self, frame: NDArray[np.void]) -> NDArray[np.int16]:
        """Return one action per record of `frame`, a structured array with the fields of `View`.

        Hands are packed, four bits a card (see `cards`); `opponent_action` is NO_ACTION, END or
        STAND.
        """
        raise NotImplementedError


NO_ACTION = 1
"""`opponent_action` in a batch frame before the opponent has acted in this hand."""


def cards(packed: NDArray[np.uint64], most: int = 16) -> NDArray[np.uint8]:
    """Unpack hands of a batch frame: shape (n,) in, (n, `most`) out, padded with zeros."""
    import numpy as np

    shifts = np.arange(most, dtype=np.uint64) * np.uint64(4)
    return ((packed[:, None] >> shifts) & np.uint64(15)).astype(np.uint8)
