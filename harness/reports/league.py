"""A league in plain data: standings, cross table, and who was disqualified."""

from __future__ import annotations

from typing import Any

from harness.events.league import Round
from harness.reports.played import Played
from harness.standings.intervals import Interval
from harness.standings.rating import Rating
from harness.standings.table import LeagueTable

SHARE_DECIMALS = 6
ELO_DECIMALS = 1


def league(played: Played, standing: Round) -> dict[str, Any]:
    """The league's part of the document."""
    return {
        "standings": standings(played, standing),
        "cross": cross(standing.table),
        "disqualified": disqualified(played, standing.disqualified),
    }


def standings(played: Played, standing: Round) -> list[dict[str, Any]]:
    """The table, best first; equal bots have equal ranks and follow each other by name."""
    authors = {entrant.name: entrant.author for entrant in played.event.entrants}
    return [
        {
            "rank": row.rank,
            "band": list(row.band),
            "name": row.name,
            "author": authors[row.name],
            "games": row.games,
            "wins": row.wins,
            "draws": row.draws,
            "losses": row.losses,
            "points": list(row.points),
            "share": share(row.share),
            **rating(standing.ratings.get(row.name)),
            "faults": played.faults(row.name),
            "retirements": played.retirements(row.name),
        }
        for row in standing.table.rows
    ]


def cross(table: LeagueTable) -> list[dict[str, Any]]:
    """Row beats column, for every two bots that met, both ways round, in the table's order."""
    names = [row.name for row in table.rows]
    return [
        {
            "row": row,
            "column": column,
            "games": cell.record.games,
            "wins": list(cell.record.wins),
            "draws": cell.record.draws,
            "points": list(cell.record.points),
            "share": share(cell.share),
        }
        for row in names
        for column in names
        if (cell := table.cross.get((row, column))) is not None
    ]


def disqualified(played: Played, names: tuple[str, ...]) -> list[dict[str, Any]]:
    """Who is disqualified, by name, and what for."""
    authors = {entrant.name: entrant.author for entrant in played.event.entrants}
    return [
        {
            "name": name,
            "author": authors[name],
            "faults": played.faults(name),
            "retirements": played.retirements(name),
        }
        for name in names
    ]


def share(interval: Interval) -> dict[str, float]:
    """A share of games from 0 to 1 and its 95 % interval."""
    return {
        "value": round(interval.value, SHARE_DECIMALS),
        "low": round(interval.low, SHARE_DECIMALS),
        "high": round(interval.high, SHARE_DECIMALS),
    }


def rating(rating: Rating | None) -> dict[str, float | None]:
    """Elo and its margin; null for a bot of which no game counts."""
    if rating is None:
        return {"elo": None, "elo_margin": None}
    return {
        "elo": round(rating.elo, ELO_DECIMALS),
        "elo_margin": round(rating.margin, ELO_DECIMALS),
    }
