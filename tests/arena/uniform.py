"""Deals of all games as tables of labels, and chi-square for such tables.

A table has a row for every deal and a column for every *place* of the pack. Where cards are all
different, a place is a card and its label the seat it went to; where they come several times, a
place is one in the hands, in order, and its label the rank that lies there.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from harness import games
from harness.arena import lanes as loops
from harness.arena.deals import Deals, derive
from harness.games.about import Rules
from harness.games.contract import SCORE, Game
from harness.games.frames import UNANSWERED
from tests.games.lockstep import seating_of

Labels = NDArray[np.uint8]
SECRET = bytes(range(32))
AT_ONCE = 20_000

LIMIT = {
    3: (30.66, 40.13),
    5: (35.89, 45.79),
    9: (44.81, 55.45),
    12: (50.83, 61.93),
    25: (73.89, 86.65),
    39: (96.13, 110.27),
    51: (114.08, 129.25),
    99: (180.79, 199.24),
    130: (221.50, 241.66),
    144: (239.50, 260.37),
    153: (250.97, 272.28),
    612: (792.92, 829.08),
}
"""Degrees of freedom -> what chi-square exceeds with probability 1e-6, and with 1e-8."""


def _seats_of_cards(hands: NDArray[Any], cards: int, seats: int, elsewhere: int) -> Labels:
    """From a set of cards per seat, a bit each: the seat that holds a card."""
    octets = np.ascontiguousarray(hands[:, :seats]).view(np.uint8)
    bits = np.unpackbits(octets.reshape(len(hands), seats, -1), axis=2, bitorder="little")
    labels = np.full((len(hands), cards), elsewhere, np.uint8)
    for seat in range(seats):
        labels[bits[:, seat, :cards] == 1] = seat
    return labels


def _spades(lanes: NDArray[np.void]) -> Labels:
    return _seats_of_cards(lanes["held"], 52, 4, 255)


def _bs(lanes: NDArray[np.void]) -> Labels:
    labels: Labels = lanes["hand"][:, :, :13].reshape(len(lanes), 52)
    return labels


def _azi(lanes: NDArray[np.void]) -> Labels:
    """Seats 0 to 3, the turn-up 4, the stock 5."""
    labels = _seats_of_cards(lanes["hand"], 27, 4, 5)
    labels[np.arange(len(lanes)), lanes["turn_up"].astype(np.intp)] = 4
    return labels


@dataclass(frozen=True)
class Dealt:
    """How a game deals the cards of one deal, or of one hand of several."""

    game: str
    labels: Callable[[NDArray[np.void]], Labels]
    second: Callable[[NDArray[np.void]], NDArray[np.bool_]] | None
    """Which lanes have just been dealt their second hand; None where a game has but one deal."""
    sizes: tuple[int, ...]
    """How often each label comes."""

    @property
    def loaded(self) -> tuple[Game, Rules]:
        game = games.load(self.game)
        return game, game.about.variants["text"]


DEALT = (
    Dealt("spades", _spades, lambda lanes: lanes["hand_number"] == 1, (13,) * 4),
    Dealt("azi", _azi, lambda lanes: lanes["row"] == 3, (3, 3, 3, 3, 1, 14)),
    Dealt("bs", _bs, None, (4,) * 13),
)


class Table:
    """Games at their beginning, one a lane; whoever is asked does not answer."""

    def __init__(self, game: Game, rules: Rules, key: bytes, deals: int, rows: int) -> None:
        source = Deals(key, deals, rows, game.about.words(rules)[1])
        self.seats = seating_of(game.about, rules).seats
        self.lanes = np.zeros(deals, game.lane)
        more = np.zeros((deals, 1, source.words), np.uint32)
        self._state: tuple[Any, ...] = (
            *(self.lanes, game.rules_record(rules), source.first(), more),
            *(np.zeros(deals, np.uint32), np.zeros(1, np.int64)),
            *(np.zeros((deals, self.seats), SCORE), np.zeros(deals, np.uint8)),
        )
        self._seating = np.tile(np.arange(self.seats, dtype=np.int16), (deals, 1))
        self._index, self._opened = np.zeros((deals, 2), np.int32), np.zeros(deals, np.uint8)
        self._fared, self._questions = np.zeros(deals, loops.FARED), game.questions
        loops.open_lanes(*self._state)

    def ask(self, question: int, seat: int) -> None:
        """All lanes that wait for the seat go on by substitute actions."""
        kind = self._questions[question]
        frame = np.zeros(len(self.lanes), kind.observation)
        n = loops.gather(
            *(self.lanes, self._state[1], self._seating, seat, question),
            *(self._index, self._opened, frame),
        )
        replies = np.zeros(n, kind.reply)
        replies["code"] = UNANSWERED
        loops.scatter(*self._state, self._index, n, replies, self._fared)

    def until(self, reached: Callable[[NDArray[np.void]], NDArray[np.bool_]]) -> NDArray[np.void]:
        """Every lane as it was when it was first there."""
        kept, missing = self.lanes.copy(), np.ones(len(self.lanes), np.bool_)
        for _ in range(100):
            for question in range(len(self._questions)):
                for seat in range(self.seats):
                    self.ask(question, seat)
                    new = missing & reached(self.lanes)
                    kept[new] = self.lanes[new]
                    missing &= ~new
                    if not missing.any():
                        return kept
        raise AssertionError(f"{missing.sum()} lanes do not get there")


def tables(dealt: Dealt, deals: int, rows: int = 2) -> list[Table]:
    """Games at their beginning, always the same ones, in tables of `AT_ONCE`."""
    game, rules = dealt.loaded
    keys = [derive(SECRET, "uniform", start) for start in range(0, deals, AT_ONCE)]
    return [Table(game, rules, key, AT_ONCE, rows) for key in keys]


def counts(one: Labels, other: Labels | None = None, labels: int = 0) -> NDArray[np.int64]:
    """How often a place has a label; or, with `other`, a label in one table that in the other."""
    if other is None:
        places = np.arange(one.shape[1])
        flat = np.bincount((places * labels + one).ravel(), minlength=one.shape[1] * labels)
        return flat.reshape(-1, labels)
    joint = one.astype(np.int64) * labels + other
    return np.bincount(joint.ravel(), minlength=labels**2).reshape(labels, labels)


def chi_square(found: NDArray[np.int64], chances: NDArray[np.float64]) -> NDArray[np.float64]:
    """Cell by cell; of a uniform deal, the sum of a table of `counts` has a known distribution.

    A pack of N places is dealt without replacement, so all of a deal's cells hang together. Their
    covariance is that of independent rows and columns times N / (N - 1): times (N - 1) / N, the sum
    is chi-square with (N - 1) (L - 1) degrees of freedom for L labels; of two deals' labels against
    each other, with (L - 1) squared.
    """
    expected = chances * found.sum()
    assert expected.min() > 25
    cells: NDArray[np.float64] = (found - expected) ** 2 / expected
    return cells
