"""Tables in plain data: standings, and the blocks with what every line-up took."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from harness.events.match import BlockRow
from harness.events.tables import TablesOutcome, TablesStanding
from harness.reports.league import rating, share
from harness.reports.played import Played, block, fault_sums
from harness.standings.seats import Mean

MEAN_DECIMALS = 6


def tables(played: Played, standing: TablesStanding) -> dict[str, Any]:
    """The tables' part of the document."""
    authors = {entrant.name: entrant.author for entrant in played.event.entrants}
    about = played.event.config.about
    return {
        "by_points": about.ranked_by_points,
        "unit": about.unit,
        "partners": played.event.config.seating.partners,
        "standings": [
            {
                **row,
                "faults": played.faults(row["name"]),
                "retirements": played.retirements(row["name"]),
            }
            for row in standings(standing, authors)
        ],
    }


def standings(standing: TablesStanding, authors: Mapping[str, str]) -> list[dict[str, Any]]:
    """The rows, best first. `authors`: by the bots' names."""
    return [
        {
            "rank": row.rank,
            "band": list(row.band),
            "name": row.name,
            "author": authors[row.name],
            "deals": row.deals,
            "games": row.games,
            "wins": row.wins,
            "points": row.points,
            "share": share(row.share),
            "mean": _mean(row.mean),
            **rating(standing.ratings.get(row.name)),
        }
        for row in standing.rows
    ]


def _mean(mean: Mean) -> dict[str, float | None]:
    ends = {"value": mean.value, "low": mean.low, "high": mean.high}
    return {
        key: None if end is None else round(end, MEAN_DECIMALS) + 0.0 for key, end in ends.items()
    }


def match(played: Played, outcome: TablesOutcome) -> dict[str, Any]:
    """All games, and every block; numbers in line-ups are places in `players`, from 0."""
    return {
        "stage": outcome.match.stage,
        "players": list(outcome.match.players),
        "complete": outcome.complete,
        "games": outcome.games,
        "deals": outcome.games // outcome.match.legs,
        "decisions": list(outcome.decisions),
        "faults": [fault_sums([faults]) for faults in outcome.faults],
        "retired": list(outcome.retired),
        "blocks": [_block(row) for row in played.blocks(outcome)],
    }


def _block(row: BlockRow) -> dict[str, Any]:
    return block(
        row,
        absent=list(row.absent),
        tallies=[[list(tally.lineup), *tally.sums()] for tally in row.tallies],
    )
