"""What every game supplies to the arena, and how the compiled arena finds it.

A game is seven compiled functions over one NumPy record per game in progress (a *lane*), plus plain
descriptions: which questions its bots are asked, how records look, which rule parameters exist.

    start(lane, rules, words)             a new game on the lane; `words` are its random words
    proceed(lane, rules, words) -> int    play on until somebody must be asked; see below
    observe(lane, rules, seat, out)       write what `seat` may know into the record `out`
    act(lane, rules, seat, reply) -> bool carry out a reply; False, nothing changed, if illegal
    substitute(lane, rules, seat)         carry out what counts instead of a missing or illegal one
    forfeit(lane, rules, seat) -> bool    `seat` cannot win any more; True if that ends the game
    score(lane, rules, seat, out)         of a finished game: out.won (0 or 1), out.points

`proceed` returns a positive bit mask of the seats that are asked (simultaneously, if several; all
of them the question number `lane.question`), or OVER, or STARVED when it needs the next row of
random words (`lane.row` has reached the end of `words`).

Seats that are asked simultaneously are observed and act one after the other, in any order: what one
of them has answered may change nothing that the others are shown before `proceed` is called again.
A seat that has forfeited a game that goes on without it is not asked any more: it plays by
`substitute`, and whatever `score` says, it has not won.

The functions are plain Python for Numba's eyes. The arena's loops call the stubs below; which
implementation a call reaches is chosen by the type of the lane's record (`implement`), so that one
set of loops serves all games and Numba's on-disk cache still works: a function passed as an
argument or closed over would never hit it, a stub resolved by the types in the signature does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, cast

import numpy as np
from numba import from_dtype
from numba.extending import overload

from harness.games import frames
from harness.games.about import About, Rules

OVER = 0
STARVED = -1

# The first fields of every lane record; the arena owns all but `question`, `row`.
LANE_HEADER: list[tuple[Any, ...]] = [
    ("deal", "<i4"),  # which deal of the block is being played; -1: the lane is idle
    ("asked", "<u4"),  # bit mask of the seats whose reply is still missing
    ("games", "<u4"),  # games finished on this lane
    ("refills", "<u4"),  # how often the deal's random words had to be continued
    ("row", "<i4"),  # next unused row of random words
    ("met", "<u4"),  # bit mask of the seats that have been asked anything in this game
    ("out", "<u4"),  # bit mask of the seats that have forfeited this game
    ("question", "u1"),  # which of the game's questions is being asked
]

SCORE = np.dtype([("won", "<i4"), ("points", "<i8")])
"""What a seat takes from a finished game: the game itself (0 or 1) and the second criterion."""


def start(lane: Any, rules: Any, words: Any) -> None:
    """Begin a new game on the lane. `words`: uint32, shape (rows, words per row)."""
    raise NotImplementedError


def proceed(lane: Any, rules: Any, words: Any) -> int:
    """Play on until seats are asked (bit mask), the game is OVER or the words are STARVED."""
    raise NotImplementedError


def observe(lane: Any, rules: Any, seat: int, out: Any) -> None:
    """Write the observation of `seat` into `out`, a record of the question asked."""
    raise NotImplementedError


def act(lane: Any, rules: Any, seat: int, reply: Any) -> bool:
    """Carry out `reply`; if the rules forbid it, change nothing and return False."""
    raise NotImplementedError


def substitute(lane: Any, rules: Any, seat: int) -> None:
    """Answer the question asked as the rules do for a seat that does not."""
    raise NotImplementedError


def forfeit(lane: Any, rules: Any, seat: int) -> bool:
    """`seat` cannot win the game any more. True if it is over; False: it goes on."""
    raise NotImplementedError


def score(lane: Any, rules: Any, seat: int, out: Any) -> None:
    """Write what `seat` takes from the finished game into `out`, a SCORE record."""
    raise NotImplementedError


@dataclass(frozen=True)
class Question:
    """One kind of decision, as the arena sees it; `wire` is how the bot's process sees it."""

    wire: frames.Question
    observe: Callable[..., None]
    act: Callable[..., bool]

    @cached_property
    def observation(self) -> np.dtype[Any]:
        return self.wire.observation.dtype()

    @cached_property
    def reply(self) -> np.dtype[Any]:
        return self.wire.reply.dtype()


@dataclass(frozen=True)
class Game:
    """Everything the arena knows about a game."""

    about: About
    lane: np.dtype[Any]
    rules_layout: np.dtype[Any]
    questions: tuple[Question, ...]
    start: Callable[..., None]
    proceed: Callable[..., int]
    substitute: Callable[..., None]
    forfeit: Callable[..., bool]
    score: Callable[..., None]
    transcript: Callable[..., Iterable[str]]
    """See `harness.arena.replay`."""

    def rules_record(self, rules: Rules) -> np.void:
        """The rule parameters as the compiled functions read them."""
        values = np.zeros(1, self.rules_layout)
        for name in self.rules_layout.names or ():
            values[name] = getattr(rules, name)
        return cast("np.void", values[0])


_implementations: dict[tuple[Any, ...], Callable[..., Any]] = {}


def implement(game: Game) -> None:
    """Let the game's functions serve lanes of its type.

    `observe` and `act` are told apart by the record they write or read as well, so a game may have
    one for each of its questions; questions with the same record share a function.
    """
    lane = from_dtype(game.lane)
    for name in ("start", "proceed", "substitute", "forfeit", "score"):
        _register((name, lane), getattr(game, name))
    for question in game.questions:
        _register(("observe", lane, from_dtype(question.observation)), question.observe)
        _register(("act", lane, from_dtype(question.reply)), question.act)


def _register(key: tuple[Any, ...], function: Callable[..., Any]) -> None:
    if _implementations.setdefault(key, function) is not function:
        raise ValueError(f"two functions for {key[0]!r} on the same records")


def _chosen(*key: Any) -> Callable[..., Any] | None:
    return _implementations.get(key)


# Numba asks these at compile time, with types for arguments. Not strict: the signatures agree but
# for annotations, which Numba would compare as well.
@overload(start, strict=False)
def _start(lane, rules, words):  # type: ignore[no-untyped-def]
    return _chosen("start", lane)


@overload(proceed, strict=False)
def _proceed(lane, rules, words):  # type: ignore[no-untyped-def]
    return _chosen("proceed", lane)


@overload(observe, strict=False)
def _observe(lane, rules, seat, out):  # type: ignore[no-untyped-def]
    return _chosen("observe", lane, out)


@overload(act, strict=False)
def _act(lane, rules, seat, reply):  # type: ignore[no-untyped-def]
    return _chosen("act", lane, reply)


@overload(substitute, strict=False)
def _substitute(lane, rules, seat):  # type: ignore[no-untyped-def]
    return _chosen("substitute", lane)


@overload(forfeit, strict=False)
def _forfeit(lane, rules, seat):  # type: ignore[no-untyped-def]
    return _chosen("forfeit", lane)


@overload(score, strict=False)
def _score(lane, rules, seat, out):  # type: ignore[no-untyped-def]
    return _chosen("score", lane)
