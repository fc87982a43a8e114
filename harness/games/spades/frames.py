"""How Spades questions travel: one record per waiting game, decoded into views."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from itertools import repeat

from harness.games.frames import (
    INT_REPLY,
    TRUTHS,
    Question,
    Record,
    Spellings,
    template,
    wrong_card,
)
from harness.games.spades import BID_FACTS, PLAY_FACTS, BidView, PlayView, cards_of, name

BID_OBSERVATION = Record(
    (
        ("hand", "<u8"),
        ("game_number", "<u4"),
        ("score", "<i4"),
        ("opponent_score", "<i4"),
        ("hand_number", "<u2"),
        ("bags", "u1"),
        ("opponent_bags", "u1"),
        ("seat", "u1"),
        ("dealer", "u1"),
        ("bids", "i1", (4,)),
    )
)
PLAY_OBSERVATION = Record(
    (
        # Sets of cards have a bit per card. `cards` are the `cards_played` cards of the hand in
        # the order in which they were played, `leaders` who led each trick, two bits a trick.
        ("hand", "<u8"),
        ("legal", "<u8"),
        ("played", "<u8"),
        ("game_number", "<u4"),
        ("score", "<i4"),
        ("opponent_score", "<i4"),
        ("leaders", "<u4"),
        ("hand_number", "<u2"),
        ("bags", "u1"),
        ("opponent_bags", "u1"),
        ("seat", "u1"),
        ("dealer", "u1"),
        ("broken", "u1"),
        ("cards_played", "u1"),
        ("bids", "i1", (4,)),
        ("tricks_won", "u1", (4,)),
        ("cards", "u1", (52,)),
    )
)

# The same layouts for `struct`, which takes short arrays out as bytes; padded to the record's size.
_bid = struct.Struct("<Q I i i H B B B B 4s 2x")
_play = struct.Struct("<3Q I i i I H 6B 4s 4s 52s 4x")


def bid_views(raw: bytes) -> Iterator[BidView]:
    """The views of a frame of bid questions, in order."""
    return map(tuple.__new__, repeat(BidView), _bid.iter_unpack(raw))


def play_views(raw: bytes) -> Iterator[PlayView]:
    """The views of a frame of play questions, in order.

    `tuple.__new__` over unpacked records makes a view at a third of the price of calling its class.
    """
    return map(tuple.__new__, repeat(PlayView), _play.iter_unpack(raw))


_sets = Spellings(cards_of)
_bids = Spellings(lambda packed: [bid if bid < 128 else None for bid in packed])
_numbers = Spellings(list)
_spelled_bid, _spelled_play = template(BID_FACTS), template(PLAY_FACTS)


def _tricks_of(facts: tuple[int, bytes]) -> list[list[tuple[int, int]]]:
    """Tricks as (seat, card) pairs. `facts`: who led them, two bits a trick; their cards."""
    leaders, cards = facts
    found: list[list[tuple[int, int]]] = [[] for _ in range(0, len(cards), 4)]
    for at, card in enumerate(cards):
        found[at >> 2].append(((leaders >> (at >> 2) * 2) + at & 3, card))
    return found


def _trick_of(facts: tuple[int, bytes]) -> list[tuple[int, int]]:
    return next(iter(_tricks_of(facts)), [])


_tricks, _trick = Spellings(_tricks_of), Spellings(_trick_of)


def spell_bids(raw: bytes) -> Iterator[str]:
    """The facts of the views as JSON, in the same order."""
    for hand, game, score, opponents, number, bags, more, seat, dealer, bids in _bid.iter_unpack(
        raw
    ):
        place = (seat, dealer, _sets[hand], _bids[bids])
        yield _spelled_bid % (*place, score, opponents, bags, more, number, game)


def spell_plays(raw: bytes) -> Iterator[str]:
    """The facts of the views as JSON, in the same order."""
    for hand, legal, _, game, score, opponents, leaders, *rest in _play.iter_unpack(raw):
        number, bags, more, seat, dealer, broken, played, bids, won, cards = rest
        done = played & ~3
        earlier = _tricks[leaders & (1 << done // 2) - 1, cards[:done]]
        current = _trick[leaders >> done // 2 & 3, cards[done:played]]
        place = (seat, dealer, _sets[hand], _bids[bids], current, earlier, _numbers[won])
        points = (score, opponents, bags, more)
        yield _spelled_play % (*place, *points, TRUTHS[broken], _sets[legal], number, game)


_TRICKS = 13
_CARDS = 52


def _wrong_bid(view: BidView, answer: int) -> str:
    return f"bid {answer}; expected 0 (NIL) to {_TRICKS}"


def _wrong_play(view: PlayView, answer: int) -> str:
    return wrong_card(answer, view.hand, view.legal, cards=_CARDS, name=name)


QUESTIONS = (
    Question(
        "bid",
        BID_OBSERVATION,
        INT_REPLY,
        bid_views,
        expected=f"an int from 0 (NIL) to {_TRICKS}",
        spell=spell_bids,
        wrong=_wrong_bid,
    ),
    Question(
        "play",
        PLAY_OBSERVATION,
        INT_REPLY,
        play_views,
        expected=f"an int from 0 to {_CARDS - 1}, a card of view.legal",
        spell=spell_plays,
        wrong=_wrong_play,
    ),
)
