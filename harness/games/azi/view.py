"""What a bot is told every time it is asked."""

from __future__ import annotations

import struct
from typing import Any, NamedTuple

FOLD = -1
"""Give the deal up; of somebody who may enter, stay out."""
CALL = 0
"""Pay what is missing to the highest bet, or all one's chips if they are fewer."""

MOST_SEATS = 6
MOST_RAISES = 3
"""The most bets and raises of one player in a deal that any rules allow."""
TRICKS = 3

# Two raises are at most four answers apart; five come after the last, and five who cannot or will
# not open may come before the first.
MOST_SAID = 5 * MOST_RAISES * MOST_SEATS + MOST_SEATS
FOLDED, CALLED, RAISED = range(3)

_PER_SEAT = struct.Struct(f"<{MOST_SEATS}H")
_RAISES = struct.Struct(f"<{MOST_RAISES * MOST_SEATS}H")

# Sets of cards repeat so much that the cache hardly ever gets to its limit.
_MOST_SETS = 100_000


class _Sets(dict[int, tuple[int, ...]]):
    """Mask -> tuple of its places, ascending, each tuple made once."""

    def __missing__(self, mask: int) -> tuple[int, ...]:
        if len(self) >= _MOST_SETS:
            self.clear()
        self[mask] = members(mask)
        return self[mask]


def members(mask: int) -> tuple[int, ...]:
    """The places of a set, ascending."""
    return tuple(place for place in range(mask.bit_length()) if mask >> place & 1)


def chips_of(packed: tuple[bytes, int]) -> tuple[int, ...]:
    """Chips by seat, from those of all seats there can be and the number there are."""
    chips, seats = packed
    return _PER_SEAT.unpack(chips)[:seats]


def bets_of(packed: tuple[bytes, bytes]) -> tuple[tuple[int, int], ...]:
    """`View.bets`, from what was said and the chips of all bets and raises."""
    said, raises = packed
    chips = iter(_RAISES.unpack(raises))
    answers = {FOLDED: FOLD, CALLED: CALL}
    return tuple(
        (entry & 7, next(chips) if entry >> 3 == RAISED else answers[entry >> 3]) for entry in said
    )


def tricks_of(packed: tuple[bytes, bytes, int]) -> tuple[tuple[tuple[int, int], ...], ...]:
    """`View.tricks`, from the leaders, the cards by seat, and how many seats there are."""
    leaders, cards, seats = packed
    tricks = []
    for number, leader in enumerate(leaders):
        if leader == 0:
            break
        played = cards[number * MOST_SEATS : number * MOST_SEATS + seats]
        order = [(leader - 1 + step) % seats for step in range(seats)]
        tricks.append(tuple((seat, played[seat] - 1) for seat in order if played[seat]))
    return tuple(tricks)


_sets = _Sets()


class _Facts(NamedTuple):
    """A question as it travels: plain numbers and bytes, which cost little to make a tuple of.

    What is packed is decoded by `View` when a bot looks at it.
    """

    game_number: int
    hand_mask: int
    legal_mask: int
    bank: int
    cost: int
    least: int
    most: int
    azi: int
    deal_number: int
    packed_stacks: bytes
    packed_stakes: bytes
    packed_contributions: bytes
    packed_raises: bytes
    turn_up: int
    seat: int
    seats: int
    players_mask: int
    number_may_fold: int
    number_may_call: int
    number_entering: int
    said: int
    packed_leaders: bytes
    packed_played: bytes
    packed_said: bytes


class View(_Facts):
    """What a bot is told. It cannot be changed. Seats are numbered clockwise from 0.

    - `seat`: the own one; `seats`: how many there are;
    - `hand`: the own cards, ascending;
    - `turn_up`: the card that made the trumps; NO_CARD while `entering`;
    - `players`: the seats still in, ascending;
    - `stacks`: chips of every seat, without what is in the bank; `bank`: chips in there;
    - `stakes`: chips that every seat has paid in this deal, the ante included;
    - `contributions`: the same since the bank was last empty, which decides about the payout;
    - `bets`: what was said in this deal, in order, pairs of a seat and FOLD, CALL or the chips of
      its bet or raise;
    - `tricks`: the tricks so far, each of pairs of a seat and its card in the order played; in
      `play` the last is the one to play to;
    - `azi`: Azi deals in a row before this one;
    - `legal`: the legal answers, ascending;
    - `entering`: asked whether to buy oneself into the deal after an Azi;
    - `cost`: chips that CALL takes; while `entering`, besides the ante;
    - `least`, `most`: the smallest and the largest legal bet or raise, 0 if there is none;
    - `may_fold`, `may_call`: whether FOLD and CALL are legal;
    - `deal_number`: deals finished in this session, 0 in the first;
    - `game_number`: sessions this instance has finished, 0 in its first.
    """

    __slots__ = ()

    @property
    def hand(self) -> tuple[int, ...]:
        """The own cards, ascending."""
        return _sets[self.hand_mask]

    @property
    def players(self) -> tuple[int, ...]:
        """The seats still in, ascending."""
        return _sets[self.players_mask]

    @property
    def stacks(self) -> tuple[int, ...]:
        """Chips of every seat, without what is in the bank."""
        return chips_of((self.packed_stacks, self.seats))

    @property
    def stakes(self) -> tuple[int, ...]:
        """Chips that every seat has paid in this deal."""
        return chips_of((self.packed_stakes, self.seats))

    @property
    def contributions(self) -> tuple[int, ...]:
        """Chips that every seat has paid since the bank was last empty."""
        return chips_of((self.packed_contributions, self.seats))

    @property
    def may_fold(self) -> bool:
        """Whether FOLD is legal."""
        return self.number_may_fold == 1

    @property
    def may_call(self) -> bool:
        """Whether CALL is legal."""
        return self.number_may_call == 1

    @property
    def entering(self) -> bool:
        """Whether the question is to buy oneself in or not."""
        return self.number_entering == 1

    @property
    def bets(self) -> tuple[tuple[int, int], ...]:
        """What was said in this deal: pairs of a seat and its answer."""
        return bets_of((self.packed_said[: self.said], self.packed_raises))

    @property
    def tricks(self) -> tuple[tuple[tuple[int, int], ...], ...]:
        """The tricks so far: pairs of a seat and its card, in the order played."""
        return tricks_of((self.packed_leaders, self.packed_played, self.seats))

    @property
    def legal(self) -> tuple[int, ...]:
        """The legal answers, ascending."""
        if self.legal_mask:
            return _sets[self.legal_mask]
        words = (FOLD,) * self.may_fold + (CALL,) * self.may_call
        return (*words, *range(self.least, self.most + 1)) if self.most else words

    def _asdict(self) -> dict[str, Any]:
        """All facts by name."""
        return {name: getattr(self, name) for name in FACTS}

    def __repr__(self) -> str:
        facts = ", ".join(f"{name}={value!r}" for name, value in self._asdict().items())
        return f"View({facts})"


FACTS = (
    *("seat", "seats", "hand", "turn_up", "players", "stacks", "bank", "stakes", "contributions"),
    *("bets", "tricks", "azi", "legal", "entering", "cost", "least", "most", "may_fold"),
    *("may_call", "deal_number", "game_number"),
)
"""The attributes of a view."""
