"""Events that nobody played: ledgers filled with results made up by a rule."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from harness.arena.faults import Example, FaultLog
from harness.arena.job import PlayerResult, Result
from harness.arena.seating import drawn_lineups
from harness.arena.tally import Tally, canonical, count
from harness.config import Config
from harness.entrants import Entrant
from harness.events.match import Match
from harness.events.run import Event
from harness.ledger import Ledger
from harness.reports.event import write_reports
from harness.sandbox.confinement import Layers

SECRET = bytes(range(32))

Rule = Callable[[Match, int, int], Result]
"""The result of a block, from match, block number and deals."""


def entrant(name: str, author: str = "") -> Entrant:
    """A bot of this name; its hash is made from it."""
    digest = hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()
    file = "".join(c for c in name.casefold() if c.isascii() and c.isalnum()) or digest[:8]
    return Entrant(name, "pazaak", author, file, f"/bots/pazaak/{file}.py", digest)


def event(names: Iterable[str], format_: str = "league", **config: Any) -> Event:
    """An event of 40 games a match in two blocks."""
    values = {
        "event": f"synthetic-{format_}",
        "game": "pazaak",
        "format": format_,
        "games": 40,
        "block_games": 20,
        "seeding_games": 20,
        "min_entrants": 2,
        "budgets": {"max_faults": 5},
    }
    chosen = Config.model_validate({**values, **config})
    bots = [entrant(name, f"author of {name}") for name in names]
    return Event(chosen, bots, SECRET, Layers(), "full")


def block(
    deals: int,
    won: int,
    lost: int = 0,
    *,
    hands: tuple[int, int] | None = None,
    faults: tuple[Mapping[str, int], Mapping[str, int]] = ({}, {}),
    retired: tuple[str | None, str | None] = (None, None),
    examples: tuple[list[Example], list[Example]] = ([], []),
) -> Result:
    """The first player wins both games of `won` deals, loses those of `lost`, splits the rest."""
    split = deals - won - lost
    wins = (2 * won + split, 2 * lost + split)
    points = hands or (3 * wins[0] + wins[1], 3 * wins[1] + wins[0])
    players = []
    for number in (0, 1):
        log = FaultLog(examples=examples[number])
        for kind, times in faults[number].items():
            log.add(kind, times)
        players.append(
            PlayerResult(
                wins=wins[number],
                points=points[number],
                decisions=27 * deals,
                log=log,
                retired=retired[number],
                cpu=0.25 * deals,
                cpu_starting=0.125,
                memory_kb=14_000,
            )
        )
    products = (4 * won + split, split, 4 * lost + split)
    tally = Tally((0, 1), deals, 2 * deals, wins, products, points, (0, 0, 0))
    none = np.zeros((2, 0, 2))
    return Result(
        games=2 * deals,
        deals=deals,
        tallies=[tally],
        players=players,
        seated=none.astype(np.int16),
        won=none.astype(np.int8),
        points=none.astype(np.int64),
        faulty=none.astype(np.bool_),
        seconds=deals / 8,
    )


def at_tables(match: Match, number: int, deals: int) -> Result:
    """Tables of four, four legs: of every line-up the first by name wins three games, the last one.

    The second of all is retired in the first block.
    """
    out = 1
    players = len(match.players)
    lineups = canonical(drawn_lineups(deals, 4, players, bytes([number]) * 32), partners=False)
    wins = np.zeros((deals, players), np.int64)
    wins[np.arange(deals), lineups[:, 0]] = 3
    wins[np.arange(deals), lineups[:, 3]] = 1
    points = 10 * wins
    results = [
        PlayerResult(
            wins=int(wins[:, player].sum()),
            points=int(points[:, player].sum()),
            decisions=100 * int((lineups == player).sum()),
            cpu=0.25,
            cpu_starting=0.125,
            memory_kb=14_000,
        )
        for player in range(players)
    ]
    if number == 0:
        results[out].log.add("timeout", 9)
        results[out].retired = "timeout"
    empty = block(deals, 0)
    return replace(
        empty,
        games=4 * deals,
        tallies=count(lineups, wins, points, 4),
        players=results,
        tables=True,
        absent=(out,) if number else (),
    )


def by_order(names: Iterable[str]) -> Rule:
    """Whoever comes earlier in `names` wins, the more clearly the further they are apart."""
    place = {name: number for number, name in enumerate(names)}

    def rule(match: Match, number: int, deals: int) -> Result:
        ahead = place[match.players[1]] - place[match.players[0]]
        margin = min(1 + abs(ahead) + number, deals)
        return block(deals, margin, 0) if ahead > 0 else block(deals, 0, margin)

    return rule


def always(**facts: Any) -> Rule:
    """The same in every block; by default all deals are split."""
    return lambda match, number, deals: block(deals, **({"won": 0} | facts))


def play(event: Event, ledger: Ledger, rule: Rule, backwards: bool = False) -> None:
    """Fill the ledger as a run would, in one order of blocks or the other."""
    ledger.set_event(event.facts())
    while True:
        missing = [
            (match, number, deals)
            for match in event.schedule.matches(event.outcomes)
            for number, deals in match.blocks()
            if number in event.outcomes(match).missing
        ]
        if not missing:
            return
        for match, number, deals in reversed(missing) if backwards else missing:
            row = ledger.add(match, number, rule(match, number, deals))
            event.learn_block(match, row)
        for match in event.schedule.matches(event.outcomes):
            if moot := event.outcomes(match).moot:
                ledger.remove(match, moot)


def played(folder: Path, event: Event, rule: Rule, backwards: bool = False) -> Ledger:
    """A full ledger in a folder of its own; to be closed."""
    folder.mkdir(parents=True, exist_ok=True)
    ledger = Ledger(folder / "ledger.sqlite")
    # Nothing here needs to survive a power cut, and waiting for the disk would take minutes.
    ledger._db.execute("PRAGMA synchronous = OFF")
    play(event, ledger, rule, backwards)
    return ledger


def reported(results: Path, event: Event, rule: Rule, backwards: bool = False) -> Path:
    """Plays an event by a rule, writes its reports, and returns the event's folder."""
    folder = results / event.config.event
    with played(folder, event, rule, backwards) as ledger:
        write_reports(event, ledger, results)
    return folder


def with_sandbox(event: Event, level: str) -> Event:
    """The same event on a lesser machine."""
    return replace(event, level=level)
