"""A game made to test the contract of games: four seats, bids in turn, discards all at once.

In every round each seat holds three of twelve cards, 1 to 12. One after another they bid 0 to 36.
Then the three who are not the highest bidder (of equal ones, the first) each discard a set of their
cards, none knowing what the others discard. If the discarded cards make the bid or more, the bidder
scores its bid, otherwise the other three score 1 each. The most points win; equal ones win nothing.

This module is what a bot imports, as `harness.games.pazaak` is for Pazaak.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from harness.games.player import BatchBot, SingleBot

SEATS = 4
HAND = 3
CARDS = SEATS * HAND
MOST_BID = 36


class BidView(NamedTuple):
    seat: int
    hand: tuple[int, ...]
    bids: tuple[int, ...]
    """The bids so far, from seat 0 on."""
    round: int
    game_number: int


class DiscardView(NamedTuple):
    seat: int
    hand: tuple[int, ...]
    bidder: int
    bid: int
    round: int
    game_number: int


class Player(SingleBot):
    def bid(self, view: BidView) -> int:
        raise NotImplementedError

    def discard(self, view: DiscardView) -> list[int]:
        raise NotImplementedError


class BatchPlayer(BatchBot):
    def bid(self, frame: Any) -> Any:
        raise NotImplementedError

    def discard(self, frame: Any) -> Any:
        raise NotImplementedError
