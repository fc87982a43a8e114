"""A field of bots at tables, in this process: the arena's compiled loops and plain instances.

For what needs many games of house bots and no sandbox: how often they win.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from harness.arena import lanes as loops
from harness.arena.deals import Deals
from harness.arena.seating import chairs, drawn_lineups
from harness.games.about import Rules
from harness.games.contract import SCORE, Game
from harness.games.frames import INT_REPLY
from harness.games.player import SingleBot


@dataclass(frozen=True)
class Results:
    """What a field has played. Arrays have the shape (legs, deals, seats)."""

    players: NDArray[np.int16]
    """Which bot sat where."""
    won: NDArray[np.int32]
    points: NDArray[np.int64]
    decisions: int
    faults: int

    def of(self, player: int, what: NDArray[Any]) -> NDArray[Any]:
        """Per deal that the player took part in, the mean over its games."""
        mask = self.players == player
        played = mask.sum(axis=(0, 2))
        return (what * mask).sum(axis=(0, 2))[played > 0] / played[played > 0]

    def shares(self) -> list[tuple[float, float]]:
        """Of every player, the share of its games that it won, and its standard error."""
        found = [self.of(player, self.won) for player in range(int(self.players.max()) + 1)]
        return [(float(x.mean()), float(x.std(ddof=1) / len(x) ** 0.5)) for x in found]


def play(
    game: Game, rules: Rules, bots: list[type[SingleBot]], key: bytes, deals: int, lanes: int = 512
) -> Results:
    """Play `deals` deals with drawn line-ups, each in all seatings of a table."""
    assert game.about.tables is not None
    seating = game.about.tables(rules)
    lineups = drawn_lineups(deals, seating.places, len(bots), key)
    legs = [
        _Leg(game, rules, bots, key, lanes, chairs(seating, lineups, leg, 1), leg)
        for leg in range(len(seating.legs))
    ]
    for leg in legs:
        leg.play()
    return Results(
        players=np.stack([leg.seating for leg in legs]),
        won=np.stack([leg.scores["won"] for leg in legs]),
        points=np.stack([leg.scores["points"] for leg in legs]),
        decisions=sum(leg.decisions for leg in legs),
        faults=sum(leg.faults for leg in legs),
    )


class _Leg:
    """One seating of all deals."""

    def __init__(
        self,
        game: Game,
        rules: Rules,
        bots: list[type[SingleBot]],
        key: bytes,
        lanes: int,
        seating: NDArray[np.int16],
        leg: int,
    ) -> None:
        self.seating = seating
        deals, seats = seating.shape
        self.scores = np.zeros((deals, seats), SCORE)
        self.decisions = self.faults = 0
        self._game, self._bots, self._seed = game, bots, f"{key.hex()}/{leg}"
        self._source = Deals(key, deals, *game.about.words(rules))
        self._lanes = np.zeros(lanes, game.lane)
        self._more = np.zeros((lanes, self._source.rows, self._source.words), np.uint32)
        self._done = np.zeros(deals, np.uint8)
        self._state: tuple[Any, ...] = (
            *(self._lanes, game.rules_record(rules), self._source.first(), self._more),
            *(np.zeros(deals, np.uint32), np.zeros(1, np.int64), self.scores, self._done),
        )
        self._instances: dict[tuple[int, int], Any] = {}
        self._index = np.zeros((lanes * seats, 2), np.int32)
        self._opened = np.zeros(lanes * seats, np.uint8)
        self._fared = np.zeros(lanes * seats, loops.FARED)
        self._which = np.zeros(lanes, np.int32)
        self._frames = [np.zeros(lanes * seats, each.observation) for each in game.questions]

    def play(self) -> None:
        loops.open_lanes(*self._state)
        busy = True
        while busy:
            busy = False
            for question in range(len(self._game.questions)):
                for player in range(len(self._bots)):
                    busy |= self._ask(player, question)
            for lane in self._which[: loops.starved(self._lanes, self._which)].tolist():
                busy = True
                deal, refills = int(self._lanes["deal"][lane]), int(self._lanes["refills"][lane])
                self._more[lane] = self._source.more(deal, refills + 1)
                loops.resume(*self._state, lane)
        assert self._done.all()

    def _ask(self, player: int, number: int) -> bool:
        question, frame = self._game.questions[number], self._frames[number]
        n = loops.gather(
            *(self._lanes, self._state[1], self.seating, player, number),
            *(self._index, self._opened, frame),
        )
        if n == 0:
            return False
        replies = np.zeros(n, question.reply)
        payloads, size = memoryview(replies.view(np.uint8)), question.reply.itemsize
        method, encode, instances = question.wire.method, question.wire.encode, self._instances
        views = question.wire.views(frame[:n].tobytes())
        codes: list[Any] = []
        for k, (where, view) in enumerate(zip(self._index[:n].tolist(), views, strict=True)):
            place = tuple(where)
            if self._opened[k]:
                instances[place] = self._fresh(player, place, view)
            reply = getattr(instances[place], method)(view)
            if type(reply) is not int or question.wire.reply is not INT_REPLY:
                reply = encode(reply, payloads[k * size + 2 : (k + 1) * size])
            codes.append(reply)
        replies["code"] = codes
        self.faults += loops.scatter(*self._state, self._index, n, replies, self._fared)
        self.decisions += n
        return True

    def _fresh(self, player: int, place: tuple[int, ...], view: Any) -> Any:
        lane, seat = place
        deal = int(self._lanes["deal"][lane])
        made = self._bots[player].make(f"{self._seed}/{deal}/{seat}", "")
        if hasattr(made, "start_game"):
            made.start_game(view)
        return made
