"""Whole games through the arena's compiled loops, without bot processes.

What `harness.arena.leg` does with seats and frames, `play` does with one Python function that
answers every question.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from harness.arena import lanes as loops
from harness.arena.deals import Deals
from harness.arena.seating import chairs, copies, lineups
from harness.games.about import About, Rules, Seating
from harness.games.contract import SCORE, Game, Question
from harness.games.frames import PROTOCOL

MOST_REFILLS = 5000
"""A game that needs more has something wrong with it."""

Decide = Callable[[int, Any], object]
"""From the seat and the view to a reply: a code, or what the question's `encode` takes."""


@dataclass(slots=True)
class Decision:
    """One question and its answer."""

    lane: int
    player: int
    seat: int
    question: int
    view: Any
    reply: object
    how: int
    """LEGAL, ILLEGAL, BROKEN or RAISED of `harness.arena.lanes`."""

    @property
    def legal(self) -> bool:
        return self.how == loops.LEGAL


@dataclass(frozen=True)
class Played:
    """All games of a leg, by deal."""

    deals: Deals
    words: NDArray[np.uint32]
    """The first of their random words, shape (deals, rows, words per row)."""
    seating: NDArray[np.int16]
    """Which player sat where, shape (deals, seats)."""
    scores: NDArray[np.void]
    """SCORE records, shape (deals, seats)."""
    decisions: list[list[Decision]]
    """Of each deal, in the order in which they were made."""
    starved: list[list[NDArray[np.void]]]
    """Of each deal, copies of the lane's record whenever it was out of random words."""

    def winner(self, deal: int) -> int | None:
        """The seat that won the game."""
        won = np.flatnonzero(self.scores["won"][deal]).tolist()
        assert len(won) <= 1
        return won[0] if won else None


def seating_of(about: About, rules: Rules) -> Seating:
    """How a table of the game sits; a pair, if it has no tables."""
    seating = about.tables or about.pairs
    assert seating is not None
    return seating(rules)


def deals_of(game: Game, rules: Rules, key: bytes, deals: int) -> Deals:
    """The random words that `play` deals from, unless it is told otherwise."""
    return Deals(key, deals, *game.about.words(rules))


def play(
    game: Game,
    rules: Rules,
    key: bytes,
    deals: int,
    lanes: int,
    decide: Decide,
    *,
    leg: int = 0,
    source: Deals | None = None,
    raw: bool = False,
    sits: Seating | None = None,
) -> Played:
    """Play `deals` games on `lanes` lanes.

    `source`: other random words than those of the key. `raw`: give `decide` observation records
    instead of views. `sits`: by default the game's own seating, of a table if it has tables.
    """
    sits = sits or seating_of(game.about, rules)
    seats, people = sits.seats, lineups(deals, sits.places)
    each = copies(sits, people)
    seated = chairs(sits, people, leg, each)
    source = source or deals_of(game, rules, key, deals)
    table = np.zeros(lanes, game.lane)
    more = np.zeros((lanes, source.rows, source.words), np.uint32)
    played = Played(
        deals=source,
        words=source.first(),
        seating=seated // np.int16(each),
        scores=np.zeros((deals, seats), SCORE),
        decisions=[[] for _ in range(deals)],
        starved=[[] for _ in range(deals)],
    )
    done = np.zeros(deals, np.uint8)
    next_deal = np.zeros(1, np.int64)
    record = game.rules_record(rules)
    absent = np.zeros(deals, np.uint32)
    state = (table, record, played.words, more, absent, next_deal, played.scores, done)
    index = np.zeros((lanes * seats, 2), np.int32)
    opened = np.zeros(lanes * seats, np.uint8)
    fared = np.zeros(lanes * seats, loops.FARED)
    which = np.zeros(lanes, np.int32)
    frames = [np.zeros(len(index), question.observation) for question in game.questions]

    loops.open_lanes(*state)
    busy = True
    while busy:
        busy = False
        for number, question in enumerate(game.questions):
            for chair in range(sits.places * each):
                n = loops.gather(
                    *(table, record, seated, chair, number),
                    *(index, opened, frames[number]),
                )
                if n == 0:
                    continue
                busy = True
                made = [
                    Decision(
                        lane, chair // each, seat, number, view, decide(seat, view), loops.LEGAL
                    )
                    for (lane, seat), view in zip(
                        index[:n].tolist(), _views(question, frames[number][:n], raw), strict=True
                    )
                ]
                replies = replies_of(question, [decision.reply for decision in made])
                faults = loops.scatter(*state, index, n, replies, fared)
                how, deal_of = fared["how"][:n].tolist(), fared["deal"][:n].tolist()
                assert faults == n - how.count(loops.LEGAL)
                for k, decision in enumerate(made):
                    decision.how = how[k]
                    played.decisions[deal_of[k]].append(decision)
        for lane in which[: loops.starved(table, which)].tolist():
            busy = True
            deal, refills = int(table["deal"][lane]), int(table["refills"][lane])
            assert refills < MOST_REFILLS, f"deal {deal} does not come to an end"
            played.starved[deal].append(table[lane].copy())
            more[lane] = source.more(deal, refills + 1)
            loops.resume(*state, lane)
    assert done.all()
    return played


def _views(question: Question, frame: NDArray[np.void], raw: bool) -> Any:
    return frame.copy() if raw else question.wire.views(frame.tobytes())


def replies_of(question: Question, given: list[object]) -> NDArray[np.void]:
    """Reply records, made of replies as the bots' processes make them."""
    replies = np.zeros(len(given), question.reply)
    if all(type(reply) is int for reply in given):
        replies["code"] = given
        return replies
    raw = replies.view(np.uint8).data
    size = question.reply.itemsize
    for k, reply in enumerate(given):
        if type(reply) is int:
            fits = -(2**15) <= reply < 2**15
            replies["code"][k] = reply if fits else PROTOCOL
        else:
            payload = raw[k * size + 2 : (k + 1) * size]
            replies["code"][k] = question.wire.encode(reply, payload)
    return replies
