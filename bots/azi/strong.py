"""Strong, the top rung of koth's ladder for Azi."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations, permutations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from harness.games.azi import ACE, CALL, CARDS, FOLD, MOST_SEATS, SIX, TRICKS, BatchPlayer

Array = NDArray[Any]

CANDIDATES, SAMPLES = 40, 12
"""Deals that are tried for every question, and those of them that are played out."""
RAISES = (0.0, 0.5, 1.0, 2.5)
"""Sizes of raises that are tried, in banks."""
RAISED, CALLED = 2.5, 0.5
"""How much likelier a hand is for a raise and for a call, per unit of strength: logarithms."""
BOLD = 0.5
"""The share of a bank that a hand must promise against all others to be raised with."""
UNLIKELY = 0.4
"""How likely somebody plays another card than the greedy one."""
WINS = np.array(
    [
        [1.0, 1.0, 1.0, 1.0],
        [1.0, 1.0, 1.0, 1.0],
        [0.26, 0.49, 0.86, 0.995],
        [0.08, 0.24, 0.66, 0.96],
        [0.03, 0.12, 0.51, 0.92],
        [0.018, 0.08, 0.4, 0.875],
        [0.006, 0.04, 0.29, 0.83],
    ],
    np.float32,
)
"""How often a hand with 0 to 3 trumps wins, by the number of players: what others bet by."""

# Cards are recoded so that trumps are alike in all games: side suits 0 to 8 and 9 to 17, trumps 18
# to 27, the last of them the six on stage. NONE is in place of a card where there is none.
TRUMP, NONE = 18, 28
SUIT = np.array([0] * 9 + [1] * 9 + [2] * 10 + [3])
RANK = np.array([*range(9), *range(9), *range(10), 0])


def _code(card: int, turn_up: int) -> int:
    rank, suit = divmod(card, 3)
    trump = turn_up % 3
    if suit == trump:
        return TRUMP + (9 if rank == SIX and turn_up // 3 == ACE else rank)
    return rank + 9 * (suit == max({0, 1, 2} - {trump}))


CODES = np.array([[_code(card, turn_up) for card in range(CARDS)] for turn_up in range(CARDS)])
WORTH = np.zeros(NONE + 1, np.float32)
"""What a card adds to the strength of a hand, by its code."""
WORTH[TRUMP:NONE] = 0.6
WORTH[[TRUMP + ACE, TRUMP + 9]] = 1.0
WORTH[[ACE, 9 + ACE]] = 0.35
WORTH[[ACE - 1, 9 + ACE - 1]] = 0.15

# Tricks are played by looking up. A hand is a number, up to three cards; so is what lies on the
# table, a suit led and the best card so far. Tables say what card is greedy, what the hand is
# without it, and what lies on the table then.
_SETS = [cards for size in range(4) for cards in combinations(range(NONE), size)]
HANDS = np.array([[*cards, *(NONE,) * (3 - len(cards))] for cards in _SETS])
HAND = np.zeros((NONE + 1,) * 3, np.int32)
"""The number of a hand, by its three cards in any order. An empty one is 0."""
for _order in permutations(range(3)):
    HAND[tuple(HANDS[:, _order].T)] = np.arange(len(HANDS))
STRENGTH = WORTH[HANDS].sum(axis=1)
TRUMPS = ((HANDS >= TRUMP) & (HANDS < NONE)).sum(axis=1)

LED = np.array([3, *(suit for suit in range(3) for _ in range(NONE))])
BEST = np.array([NONE, *(code for _ in range(3) for code in range(NONE))])
"""What lies on the table, by its number: the suit led and the best card; 0 is nothing."""
NOTHING = 0


def _worth(codes: Array, led: Array) -> Array:
    """What cards are worth if a suit is led: more than 0 can take the trick."""
    following = np.where(codes == NONE, 0, np.where(SUIT[codes] == led, 1 + RANK[codes], 0))
    return np.where((codes >= TRUMP) & (codes < NONE), 20 + RANK[codes], following)


def _put(table: Array, codes: Array) -> Array:
    """What lies on the table after a card."""
    led = np.where(LED[table] == 3, SUIT[codes], LED[table])
    better = _worth(codes, led) > _worth(BEST[table], led)
    return np.where(better, 1 + led * NONE + codes, table)


def _legal(hands: Array, led: int) -> Array:
    """Which cards of each hand may be played to a suit led; shape (hands, 3)."""
    held = hands != NONE
    follow, trumps = held & (SUIT[hands] == led), held & (SUIT[hands] == 2)
    free = held & ~follow.any(axis=1, keepdims=True) & ~trumps.any(axis=1, keepdims=True)
    ruffs = trumps & ~follow.any(axis=1, keepdims=True)
    return held if led == 3 else follow | ruffs | free


def _greedy(table: int) -> Array:
    """The place of the greedy card in every hand."""
    led = int(LED[table])
    legal = _legal(HANDS, led)
    if led == 3:  # the top trump, else the highest card
        value = np.where(SUIT[HANDS] == 2, 20 + RANK[HANDS], RANK[HANDS])
        return np.where(legal, value, -1).argmax(axis=1)
    worth = _worth(HANDS, np.array(led))
    wins = worth > _worth(BEST[table : table + 1], np.array(led))
    return np.where(legal, np.where(wins, worth, 64 + RANK[HANDS]), 255).argmin(axis=1)


STATES = len(LED)
_CHOICE = np.stack([_greedy(table) for table in range(STATES)], axis=1)
CARD = np.take_along_axis(HANDS, _CHOICE, axis=1).astype(np.uint8)  # small, for the cache
"""The greedy card of a hand, shape (hands, states of the table); NONE of an empty one."""
WITHOUT = np.stack(
    [
        HAND[tuple(np.where(code == HANDS, NONE, HANDS).T)]
        if code < NONE
        else np.arange(len(HANDS))
        for code in range(NONE + 1)
    ],
    axis=1,
).astype(np.int16)
"""A hand without a card, shape (hands, codes)."""
PUT = np.stack([_put(np.arange(STATES), np.full(STATES, code)) for code in range(NONE + 1)], axis=1)
PUT[:, NONE] = np.arange(STATES)
"""What lies on the table after a card, shape (states, codes)."""
SUITS_HELD = np.stack([(SUIT[HANDS] == suit).any(axis=1) for suit in range(3)], axis=1)

_POOL = 4096
_rng = np.random.default_rng(0)
DRAWS = np.zeros((CARDS + 1, _POOL, 15), np.uint8)
"""Random draws of 15 places among so many: a supply that every question takes some of."""
for _cards in range(15, CARDS):
    DRAWS[_cards] = _rng.random((_POOL, _cards)).argsort(axis=1)[:, :15]
for _cards in range(15):
    DRAWS[_cards, :, :_cards] = _rng.random((_POOL, _cards)).argsort(axis=1)


class Strong(BatchPlayer):
    """Deals the unseen cards to the others many times and plays every deal out greedily.

    Deals count by how well the others' hands go with their bets and with the cards they played. It
    bets whatever promises the most chips, taking the others to call what their trumps are worth,
    and plays the card that wins most often.
    """

    name = "Strong"

    def discard(self, frame: Array) -> Array:
        held = _bits(frame["hand"], CARDS)
        codes = CODES[frame["turn_up"]]
        # Of cards worth the same, the lowest.
        worth = np.where(held, WORTH[codes] * 100 + RANK[codes], np.inf)
        return worth.argmin(axis=1).astype(np.int16)

    def bet(self, frame: Array) -> Array:
        answers = np.where(frame["may_fold"], FOLD, CALL).astype(np.int16)
        rows = np.flatnonzero(frame["entering"] == 0)
        if len(rows):
            answers[rows] = best_bet(frame[rows], deal(frame[rows], self.rng))
        return answers

    def play(self, frame: Array) -> Array:
        legal = _bits(frame["legal"], CARDS)
        answers = legal.argmax(axis=1).astype(np.int16)
        rows = np.flatnonzero(legal.sum(axis=1) > 1)
        if len(rows):
            answers[rows] = best_card(frame[rows], deal(frame[rows], self.rng))
        return answers


@dataclass
class Table:
    """Sampled deals: of n records, N = n * SAMPLES, those of a record together.

    There are places for m players, as many as any record has; where there are fewer, the last ones
    are empty.
    """

    seats: Array
    """Shape (n, m), clockwise; the own seat is the first."""
    players: Array
    """How many there are, shape (n,)."""
    hands: Array
    """Numbers of hands, with the cards played, shape (N, m)."""
    played: Array
    """Codes of the cards played so far, or NONE, shape (n, m, tricks)."""


def deal(frame: Array, rng: np.random.Generator) -> Table:
    """Deal the cards that the own seat does not see."""
    n = len(frame)
    line = np.arange(n)[:, None]
    order = (frame["seat"][:, None] + np.arange(MOST_SEATS)) % frame["seats"][:, None]
    still_in = (frame["players"][:, None] >> order & 1).astype(np.bool_)
    still_in &= np.arange(MOST_SEATS) < frame["seats"][:, None]
    players = still_in.sum(axis=1)
    m = int(players.max())
    seats = order[line, np.argsort(~still_in, axis=1, kind="stable")[:, :m]]

    held = _bits(frame["hand"], CARDS)
    cards_played = frame["played"].astype(np.int64) - 1
    unseen = ~held
    unseen[line[:, 0], frame["turn_up"]] = False
    unseen[np.nonzero(cards_played >= 0)[0], cards_played[cards_played >= 0]] = False

    codes = CODES[frame["turn_up"]]
    by_seat = cards_played.reshape(n, TRICKS, MOST_SEATS).transpose(0, 2, 1)[line, seats]
    played = np.where(by_seat >= 0, codes[line[:, :, None], by_seat], NONE)

    # Places among the unseen cards, then their codes.
    stock = codes[line, np.argsort(~unseen, axis=1, kind="stable")]
    start = rng.integers(_POOL, size=n)
    which = (start[:, None] + np.arange(CANDIDATES)) % _POOL
    drawn = DRAWS[unseen.sum(axis=1)[:, None], which, : 3 * m - 3]
    # The last trick's cards are drawn first: for those that are known there may be none left.
    cards = stock[line[:, :, None], drawn].reshape(n, CANDIDATES, 3, m - 1)[:, :, ::-1]
    cards = cards.transpose(0, 1, 3, 2)
    cards = np.where(played[:, None, 1:] != NONE, played[:, None, 1:], cards)
    hands = HAND[cards[..., 0], cards[..., 1], cards[..., 2]]
    hands *= (np.arange(1, m) < players[:, None])[:, None]

    chosen = _resample(STRENGTH[hands], frame, seats, rng)
    own = np.full((n, CARDS + 1), NONE)
    own[:, :CARDS] = np.where(held, codes, NONE)
    own = np.sort(np.concatenate((own, played[:, 0]), axis=1), axis=1)[:, :3]
    all_hands = np.empty((n, SAMPLES, m), np.int32)
    all_hands[:, :, 0] = HAND[own[:, 0], own[:, 1], own[:, 2]][:, None]
    all_hands[:, :, 1:] = hands[line, chosen]
    return Table(seats, players, all_hands.reshape(-1, m), played)


def _resample(strength: Array, frame: Array, seats: Array, rng: np.random.Generator) -> Array:
    """Choose SAMPLES of the deals, by how well they go with what was bet; shape (n, SAMPLES)."""
    raises, calls = _said(frame, seats)
    push = (RAISED * raises + CALLED * calls)[:, None, 1:]
    force = (strength * push).sum(axis=2)
    weights = np.exp(force - force.max(axis=1, keepdims=True))
    running = np.cumsum(weights, axis=1)
    marks = (rng.random((len(frame), 1)) + np.arange(SAMPLES)) / SAMPLES * running[:, -1:]
    chosen = (running[:, None, :] < marks[:, :, None]).sum(axis=2)
    return np.minimum(chosen, CANDIDATES - 1)


def _bits(masks: Array, places: int) -> Array:
    """Which bits are set: shape (n,) in, (n, places) out."""
    return (masks[:, None] >> np.arange(places, dtype=masks.dtype) & 1).astype(np.bool_)


def _said(frame: Array, seats: Array) -> tuple[Array, Array]:
    """How often each player has raised, and called: shape (n, m). The opening bet is a duty."""
    length = int(frame["said"].max(initial=0))
    log = frame["log"][:, :length]
    counts = np.arange(length) < frame["said"][:, None]
    raised = counts & (log >> 3 == 2)
    raised &= np.cumsum(raised, axis=1) > 1
    called = counts & (log >> 3 == 1)
    who = (log & 7)[:, None, :] == seats[:, :, None]
    return (who & raised[:, None]).sum(axis=2), (who & called[:, None]).sum(axis=2)


def play_out(
    hands: Array, leader: Array, players: Array, played: Array | None = None
) -> tuple[Array, Array]:
    """Play all deals to the end, greedily but for the cards `played` already.

    `hands`: numbers, shape (N, m); `leader`: of the first trick, shape (N,); `players`: how many,
    shape (N,); `played`: codes or NONE, shape (N, m, tricks). Returns what the own seat gets of a
    bank of 1 (a share of it after an Azi), and how plausible the cards of the others are.
    """
    n, m = hands.shape
    left = hands.reshape(-1).astype(np.int64)
    base = np.arange(0, n * m, m)
    taken = np.zeros(n * m, np.int8)
    plausible = np.ones(n, np.float32)
    for trick in range(TRICKS):
        table = np.zeros(n, np.int64)
        winner = leader
        who = leader
        for step in range(m):
            at = base + who
            hand = left[at]
            card = CARD.take(hand * STATES + table)
            if played is not None:
                given = played.reshape(-1, TRICKS)[at, trick]
                odds = np.where(given == card, 1, _odds(hand, table, given))
                is_given = given != NONE
                plausible *= np.where(is_given & (who > 0), odds, 1)
                card = np.where(is_given, given, card)
            left[at] = WITHOUT.take(hand * (NONE + 1) + card)
            after = PUT.take(table * (NONE + 1) + card)
            winner = np.where(after != table, who, winner)
            table = after
            if step < m - 1:
                who = who + 1
                who = np.where(who == m, 0, who)
        taken[base + winner] += 1
        leader = winner
    taken = taken.reshape(n, m)
    azi = (taken < 2).all(axis=1)
    return (taken[:, 0] >= 2) + azi / players, plausible


def _odds(hand: Array, table: Array, given: Array) -> Array:
    """How likely a card is that is not the greedy one: 0 if the hand forbids it."""
    led, suit = LED[table], SUIT[given]
    off_suit = (led != 3) & (suit != led)
    follow = SUITS_HELD[hand, np.minimum(led, 2)]
    forbidden = off_suit & (follow | ((suit != 2) & SUITS_HELD[hand, 2]))
    return np.where(forbidden, 1e-6, UNLIKELY)


def best_card(frame: Array, table: Table) -> Array:
    """The legal card that wins most."""
    trick = (frame["leaders"] > 0).sum(axis=1) - 1
    first = frame["leaders"][:, :1].astype(np.int64) - 1
    leader = (table.seats == first).argmax(axis=1)
    # Every legal card of every record, all in one go.
    legal = _bits(frame["legal"], CARDS)
    record, card = np.nonzero(legal)
    played = table.played[record]
    played[np.arange(len(record)), 0, trick[record]] = CODES[frame["turn_up"][record], card]
    rows = (record[:, None] * SAMPLES + np.arange(SAMPLES)).reshape(-1)
    gain, weight = play_out(
        table.hands[rows],
        np.repeat(leader[record], SAMPLES),
        np.repeat(table.players[record], SAMPLES),
        np.repeat(played, SAMPLES, axis=0),
    )
    gain, weight = gain.reshape(-1, SAMPLES), weight.reshape(-1, SAMPLES)
    gains = np.full(legal.shape, -1.0)
    gains[record, card] = (gain * weight).sum(axis=1) / weight.sum(axis=1)
    return gains.argmax(axis=1).astype(np.int16)


def best_bet(frame: Array, table: Table) -> Array:
    """FOLD, CALL or chips: what promises the most."""
    n, m = table.seats.shape
    line = np.arange(n)[:, None]
    bank, cost = frame["bank"].astype(np.float32), frame["cost"].astype(np.float32)
    stakes, stacks = (
        frame[name].astype(np.float32)[line, table.seats] for name in ("stakes", "stacks")
    )
    answers = np.where(frame["may_fold"], FOLD, CALL).astype(np.int16)
    gains = np.where(frame["may_fold"], 0.0, -1e9)

    # What comes of a call, with the last raiser in the lead, and of leading oneself.
    leader = np.concatenate((_last_raiser(frame, table.seats), np.zeros(n, np.int64)))
    players = np.tile(table.players, 2)
    share, _ = play_out(
        np.tile(table.hands, (2, 1)), np.repeat(leader, SAMPLES), np.repeat(players, SAMPLES)
    )
    following, leading = share.reshape(2, n, SAMPLES)
    calling = following.mean(axis=1) * _reach(frame, bank + cost, cost) - cost
    better = (frame["may_call"] == 1) & (calling > gains)
    answers[better], gains[better] = CALL, calling[better]

    there = np.arange(1, m) < table.players[:, None]
    missing = np.minimum(stakes.max(axis=1, keepdims=True) - stakes, stacks)
    reach = (stacks - missing)[:, 1:].max(axis=1, where=there, initial=0)
    trumps = TRUMPS[table.hands].reshape(n, SAMPLES, m)[:, :, 1:]
    chance = WINS[table.players[:, None, None], trumps]
    for size in RAISES:
        chips = np.floor(np.minimum(size * bank, np.maximum(reach, 1)))
        chips = np.clip(chips, frame["least"], frame["most"])
        pays = np.minimum(missing + chips[:, None], stacks)[:, None, 1:]
        pot = bank + cost + chips
        stays = (chance * pot[:, None, None] >= pays) & there[:, None]
        full = pot[:, None] + (stays * pays).sum(axis=2)
        # Who folds cannot win any more; where others stay, that is neglected.
        share = np.where(stays.any(axis=2), leading, 1)
        raising = (share * full).mean(axis=1) - cost - chips
        bold = (leading.mean(axis=1) >= BOLD) | (chips == frame["least"])
        better = (frame["most"] > 0) & bold & (raising > gains)
        answers[better], gains[better] = chips[better], raising[better]
    return answers


def _last_raiser(frame: Array, seats: Array) -> Array:
    """Who leads if nobody raises any more, by its place among the players."""
    length = max(1, int(frame["said"].max(initial=0)))
    log = frame["log"][:, :length]
    raised = (np.arange(length) < frame["said"][:, None]) & (log >> 3 == 2)
    last = length - 1 - raised[:, ::-1].argmax(axis=1)
    who = np.where(raised.any(axis=1), log[np.arange(len(log)), last] & 7, frame["seat"])
    return (seats == who[:, None]).argmax(axis=1)


def _reach(frame: Array, bank: Array, cost: Array) -> Array:
    """What the own seat gets of the bank if it wins: scaled, if it has paid less than others."""
    most = frame["contributions"].max(axis=1).astype(np.float32)
    own = frame["contributions"][np.arange(len(frame)), frame["seat"]] + cost
    return np.where(own < most, own * (bank + most - own) / np.maximum(most, 1), bank)
