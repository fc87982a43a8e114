"""A published event read back: from its ledger, or from its leaderboard.json where that is all."""

from __future__ import annotations

import shlex
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, Protocol, cast

from pydantic import ValidationError

from harness.arena.budgets import Budgets
from harness.config import Config
from harness.content import content_hash_or_none
from harness.entrants import Entrant, bot_paths, file_name, find, load, meant
from harness.errors import UserError
from harness.events.board import Board, Facts, problem
from harness.events.match import BlockRow, Match
from harness.events.run import Event
from harness.events.secret import Salt
from harness.ledger import Ledger
from harness.reports.boards import hunt_board
from harness.reports.played import Played
from harness.sandbox.isolation import Layers
from harness.sandbox.nursery import Nursery

LEDGER, BOARD, PAGE = "ledger.sqlite", "leaderboard.json", "leaderboard.md"


class Stored(Protocol):
    """What a ledger and a leaderboard have in common."""

    def event(self) -> dict[str, Any]:
        """The event's facts, as `Event.facts` made them."""

    def rows(self, match: Match) -> dict[int, BlockRow]:
        """The played blocks of a match by number."""


@contextmanager
def stored(folder: Path) -> Iterator[Ledger | Board]:
    """What is kept of an event: its ledger, else its leaderboard. Raises UserError."""
    database, board = folder / LEDGER, folder / BOARD
    if hunt_board(folder) is not None:
        raise UserError(
            f"{folder} holds a hunt, which has deals and no matches: `koth simulate camicia DEAL "
            f"--trace` shows a game, `koth verify {folder}` plays the longest again"
        )
    try:
        if database.exists():
            with Ledger(database, read_only=True) as ledger:
                if not ledger.event():
                    raise UserError(f"{database}: no event is stored in it")
                yield ledger
        elif board.exists():
            yield Board(board)
        else:
            raise UserError(
                f"{folder}: no results of an event: neither {LEDGER} nor {BOARD} is there"
            )
    except sqlite3.Error as error:
        raise UserError(f"{database}: cannot be read: {error}") from error


def event_of(facts: Mapping[str, Any], layers: Layers, level: str) -> Event:
    """The event with its entrants as they were recorded: names and hashes, no files.

    Raises UserError if there is none to be made of them, or nothing was played yet.
    """
    try:
        known = Facts.model_validate(dict(facts))
        config = Config.model_validate(known.config)
        bots = known.entrants
        entrants = [Entrant(b.name, config.game, b.author, b.file, "", b.hash) for b in bots]
        event = Event(
            *(config, entrants, bytes.fromhex(known.secret), layers, level),
            salt=Salt.of(facts),
        )
    except ValidationError as error:
        raise UserError(
            f"what is recorded of the event cannot be used: {problem(error)}"
        ) from error
    except (ValueError, TypeError) as error:
        raise UserError(f"what is recorded of the event cannot be used: {error}") from error
    event.root_key()  # while the salt is awaited there are no results
    return event


def played(event: Event, source: Stored) -> Played:
    """The event's matches, as far as they are recorded."""
    # A ledger is wanted, but asked for nothing that a leaderboard does not have.
    return Played(event, cast(Ledger, source))


def recorded_match(
    folder: Path,
    bots: Sequence[str],
    set_number: int | None,
    home: Path,
    layers: Layers,
    level: str,
) -> tuple[Event, Match, dict[int, BlockRow]]:
    """A recorded match, ready to be played again: with its bots' files found in `home`.

    `bots`: the two who met, or none of an event at tables, which is one match of all. `set_number`:
    which of a cup's sets, by default the first; 0 is their match in the seeding. Raises UserError
    if it did not take place or a file is not that of then.
    """
    with stored(folder) as source:
        event = event_of(source.event(), layers, level)
        matches = [outcome.match for outcome in played(event, source).outcomes]
        if event.config.format == "tables":
            match = _match_of_all(event, matches, bots, set_number, folder)
        else:
            match = _match_of_two(event, matches, bots, set_number)
        rows = source.rows(match)
    playing = [entrant for entrant in event.entrants if entrant.name in match.players]
    nursery = Nursery(event.config.game, layers, core=None)
    try:
        found, missing = find_files(playing, home, nursery, event.config.budgets)
    finally:
        nursery.close()
    if missing:
        raise UserError("; ".join(missing) + "; or name the folder of the bots with --bots")
    files = {entrant.name: entrant for entrant in found}
    entrants = [files.get(entrant.name, entrant) for entrant in event.entrants]
    return replace(event, entrants=entrants), match, rows


def _match_of_all(
    event: Event,
    matches: list[Match],
    bots: Sequence[str],
    set_number: int | None,
    folder: Path,
) -> Match:
    one_match = f"{event.config.event} was played at tables, in one match"
    if bots:
        file = entrant_called(event, bots[0]).file
        command = shlex.join(["koth", "replay", str(folder), "--lost-by", file])
        raise UserError(f"{one_match}: name no bots. The first game that one lost: {command}")
    if set_number is not None:
        raise UserError(f"{one_match}: name no set")
    (match,) = matches
    return match


def _match_of_two(
    event: Event, matches: list[Match], bots: Sequence[str], set_number: int | None
) -> Match:
    if len(bots) != 2:
        given = ", ".join(bots) or "none"
        raise UserError(f"{event.config.event}: which match? Name its two bots; given: {given}")
    one, two = (entrant_called(event, word) for word in bots)
    return _set_of(matches, one.name, two.name, set_number)


def entrant_called(event: Event, word: str) -> Entrant:
    """The entrant called so, then or now. Raises UserError, with names that come near."""
    entrants = event.entrants
    entrant = find(entrants, word) or find(entrants, file_name(Path(word)))
    if entrant is None:
        there = ", ".join(e.name for e in entrants)
        raise UserError(
            f"no bot {word!r} in {event.config.event}; there were: {there}{meant(entrants, word)}"
        )
    return entrant


def _set_of(matches: list[Match], one: str, other: str, number: int | None) -> Match:
    theirs = [match for match in matches if match.players == tuple(sorted((one, other)))]
    if not theirs:
        raise UserError(f"{one} and {other} did not meet")
    wanted = {None: ("match", "set 1"), 0: ("seeding",)}.get(number, (f"set {number}",))
    for match in theirs:
        if match.stage in wanted:
            return match
    raise UserError(
        f"{one} and {other} have no {wanted[-1]}; "
        f"they have: {', '.join(match.stage for match in theirs)}"
    )


def find_files(
    entrants: list[Entrant], folder: Path, nursery: Nursery, budgets: Budgets
) -> tuple[list[Entrant], list[str]]:
    """The recorded entrants with their files, found by content; and for those without, why not."""
    found, missing = [], []
    for entrant in entrants:
        path, reason = _file_of(entrant, folder)
        if path is None:
            missing.append(reason)
            continue
        loaded = load(entrant.game, path, nursery, budgets)
        if loaded.error is not None:
            missing.append(f"{path}: {loaded.error}")
        elif (loaded.name, loaded.author) != (entrant.name, entrant.author):
            missing.append(
                f"{path}: calls itself {loaded.name!r} by {loaded.author!r}, but is recorded as "
                f"{entrant.name!r} by {entrant.author!r}"
            )
        else:
            found.append(loaded)
    return found, missing


def _file_of(entrant: Entrant, folder: Path) -> tuple[Path | None, str]:
    """The file that holds what the entrant was, wherever it has moved; or None, and why."""
    paths = bot_paths(entrant.game, folder)
    paths.sort(key=lambda path: file_name(path) != entrant.file)  # the same name first
    for path in paths:
        if content_hash_or_none(path) == entrant.hash:
            return path, ""
    if paths and file_name(paths[0]) == entrant.file:
        return None, f"{paths[0]} has changed since the event; put the {entrant.name} of then back"
    return None, f"{folder / entrant.game} has no file with the content that {entrant.name} had"
