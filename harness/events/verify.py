"""Whether published results are what the revealed secret and the bots give.

Five questions, each with an answer in words and the differences found:

    commitment    is it the hash of secret, config, rules, bots and of what the salt was to be?
    bots          are the files here those of the event?
    leaderboard   does it follow from the blocks that are recorded?
    page          does leaderboard.md say what leaderboard.json says?
    blocks        do blocks that are played again come out as recorded?
"""

from __future__ import annotations

import json
import random
import re
import shlex
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import zip_longest
from pathlib import Path
from typing import Any

from harness import __version__
from harness.arena.faults import TIMED
from harness.arena.job import Result, Task
from harness.entrants import Entrant
from harness.events.archive import BOARD, PAGE, Stored, played
from harness.events.board import Board
from harness.events.executor import Executor
from harness.events.match import BlockRow, Match
from harness.events.run import Event
from harness.reports.document import SCHEMA, document
from harness.reports.files import dumps
from harness.reports.leaderboard import leaderboard as written

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


def commitment(event: Event, facts: Mapping[str, Any], posted: str | None = None) -> Answer:
    """Derive the commitment anew. `posted`: what was made known before the first game."""
    differences = []
    if posted is not None and posted != facts["commitment"]:
        differences.append(f"posted {posted}, but recorded {facts['commitment']}")
    if event.rules.model_dump() != facts["rules"]:
        differences.append(f"the rules {event.rules_name!r} of this version of koth are others")
    if event.commitment != facts["commitment"]:
        differences.append(
            f"recorded {facts['commitment']}, but secret, config and bots give {event.commitment}"
        )
    text = f"{event.commitment} is that of secret, config and bots"
    text += "; was it the one that was posted?" if posted is None else ", and was posted"
    return Answer("commitment", text, differences)


def bots(event: Event, found: list[Entrant], missing: list[str]) -> Answer:
    """Of `archive.find_files`."""
    files = {entrant.name: entrant.file for entrant in found}
    moved = [
        f"{entrant.file} is called {files[entrant.name]} here"
        for entrant in event.entrants
        if files.get(entrant.name, entrant.file) != entrant.file
    ]
    text = "; ".join([f"{len(found)} files, all as they were", *moved])
    return Answer("bots", text, missing)


def leaderboard(event: Event, source: Stored, folder: Path) -> Answer:
    """Make the leaderboard anew from the recorded blocks, and compare if one is published."""
    question = "leaderboard"
    try:
        if odd := _odd_sums(event, source):
            return Answer(question, "", [odd])
        derived = json.loads(json.dumps(document(played(event, source))))
    except (ValueError, TypeError, LookupError, AttributeError, ArithmeticError) as error:
        return Answer(question, "", [f"the recorded blocks make no sense: {error}"])
    if not (folder / BOARD).exists():
        return Answer(question, f"there is no {BOARD}; it can be made from the recorded blocks")
    board = source if isinstance(source, Board) else Board(folder / BOARD)
    published = board.document
    if published.get("schema") != SCHEMA:
        return Answer(question, "", [f"schema {published.get('schema')}; this koth reads {SCHEMA}"])
    # Which version wrote it cannot be derived from anything.
    derived["koth"] = published["koth"]
    difference = first_difference(published, derived) or _first_line(board.text, dumps(derived))
    text = f"{BOARD} follows from the recorded blocks"
    if not derived["complete"]:
        text += "; the event is not finished"
    return Answer(question, text, [difference] if difference else [])


def _odd_sums(event: Event, source: Stored) -> str:
    """At tables, where a block's line-ups do not sum up to what it, or a player, is said to have.

    Standings are made from the line-ups, and nothing else depends on the players' sums.
    """
    if event.config.format != "tables":
        return ""
    (match,) = event.schedule.matches(event.outcomes)
    for row in source.rows(match).values():
        for key in ("games", "deals"):
            said, found = getattr(row, key), sum(getattr(tally, key) for tally in row.tallies)
            if said != found:
                return f"{Block(match, row).label}: {said} {key} recorded, in tallies {found}"
        for number, name in enumerate(match.players):
            own = [(t, t.who.index(number)) for t in row.tallies if number in t.lineup]
            for key in ("wins", "points"):
                said = getattr(row.players[number], key)
                found = sum(getattr(tally, key)[at] for tally, at in own)
                if said != found:
                    block = Block(match, row).label
                    return f"{block}: {key} of {name} recorded as {said}, in tallies {found}"
    return ""


def page(folder: Path) -> Answer:
    """Make leaderboard.md anew from a leaderboard.json that was found to be right."""
    path, question = folder / PAGE, "page"
    if not (path.exists() and (folder / BOARD).exists()):
        return Answer(question, f"there is no {PAGE} beside a {BOARD}")
    board = Board(folder / BOARD).document
    if board["koth"] != __version__:
        text = f"{PAGE} is of koth {board['koth']}, which may write it otherwise than {__version__}"
        return Answer(question, f"not compared: {text}")
    recorded = path.read_text(encoding="utf-8", errors="replace")
    derived = written(board, _results_named(recorded, board["event"]))
    difference = _first_line(recorded, derived)
    return Answer(question, f"{PAGE} says the same", [difference] if difference else [])


def _results_named(text: str, event: str) -> Path:
    """The folder of results that a page's last command names: it was given, and is no result."""
    usual = Path("results")
    commands = re.findall(r"^koth verify (.+)$", text, flags=re.MULTILINE)
    try:
        (folder,) = shlex.split(commands[-1])
    except (IndexError, ValueError):  # no such command, or no single folder in it
        return usual
    return Path(folder).parent if Path(folder).name == event else usual


def _first_line(recorded: str, derived: str) -> str:
    """The first line in which two texts differ; empty if in none."""
    if recorded == derived:
        return ""
    lines = zip_longest(recorded.split("\n"), derived.split("\n"), fillvalue=_NOTHING)
    number, (one, two) = next(
        (number, pair) for number, pair in enumerate(lines, start=1) if pair[0] != pair[1]
    )
    return f"line {number}: recorded {_shown(one)}, derived {_shown(two)}"


class _Nothing:
    def __repr__(self) -> str:
        return "nothing"


_NOTHING = _Nothing()
"""In the place of what is missing."""


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 200 else f"{text[:200]}..."


def first_difference(recorded: Any, derived: Any, at: str = "") -> str:
    """Where two documents differ, and in what; empty if they do not."""
    if isinstance(recorded, dict) and isinstance(derived, dict):
        keys: list[Any] = list(dict.fromkeys([*recorded, *derived]))
        parts = [(f"{at}.{key}" if at else str(key), key) for key in keys]
        both_of = [(recorded.get(key, _NOTHING), derived.get(key, _NOTHING)) for _, key in parts]
        pairs = [(where, *both) for (where, _), both in zip(parts, both_of, strict=True)]
    elif isinstance(recorded, list) and isinstance(derived, list) and len(recorded) == len(derived):
        both = enumerate(zip(recorded, derived, strict=True))
        pairs = [(f"{at}[{number}]", one, two) for number, (one, two) in both]
    else:
        # 1, 1.0 and true are equal in Python, but not the same.
        same = type(recorded) is type(derived) and recorded == derived
        return "" if same else f"{at}: recorded {_shown(recorded)}, derived {_shown(derived)}"
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
        if self.played < self._all - self._timed:
            text += "; they were drawn at random, and --blocks all plays every one"
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
