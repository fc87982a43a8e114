"""A published event read back: from its ledger, or from its leaderboard.json where that is all."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Protocol, cast

from pydantic import ValidationError

from harness.arena.budgets import Budgets
from harness.arena.tally import Tally
from harness.config import Config
from harness.content import content_hash_or_none
from harness.entrants import Entrant, bot_paths, file_name, find, load
from harness.errors import UserError
from harness.events.match import BlockRow, Match, PlayerRow
from harness.events.run import Event
from harness.ledger import Ledger
from harness.reports.played import Played
from harness.sandbox.isolation import Layers
from harness.sandbox.nursery import Nursery

LEDGER, BOARD = "ledger.sqlite", "leaderboard.json"


class Stored(Protocol):
    """What a ledger and a leaderboard have in common."""

    def event(self) -> dict[str, Any]:
        """The event's facts, as `Event.facts` made them."""

    def rows(self, match: Match) -> dict[int, BlockRow]:
        """The played blocks of a match by number."""


class Board:
    """A leaderboard.json in the place of a ledger. Raises UserError if it is none."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            self.document: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
            self._rows = {
                (match["stage"], *match["players"]): {
                    block["number"]: _row(block) for block in match["blocks"]
                }
                for match in self.document["matches"]
            }
            self.event()
        except OSError as error:
            raise UserError(f"{path}: cannot be read: {error.strerror}") from error
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise UserError(
                f"{path}: not a leaderboard that this version of koth can read "
                f"({type(error).__name__}: {error})"
            ) from error

    def event(self) -> dict[str, Any]:
        document = self.document
        kept = ("config", "entrants", "sandbox", "commitment", "secret")
        return {
            "version": document["koth"],
            "rules_name": document["rules"]["name"],
            "rules": document["rules"]["parameters"],
            **{key: document[key] for key in kept},
        }

    def rows(self, match: Match) -> dict[int, BlockRow]:
        return self._rows.get((match.stage, *match.players), {})


def _row(block: Mapping[str, Any]) -> BlockRow:
    players = tuple(
        PlayerRow(*facts)
        for facts in zip(
            *(block[key] for key in ("wins", "points", "decisions", "faults", "retired")),
            strict=True,
        )
    )
    tallies = tuple(Tally.of(lineup, sums) for lineup, *sums in block.get("tallies", ()))
    return BlockRow(
        *(block["number"], block["games"], block["deals"], block.get("squares", 0), players),
        *(tallies, tuple(block.get("absent", ()))),
    )


@contextmanager
def stored(folder: Path) -> Iterator[Ledger | Board]:
    """What is kept of an event: its ledger, else its leaderboard. Raises UserError."""
    database, board = folder / LEDGER, folder / BOARD
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
    """The event with its entrants as they were recorded: names and hashes, no files."""
    try:
        config = Config.model_validate(facts["config"])
        entrants = [
            Entrant(e["name"], config.game, e["author"], e["file"], "", e["hash"])
            for e in facts["entrants"]
        ]
        secret = bytes.fromhex(facts["secret"])
    except (ValidationError, ValueError, KeyError, TypeError) as error:
        raise UserError(
            f"the event's config cannot be used by this version of koth: {error}"
        ) from error
    return Event(config, entrants, secret, layers, level)


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
            match = _match_of_all(event, matches, bots, set_number)
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
    return Event(event.config, entrants, event.secret, layers, level), match, rows


def _match_of_all(
    event: Event, matches: list[Match], bots: Sequence[str], set_number: int | None
) -> Match:
    if bots or set_number is not None:
        what = "bots" if bots else "set"
        raise UserError(f"{event.config.event} was played at tables, in one match: name no {what}")
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
    """The entrant of that display name or file. Raises UserError, with names that come near."""
    entrants = event.entrants
    entrant = find(entrants, word) or find(entrants, file_name(Path(word)))
    if entrant is None:
        names = {name.casefold(): e.name for e in entrants for name in (e.file, e.name)}
        near = dict.fromkeys(names[key] for key in get_close_matches(word.casefold(), names))
        meant = f"did you mean {' or '.join(near)}? " if near else ""
        there = ", ".join(e.name for e in entrants)
        raise UserError(f"no bot {word!r} in {event.config.event}; {meant}there were: {there}")
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
        else:
            found.append(replace(loaded, name=entrant.name))
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
