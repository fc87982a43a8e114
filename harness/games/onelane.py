"""One game at a time through the compiled rules, for transcripts: slow, and easy to look into."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from harness.games import contract
from harness.games.frames import EXCEPTION, PROTOCOL, UNANSWERED

FAULTS = {
    EXCEPTION: "raises an exception",
    PROTOCOL: "gives no proper answer",
    UNANSWERED: "gives no answer",
}
"""What transcripts say of replies that are none, by their code."""


# Records cannot be changed through an argument that Python passes on its own; one-lane arrays can.
@njit(cache=True)
def _start(lanes: Any, rules: Any, words: Any) -> None:
    contract.start(lanes[0], rules, words)


@njit(cache=True)
def _proceed(lanes: Any, rules: Any, words: Any) -> int:
    return contract.proceed(lanes[0], rules, words)


@njit(cache=True)
def _observe(lanes: Any, rules: Any, seat: int, out: Any) -> None:
    contract.observe(lanes[0], rules, seat, out[0])


@njit(cache=True)
def _act(lanes: Any, rules: Any, seat: int, replies: Any) -> bool:
    return contract.act(lanes[0], rules, seat, replies[0])


@njit(cache=True)
def _substitute(lanes: Any, rules: Any, seat: int) -> None:
    contract.substitute(lanes[0], rules, seat)


@njit(cache=True)
def _forfeit(lanes: Any, rules: Any, seat: int) -> bool:
    return contract.forfeit(lanes[0], rules, seat)


@njit(cache=True)
def _score(lanes: Any, rules: Any, seat: int, out: Any) -> None:
    contract.score(lanes[0], rules, seat, out[0])


class OneLane:
    """A lane with one game on it. `lane` is its record: a view that changes with the game."""

    def __init__(self, lane: np.dtype[Any], rules: np.void) -> None:
        """`lane`: the game's lane type; `rules`: its rules record."""
        self._lanes = np.zeros(1, lane)
        self._rules = rules
        self.lane = self._lanes[0]

    def start(self, words: NDArray[np.uint32]) -> None:
        """Begin the game; `words`: uint32, shape (rows, words per row)."""
        _start(self._lanes, self._rules, _plain(words))

    def proceed(self, words: NDArray[np.uint32]) -> int:
        """As the contract's `proceed`."""
        return _proceed(self._lanes, self._rules, _plain(words))

    def refill(self) -> int:
        """Get ready for the continuation of the words; returns its number, from 1."""
        self.lane["row"] = 0
        self.lane["refills"] += 1
        return int(self.lane["refills"])

    def observe(self, seat: int, observation: np.dtype[Any]) -> np.void:
        """The observation record of a seat for the question asked."""
        out = np.zeros(1, observation)
        _observe(self._lanes, self._rules, seat, out)
        return out[0]

    def act(self, seat: int, reply: np.void) -> bool:
        """Carry out a reply; where it is illegal, the substitute. Whether it was legal."""
        replies = np.zeros(1, reply.dtype)
        replies[0] = reply
        legal = bool(_act(self._lanes, self._rules, seat, replies))
        if not legal:
            self.substitute(seat)
        return legal

    def substitute(self, seat: int) -> None:
        """As the contract's `substitute`."""
        _substitute(self._lanes, self._rules, seat)

    def forfeit(self, seat: int) -> bool:
        """As the contract's `forfeit`."""
        return bool(_forfeit(self._lanes, self._rules, seat))

    def score(self, seat: int) -> tuple[int, int]:
        """(won, points) of a seat in the finished game."""
        out = np.zeros(1, contract.SCORE)
        _score(self._lanes, self._rules, seat, out)
        return int(out["won"][0]), int(out["points"][0])


def _plain(words: NDArray[np.uint32]) -> NDArray[np.uint32]:
    """A copy in the one layout that the rules are compiled for."""
    return np.array(words, np.uint32, order="C")
