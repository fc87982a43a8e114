"""Azi by the letter: the parameters, what a player is told, and what becomes of a deal.

The readings "R1" to "R16" are in `tests/reference/azi.py`, the numbers of cards in `azi_cards`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

from tests.reference.azi_cards import Play

FOLD = -1
CALL = 0
"""Pay what is missing, or all one's chips if that is less. A bet above 0 is k: an opener's k chips,
or a raise to k chips above the highest bet."""

Kind = Literal["enter", "discard", "bet", "play"]
Action = Literal["fold", "call", "short", "bet", "raise"]


@dataclass(frozen=True)
class Rules:
    """The named parameters of the text. Amounts are chips."""

    seats: int = 4
    deal: Literal[3, 4] = 3
    ante: int = 1
    min_bet: int | None = None
    """What the opener must bet at least; None: the ante."""
    opener_may_fold: bool = False
    min_raise: int = 1
    max_raises: int = 3
    """Bets and raises of one player in one deal."""
    azi_entry: Literal["all", "trick_players", "half_bank"] = "all"
    max_azi: int = 100
    """So many in a row, and the bank goes back."""
    payout: Literal["scaled", "matched"] = "scaled"
    stack: int = 100
    """What each seat starts a session with."""

    def __post_init__(self) -> None:
        if not 2 <= self.seats <= 6 or self.deal not in (3, 4):
            raise ValueError(f"no deal of {self.deal} cards to {self.seats} seats")
        if min(self.ante, self.lowest_bet, self.min_raise, self.max_raises, self.max_azi) < 1:
            raise ValueError(f"every amount and limit must be at least 1: {self}")

    @property
    def lowest_bet(self) -> int:
        return self.ante if self.min_bet is None else self.min_bet


class Bet(NamedTuple):
    """Public: what a seat answered in the betting, and the chips it paid for it."""

    seat: int
    action: Action
    """ "short": stays in for all its chips, which are less than the bet."""
    amount: int


@dataclass(frozen=True)
class ReferenceView:
    """Told: what a player knows when it is asked. All per-seat tuples have an item per seat."""

    kind: Kind
    seat: int
    cards: tuple[int, ...]
    """Its own, in the order dealt."""
    turn_up: int | None
    """The trump card; None for "enter", before the deal."""
    players: tuple[int, ...]
    """The seats still in, in betting order."""
    stacks: tuple[int, ...]
    bank: int
    stakes: tuple[int, ...]
    """Chips paid in this deal, the ante included."""
    contributions: tuple[int, ...]
    """Chips paid since the bank was last empty."""
    bets: tuple[Bet, ...]
    tricks: tuple[tuple[Play, ...], ...]
    """The tricks so far; in "play" the last is the one to play to, perhaps still empty."""
    azi_count: int
    """Azi deals in a row before this one."""
    legal: tuple[int, ...]
    """The legal cards; for "bet" which of FOLD and CALL; for "enter" 0 and 1."""
    amounts: range = range(0)
    """For "bet" the legal bets of an opener, or the legal raises."""

    def allows(self, reply: object) -> bool:
        whole = isinstance(reply, int) and not isinstance(reply, bool)
        return whole and (reply in self.legal or reply in self.amounts)


class Decision(NamedTuple):
    """One question and its answer, as it was given."""

    seat: int
    view: ReferenceView
    reply: object
    legal: bool


@dataclass(frozen=True)
class DealOutcome:
    """A finished deal. The tuples of chips have an item per seat."""

    players: tuple[int, ...]
    """The seats dealt in, in betting order."""
    turn_up: int
    leader: int | None
    """Who led the first trick; None if all but one folded."""
    winner: int | None
    """None: Azi."""
    bets: tuple[Bet, ...]
    tricks: tuple[tuple[Play, ...], ...]
    contributions: tuple[int, ...]
    """The ledger before anything was paid out."""
    paid: tuple[int, ...]
    """What the win paid: the winner's part and the refunds; zeros after an Azi."""
    returned: tuple[int, ...]
    """A bank that went back after an Azi: the last in a row, or of the session."""
    stacks: tuple[int, ...]
    """After all that."""
    bank: int
    """What is carried to the next deal."""
    azi_count: int
    """Azi deals in a row, this one included, before a bank went back."""
    decisions: tuple[Decision, ...]
