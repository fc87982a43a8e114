"""Standings of what was played as they are without some of the bots: nothing is played anew."""

from __future__ import annotations

from collections.abc import Sequence

from harness.errors import UserError
from harness.events.cup import Cup, Standing
from harness.events.league import Round
from harness.events.tables import Tables, TablesStanding
from harness.reports.played import Played


def recount(played: Played, without: Sequence[str]) -> Round | Standing | TablesStanding:
    """The event's standing; of `without` no game counts for anybody.

    Who was retired or disqualified stays so. Raises UserError where this cannot be told from what
    was played: in a cup, and where too little is left.
    """
    if not without:
        return played.standing
    event = played.event
    schedule, config = event.schedule, event.config
    stay = [name for name in schedule.entrants if name not in without]
    if isinstance(schedule, Cup):
        raise UserError(
            f"{config.event} is a cup: without {' and '.join(without)} other bots would have met, "
            "and these sets were not played. Play a cup of the others: `koth cup` with --only and "
            "a --results folder of its own"
        )
    if len(stay) < 2:
        raise UserError(f"{config.event}: too few bots are left to be compared: {len(stay)}")
    if isinstance(schedule, Tables):
        tables = schedule.standing(played.outcome, without)
        if not tables.games:
            raise UserError(
                f"{config.event}: no deal was played without {' or '.join(without)}, so there is "
                "nothing to compare the others by"
            )
        return tables
    return schedule.standing(played.outcome, without=without)
