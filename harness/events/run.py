"""Running an event: from its config and bots to a full ledger, through any number of kills."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from harness import __version__
from harness.arena.job import Job, Result, Task, Watch
from harness.config import Config
from harness.entrants import Entrant
from harness.errors import UserError
from harness.events import tables
from harness.events.cup import Cup, Standing
from harness.events.executor import Executor
from harness.events.league import League, Round
from harness.events.match import BlockRow, Match, Outcome, outcome
from harness.events.secret import Salt, block_key, draw_number, event_commitment, lot, root_key
from harness.events.tables import Tables, TablesOutcome, TablesStanding
from harness.ledger import Ledger
from harness.sandbox.isolation import Layers

MOST_CUP_ENTRANTS = 64


@dataclass
class Event:
    """An event with all that determines its results."""

    config: Config
    entrants: Sequence[Entrant]
    """Those who play, sorted by name."""
    secret: bytes
    layers: Layers
    level: str
    """The sandbox's level."""
    salt: Salt | None = None
    _rows: dict[str, dict[int, BlockRow]] = field(default_factory=dict)
    _outcomes: dict[str, Outcome | TablesOutcome] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.entrants = sorted(self.entrants, key=lambda entrant: entrant.name)
        self.rules_name, self.rules = self.config.rule_set()
        names = [entrant.name for entrant in self.entrants]
        config = self.config
        self.schedule: League | Cup | Tables
        if config.format == "league":
            if len(names) < 2:
                raise UserError(f"a league needs at least two bots; found {len(names)}")
            self.schedule = League(names, config.games, config.block_games)
        elif config.format == "tables":
            self.schedule = self._tables(names)
        else:
            self.schedule = self._cup(names)

    def _cup(self, names: list[str]) -> Cup:
        config = self.config
        if len(names) < config.min_entrants:
            raise UserError(
                f"a cup needs at least {config.min_entrants} bots (min_entrants in the "
                f"config); found {len(names)}"
            )
        if len(names) > MOST_CUP_ENTRANTS:
            raise UserError(
                f"a cup takes at most {MOST_CUP_ENTRANTS} bots; found {len(names)}; choose "
                "with `entrants` in the config or --only"
            )
        return Cup(
            names,
            games=config.games,
            block_games=config.block_games,
            sets_to_win=config.sets_to_win,
            draw=config.draw,
            # A quick cup (`--games 1000`) is not to have a long league before it.
            seeding_games=min(config.seeding_games, config.games),
            lot=lambda one, other, number: lot(self.root_key(), one, other, number),
            number=lambda name: draw_number(self.root_key(), name),
        )

    def _tables(self, names: list[str]) -> Tables:
        config, about = self.config, self.config.about
        if len(names) < config.fewest:
            raise UserError(
                f"tables of {about.title} need at least {config.fewest} bots; found {len(names)}"
            )
        return Tables(
            names,
            config.games,
            config.block_games,
            config.seating,
            by_points=about.ranked_by_points,
            units=about.units(self.rules),
        )

    @property
    def commitment(self) -> str:
        """Printed and stored before the first game."""
        hashes = [entrant.hash for entrant in self.entrants]
        return event_commitment(self.secret, self.config, hashes, self.rules, self.salt)

    def root_key(self) -> bytes:
        """What everything random derives from. Raises UserError while a salt is awaited."""
        return root_key(self.secret, self.salt)

    @property
    def waits(self) -> bool:
        """For its salt, without which nothing can be played."""
        return self.salt is not None and self.salt.text is None

    def facts(self) -> dict[str, Any]:
        """What the ledger keeps about the event; a resumed run must have the same."""
        return {
            "version": __version__,
            "config": self.config.model_dump(mode="json"),
            "rules_name": self.rules_name,
            "rules": self.rules.model_dump(),
            "entrants": [
                {"name": e.name, "author": e.author, "file": e.file, "hash": e.hash}
                for e in self.entrants
            ],
            "sandbox": self.level,
            "commitment": self.commitment,
            "secret": self.secret.hex(),
            **(self.salt.facts() if self.salt is not None else {}),
        }

    # -- results -------------------------------------------------------------------------

    def outcomes(self, match: Match) -> Any:
        """A match as far as it is played: an `Outcome`; at tables, a `TablesOutcome`."""
        known = self._outcomes.get(match.id)
        if known is None:
            rows, most = self._rows.get(match.id, {}), self.config.budgets.max_faults
            if self.config.format == "tables":
                known = tables.outcome(match, rows, most)
            else:
                known = outcome(match, rows, most, self.config.about.walkover_points(self.rules))
            self._outcomes[match.id] = known
        return known

    def standing(self, outcomes: Callable[[Match], Any]) -> Round | Standing | TablesStanding:
        """The league, cup or tables as they stand."""
        return self.schedule.standing(outcomes)

    def learn(self, match: Match, rows: dict[int, BlockRow]) -> None:
        """Take over the played blocks of a match from the ledger."""
        self._rows[match.id] = rows
        self._outcomes.pop(match.id, None)

    def learn_block(self, match: Match, row: BlockRow) -> None:
        """Take over one block that was just played."""
        self._rows.setdefault(match.id, {})[row.number] = row
        self._outcomes.pop(match.id, None)

    def task(self, match: Match, block: int, deals: int, watch: Watch | None = None) -> Task:
        """The task that plays a block, keeping the decisions of the watched game."""
        players = {entrant.name: entrant.player() for entrant in self.entrants}
        seats_all = self.config.format == "tables"
        job = Job(
            game=self.config.game,
            rules=self.rules,
            players=tuple(players[name] for name in match.players),
            key=block_key(self.root_key(), self.config.game, self.rules, match, block),
            deals=deals,
            lanes=self.config.lanes,
            budgets=self.config.budgets,
            tables=seats_all,
            absent=self._absent(match, block) if seats_all else (),
        )
        return Task(job, self.layers, watch)

    def _absent(self, match: Match, block: int) -> tuple[int, ...]:
        """Who was retired before a block of tables: as it was played, or as far as is known now."""
        missing: dict[int, tuple[int, ...]] = self.outcomes(match).absent
        return missing[block] if block in missing else self._rows[match.id][block].absent


Ticket = tuple[str, int]


OnBlock = Callable[[Match, int, Result], None]


class Run:
    """Plays what is missing of an event and stores it, block by block."""

    def __init__(self, event: Event, ledger: Ledger) -> None:
        self._event, self._ledger = event, ledger
        self._on_block: OnBlock = lambda match, block, result: None
        self._matches: dict[str, Match] = {}
        self._schedule: list[Match] = []
        self._refresh()

    @property
    def games_done(self) -> int:
        """Games that are played and count, of the matches known so far."""
        return sum(self._event.outcomes(match).games for match in self._schedule)

    @property
    def games_known(self) -> int:
        """Games of all matches known so far; a cup learns of more as it goes."""
        return sum(match.games for match in self._schedule)

    def _refresh(self) -> None:
        """Ask the schedule anew; matches may have become known, or void."""
        # The schedule reads results while it goes: take over what the ledger holds as it comes.
        self._schedule = []
        for match in self._event.schedule.matches(self._learned):
            self._learned(match)
            self._schedule.append(match)

    def _learned(self, match: Match) -> Any:
        if match.id not in self._matches:
            self._matches[match.id] = match
            self._event.learn(match, self._ledger.rows(match))
        return self._event.outcomes(match)

    def play(self, executor: Executor[Ticket], on_block: OnBlock, idle: Callable[[], None]) -> None:
        """Play until nothing is missing, then forget what turned out not to count."""
        self._on_block = on_block
        executor.run(self._next, self._done, idle)
        self._tidy()

    def _next(self, playing: set[Ticket]) -> tuple[Ticket, Task] | None:
        for match in self._schedule:
            outcome = self._learned(match)
            for block in outcome.missing:
                if (match.id, block) not in playing:
                    deals = dict(match.blocks())[block]
                    return (match.id, block), self._event.task(match, block, deals)
        return None

    def _done(self, ticket: Ticket, result: Result) -> None:
        match = self._matches[ticket[0]]
        row = self._ledger.add(match, ticket[1], result)
        self._event.learn_block(match, row)
        self._on_block(match, ticket[1], result)
        if self._event.outcomes(match).complete:
            self._refresh()

    def _tidy(self) -> None:
        """Forget blocks after a retirement and matches after a disqualification.

        With several workers such blocks may have been played before it was known; the ledger must
        not depend on that.
        """
        self._refresh()
        counted = {match.id for match in self._schedule}
        for match in self._schedule:
            if moot := self._event.outcomes(match).moot:
                self._ledger.remove(match, moot)
        for match_id in self._ledger.match_ids() - counted:
            self._ledger.remove_match(match_id)


def same_event(stored: dict[str, Any], wanted: dict[str, Any]) -> list[str]:
    """In what a stored event differs from the wanted one, as sentences; empty if in nothing."""
    differences = []
    for key in ("config", "rules", "sandbox", "version"):
        if stored[key] != wanted[key]:
            differences.append(f"{key}: there {_changed(stored[key], wanted[key])}")
    if stored["secret"] != wanted["secret"]:
        differences.append("the secret is another one")
    there = {entrant["name"]: entrant["hash"] for entrant in stored["entrants"]}
    here = {entrant["name"]: entrant["hash"] for entrant in wanted["entrants"]}
    for name in sorted(there.keys() | here.keys()):
        if name not in here:
            differences.append(f"{name} is missing")
        elif name not in there:
            differences.append(f"{name} is new")
        elif there[name] != here[name]:
            differences.append(f"the file of {name} has changed")
    return differences


def _changed(there: Any, here: Any) -> str:
    if isinstance(there, dict) and isinstance(here, dict):
        keys = [
            key for key in sorted(there.keys() | here.keys()) if there.get(key) != here.get(key)
        ]
        return ", ".join(f"{key} is {there.get(key)!r}, here {here.get(key)!r}" for key in keys)
    return f"{there!r}, here {here!r}"


def results_folder(root: Path, event: str) -> Path:
    """Where an event's files lie; made if need be. Raises UserError if it cannot be."""
    folder = root / event
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UserError(f"{folder}: cannot be made: {error.strerror}") from error
    return folder
