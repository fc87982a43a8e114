"""How the dummy game's two questions travel."""

from __future__ import annotations

import struct
from collections.abc import Iterator

from harness.games.frames import INT_REPLY, PROTOCOL, Question, Record
from tests.games.dummy import HAND, SEATS, BidView, DiscardView

BID = Record(
    (
        ("game_number", "<u4"),
        ("hand", "u1", (HAND,)),
        ("bids", "i1", (SEATS,)),  # -1: not yet
        ("seat", "u1"),
        ("round", "u1"),
    )
)
DISCARD = Record(
    (
        ("game_number", "<u4"),
        ("hand", "u1", (HAND,)),
        ("bidder", "u1"),
        ("bid", "u1"),
        ("seat", "u1"),
        ("round", "u1"),
    )
)
DISCARD_REPLY = Record((("code", "<i2"), ("cards", "u1", (HAND,))))
"""`code`: how many of `cards` count."""

_BID_FORM = struct.Struct(f"<I 3B 4b 2B {BID.size - BID.offsets['']}x")
_DISCARD_FORM = struct.Struct(f"<I 7B {DISCARD.size - DISCARD.offsets['']}x")


def bid_views(raw: bytes) -> Iterator[BidView]:
    for game, *rest in _BID_FORM.iter_unpack(raw):
        hand, bids, (seat, number) = rest[:3], rest[3:7], rest[7:]
        yield BidView(seat, tuple(hand), tuple(bid for bid in bids if bid >= 0), number, game)


def discard_views(raw: bytes) -> Iterator[DiscardView]:
    for game, a, b, c, bidder, bid, seat, number in _DISCARD_FORM.iter_unpack(raw):
        yield DiscardView(seat, (a, b, c), bidder, bid, number, game)


def encode_discard(reply: object, payload: memoryview) -> int:
    """A list of cards; whether they are held is for the rules to say."""
    if not isinstance(reply, list) or len(reply) > HAND:
        return PROTOCOL
    if not all(type(card) is int and 0 <= card < 256 for card in reply):
        return PROTOCOL
    payload[: len(reply)] = bytes(reply)
    return len(reply)


QUESTIONS = (
    Question("bid", BID, INT_REPLY, bid_views),
    Question("discard", DISCARD, DISCARD_REPLY, discard_views, encode_discard),
)
