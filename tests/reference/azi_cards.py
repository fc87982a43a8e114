"""Azi by the letter, the parts that need no table: cards, tricks and the payout.

A card is suit * 9 + rank: suits 0 hearts, 1 diamonds, 2 spades; ranks 0..8 for 6 to Ace.
`turn_up` is the card turned up: its suit is trump. "R14" is a reading in `tests/reference/azi.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

SUITS = 3
RANKS = 9
CARDS = SUITS * RANKS
SIX = 0
ACE = 8


class Play(NamedTuple):
    """A card of a trick and who played it."""

    seat: int
    card: int


def suit(card: int) -> int:
    return card // RANKS


def is_trump(card: int, turn_up: int) -> bool:
    return suit(card) == suit(turn_up)


def rank(card: int, turn_up: int) -> int:
    """Rules 2: 0..8 for 6 to Ace; "six on stage" puts the 6 of trumps above them all, at 9."""
    on_stage = turn_up % RANKS == ACE and is_trump(card, turn_up)
    if on_stage and card % RANKS == SIX:
        return RANKS
    return card % RANKS


def legal_cards(hand: Sequence[int], led: int | None, turn_up: int) -> tuple[int, ...]:
    """Rules 6: follow suit, else trump, else anything; the leader (`led` None) has no duty."""
    if led is None:
        return tuple(hand)
    following = tuple(card for card in hand if suit(card) == suit(led))
    trumps = tuple(card for card in hand if is_trump(card, turn_up))
    return following or trumps or tuple(hand)


def trick_winner(trick: Sequence[Play], turn_up: int) -> int:
    """Rules 7: the highest trump, else the highest card of the suit led; returns its seat."""
    trumps = [play for play in trick if is_trump(play.card, turn_up)]
    followed = [play for play in trick if suit(play.card) == suit(trick[0].card)]
    return max(trumps or followed, key=lambda play: rank(play.card, turn_up)).seat


def lowest(cards: Sequence[int], turn_up: int) -> int:
    """The lowest rank, of equal ranks the lowest card number (R14)."""
    return min(cards, key=lambda card: (rank(card, turn_up), card))


def lowest_discard(hand: Sequence[int], turn_up: int) -> int:
    """For an illegal discard: the lowest card that is not a trump, else the lowest."""
    side = [card for card in hand if not is_trump(card, turn_up)]
    return lowest(side or hand, turn_up)


def payout(
    contributions: Sequence[int], winner: int, rule: Literal["scaled", "matched"] = "scaled"
) -> list[int]:
    """Payout: what each seat gets from the bank when `winner` has won, in chips.

    `contributions` is the ledger: chips per seat since the bank was last empty, seats clockwise,
    folded ones too. The result has the winner's part at `winner`, and refunds everywhere else.

    Raises ValueError for a negative contribution, or a winner who paid nothing.
    """
    if min(contributions) < 0 or contributions[winner] == 0:
        raise ValueError(f"no payout to seat {winner} from {list(contributions)}")
    own = contributions[winner]
    if rule == "matched":
        paid = [chips - min(chips, own) for chips in contributions]
        paid[winner] = sum(min(chips, own) for chips in contributions)
        return paid
    bank = sum(contributions)
    largest = max(contributions)
    if own == largest:
        return [bank if seat == winner else 0 for seat in range(len(contributions))]
    part = own * (bank + largest - own) // largest
    paid = _shared_out(bank - part, contributions, winner)
    paid[winner] = part
    return paid


def _shared_out(rest: int, contributions: Sequence[int], winner: int) -> list[int]:
    """Payout: in proportion to the others' contributions, by largest remainder.

    Equal fractions: the first seat clockwise from the winner's left comes first.
    """
    seats = len(contributions)
    clockwise = [(winner + step) % seats for step in range(1, seats)]
    whole = sum(contributions[seat] for seat in clockwise)
    shares = [0] * seats
    for seat in clockwise:
        shares[seat] = rest * contributions[seat] // whole
    left_over = rest - sum(shares)
    by_fraction = sorted(clockwise, key=lambda seat: -(rest * contributions[seat] % whole))
    for seat in by_fraction[:left_over]:  # the sort is stable, so ties stay clockwise
        shares[seat] += 1
    return shares
