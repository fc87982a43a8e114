"""One leg of a block: its lanes, the chairs that answer them, and what happens when one fails."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from harness.arena import lanes as loops
from harness.arena.deals import Deals, derive
from harness.arena.faults import (
    EXAMPLES_PER_KIND,
    EXCEPTION,
    ILLEGAL,
    OVER_BUDGET,
    PROTOCOL,
    RETIRING,
    SLOW_START,
    START,
    TIMEOUT,
    Example,
    worn_out,
)
from harness.arena.job import Decision, Job, PlayerResult, Watch
from harness.arena.seat import Broken, Seat
from harness.arena.seating import chairs
from harness.games.contract import SCORE, Game
from harness.sandbox.nursery import Nursery
from harness.sandbox.process import StartFailure

_FARED = {loops.ILLEGAL: ILLEGAL, loops.BROKEN: PROTOCOL, loops.RAISED: EXCEPTION}


def warm_up(game: Game) -> None:
    """Have the compiled loops of the game loaded (or compiled), by a leg without a deal."""
    parameters = game.about.variants[game.about.default_rules]
    rows, width = game.about.words(parameters)
    rules = game.rules_record(parameters)
    lanes, scores = np.zeros(1, game.lane), np.zeros((0, 1), SCORE)
    words, more = np.zeros((0, rows, width), np.uint32), np.zeros((1, rows, width), np.uint32)
    state = (
        *(lanes, rules, words, more, np.zeros(0, np.uint32)),
        *(np.zeros(1, np.int64), scores, np.zeros(0, np.uint8)),
    )
    index, chairs = np.zeros((1, 2), np.int32), np.zeros((0, 1), np.int16)
    opened = np.zeros(1, np.uint8)
    loops.open_lanes(*state)
    loops.starved(lanes, np.zeros(1, np.int32))
    for number, question in enumerate(game.questions):
        frame, replies = np.zeros(1, question.observation), np.zeros(1, question.reply)
        loops.gather(lanes, rules, chairs, 0, number, index, opened, frame)
        loops.scatter(*state, index, 0, replies, np.zeros(1, loops.FARED))


class Leg:
    """A leg being played. After `play`, `scores` and `faulty` (shape (deals, seats)) say how.

    `lineups`: who plays which deal; `copies`: chairs per player (see `harness.arena.seating`).
    """

    def __init__(
        self,
        job: Job,
        game: Game,
        nursery: Nursery,
        words: NDArray[np.uint32],
        deals: Deals,
        leg: int,
        lineups: NDArray[np.int16],
        copies: int,
        results: list[PlayerResult],
        watch: Watch | None,
    ) -> None:
        self._job, self._game, self._nursery = job, game, nursery
        self._deals, self._leg, self._results = deals, leg, results
        self._copies = copies
        self._watch = watch if watch is not None and watch.leg == leg else None
        self.watched: list[Decision] = []
        wished = [player.lanes for player in job.players if player.lanes is not None]
        lanes = min(job.lanes, job.deals, *wished)
        self._lanes = np.zeros(lanes, game.lane)
        self._lanes["deal"] = loops.IDLE
        self._rules = game.rules_record(job.rules)
        self.seating = chairs(job.seating, lineups, leg, copies)
        self.scores = np.zeros(self.seating.shape, SCORE)
        self.faulty = np.zeros(self.seating.shape, np.bool_)
        self._done = np.zeros(job.deals, np.uint8)
        self._more = np.zeros((lanes, deals.rows, deals.words), np.uint32)
        self._state: tuple[Any, ...] = (
            *(self._lanes, self._rules, words, self._more, np.zeros(job.deals, np.uint32)),
            *(np.zeros(1, np.int64), self.scores, self._done),
        )
        self._index = np.zeros((lanes, 2), np.int32)
        self._opened = np.zeros(lanes, np.uint8)
        self._fared = np.zeros(lanes, loops.FARED)
        self._starved = np.zeros(lanes, np.int32)
        self._started = [0] * len(job.players) * copies
        self._out: set[int] = set()
        """Players who take no part any more."""
        self._seats: dict[int, Seat] = {}
        """By chair."""

    def play(self) -> None:
        """Play all games. Of players who are retired on the way, those not finished are lost."""
        try:
            self._retire(self._job.absent)
            self._retire_who_must()  # in an earlier leg
            if self._job.tables or not self._out:  # of two, one alone has nothing to play
                self._sit_down()
            loops.open_lanes(*self._state)
            while self._tick():
                self._retire_who_must()
        finally:
            for chair in self._seats:
                self._part(chair)

    def _retire(self, players: Iterable[int]) -> None:
        new = set(players) - self._out
        if new:
            self._out |= new
            out = np.zeros((len(self._job.players), self._copies), np.uint8)
            out[list(self._out)] = 1
            loops.retire(*(*self._state, self.seating, out.ravel()))

    def _sit_down(self) -> None:
        for chair in np.unique(self.seating).tolist():
            if chair // self._copies not in self._out:
                self._seats[chair] = self._start(chair)
        for chair in self._seats:
            self._wait_ready(chair)
        self._retire_who_must()

    def _start(self, chair: int) -> Seat:
        """A new process for the chair; every one draws on a seed of its own."""
        spec = self._job.players[chair // self._copies]
        seed = derive(self._job.key, "bot", chair, self._leg, self._started[chair]).hex()
        self._started[chair] += 1
        return Seat(
            self._nursery,
            self._job.game,
            [question.wire for question in self._game.questions],
            spec.path,
            numpy=spec.numpy,
            batch=spec.batch,
            seed=seed,
            lanes=len(self._lanes),
            fresh=self._job.tables,
            budgets=self._job.budgets,
            program=spec.program,
            rules=self._job.rules.model_dump(),
        )

    def _result(self, chair: int) -> PlayerResult:
        return self._results[chair // self._copies]

    def _wait_ready(self, chair: int) -> None:
        result = self._result(chair)
        try:
            self._seats[chair].wait_ready()
        except StartFailure as failure:
            kind = SLOW_START if failure.kind == TIMEOUT else START
            result.log.add(kind)
            text = f"{failure.reason}\n{failure.traceback}".strip()
            result.log.examples.append(Example(kind, self._leg, -1, traceback=text))

    def _part(self, chair: int) -> None:
        seat, result = self._seats[chair], self._result(chair)
        if seat.closed:
            return
        room = self._job.budgets.output_kb * 1024 - len(result.output)
        result.output += seat.log()[: max(room, 0)]
        seat.close()
        result.cpu_starting += seat.cpu_starting
        result.starts += 1
        result.memory_kb = max(result.memory_kb, seat.memory_kb)

    def _retire_who_must(self) -> None:
        """Retire whoever has used up its faults or its time."""
        for result in self._results:
            allowed = self._job.budgets.allowed(result.decisions, result.frames)
            late = result.wall > self._job.budgets.wall_factor * allowed
            if (result.cpu > allowed or late) and not result.log.counts[OVER_BUDGET]:
                result.log.add(OVER_BUDGET)
                text = (
                    f"{result.cpu:.2f} s of CPU, {result.wall:.2f} s by the clock for "
                    f"{result.decisions} decisions; {allowed:.2f} s of CPU are allowed"
                )
                result.log.examples.append(Example(OVER_BUDGET, self._leg, -1, traceback=text))
            if result.retired is None:
                counts = result.log.counts
                result.retired = worn_out(counts, self._job.budgets.max_faults) or next(
                    (kind for kind in RETIRING if counts[kind]), None
                )
        self._retire(n for n, result in enumerate(self._results) if result.retired)

    def _tick(self) -> bool:
        """Ask every chair every kind of question once; False when nothing is left to play."""
        busy = False
        for question in range(len(self._game.questions)):
            for chair, seat in self._seats.items():
                if chair // self._copies in self._out:
                    continue
                frame = seat.observations[question]
                n = loops.gather(
                    *(self._lanes, self._rules, self.seating, chair, question),
                    *(self._index, self._opened, frame),
                )
                if n:
                    busy = True
                    self._ask(chair, question, n)
        count = loops.starved(self._lanes, self._starved)
        for lane in self._starved[:count].tolist():
            busy = True
            record = self._lanes[lane]
            self._more[lane] = self._deals.more(int(record["deal"]), int(record["refills"]) + 1)
            loops.resume(*(*self._state, lane))
        return busy

    def _ask(self, chair: int, question: int, n: int) -> None:
        """Get `n` gathered records answered, whatever the bot does meanwhile.

        A process that breaks loses the game it broke in; a new one answers the rest of the frame.
        """
        index, opened = self._index[:n], self._opened[:n]
        result = self._result(chair)
        while True:
            seat, n = self._seats[chair], len(index)
            seat.lane_numbers[:n] = index[:, 0]
            seat.opened[:n] = opened
            result.frames += 1
            broken = seat.ask(question, n, self._allowance(result, n))
            result.cpu += seat.spent[0]
            result.wall += seat.spent[1]
            answered = n if broken is None else broken.answered
            result.decisions += answered
            self._carry_out(chair, question, index[:answered])
            if broken is None:
                return
            index, opened = index[answered:].copy(), opened[answered:].copy()
            frame = seat.observations[question][answered:n].copy()
            lost = n - answered if seat.batch else 1
            self._forfeit(chair, question, index[:lost], frame, broken)
            if broken.kind == OVER_BUDGET:  # retired
                return
            self._part(chair)
            self._seats[chair] = self._start(chair)
            self._wait_ready(chair)
            index, opened, frame = index[lost:], opened[lost:], frame[lost:]
            self._retire_who_must()
            if len(index) == 0 or chair // self._copies in self._out:
                return
            self._seats[chair].observations[question][: len(index)] = frame

    def _allowance(self, result: PlayerResult, n: int) -> float:
        """CPU seconds the player has left for this frame before it is over budget."""
        return self._job.budgets.allowed(result.decisions + n, result.frames) - result.cpu

    def _forfeit(
        self,
        chair: int,
        question: int,
        index: NDArray[np.int32],
        frame: NDArray[np.void],
        broken: Broken,
    ) -> None:
        """The game, or for a batch all games of its frame, in which the process broke."""
        log, deals = self._result(chair).log, self._lanes["deal"][index[:, 0]]
        if log.wants(broken.kind):
            deal = int(deals[0])
            log.examples.append(
                self._example(broken.kind, question, deal, frame[0], None, broken.detail)
            )
        log.add(broken.kind)
        self.faulty[deals, index[:, 1]] = True
        for lane, seat in index.tolist():
            loops.lose(*(*self._state, lane, seat))

    def _carry_out(self, chair: int, question: int, index: NDArray[np.int32]) -> None:
        """Carry out the replies to the first records of the frame."""
        n = len(index)
        seat = self._seats[chair]
        frame = seat.observations[question]
        watched = self._watched_records(index)
        replies = seat.replies(question, n)
        faults = loops.scatter(*(*self._state, index, n, replies, self._fared))
        for record in watched:
            how = int(self._fared["how"][record])
            seen, reply = frame[record].tobytes(), replies[record]
            self.watched.append(Decision(int(index[record, 1]), question, seen, reply, how))
        if faults:
            self._book(chair, question, index, replies)

    def _watched_records(self, index: NDArray[np.int32]) -> list[int]:
        if self._watch is None:
            return []
        deals = self._lanes["deal"][index[:, 0]]
        return [int(record) for record in np.flatnonzero(deals == self._watch.deal)]

    def _book(
        self, chair: int, question: int, index: NDArray[np.int32], replies: NDArray[np.void]
    ) -> None:
        """Count the faults of a frame and keep the first of each kind."""
        seat, log = self._seats[chair], self._result(chair).log
        fared = self._fared[: len(index)]
        traces = seat.tracebacks()
        for how, kind in _FARED.items():
            records = np.flatnonzero(fared["how"] == how)
            if len(records) == 0:
                continue
            self.faulty[fared["deal"][records], index[records, 1]] = True
            whole_frame = seat.batch and kind != ILLEGAL
            log.add(kind, 1 if whole_frame else len(records))
            for record in records[:EXAMPLES_PER_KIND].tolist():
                if log.wants(kind):
                    seen = seat.observations[question][record]
                    code = _answer(replies[record]) if kind == ILLEGAL else None
                    deal = int(fared["deal"][record])
                    text = traces.get(record, "")
                    log.examples.append(self._example(kind, question, deal, seen, code, text))

    def _example(
        self,
        kind: str,
        question: int,
        deal: int,
        seen: np.void,
        code: int | list[int] | None,
        text: str,
    ) -> Example:
        wire = self._game.questions[question].wire
        view = next(iter(wire.views(seen.tobytes())))
        if kind == ILLEGAL and code is not None:
            text = wire.illegal(view, code)
        elif kind == PROTOCOL and not text:  # its process has told of too many already
            text = f"expected {wire.expected}"
        return Example(kind, self._leg, deal, view._asdict(), code, text)


def _answer(reply: np.void) -> int | list[int]:
    """A reply as its bot gave it: a number, or the list of which its code is the length."""
    code = int(reply["code"])
    names = reply.dtype.names or ()
    return code if len(names) == 1 or code < 0 else reply[names[1]][:code].tolist()
