"""The rules of Spades, compiled: the one implementation that matches, replays and tests use.

Section names refer to docs/games/spades.md. Seat s is in team s % 2; the next seat clockwise is
(s + 1) % 4. Sets of cards are numbers with a bit per card (see `cards`), so that legal plays are
a conjunction, and the winner of a trick is known card by card.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from harness.games.contract import LANE_HEADER, OVER, STARVED
from harness.games.draw import draw
from harness.games.spades import BID, NOT_BID, PLAY
from harness.games.spades.cards import CARDS, RANKS, SPADES, SUITS
from harness.games.spades.scoring import hand_score

SEATS, TEAMS = 4, 2
MOST_BID = RANKS
_ILLEGAL_BID = 1  # what counts instead of one

_ONE = np.uint64(1)
_SUIT = np.array([0x1FFF << RANKS * suit for suit in range(SUITS)], np.uint64)

LANE = np.dtype(
    [
        *LANE_HEADER,
        ("held", "<u8", (SEATS,)),  # the cards that each seat still holds
        ("played", "<u8"),  # the cards played in this hand
        ("score", "<i4", (TEAMS,)),
        ("leaders", "<u4"),  # two bits a trick, the first trick lowest
        ("hand_number", "<u2"),
        ("bags", "u1", (TEAMS,)),
        ("bids", "i1", (SEATS,)),
        ("tricks_won", "u1", (SEATS,)),
        ("cards", "u1", (CARDS,)),  # in the order in which they were played, then zeros
        ("count", "u1"),  # how many were
        ("dealer", "u1"),
        ("turn", "u1"),
        ("best", "u1"),  # the card that wins the trick so far, and who played it
        ("best_seat", "u1"),
        ("broken", "u1"),
        ("in_hand", "u1"),  # 0 between hands
        ("limit", "u1"),  # 1 once a team has reached a limit
        ("forfeited", "u1"),  # bit mask of teams
    ],
    align=True,
)

RULES = np.dtype(
    [
        ("win_at", "<i4"),
        ("lose_at", "<i4"),
        ("max_hands", "<i4"),
        ("nil_points", "<i4"),
        ("bag_limit", "<i4"),
        ("bag_penalty", "<i4"),
    ]
)

_hand_score: Any = njit(cache=True)(hand_score)


def start(lane: Any, rules: Any, words: Any) -> None:
    """A new game: the first dealer is drawn, but kept one seat back, as each hand moves it on."""
    first, _ = draw(words[lane.row], 0, SEATS)
    lane.row += 1
    lane.dealer = (first + SEATS - 1) % SEATS
    lane.hand_number = 0
    lane.in_hand = 0
    lane.limit = 0
    lane.forfeited = 0
    for team in range(TEAMS):
        lane.score[team] = 0
        lane.bags[team] = 0


def proceed(lane: Any, rules: Any, words: Any) -> int:
    """Deal and score until a player must be asked or the game is over."""
    if lane.in_hand and lane.count == CARDS:
        _end_hand(lane, rules)
    if not lane.in_hand:
        if _is_over(lane, rules):
            return OVER
        if lane.row >= len(words):
            return STARVED
        _begin_hand(lane, words[lane.row])
    lane.question = BID if lane.bids[lane.turn] == NOT_BID else PLAY
    return 1 << lane.turn


@njit(cache=True)
def _is_over(lane: Any, rules: Any) -> bool:
    """ "The end", 1 to 3: a limit once reached holds until the totals differ."""
    if lane.hand_number >= rules.max_hands:
        return True
    return lane.limit == 1 and lane.score[0] != lane.score[1]


@njit(cache=True)
def _begin_hand(lane: Any, words: Any) -> None:
    lane.row += 1
    lane.in_hand = 1
    lane.dealer = (lane.dealer + 1) % SEATS
    lane.turn = (lane.dealer + 1) % SEATS
    lane.played = 0
    lane.leaders = lane.turn
    lane.broken = 0
    lane.count = 0
    for seat in range(SEATS):
        lane.held[seat] = 0
        lane.bids[seat] = NOT_BID
        lane.tricks_won[seat] = 0
    # A Fisher-Yates shuffle, in the place of the cards to come; seat 0 gets the first thirteen.
    for k in range(CARDS):
        lane.cards[k] = k
    at = 0
    for k in range(CARDS):
        pick, at = draw(words, at, CARDS - k)
        lane.held[k // RANKS] |= _ONE << np.uint64(lane.cards[k + pick])
        lane.cards[k + pick] = lane.cards[k]
    for k in range(CARDS):
        lane.cards[k] = 0


@njit(cache=True)
def _end_hand(lane: Any, rules: Any) -> None:
    lane.in_hand = 0
    lane.hand_number += 1
    for team in range(TEAMS):
        lane.score[team], lane.bags[team] = _hand_score(
            (np.int64(lane.bids[team]), np.int64(lane.bids[team + 2])),
            (np.int64(lane.tricks_won[team]), np.int64(lane.tricks_won[team + 2])),
            np.int64(lane.score[team]),
            np.int64(lane.bags[team]),
            rules.nil_points,
            rules.bag_limit,
            rules.bag_penalty,
        )
        if lane.score[team] >= rules.win_at or lane.score[team] <= rules.lose_at:
            lane.limit = 1


@njit(cache=True)
def legal_plays(lane: Any, seat: int) -> Any:
    """The cards that `seat` may play, a uint64 set; "Play", 1 and 3."""
    held = lane.held[seat]
    if lane.count % SEATS:
        leader = lane.count - lane.count % SEATS
        wanted = held & _SUIT[lane.cards[leader] // RANKS]
    elif lane.broken:
        wanted = held
    else:
        wanted = held & ~_SUIT[SPADES]
    return wanted if wanted else held


def observe_bid(lane: Any, rules: Any, seat: int, out: Any) -> None:
    """What the seat may know while bids are made; see `harness.games.spades.BidView`."""
    team = seat % TEAMS
    out.hand = lane.held[seat]
    out.game_number = lane.games
    out.score = lane.score[team]
    out.opponent_score = lane.score[1 - team]
    out.hand_number = lane.hand_number
    out.bags = lane.bags[team]
    out.opponent_bags = lane.bags[1 - team]
    out.seat = seat
    out.dealer = lane.dealer
    for other in range(SEATS):
        out.bids[other] = lane.bids[other]


def observe_play(lane: Any, rules: Any, seat: int, out: Any) -> None:
    """What the seat may know when it is to play; see `harness.games.spades.PlayView`."""
    team = seat % TEAMS
    out.hand = lane.held[seat]
    out.legal = legal_plays(lane, seat)
    out.played = lane.played
    out.game_number = lane.games
    out.score = lane.score[team]
    out.opponent_score = lane.score[1 - team]
    out.leaders = lane.leaders
    out.hand_number = lane.hand_number
    out.bags = lane.bags[team]
    out.opponent_bags = lane.bags[1 - team]
    out.seat = seat
    out.dealer = lane.dealer
    out.broken = lane.broken
    out.cards_played = lane.count
    for other in range(SEATS):
        out.bids[other] = lane.bids[other]
        out.tricks_won[other] = lane.tricks_won[other]
    for k in range(CARDS):
        out.cards[k] = lane.cards[k]


def act(lane: Any, rules: Any, seat: int, reply: Any) -> bool:
    """A bid or a card, whichever is asked for."""
    code: Any = np.int64(reply.code)
    if code < 0:
        return False
    if lane.question == BID:
        if code > MOST_BID:
            return False
        _bid(lane, seat, code)
        return True
    if code >= CARDS or not legal_plays(lane, seat) >> np.uint64(code) & _ONE:
        return False
    _play(lane, seat, code)
    return True


def substitute(lane: Any, rules: Any, seat: int) -> None:
    """A bid of 1, or the lowest legal card; "The end", 5."""
    if lane.question == BID:
        _bid(lane, seat, _ILLEGAL_BID)
    else:
        _play(lane, seat, lowest(legal_plays(lane, seat)))


@njit(cache=True)
def lowest(cards: Any) -> int:
    """The lowest card of a set; of equal ranks, the one of the lowest suit."""
    for rank in range(RANKS):
        for suit in range(SUITS):
            if cards >> np.uint64(RANKS * suit + rank) & _ONE:
                return RANKS * suit + rank
    return 0


@njit(cache=True)
def _bid(lane: Any, seat: int, bid: int) -> None:
    lane.bids[seat] = bid
    lane.turn = (seat + 1) % SEATS  # after the fourth, whoever leads is next again


@njit(cache=True)
def _play(lane: Any, seat: int, card: int) -> None:
    """Move a card to the trick; the fourth one ends it."""
    bit = _ONE << np.uint64(card)
    lane.held[seat] ^= bit
    lane.played |= bit
    lane.cards[lane.count] = card
    suit = card // RANKS
    if suit == SPADES:
        lane.broken = 1
    best_suit = lane.best // RANKS
    # A card that beats the best so far is higher in its suit, or the first spade.
    if (
        lane.count % SEATS == 0
        or (suit == best_suit and card > lane.best)
        or (suit == SPADES and best_suit != SPADES)
    ):
        lane.best = card
        lane.best_seat = seat
    lane.count += 1
    if lane.count % SEATS:
        lane.turn = (seat + 1) % SEATS
        return
    lane.tricks_won[lane.best_seat] += 1
    lane.turn = lane.best_seat
    if lane.count < CARDS:
        lane.leaders |= np.uint32(lane.best_seat) << np.uint32(lane.count // SEATS * 2)


def forfeit(lane: Any, rules: Any, seat: int) -> bool:
    """The other team gets the game, and points enough to win it."""
    team = seat % TEAMS
    lane.forfeited |= 1 << team
    if not lane.forfeited >> (1 - team) & 1:
        lane.score[1 - team] = max(lane.score[1 - team], rules.win_at)
    return True


def score(lane: Any, rules: Any, seat: int, out: Any) -> None:
    """A game won with the partner, and the team's total."""
    team = seat % TEAMS
    if lane.forfeited:
        won = lane.forfeited == 1 << (1 - team)
    else:
        won = lane.score[team] > lane.score[1 - team]
    out.won = 1 if won else 0
    out.points = lane.score[team]
