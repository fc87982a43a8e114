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
from harness.events.match import BlockRow, Outcome
from harness.reports.cup import cup
from harness.reports.league import league
from harness.reports.played import Played, fault_sums, is_timed

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
        "complete": _complete(standing),
        "games": sum(outcome.record.games - outcome.walkovers for outcome in played.outcomes),
        "winners": _winners(standing),
        **(cup(played, standing) if isinstance(standing, Standing) else league(played, standing)),
        "rules": {"name": event.rules_name, "parameters": facts["rules"]},
        "config": facts["config"],
        "sandbox": event.level,
        "algorithm": ALGORITHM,
        "commitment": event.commitment,
        "secret": event.secret.hex(),
        "entrants": facts["entrants"],
        "matches": [_match(played, outcome) for outcome in played.outcomes],
    }


def _complete(standing: Round | Standing) -> bool:
    if isinstance(standing, Standing):
        return standing.places is not None
    return all(outcome.complete for outcome in standing.outcomes)


def _winners(standing: Round | Standing) -> list[str]:
    if isinstance(standing, Standing):
        return standing.places[:1] if standing.places else []
    if not any(outcome.record.games for outcome in standing.outcomes):
        return []
    return [row.name for row in standing.table.rows if row.rank == 1]


def _match(played: Played, outcome: Outcome) -> dict[str, Any]:
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
        "points": list(record.hands),
        "squares": record.squares,
        "decisions": list(outcome.decisions),
        "faults": [fault_sums([faults]) for faults in outcome.faults],
        "retired": list(outcome.retired),
        "blocks": [_block(row) for row in played.blocks(outcome)],
    }


def _block(row: BlockRow) -> dict[str, Any]:
    return {
        "number": row.number,
        "games": row.games,
        "deals": row.deals,
        "wins": [player.wins for player in row.players],
        "points": [player.points for player in row.players],
        "squares": row.squares,
        "decisions": [player.decisions for player in row.players],
        "faults": [fault_sums([player.faults]) for player in row.players],
        "retired": [player.retired for player in row.players],
        "timed": is_timed(row),
    }
