"""Whether published results are what the revealed secret and the bots give.

Four questions, each with an answer in words and the differences found:

    commitment    is it the hash of the secret, the bots and the rules?
    bots          are the files here those of the event?
    leaderboard   does it follow from the blocks that are recorded?
    blocks        do blocks that are played again come out as recorded?
"""

from __future__ import annotations

import json
import random
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from harness.arena.faults import TIMED
from harness.arena.job import Result, Task
from harness.entrants import Entrant
from harness.events.archive import BOARD, Board, Stored, played
from harness.events.executor import Executor
from harness.events.match import BlockRow, Match
from harness.events.run import Event
from harness.reports.document import SCHEMA, document

LEAST_BLOCKS = 3
PART = 0.1
SECONDS = 60.0
"""No new block is begun after this time, unless a number of blocks is asked for."""


@dataclass
class Answer:
    """To one of the questions."""

    question: str
    text: str
    differences: list[str] = field(default_factory=list)


def commitment(event: Event, facts: Mapping[str, Any]) -> Answer:
    """Derive the commitment anew."""
    differences = []
    if event.rules.model_dump() != facts["rules"]:
        differences.append(f"the rules {event.rules_name!r} of this version of koth are others")
    if event.commitment != facts["commitment"]:
        differences.append(
            f"recorded {facts['commitment']}, but secret, bots and rules give {event.commitment}"
        )
    text = f"{event.commitment} is that of secret, bots and rules"
    return Answer("commitment", text, differences)


def bots(found: list[Entrant], missing: list[str]) -> Answer:
    """Of `archive.find_files`."""
    return Answer("bots", f"{len(found)} files, all as they were", missing)


def leaderboard(event: Event, source: Stored, folder: Path) -> Answer:
    """Make the leaderboard anew from the recorded blocks, and compare if one is published."""
    question = "leaderboard"
    try:
        if odd := _odd_sums(event, source):
            return Answer(question, "", [odd])
        derived = json.loads(json.dumps(document(played(event, source))))
    except (ValueError, TypeError, KeyError, IndexError) as error:
        return Answer(question, "", [f"the recorded blocks make no sense: {error}"])
    if not (folder / BOARD).exists():
        return Answer(question, f"there is no {BOARD}; it can be made from the recorded blocks")
    published = (source if isinstance(source, Board) else Board(folder / BOARD)).document
    if published.get("schema") != SCHEMA:
        return Answer(question, "", [f"schema {published.get('schema')}; this koth reads {SCHEMA}"])
    difference = first_difference({**published, "koth": derived["koth"]}, derived)
    text = f"{BOARD} follows from the recorded blocks"
    if not derived["complete"]:
        text += "; the event is not finished"
    return Answer(question, text, [difference] if difference else [])


def _odd_sums(event: Event, source: Stored) -> str:
    """At tables, where a block's line-ups do not sum up to what its players are said to have taken.

    Standings are made from the line-ups, and nothing else depends on the players' sums.
    """
    if event.config.format != "tables":
        return ""
    (match,) = event.schedule.matches(event.outcomes)
    for row in source.rows(match).values():
        for number, name in enumerate(match.players):
            own = [(t, t.who.index(number)) for t in row.tallies if number in t.lineup]
            for key in ("wins", "points"):
                said = getattr(row.players[number], key)
                found = sum(getattr(tally, key)[at] for tally, at in own)
                if said != found:
                    block = Block(match, row).label
                    return f"{block}: {key} of {name} recorded as {said}, in tallies {found}"
    return ""


def first_difference(recorded: Any, derived: Any, at: str = "") -> str:
    """Where two documents differ, and in what; empty if they do not."""
    if isinstance(recorded, dict) and isinstance(derived, dict):
        keys: list[Any] = list(dict.fromkeys([*recorded, *derived]))
        parts = [(f"{at}.{key}" if at else str(key), key) for key in keys]
        pairs = [(where, recorded.get(key), derived.get(key)) for where, key in parts]
    elif isinstance(recorded, list) and isinstance(derived, list) and len(recorded) == len(derived):
        both = enumerate(zip(recorded, derived, strict=True))
        pairs = [(f"{at}[{number}]", one, two) for number, (one, two) in both]
    else:
        return "" if recorded == derived else f"{at}: recorded {recorded!r}, derived {derived!r}"
    return next((d for where, one, two in pairs if (d := first_difference(one, two, where))), "")


@dataclass(frozen=True)
class Block:
    """A recorded block that counts."""

    match: Match
    row: BlockRow

    @property
    def timed(self) -> bool:
        """Whether the clock decided something in it: it may differ when played again."""
        return any(player.faults.get(kind) for player in self.row.players for kind in TIMED)

    @property
    def label(self) -> str:
        return f"{self.match.label}, block {self.row.number}"


def recorded_blocks(event: Event, source: Stored) -> list[Block]:
    """All blocks that are recorded and count, in schedule order."""
    return [
        Block(outcome.match, row)
        for outcome in played(event, source).outcomes
        for number, row in sorted(source.rows(outcome.match).items())
        if number not in outcome.moot
    ]


class Sample:
    """Blocks drawn at random, played again and compared."""

    def __init__(self, event: Event, blocks: list[Block], wanted: int | None) -> None:
        """`wanted`: how many; by default a tenth, at least three, for about a minute."""
        self._event, self._timed = event, sum(block.timed for block in blocks)
        for match in {block.match.id: block.match for block in blocks}.values():
            # Tasks depend on them: at tables, on who was retired before.
            event.learn(match, {b.row.number: b.row for b in blocks if b.match.id == match.id})
        self._all = len(blocks)
        self._limited = wanted is None
        if wanted is None:
            wanted = max(LEAST_BLOCKS, round(PART * len(blocks)))
        able = [block for block in blocks if not block.timed]
        # Not from the event's secret: nobody shall know beforehand which blocks are looked at.
        self.blocks = random.SystemRandom().sample(able, min(wanted, len(able)))
        self.played = 0
        self._unclear = 0
        self._differences: list[str] = []

    def replay(self, executor: Executor[int]) -> Answer:
        """Play them and compare, up to the first that differs."""
        began = time.monotonic()
        waiting = list(range(len(self.blocks)))

        def source(playing: set[int]) -> tuple[int, Task] | None:
            late = self._limited and time.monotonic() - began > SECONDS
            if not waiting or self._differences or late:
                return None
            number = waiting.pop(0)
            block = self.blocks[number]
            return number, self._event.task(block.match, block.row.number, block.row.deals)

        def sink(number: int, result: Result) -> None:
            self.played += 1
            self._compare(self.blocks[number], result)

        executor.run(source, sink)
        return Answer("blocks", self._text(), self._differences)

    def _compare(self, block: Block, result: Result) -> None:
        if any(player.log.timed for player in result.players):
            self._unclear += 1
            return
        difference = row_difference(block.row, BlockRow.of(block.row.number, result), block.match)
        if difference:
            self._differences.append(f"{block.label}: {difference}")

    def _text(self) -> str:
        text = f"{self.played - self._unclear} of {self._all} played again, all as recorded"
        if self._timed:
            text += f"; {self._timed} left out, because the clock decided something in them"
        if self._unclear:
            text += f"; in {self._unclear} the clock decided something this time"
        return text


def row_difference(recorded: BlockRow, replayed: BlockRow, match: Match) -> str:
    """In what a block differs first; empty if in nothing."""
    for key in ("games", "deals", "squares", "absent", "tallies"):
        one, two = getattr(recorded, key), getattr(replayed, key)
        if one != two:
            return f"{key} recorded as {one}, played again {two}"
    for name, own, other in zip(match.players, recorded.players, replayed.players, strict=True):
        for key in ("wins", "points", "decisions", "faults", "retired"):
            one, two = getattr(own, key), getattr(other, key)
            if one != two:
                return f"{key} of {name} recorded as {one}, played again {two}"
    return ""
