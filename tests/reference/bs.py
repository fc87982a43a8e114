"""BS by the letter: the rules text as a plain, slow program.

The fast engine is judged against this one, so nothing here comes from it, or imports from the
harness at all. Citations: "Game", "Told" and "Faults" are the sections of the rules text.

A game is a function of the deal, the answers and the draws: nothing here is random. Who calls
`play_game` shuffles, says through `decide` what a player answers, and through `draw` which caller
and which card the text has drawn at random. Seat 0 moves first. A card is its rank, 0..12.

Readings, where the text leaves room:

1. "In seat order" begins after the mover: it moves, then mover+1, +2 and +3 (mod 4) are asked for
   calls, and the callers that a draw chooses from stand in that order too.
2. A call is asked when the cards are laid: `hand_sizes` then has the mover without them (it can be
   0), `pile_size` counts them, and the last event says who laid how many of what.
3. A player who is asked for a call holds at least one card: the game would be over if a hand had
   been empty after the turn before, and before a caller loses its card nobody takes one from it.
   So the card that starts the new pile can always be drawn. It is drawn after the mover has taken
   the pile, and also when there is only one to choose from; a caller is drawn only among several.
4. Who called without being drawn is not public: it is in no event.
5. A lie that nobody calls stays unknown, and with it what lies in the pile.
6. A reply to "lay" is a list or tuple of whole numbers; True and False are none, though Python
   counts them as 1 and 0. More copies of a rank than are held is "the same card twice". The
   substitute is one card, the first of the lowest rank.
7. A call is exactly True or exactly False. Anything else is no call, and is counted as a fault too.
8. `max_rounds` rounds are four turns each. A hand emptied in the very last turn still wins. The end
   of a round is told after its fourth turn, but not if that turn ended the game.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Literal

SEATS = 4
RANKS = 13
COPIES = 4
HAND = RANKS * COPIES // SEATS


@dataclass(frozen=True)
class Laid:
    """Public: `seat` laid `number` cards and claimed that all of them have `rank`."""

    seat: int
    rank: int
    number: int


@dataclass(frozen=True)
class Called:
    """Public: the call that was settled, and who took the `cards` cards of the pile for it."""

    caller: int
    mover: int
    lie: bool
    taker: int
    cards: int


Event = Laid | Called
Kind = Literal["lay", "call", "start", "round"]


@dataclass(frozen=True)
class ReferenceView:
    """What a player knows when it is asked ("lay", "call") or told ("start", "round")."""

    kind: Kind
    seat: int
    hand: tuple[int, ...]
    """Never sorted: as dealt, then what was picked up, oldest first."""
    hand_sizes: tuple[int, ...]
    pile_size: int
    mover: int
    """Whose turn it is; in "start" and "round", whose turn is next."""
    rank: int
    """The rank that the mover must lay, or has claimed to lay."""
    laid: int
    """The number of cards in question in a "call", otherwise 0."""
    events: tuple[Event, ...]
    """Everything public since the game began, in order."""


@dataclass(frozen=True)
class Fault:
    """An answer that the rules do not allow, and when it was given. Turns count from 0."""

    turn: int
    seat: int
    kind: Kind
    reply: object


@dataclass(frozen=True)
class Outcome:
    """A finished game."""

    winner: int | None
    """None: nobody had won when the rounds were over."""
    turns: int
    events: tuple[Event, ...]
    faults: tuple[Fault, ...]
    hands: tuple[tuple[int, ...], ...]
    """What each seat holds at the end."""
    pile: tuple[int, ...]


Decide = Callable[[int, ReferenceView], object]
Tell = Callable[[int, ReferenceView], None]
Draw = Callable[[int, Literal["caller", "card"]], int]


@dataclass
class _Table:
    """A game in progress."""

    hands: list[list[int]]
    pile: list[int] = field(default_factory=list)
    turn: int = 0
    events: list[Event] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)

    @property
    def mover(self) -> int:
        return self.turn % SEATS

    @property
    def rank(self) -> int:
        """Game: one up every turn, challenged or not, and 0 after 12."""
        return self.turn % RANKS

    def take_pile(self, seat: int) -> int:
        """Append the pile to a hand, oldest card first; return how many cards it had."""
        cards = len(self.pile)
        self.hands[seat].extend(self.pile)
        self.pile.clear()
        return cards

    def empty_hands(self) -> list[int]:
        return [seat for seat in range(SEATS) if not self.hands[seat]]

    def view(self, kind: Kind, seat: int, laid: int = 0) -> ReferenceView:
        return ReferenceView(
            kind=kind,
            seat=seat,
            hand=tuple(self.hands[seat]),
            hand_sizes=tuple(len(hand) for hand in self.hands),
            pile_size=len(self.pile),
            mover=self.mover,
            rank=self.rank,
            laid=laid,
            events=tuple(self.events),
        )


def play_game(
    deal: Sequence[Sequence[int]],
    decide: Decide,
    draw: Draw,
    max_rounds: int = 1000,
    tell: Tell | None = None,
) -> Outcome:
    """Play turns until a hand is empty after the calls, or `max_rounds` rounds are over.

    `deal` is four hands of 13 ranks in the order dealt. `decide(seat, view)` answers "lay" with
    the ranks to lay in their order, and "call" with True or False. `draw(n, purpose)` gives a
    number 0..n-1: which of several callers is heard ("caller", in the order of reading 1), and
    which card of the caller's hand starts the new pile ("card", in the hand's order).
    `tell(seat, view)`, if given, hears what needs no answer, for the seats 0..3 in turn.

    Raises ValueError for a deal that is not the 52 cards, or a draw that is out of range.
    """
    table = _Table(_checked_deal(deal))
    _tell_all(table, "start", tell)
    winner = None
    while winner is None and table.turn < SEATS * max_rounds:
        winner = _play_turn(table, decide, draw)
        table.turn += 1
        if winner is None and table.turn % SEATS == 0:
            _tell_all(table, "round", tell)
    return Outcome(
        winner=winner,
        turns=table.turn,
        events=tuple(table.events),
        faults=tuple(table.faults),
        hands=tuple(tuple(hand) for hand in table.hands),
        pile=tuple(table.pile),
    )


def _play_turn(table: _Table, decide: Decide, draw: Draw) -> int | None:
    """Game: lay, ask for calls, settle one of them, and only then look for an empty hand."""
    laid = _lay(table, decide)
    callers = _callers(table, len(laid), decide)
    if callers:
        index = _drawn(draw, len(callers), "caller") if len(callers) > 1 else 0
        _settle(table, callers[index], laid, draw)
    empty = table.empty_hands()
    assert len(empty) <= 1, "two empty hands at once cannot happen"
    return empty[0] if empty else None


def _lay(table: _Table, decide: Decide) -> list[int]:
    """Ask the mover, move its cards to the pile, and return them in the order laid."""
    mover = table.mover
    hand = table.hands[mover]
    reply = decide(mover, table.view("lay", mover))
    laid = _legal_lay(reply, hand)
    if laid is None:
        # Faults: the lowest-rank card held instead.
        table.faults.append(Fault(table.turn, mover, "lay", reply))
        laid = [min(hand)]
    for rank in laid:
        hand.remove(rank)  # the first held copy; it is gone, and cannot be laid again
    table.pile.extend(laid)
    table.events.append(Laid(mover, table.rank, len(laid)))
    return laid


def _legal_lay(reply: object, hand: list[int]) -> list[int] | None:
    """Faults: no cards, cards not held, the same card twice, not a card."""
    if not isinstance(reply, (list, tuple)) or not reply:
        return None
    if not all(isinstance(rank, int) and not isinstance(rank, bool) for rank in reply):
        return None
    return list(reply) if Counter(reply) <= Counter(hand) else None


def _callers(table: _Table, laid: int, decide: Decide) -> list[int]:
    """Ask the three others, none of whom learns what another said; return who calls."""
    callers = []
    for step in range(1, SEATS):
        seat = (table.mover + step) % SEATS
        reply = decide(seat, table.view("call", seat, laid))
        if reply is True:
            callers.append(seat)
        elif reply is not False:
            table.faults.append(Fault(table.turn, seat, "call", reply))
    return callers


def _settle(table: _Table, caller: int, laid: list[int], draw: Draw) -> None:
    """Game: the liar takes the pile and the caller starts a new one, or the caller takes it."""
    lie = any(rank != table.rank for rank in laid)
    taker = table.mover if lie else caller
    cards = table.take_pile(taker)
    if lie:
        hand = table.hands[caller]
        table.pile.append(hand.pop(_drawn(draw, len(hand), "card")))
    table.events.append(Called(caller, table.mover, lie, taker, cards))


def _drawn(draw: Draw, number: int, purpose: Literal["caller", "card"]) -> int:
    index = draw(number, purpose)
    if not 0 <= index < number:
        raise ValueError(f"draw of a {purpose} gave {index}, not 0..{number - 1}")
    return index


def _tell_all(table: _Table, kind: Kind, tell: Tell | None) -> None:
    """Told, without an answer: the start of the game with its hand, and the end of a round."""
    if tell is None:
        return
    for seat in range(SEATS):
        tell(seat, table.view(kind, seat))


def _checked_deal(deal: Sequence[Sequence[int]]) -> list[list[int]]:
    """Game: four of each rank, thirteen cards for each of four players."""
    hands = [[int(rank) for rank in hand] for hand in deal]
    whole = Counter(dict.fromkeys(range(RANKS), COPIES))
    if [len(hand) for hand in hands] != [HAND] * SEATS:
        raise ValueError(f"a deal is {SEATS} hands of {HAND}, not {hands}")
    if Counter(rank for hand in hands for rank in hand) != whole:
        raise ValueError(f"a deal is {COPIES} of each rank 0..{RANKS - 1}, not {hands}")
    return hands
