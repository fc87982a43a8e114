"""One program in its sandbox, asked frames by hand: what a leg does, without games."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
from numpy.typing import NDArray

from harness import games
from harness.arena.budgets import Budgets
from harness.arena.seat import Broken, Seat
from harness.entrants import Entrant
from harness.games.frames import UNANSWERED
from harness.games.pazaak.frames import views
from harness.sandbox.nursery import Nursery
from tests.games.lockstep import play
from tests.programs.conftest import PATIENT


@contextmanager
def seated(
    entrant: Entrant, nursery: Nursery, lanes: int, budgets: Budgets = PATIENT
) -> Iterator[Seat]:
    """The entrant, ready to be asked."""
    game = games.load(entrant.game)
    seat = Seat(
        nursery,
        entrant.game,
        [question.wire for question in game.questions],
        entrant.path,
        numpy=entrant.numpy,
        batch=False,
        seed="5e" * 16,
        lanes=lanes,
        fresh=False,
        budgets=budgets,
        program=entrant.program,
        rules=game.about.variants[game.about.default_rules].model_dump(),
    )
    try:
        seat.wait_ready()
        yield seat
    finally:
        seat.close()


def ask(
    seat: Seat, records: NDArray[np.void], *, question: int = 0, opened: int = 0
) -> tuple[NDArray[np.void], Broken | None]:
    """One frame, a lane per record: the replies, and how it broke if it did."""
    n = len(records)
    seat.lane_numbers[:n] = np.arange(n)
    seat.opened[:n] = opened
    seat.observations[question][:n] = records
    broken = seat.ask(question, n, allowance=60.0)
    return seat.replies(question, n), broken


def codes(replies: NDArray[np.void]) -> list[int]:
    """Of every reply."""
    return [int(code) for code in replies["code"]]


def answered(replies: NDArray[np.void]) -> int:
    """How many records had a reply."""
    return int((replies["code"] != UNANSWERED).sum())


def pazaak_records(deals: int, decide: Callable[[Any], object]) -> NDArray[np.void]:
    """The records of all questions of some games, in order. `decide` answers views."""
    found: list[bytes] = []

    def note(seat: int, record: np.void) -> object:
        found.append(record.tobytes())
        return decide(next(iter(views(found[-1]))))

    game = games.load("pazaak")
    play(game, game.about.variants["text"], b"programs".ljust(32), deals, 64, note, raw=True)
    return np.frombuffer(b"".join(found), game.questions[0].observation)
