"""Playing to tricks, compiled. Sections 6 to 8."""

from __future__ import annotations

from typing import Any

from numba import njit

from harness.games.azi import cards
from harness.games.azi.bank import award, carry
from harness.games.azi.cards import NO_CARD
from harness.games.azi.frames import DISCARD
from harness.games.azi.lane import NOBODY, next_of
from harness.games.azi.view import MOST_SEATS, TRICKS

lowest = njit(cache=True)(cards.lowest)
suit_mask = njit(cache=True)(cards.suit_mask)
_strength = njit(cache=True)(cards.strength)
_playable = njit(cache=True)(cards.playable)


@njit(cache=True)
def _led(lane: Any) -> int:
    """The card that was led to the trick, NO_CARD for its leader."""
    if lane.cards_played == 0:
        return NO_CARD
    return _card_of(lane, lane.leaders[lane.trick] - 1)


@njit(cache=True)
def _card_of(lane: Any, seat: int) -> int:
    """What the seat has played to the trick; NO_CARD if nothing."""
    return int(lane.played[lane.trick * MOST_SEATS + seat]) - 1


@njit(cache=True)
def legal_cards(lane: Any, rules: Any, seat: Any) -> int:
    if lane.question == DISCARD:
        return lane.hand[seat]
    return _playable(int(lane.hand[seat]), _led(lane), int(lane.turn_up))


@njit(cache=True)
def play(lane: Any, rules: Any, seat: Any, card: Any) -> None:
    lane.hand[seat] &= ~(1 << card)
    lane.played[lane.trick * MOST_SEATS + seat] = card + 1
    lane.cards_played += 1
    following = next_of(lane.players, (seat + 1) % rules.seats, rules.seats)
    if _card_of(lane, following) == NO_CARD:
        lane.turn = following
    else:
        _end_trick(lane, rules)


@njit(cache=True)
def _end_trick(lane: Any, rules: Any) -> None:
    """Who takes it leads the next; two win the deal, and if all three went apart it is Azi."""
    led, winner, best = _led(lane), NOBODY, 0
    for seat in range(rules.seats):
        card = _card_of(lane, seat)
        if card != NO_CARD:
            worth = _strength(card, led, int(lane.turn_up))
            if worth > best:
                winner, best = seat, worth
    lane.taken[winner] += 1
    lane.trick += 1
    lane.cards_played = 0
    if lane.taken[winner] == 2:
        award(lane, rules, winner)
    elif lane.trick == TRICKS:
        carry(lane, rules)
    else:
        lane.turn = winner
        lane.leaders[lane.trick] = winner + 1
