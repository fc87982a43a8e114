"""The ledger: one SQLite file per event, the one truth about what has been played.

Three kinds of tables:

- `event`: what is being played (config, entrants' hashes, commitment, secret, salt). Written once.
- result tables (`blocks`, `block_players`, `faults`, `tallies`): a pure function of the event; one
  transaction per block. `dump` prints them in canonical form.
- everything that varies from run to run (`timing`, `examples`): seconds, CPU, tracebacks.

One run at a time has the file, held by a lock beside it; a second one is refused. To be looked at,
it may be opened by anybody: also where nothing can be written, and while a run goes on.
"""

from __future__ import annotations

import fcntl
import json
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO, Any, Self

from harness.arena.job import Result
from harness.arena.tally import Tally
from harness.errors import UserError
from harness.events.match import BlockRow, Match, PlayerRow

SCHEMA_VERSION = 2

_SCHEMA = """
CREATE TABLE event (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
CREATE TABLE blocks (
    match TEXT NOT NULL, block INTEGER NOT NULL,
    games INTEGER NOT NULL, deals INTEGER NOT NULL, squares INTEGER NOT NULL,
    absent TEXT NOT NULL,
    PRIMARY KEY (match, block)
) STRICT, WITHOUT ROWID;
CREATE TABLE block_players (
    match TEXT NOT NULL, block INTEGER NOT NULL, player INTEGER NOT NULL,
    wins INTEGER NOT NULL, points INTEGER NOT NULL, decisions INTEGER NOT NULL, retired TEXT,
    PRIMARY KEY (match, block, player)
) STRICT, WITHOUT ROWID;
CREATE TABLE faults (
    match TEXT NOT NULL, block INTEGER NOT NULL, player INTEGER NOT NULL, kind TEXT NOT NULL,
    count INTEGER NOT NULL,
    PRIMARY KEY (match, block, player, kind)
) STRICT, WITHOUT ROWID;
CREATE TABLE tallies (
    match TEXT NOT NULL, block INTEGER NOT NULL, lineup TEXT NOT NULL, tally TEXT NOT NULL,
    PRIMARY KEY (match, block, lineup)
) STRICT, WITHOUT ROWID;
CREATE TABLE timing (
    match TEXT NOT NULL, block INTEGER NOT NULL, player INTEGER NOT NULL,
    seconds REAL NOT NULL, cpu REAL NOT NULL, cpu_starting REAL NOT NULL,
    memory_kb INTEGER NOT NULL,
    PRIMARY KEY (match, block, player)
) STRICT, WITHOUT ROWID;
CREATE TABLE examples (
    match TEXT NOT NULL, block INTEGER NOT NULL, player INTEGER NOT NULL, example TEXT NOT NULL
) STRICT;
"""

_RESULT_TABLES = ("blocks", "block_players", "faults", "tallies")
_BLOCK_TABLES = (*_RESULT_TABLES, "timing", "examples")


@dataclass(frozen=True)
class Timing:
    """What one player used in one block: wall seconds of the block, CPU seconds, memory."""

    seconds: float
    cpu: float
    cpu_starting: float
    memory_kb: int


class Ledger:
    """An open ledger. A context manager.

    `read_only`: to be looked at only, as it is at this moment.

    Raises UserError when the file is another run's at the moment, is not a ledger, or cannot be
    written; the last also later on, and then nothing is lost that was stored before.
    """

    version = SCHEMA_VERSION
    schema = _SCHEMA

    def __init__(self, path: Path, *, read_only: bool = False) -> None:
        self.path = path
        self._lock: IO[str] | None = None
        try:
            self._db = self._look() if read_only else self._open()
        except sqlite3.Error as error:
            self._unlock()
            raise UserError(f"{path}: cannot be used as a ledger: {error}") from error
        except BaseException:
            self._unlock()
            raise

    def _open(self) -> sqlite3.Connection:
        """Open to play. A new file gets its tables."""
        try:
            self._lock = self._lock_file.open("a")
        except OSError as error:
            raise UserError(f"{self._lock_file}: cannot be written: {error.strerror}") from error
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise UserError(
                f"{self.path} is in use by another run, or is being read; wait for it, or choose "
                "another folder with --results"
            ) from None
        db = sqlite3.connect(self.path, isolation_level=None)
        db.execute("PRAGMA journal_mode = WAL")
        # Durable at every commit: a block that was reported played stays played.
        db.execute("PRAGMA synchronous = FULL")
        if db.execute("PRAGMA user_version").fetchone()[0] == 0:
            db.executescript(f"BEGIN; {self.schema} PRAGMA user_version = {self.version}; COMMIT;")
        self._check_version(db)
        return db

    def _look(self) -> sqlite3.Connection:
        """Open to read. Nothing is made or changed, not even a file beside it."""
        options = "mode=ro"
        # As long as we look no run begins; if one is going on, SQLite keeps it and us apart.
        if not self._share() and not Path(f"{self.path}-wal").exists():
            # All there is stands in the file itself. SQLite would not know, and ask for two more
            # files beside it, which cannot be made where everything is read-only.
            options += "&immutable=1"
        uri = f"{self.path.absolute().as_uri()}?{options}"
        db = sqlite3.connect(uri, uri=True, isolation_level=None)
        db.execute("BEGIN")  # all of it as it is at one moment
        self._check_version(db)
        return db

    def _share(self) -> bool:
        """Whether a run is going on; if not, none shall begin."""
        try:
            self._lock = self._lock_file.open()
        except OSError:  # there is none, or it is another user's: then so is the run
            return False
        try:
            fcntl.flock(self._lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except OSError:
            return True
        return False

    @property
    def _lock_file(self) -> Path:
        return self.path.with_suffix(".lock")

    def _check_version(self, db: sqlite3.Connection) -> None:
        version = db.execute("PRAGMA user_version").fetchone()[0]
        if version == 0:
            raise UserError(f"{self.path}: no event is stored in it")
        if version != self.version:
            raise UserError(
                f"{self.path} was written by another version of koth (schema {version}, "
                f"this one reads {self.version}); choose another folder with --results"
            )

    def _unlock(self) -> None:
        if self._lock is not None:
            self._lock.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._db.close()
        self._unlock()

    def event(self) -> dict[str, Any]:
        """The facts of the event; empty in a new ledger."""
        rows = self._db.execute("SELECT key, value FROM event")
        return {key: json.loads(value) for key, value in rows}

    def set_event(self, facts: Mapping[str, Any]) -> None:
        """Write the facts of the event, all at once; those that are there already stay as they are.

        All are known from the start but the salt of an event that has waited for it.
        """
        with self._transaction():
            self._db.executemany(
                "INSERT OR IGNORE INTO event VALUES (?, ?)",
                [(key, json.dumps(value)) for key, value in facts.items()],
            )

    def add(self, match: Match, block: int, result: Result) -> BlockRow:
        """Store a played block, in one transaction; returns it as `rows` would.

        In the place of one that does not count any more, if there is one: at tables it turns out
        late who is absent from a block.
        """
        row = BlockRow.of(block, result)
        with self._transaction():
            self._forget(match, (block,))
            self._db.execute(
                "INSERT INTO blocks VALUES (?, ?, ?, ?, ?, ?)",
                (match.id, block, row.games, row.deals, row.squares, json.dumps(row.absent)),
            )
            self._db.executemany(
                "INSERT INTO tallies VALUES (?, ?, ?, ?)",
                [
                    (match.id, block, json.dumps(tally.lineup), json.dumps(tally.sums()))
                    for tally in row.tallies
                ],
            )
            for number, player in enumerate(result.players):
                key = (match.id, block, number)
                self._db.execute(
                    "INSERT INTO block_players VALUES (?, ?, ?, ?, ?, ?, ?)",
                    (*key, player.wins, player.points, player.decisions, player.retired),
                )
                self._db.executemany(
                    "INSERT INTO faults VALUES (?, ?, ?, ?, ?)",
                    [(*key, kind, n) for kind, n in player.log.counts.items() if n],
                )
                self._db.execute(
                    "INSERT INTO timing VALUES (?, ?, ?, ?, ?, ?, ?)",
                    (*key, result.seconds, player.cpu, player.cpu_starting, player.memory_kb),
                )
                self._db.executemany(
                    "INSERT INTO examples VALUES (?, ?, ?, ?)",
                    [(*key, json.dumps(asdict(example))) for example in player.log.examples],
                )
        return row

    def remove(self, match: Match, blocks: tuple[int, ...]) -> None:
        """Forget blocks that turned out not to count."""
        with self._transaction():
            self._forget(match, blocks)

    def _forget(self, match: Match, blocks: tuple[int, ...]) -> None:
        for table in _BLOCK_TABLES:
            self._db.executemany(
                f"DELETE FROM {table} WHERE match = ? AND block = ?",
                [(match.id, block) for block in blocks],
            )

    def remove_match(self, match_id: str) -> None:
        """Forget a match that turned out not to count."""
        with self._transaction():
            for table in _BLOCK_TABLES:
                self._db.execute(f"DELETE FROM {table} WHERE match = ?", (match_id,))

    def rows(self, match: Match) -> dict[int, BlockRow]:
        """The played blocks of a match by number."""
        faults: dict[tuple[int, int], dict[str, int]] = {}
        for block, player, kind, count in self._db.execute(
            "SELECT block, player, kind, count FROM faults WHERE match = ?", (match.id,)
        ):
            faults.setdefault((block, player), {})[kind] = count
        players: dict[int, list[PlayerRow]] = {}
        for block, player, wins, points, decisions, retired in self._db.execute(
            "SELECT block, player, wins, points, decisions, retired FROM block_players "
            "WHERE match = ? ORDER BY block, player",
            (match.id,),
        ):
            row = PlayerRow(wins, points, decisions, faults.get((block, player), {}), retired)
            players.setdefault(block, []).append(row)
        tallies: dict[int, list[Tally]] = {}
        for block, lineup, sums in self._db.execute(
            "SELECT block, lineup, tally FROM tallies WHERE match = ?", (match.id,)
        ):
            tallies.setdefault(block, []).append(Tally.of(json.loads(lineup), json.loads(sums)))
        blocks = self._db.execute(
            "SELECT block, games, deals, squares, absent FROM blocks WHERE match = ?", (match.id,)
        )
        return {
            block: BlockRow(
                *(block, games, deals, squares, tuple(players[block])),
                tuple(sorted(tallies.get(block, ()), key=lambda tally: tally.lineup)),
                tuple(json.loads(absent)),
            )
            for block, games, deals, squares, absent in blocks
        }

    def match_ids(self) -> set[str]:
        """The ids of all matches of which a block is stored."""
        return {row[0] for row in self._db.execute("SELECT DISTINCT match FROM blocks")}

    def timings(self) -> Iterator[tuple[str, int, int, Timing]]:
        """(match id, block, player, timing) of every played block."""
        for match, block, player, *rest in self._db.execute("SELECT * FROM timing"):
            yield match, block, player, Timing(*rest)

    def examples(self) -> Iterator[tuple[str, int, int, dict[str, Any]]]:
        """(match id, block, player, example) of the faults that were kept."""
        for match, block, player, example in self._db.execute(
            "SELECT * FROM examples ORDER BY match, block, player, rowid"
        ):
            yield match, block, player, json.loads(example)

    def dump(self) -> str:
        """The result tables as text: equal for equal results, whatever order they came in."""
        lines = []
        for table in _RESULT_TABLES:
            for row in self._db.execute(f"SELECT * FROM {table} ORDER BY 1, 2, 3, 4"):
                lines.append(json.dumps([table, *row]))
        return "\n".join(lines) + "\n"

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        """Commits at its end, rolls back on any error. Raises UserError if the disk does not."""
        try:
            self._db.execute("BEGIN IMMEDIATE")
            with self._db:
                yield self._db
        except sqlite3.OperationalError as error:
            raise UserError(
                f"{self.path}: cannot be written: {error}; what was stored before is safe, and the "
                "same command goes on from there once it can be"
            ) from error
