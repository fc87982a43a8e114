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

from typing import TYPE_CHECKING, Any, NamedTuple

from harness.games.player import BatchBot, SingleBot

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

END = 0
"""End the turn: another card next round."""
STAND = -1
"""Keep the total: no more cards, no more questions in this hand."""


NO_ACTION = 1
"""`opponent_action` in a batch frame before the opponent has acted in this hand."""

ACTIONS = {END: END, STAND & 0xFF: STAND, NO_ACTION: None}
"""Actions as a record holds them, in an unsigned byte, and as a bot is told them."""


def play(card: int) -> int:
    """Add `card` of the side hand to the own hand and stand."""
    return card


def pack(hand: tuple[int, ...]) -> int:
    """A hand as one number, four bits a card, the first card lowest."""
    packed = 0
    for place, card in enumerate(hand):
        packed |= card << 4 * place
    return packed


def unpack(packed: int) -> tuple[int, ...]:
    """The cards of a packed hand."""
    hand = []
    while packed:
        hand.append(packed & 15)
        packed >>= 4
    return tuple(hand)


# The hand cache is emptied at this size; hands repeat so much that it hardly ever gets there.
_MOST_HANDS = 100_000


class _Hands(dict[int, tuple[int, ...]]):
    """Packed hand -> tuple of cards, each tuple made once."""

    def __missing__(self, packed: int) -> tuple[int, ...]:
        if len(self) >= _MOST_HANDS:
            self.clear()
        self[packed] = unpack(packed)
        return self[packed]


_hands = _Hands()


class _Facts(NamedTuple):
    """A question as it travels: plain numbers, which cost next to nothing to make a tuple of.

    What bots look at less often is decoded by `View` when they do.
    """

    wins: int
    opponent_wins: int
    number_first: int
    packed_hand: int
    packed_opponent_hand: int
    packed_side_hand: int
    opponent_side_cards: int
    number_opponent_action: int
    number_opponent_played: int
    total: int
    opponent_total: int
    hand_number: int
    game_number: int


class View(_Facts):
    """What a bot is told every time it is asked. It cannot be changed.

    Eight facts of the rules, and five that follow from them or only count:

    - `wins`, `opponent_wins`: hands of this game won so far;
    - `first`: whether this bot is player one, who acts first in every hand of the game;
    - `hand`, `opponent_hand`: the cards on the table in the order they came, played side cards
      included;
    - `side_hand`: the side cards still held, in the order they were drawn;
    - `opponent_side_cards`: how many side cards the opponent still holds;
    - `opponent_action`: its last action in this hand, END or STAND (a PLAY stands), None before it;
    - `opponent_played`: whether it has played a side card in this hand;
    - `total`, `opponent_total`: the sums of the hands;
    - `hand_number`: hands finished in this game, ties included, 0 in the first;
    - `game_number`: games this instance has finished, 0 in its first.
    """

    __slots__ = ()

    def __new__(
        cls,
        wins: int,
        opponent_wins: int,
        first: bool,
        hand: tuple[int, ...],
        opponent_hand: tuple[int, ...],
        side_hand: tuple[int, ...],
        opponent_side_cards: int,
        opponent_action: int | None,
        opponent_played: bool,
        total: int,
        opponent_total: int,
        hand_number: int,
        game_number: int,
    ) -> View:
        """A view from its facts, as tests of bots make them."""
        facts = (wins, opponent_wins, int(first), pack(hand), pack(opponent_hand), pack(side_hand))
        action = NO_ACTION if opponent_action is None else opponent_action
        more = (opponent_side_cards, action & 0xFF, int(opponent_played), total, opponent_total)
        return tuple.__new__(cls, (*facts, *more, hand_number, game_number))

    @property
    def first(self) -> bool:
        """Whether this bot is player one."""
        return self[2] == 1

    @property
    def hand(self) -> tuple[int, ...]:
        """The own cards on the table."""
        return _hands[self[3]]

    @property
    def opponent_hand(self) -> tuple[int, ...]:
        """The opponent's cards on the table."""
        return _hands[self[4]]

    @property
    def side_hand(self) -> tuple[int, ...]:
        """The side cards still held."""
        return _hands[self[5]]

    @property
    def opponent_action(self) -> int | None:
        """END, STAND, or None if the opponent has not acted in this hand."""
        return ACTIONS[self[7]]

    @property
    def opponent_played(self) -> bool:
        """Whether the opponent has played a side card in this hand."""
        return self[8] == 1

    def _asdict(self) -> dict[str, Any]:
        """All facts by name."""
        return {name: getattr(self, name) for name in FACTS}

    def __repr__(self) -> str:
        facts = ", ".join(f"{name}={value!r}" for name, value in self._asdict().items())
        return f"View({facts})"


FACTS = (
    "wins",
    "opponent_wins",
    "first",
    "hand",
    "opponent_hand",
    "side_hand",
    "opponent_side_cards",
    "opponent_action",
    "opponent_played",
    "total",
    "opponent_total",
    "hand_number",
    "game_number",
)
"""The attributes of a view."""


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


def cards(packed: NDArray[np.uint64], most: int = 16) -> NDArray[np.uint8]:
    """Unpack hands of a batch frame: shape (n,) in, (n, `most`) out, padded with zeros."""
    import numpy as np

    shifts = np.arange(most, dtype=np.uint64) * np.uint64(4)
    return ((packed[:, None] >> shifts) & np.uint64(15)).astype(np.uint8)
