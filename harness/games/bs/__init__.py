"""BS, as its bots see it.

    from harness.games.bs import Player

    class Honest(Player):
        \"\"\"Lays what it is asked for, or else its first card; believes everybody.\"\"\"

        def lay(self, view):
            return [view.rank] * view.hand.count(view.rank) or view.hand[:1]

        def call(self, view):
            return False

Everything a bot may import from the game is here; the rules engine is not.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from harness.games.player import BatchBot, SingleBot

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

SEATS = 4
RANKS = 13
"""Ranks are 0 to 12."""
COPIES = 4
"""Cards of every rank."""
CARDS = RANKS * COPIES

NOBODY = 255
"""In frames: no caller, no card given, and what pads a hand."""


class Turn(NamedTuple):
    """A turn that is over, as everybody at the table saw it."""

    mover: int
    """The seat that laid cards."""
    rank: int
    """The rank they were claimed to have."""
    number: int
    """How many cards were laid."""
    caller: int | None
    """The seat that called, drawn by lot if several did; None if nobody did."""
    lied: bool | None
    """Whether the claim was a lie; None if nobody called."""
    taker: int | None
    """The seat that took the pile; None if nobody called."""
    taken: int
    """How many cards it took."""


# The hand cache is emptied at this size; a hand is seen three times for every time it changes.
_MOST_HANDS = 20_000
_PADDING = bytes([NOBODY])


class _Hands(dict[bytes, tuple[int, ...]]):
    """Padded hand -> tuple of cards, each tuple made once."""

    def __missing__(self, padded: bytes) -> tuple[int, ...]:
        if len(self) >= _MOST_HANDS:
            self.clear()
        self[padded] = tuple(padded.rstrip(_PADDING))
        return self[padded]


_hands = _Hands()


class _Facts(NamedTuple):
    """A question as it travels, in the order of its record; `View` makes sense of it."""

    turn: int
    padded_hand: bytes
    size_of_0: int
    size_of_1: int
    size_of_2: int
    size_of_3: int
    seat: int
    rank: int
    number: int
    pile: int
    last_rank: int
    last_number: int
    last_caller: int
    last_lied: int
    last_taken: int
    number_given: int


class View(_Facts):
    """What a bot is told every time it is asked. It cannot be changed.

    - `seat`: the own seat, 0 to 3; they move in this order, seat 0 first;
    - `turn`: turns finished in this game, 0 in the first; a round is four turns;
    - `mover`, `rank`: whose turn it is, and the rank it lays or claims to have laid;
    - `number`: how many cards the mover has laid; 0 when this bot is asked to lay;
    - `hand`: the own cards, in the order they came: those picked up were appended in pile order;
    - `sizes`: how many cards every seat holds, the cards laid in this turn not counted;
    - `pile`: how many cards lie in the pile, those laid in this turn included;
    - `last`: the turn before, a `Turn`; None in the first turn of a game;
    - `given`: the card that was drawn from the own hand to begin the pile, if the turn before
      ended so; None otherwise.
    """

    __slots__ = ()

    def __new__(
        cls,
        seat: int,
        turn: int,
        rank: int,
        number: int,
        hand: Sequence[int],
        sizes: Sequence[int],
        pile: int,
        last: Turn | None = None,
        given: int | None = None,
    ) -> View:
        """A view from its facts, as tests of bots make them."""
        padded = bytes(hand).ljust(CARDS, _PADDING)
        now = (turn, padded, *sizes, seat, rank, number, pile)
        before = (0, 0, NOBODY, 0, 0)
        if last is not None:
            caller = NOBODY if last.caller is None else last.caller
            before = (last.rank, last.number, caller, int(last.lied or False), last.taken)
        return tuple.__new__(cls, (*now, *before, NOBODY if given is None else given))

    @property
    def mover(self) -> int:
        """The seat whose turn it is."""
        return self[0] % SEATS

    @property
    def hand(self) -> tuple[int, ...]:
        """The own cards, oldest first."""
        return _hands[self[1]]

    @property
    def sizes(self) -> tuple[int, ...]:
        """How many cards every seat holds."""
        return self[2:6]

    @property
    def last(self) -> Turn | None:
        """The turn before this one."""
        if self[0] == 0:
            return None
        mover = (self[0] - 1) % SEATS
        rank, number, caller, lied, taken = self[10:15]
        # A class called costs three times what its `tuple.__new__` does.
        if caller == NOBODY:
            return tuple.__new__(Turn, (mover, rank, number, None, None, None, 0))
        taker = mover if lied else caller
        return tuple.__new__(Turn, (mover, rank, number, caller, lied == 1, taker, taken))

    @property
    def given(self) -> int | None:
        """The own card that now begins the pile, if one was drawn in the turn before."""
        return None if self[15] == NOBODY else self[15]

    def _asdict(self) -> dict[str, Any]:
        """All facts by name."""
        return {name: getattr(self, name) for name in FACTS}

    def __repr__(self) -> str:
        facts = ", ".join(f"{name}={value!r}" for name, value in self._asdict().items())
        return f"View({facts})"


FACTS = ("seat", "turn", "mover", "rank", "number", "hand", "sizes", "pile", "last", "given")
"""The attributes of a view."""


def distance(turn: int, rank: int, seat: int) -> int:
    """In how many of its own turns `seat` is asked for `rank`; 0 for a turn that is now its own.

    `turn`: that is being played. A seat's turns come four apart, so every rank comes up within
    thirteen of them.
    """
    ahead = (seat - turn) % SEATS  # turns until its next own one
    return (rank - turn - ahead) * 10 % RANKS  # 4 * 10 is 1 more than a multiple of 13


class Player(SingleBot):
    """A bot that answers one `View` at a time.

    Optional hook: `start_game(self, view)` is called before the first answer of every game.
    """

    def lay(self, view: View) -> Sequence[int]:
        """Return the cards to lay, a list or tuple of ranks in the order of laying.

        Of equal cards, the first in the hand are laid.
        """
        raise NotImplementedError

    def call(self, view: View) -> bool:
        """Return whether to call the mover's claim a lie: True or False."""
        raise NotImplementedError


class BatchPlayer(BatchBot):
    """A bot that answers all waiting games at once."""

    def lay(self, frame: NDArray[np.void]) -> NDArray[np.void]:
        """Return records of `LAY_REPLY.dtype()`, `code` the number of cards, `cards` their ranks.

        `frame` is a structured array with the fields of `harness.games.bs.frames.OBSERVATION`.
        """
        raise NotImplementedError

    def call(self, frame: NDArray[np.void]) -> NDArray[np.void]:
        """Return records of `CALL_REPLY.dtype()`, `code` 1 to call and 0 not to."""
        raise NotImplementedError
