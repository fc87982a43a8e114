"""The ledger of a hunt: what every bot has found, and what it has used for that.

The same kind of file as an event's ledger, held by the same lock, with tables of its own:

- `event`: the hunt's config and entrants, the level of the sandbox, the secret that the bots'
  random generators derive from, and the *source*: a name for this ledger that no other one has.
- `stretches`: a row per process that hunted: CPU seconds, deals tried, handed over, turned down.
- `finds`: the longest games of each bot, a row per deal.
- `faults`: what went wrong, and `rejected`: deals that were none, the first few per bot.

Slices are stored about once a second, whole or not at all. Ledgers of several machines are merged
into one: rows are told apart by their source, so that a ledger may be merged again when it has
grown.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Mapping
from dataclasses import astuple, dataclass, fields
from pathlib import Path
from typing import Any

from harness.errors import UserError
from harness.ledger import Ledger

HUNT_SCHEMA_VERSION = 1001
"""Apart from the numbers of an event's ledger: neither is taken for the other."""

_SCHEMA = """
CREATE TABLE event (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
CREATE TABLE stretches (
    source TEXT NOT NULL, bot TEXT NOT NULL, number INTEGER NOT NULL,
    cpu REAL NOT NULL, tried INTEGER NOT NULL, yielded INTEGER NOT NULL,
    equivalent INTEGER NOT NULL, rejected INTEGER NOT NULL, loops INTEGER NOT NULL,
    over INTEGER NOT NULL,
    PRIMARY KEY (source, bot, number)
) STRICT, WITHOUT ROWID;
CREATE TABLE finds (
    bot TEXT NOT NULL, deal TEXT NOT NULL, cards INTEGER NOT NULL, tricks INTEGER NOT NULL,
    found TEXT NOT NULL, cpu REAL NOT NULL, source TEXT NOT NULL,
    PRIMARY KEY (bot, deal)
) STRICT, WITHOUT ROWID;
CREATE TABLE faults (
    source TEXT NOT NULL, bot TEXT NOT NULL, number INTEGER NOT NULL, kind TEXT NOT NULL,
    detail TEXT NOT NULL,
    PRIMARY KEY (source, bot, number, kind)
) STRICT, WITHOUT ROWID;
CREATE TABLE rejected (
    source TEXT NOT NULL, bot TEXT NOT NULL, deal TEXT NOT NULL, reason TEXT NOT NULL,
    PRIMARY KEY (source, bot, deal)
) STRICT, WITHOUT ROWID;
"""


@dataclass(frozen=True)
class Stretch:
    """What one process of a bot has used and brought; counts are of deals."""

    source: str
    bot: str
    number: int
    """From 0, per source and bot."""
    cpu: float = 0.0
    """CPU seconds."""
    tried: int = 0
    """As the bot says."""
    yielded: int = 0
    """Handed over, all that follow included."""
    equivalent: int = 0
    """Those among its kept finds already."""
    rejected: int = 0
    """No deals of 52 cards, 26 a side."""
    loops: int = 0
    """Games that do not end."""
    over: int = 0
    """1 if the bot's `hunt` has returned."""


@dataclass(frozen=True)
class Find:
    """A game that ends, as the harness played it."""

    bot: str
    deal: str
    cards: int
    tricks: int
    found: str
    """When it was handed over: UTC, ISO 8601 with microseconds."""
    cpu: float
    """CPU seconds the bot had used by then, on that machine."""
    source: str

    @property
    def order(self) -> tuple[int, int, str, str]:
        """Sorts the best first: more cards, then more tricks, then earlier."""
        return -self.cards, -self.tricks, self.found, self.deal


@dataclass(frozen=True)
class Fault:
    """Why a process ended before its time."""

    source: str
    bot: str
    number: int
    """Of the stretch."""
    kind: str
    """One of `harness.arena.faults`."""
    detail: str


@dataclass(frozen=True)
class Slice:
    """What a slice of a hunt changes."""

    stretch: Stretch
    """As it is now."""
    found: list[Find]
    """Kept from now on."""
    forgotten: list[Find]
    """Kept no longer."""
    rejected: list[tuple[str, str, str, str]]
    """(source, bot, deal, reason) to be kept as examples."""
    faults: list[Fault]


class HuntLedger(Ledger):
    """An open ledger of a hunt. A context manager, and raises UserError, like `Ledger`."""

    version = HUNT_SCHEMA_VERSION
    schema = _SCHEMA

    def store(self, slices: Iterable[Slice]) -> None:
        """What some slices came to, in their order and in one transaction."""
        with self._transaction() as db:
            for one in slices:
                _insert(db, "stretches", [one.stretch])
                _insert(db, "finds", one.found)
                db.executemany(
                    "DELETE FROM finds WHERE bot = ? AND deal = ?",
                    [(find.bot, find.deal) for find in one.forgotten],
                )
                db.executemany("INSERT OR IGNORE INTO rejected VALUES (?, ?, ?, ?)", one.rejected)
                _insert(db, "faults", one.faults)

    def change_event(self, facts: Mapping[str, Any]) -> None:
        """Replace some of the hunt's facts."""
        with self._transaction() as db:
            db.executemany(
                "INSERT OR REPLACE INTO event VALUES (?, ?)",
                [(key, json.dumps(value)) for key, value in facts.items()],
            )

    def replace(self, stretches: Iterable[Stretch], finds: Iterable[Find], other: Foreign) -> None:
        """Take over another ledger, in one transaction: finds become exactly `finds`."""
        with self._transaction() as db:
            _insert(db, "stretches", stretches)
            db.execute("DELETE FROM finds")
            _insert(db, "finds", finds)
            _insert(db, "faults", other.faults)
            db.executemany("INSERT OR IGNORE INTO rejected VALUES (?, ?, ?, ?)", other.rejected)

    def stretches(self) -> list[Stretch]:
        """All of them, of every source."""
        return [Stretch(*row) for row in self._db.execute("SELECT * FROM stretches")]

    def finds(self) -> list[Find]:
        """All that are kept, the best first."""
        rows = self._db.execute("SELECT * FROM finds")
        return sorted((Find(*row) for row in rows), key=lambda find: find.order)

    def faults(self) -> list[Fault]:
        """All of them."""
        return [Fault(*row) for row in self._db.execute("SELECT * FROM faults")]

    def rejected(self) -> list[tuple[str, str, str, str]]:
        """(source, bot, deal, reason) of the rejected deals that were kept as examples."""
        return list(self._db.execute("SELECT * FROM rejected"))


def _insert(db: sqlite3.Connection, table: str, rows: Iterable[Any]) -> None:
    for row in rows:
        places = ", ".join("?" * len(fields(row)))
        db.execute(f"INSERT OR REPLACE INTO {table} VALUES ({places})", astuple(row))


@dataclass(frozen=True)
class Foreign:
    """What another ledger holds, to be merged; nothing in it is believed yet."""

    event: dict[str, Any]
    stretches: list[Stretch]
    finds: list[Find]
    faults: list[Fault]
    rejected: list[tuple[str, str, str, str]]


def read_foreign(path: Path) -> Foreign:
    """Read a ledger without changing it, be it in use or not. Raises UserError."""
    if not path.is_file():
        raise UserError(f"{path}: no such file; a hunt's ledger is called ledger.sqlite")
    try:
        db = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)
        try:
            version = db.execute("PRAGMA user_version").fetchone()[0]
            if version != HUNT_SCHEMA_VERSION:
                raise UserError(f"{path}: not the ledger of a hunt of this version of koth")
            db.execute("BEGIN")  # all of it as it is at one moment
            return Foreign(
                {k: json.loads(v) for k, v in db.execute("SELECT key, value FROM event")},
                [Stretch(*row) for row in db.execute("SELECT * FROM stretches")],
                [Find(*row) for row in db.execute("SELECT * FROM finds")],
                [Fault(*row) for row in db.execute("SELECT * FROM faults")],
                list(db.execute("SELECT * FROM rejected")),
            )
        finally:
            db.close()
    except (sqlite3.Error, ValueError) as error:
        raise UserError(f"{path}: cannot be read as a ledger: {error}") from error
