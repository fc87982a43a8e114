"""The document behind a leaderboard: `leaderboard.json`, and all that `leaderboard.md` says.

Plain data, the same for the same results whoever was entered first and whenever it was played.
Every field is described in docs/reference/leaderboard.md.
"""

from __future__ import annotations

from typing import Any

from harness import __version__
from harness.arena.deals import ALGORITHM
from harness.events.cup import Standing
from harness.events.league import Round
from harness.events.match import Outcome
from harness.events.tables import TablesOutcome, TablesStanding
from harness.reports.cup import cup
from harness.reports.league import league
from harness.reports.played import Played, block, fault_sums
from harness.reports.tables import match as match_at_tables
from harness.reports.tables import tables

SCHEMA = 1


def document(played: Played) -> dict[str, Any]:
    """The leaderboard of an event as plain data."""
    event, config = played.event, played.event.config
    about, facts = config.about, played.event.facts()
    standing = played.standing
    return {
        "schema": SCHEMA,
        "koth": __version__,
        "event": config.event,
        "format": config.format,
        "game": config.game,
        "title": f"{about.title} {config.format.capitalize()}",
        "points": about.points,
        "complete": is_complete(standing),
        "games": sum(outcome.games - outcome.walkovers for outcome in played.outcomes),
        "winners": _winners(standing),
        **part(played, standing),
        "rules": {"name": event.rules_name, "parameters": facts["rules"]},
        "config": facts["config"],
        "sandbox": event.level,
        "algorithm": ALGORITHM,
        "commitment": event.commitment,
        "secret": event.secret.hex(),
        **(event.salt.facts() if event.salt is not None else {}),
        "entrants": facts["entrants"],
        "matches": [_match(played, outcome) for outcome in played.outcomes],
    }


def part(played: Played, standing: Round | Standing | TablesStanding) -> dict[str, Any]:
    """What is the format's own."""
    if isinstance(standing, Standing):
        return cup(played, standing)
    if isinstance(standing, TablesStanding):
        return tables(played, standing)
    return league(played, standing)


def is_complete(standing: Round | Standing | TablesStanding) -> bool:
    """Whether all of the event is played."""
    if isinstance(standing, Standing):
        return standing.places is not None
    return all(outcome.complete for outcome in standing.outcomes)


def _winners(standing: Round | Standing | TablesStanding) -> list[str]:
    if isinstance(standing, Standing):
        return standing.places[:1] if standing.places else []
    if not any(outcome.games for outcome in standing.outcomes):
        return []
    if isinstance(standing, TablesStanding):
        return [row.name for row in standing.rows if row.rank == 1]
    return [row.name for row in standing.table.rows if row.rank == 1]


def _match(played: Played, outcome: Outcome | TablesOutcome) -> dict[str, Any]:
    if isinstance(outcome, TablesOutcome):
        return match_at_tables(played, outcome)
    match, record = outcome.match, outcome.record
    return {
        "stage": match.stage,
        "players": list(match.players),
        "complete": outcome.complete,
        "games": record.games,
        "walkovers": outcome.walkovers,
        "deals": record.deals,
        "wins": list(record.wins),
        "draws": record.draws,
        "points": list(record.points),
        "squares": record.squares,
        "decisions": list(outcome.decisions),
        "faults": [fault_sums([faults]) for faults in outcome.faults],
        "retired": list(outcome.retired),
        "blocks": [block(row, squares=row.squares) for row in played.blocks(outcome)],
    }
