"""The rules of Azi, compiled: the one implementation that matches, replays and tests use.

Section numbers refer to docs/games/azi.md. A game of the arena is a session: `session_deals` deals
from equal stacks. Betting is in `betting`, cards and payout in `cards` and `payout`, plain Python
that is compiled here as it is.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from harness.games.azi.bank import (
    award,
    buyers,
    carried,
    entitled,
    give_back,
    is_over,
    pay,
    price,
)
from harness.games.azi.betting import (
    bounds,
    first_leader,
    may_call,
    may_fold,
    missing,
    next_bettor,
    say,
)
from harness.games.azi.cards import CARDS, NO_CARD
from harness.games.azi.frames import BET, DISCARD, PLAY
from harness.games.azi.lane import (
    BETTING,
    DEALING,
    DISCARDING,
    ENTERING,
    FINISHED,
    LANE,
    NOBODY,
    PLAYING,
    RULES,
    next_of,
    several,
    single,
)
from harness.games.azi.tricks import legal_cards, lowest, play, suit_mask
from harness.games.azi.view import CALL, FOLD, MOST_RAISES, MOST_SAID, MOST_SEATS, TRICKS
from harness.games.contract import OVER, STARVED
from harness.games.draw import draw

__all__ = ["LANE", "RULES"]


def start(lane: Any, rules: Any, words: Any) -> None:
    """A new session: equal stacks, and a seat drawn to open."""
    opener, _ = draw(words[lane.row], 0, rules.seats)
    lane.row += 1
    lane.opener = opener
    lane.deals = 0
    lane.azi = 0
    lane.takers = 0
    lane.phase = DEALING
    _clear_table(lane)
    for seat in range(MOST_SEATS):
        lane.stack[seat] = rules.stack if seat < rules.seats else 0
        lane.contribution[seat] = 0


def proceed(lane: Any, rules: Any, words: Any) -> int:
    """Deal, and settle, until somebody must be asked or the session is over."""
    while True:
        if lane.phase == PLAYING:
            lane.question = PLAY
            return 1 << lane.turn
        if lane.phase == BETTING:
            seat = next_bettor(lane, rules)
            if seat != NOBODY:
                lane.turn = seat
                lane.question = BET
                return 1 << seat
            _end_betting(lane, rules)
        elif lane.phase == DISCARDING:
            lane.phase = BETTING
            lane.question = DISCARD
            return lane.dealt_in
        elif lane.phase == FINISHED:
            return OVER
        elif lane.phase == ENTERING:
            _begin_deal(lane, rules, words[lane.row])
        elif is_over(lane, rules):
            give_back(lane, rules)
            lane.phase = FINISHED
        elif lane.row >= len(words):
            return STARVED
        else:
            _clear_table(lane)
            lane.phase = ENTERING
            asked = buyers(lane, rules)
            if asked:
                lane.players = entitled(lane, rules)
                lane.question = BET
                return asked


@njit(cache=True)
def _clear_table(lane: Any) -> None:
    """Between deals. How the last one ended stays, for transcripts."""
    lane.players = 0
    lane.dealt_in = 0
    lane.entrants = 0
    lane.turn_up = NO_CARD
    lane.trick = 0
    lane.cards_played = 0
    lane.highest = 0
    lane.raiser = NOBODY
    lane.raises = 0
    lane.said = 0
    # Constant lengths: they become a few wide stores.
    for seat in range(MOST_SEATS):
        lane.hand[seat] = 0
        lane.stake[seat] = 0
        lane.bet[seat] = 0
        lane.raised[seat] = 0
        lane.taken[seat] = 0
    for k in range(MOST_RAISES * MOST_SEATS):
        lane.raise_chips[k] = 0
    for k in range(MOST_SAID):
        lane.log[k] = 0
    for k in range(TRICKS):
        lane.leaders[k] = 0
    for k in range(TRICKS * MOST_SEATS):
        lane.played[k] = 0


# -- a deal ------------------------------------------------------------------------------------


@njit(cache=True)
def _begin_deal(lane: Any, rules: Any, words: Any) -> None:
    """Antes and cards. Where too few are left to deal to, the bank goes back instead."""
    dealt_in = entitled(lane, rules) | lane.entrants
    if not several(dealt_in):
        give_back(lane, rules)
        lane.phase = DEALING
        return
    half = price(lane, rules)
    lane.row += 1
    lane.dealt_in = dealt_in
    lane.players = dealt_in
    _shuffle(lane, rules.seats * rules.deal + 1, words)
    lane.turn_up = lane.deck[rules.seats * rules.deal]
    for seat in range(rules.seats):
        if lane.dealt_in >> seat & 1:
            pay(lane, seat, rules.ante + (half if lane.entrants >> seat & 1 else 0))
            lane.stake[seat] = rules.ante
            for k in range(rules.deal):
                lane.hand[seat] |= 1 << lane.deck[seat * rules.deal + k]
    lane.pending = lane.dealt_in
    lane.turn = lane.opener
    lane.phase = DISCARDING if rules.deal == 4 else BETTING


@njit(cache=True)
def _shuffle(lane: Any, cards: int, words: Any) -> None:
    """A Fisher-Yates shuffle as far as cards are dealt. It looks at nothing but the words."""
    for k in range(CARDS):
        lane.deck[k] = k
    at = 0
    for k in range(cards):
        pick, at = draw(words, at, CARDS - k)
        card = lane.deck[k + pick]
        lane.deck[k + pick] = lane.deck[k]
        lane.deck[k] = card


@njit(cache=True)
def _end_betting(lane: Any, rules: Any) -> None:
    """Only one is left, and has won; or the cards decide."""
    if single(lane.players):
        award(lane, rules, next_of(lane.players, 0, rules.seats))
        return
    lane.phase = PLAYING
    lane.turn = first_leader(lane, rules)
    lane.leaders[0] = lane.turn + 1


# -- questions ---------------------------------------------------------------------------------


def observe(lane: Any, rules: Any, seat: int, out: Any) -> None:
    """What the seat may know; see `harness.games.azi.View`."""
    out.game_number = lane.games
    out.deal_number = lane.deals
    out.seat = seat
    out.seats = rules.seats
    out.hand = lane.hand[seat]
    out.turn_up = lane.turn_up
    out.players = lane.players
    out.bank = carried(lane, rules)
    out.azi = lane.azi
    for s in range(MOST_SEATS):
        out.stacks[s] = lane.stack[s]
        out.stakes[s] = lane.stake[s]
        out.contributions[s] = lane.contribution[s]
    out.said = lane.said
    # Loops compile in a fraction of the time that assignments of whole arrays take.
    for k in range(MOST_RAISES * MOST_SEATS):
        out.raises[k] = lane.raise_chips[k]
    for k in range(MOST_SAID):
        out.log[k] = lane.log[k]
    for k in range(TRICKS):
        out.leaders[k] = lane.leaders[k]
    for k in range(TRICKS * MOST_SEATS):
        out.played[k] = lane.played[k]
    out.legal = 0
    out.cost = 0
    out.least = 0
    out.most = 0
    out.may_fold = 0
    out.may_call = 0
    out.entering = 0
    if lane.question != BET:
        out.legal = legal_cards(lane, rules, seat)
    elif lane.phase == ENTERING:
        out.entering = 1
        out.may_fold = 1
        out.may_call = 1
        out.cost = price(lane, rules)
    else:
        out.may_fold = may_fold(lane, rules)
        if may_call(lane, rules, seat):
            out.may_call = 1
            out.cost = min(missing(lane, rules, seat), lane.stack[seat])
        least, most = bounds(lane, rules, seat)
        out.least = least
        out.most = most


# Seats and codes come in several integer types here; as one type they spare Numba from compiling
# everything below once for each.
def act(lane: Any, rules: Any, seat: int, reply: Any) -> bool:
    """A card, or what is said to a bet."""
    place: Any = np.int64(seat)
    code: Any = np.int64(reply.code)
    if lane.question == BET:
        if lane.phase != ENTERING:
            return say(lane, rules, place, code)
        if code == CALL:
            lane.entrants |= 1 << place
        return code == CALL or code == FOLD
    if code < 0 or code >= CARDS or not legal_cards(lane, rules, place) >> code & 1:
        return False
    if lane.question == DISCARD:
        lane.hand[place] &= ~(1 << code)
    else:
        play(lane, rules, place, code)
    return True


def substitute(lane: Any, rules: Any, seat: int) -> None:
    """The lowest card; a call, an opener's least bet. Who has forfeited folds where it may."""
    place: Any = np.int64(seat)
    if lane.question == BET:
        _substitute_bet(lane, rules, place)
        return
    legal: Any = np.int64(legal_cards(lane, rules, place))
    turn_up: Any = np.int64(lane.turn_up)
    if lane.question == PLAY:
        play(lane, rules, place, lowest(legal, turn_up))
        return
    side = legal & ~suit_mask(turn_up % 3)
    lane.hand[place] &= ~(1 << lowest(side if side else legal, turn_up))


@njit(cache=True)
def _substitute_bet(lane: Any, rules: Any, seat: Any) -> None:
    if lane.phase == ENTERING:
        return
    if lane.out >> seat & 1 and say(lane, rules, seat, np.int64(FOLD)):
        return
    if not say(lane, rules, seat, np.int64(CALL)):
        say(lane, rules, seat, np.int64(rules.least_bet))


def forfeit(lane: Any, rules: Any, seat: int) -> bool:
    """The others play on; the seat pays its antes and otherwise keeps what it has."""
    return False


def score(lane: Any, rules: Any, seat: int, out: Any) -> None:
    """The session for the largest stack, and the chips won."""
    largest = True
    for other in range(rules.seats):
        if other != seat and lane.stack[other] >= lane.stack[seat]:
            largest = False
    out.won = 1 if largest else 0
    out.points = lane.stack[seat] - rules.stack
