"""`koth standings`: an event's standings as recorded, or as they are without some of its bots."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from harness.cli.options import json_option

if TYPE_CHECKING:
    from harness.events.cup import Standing
    from harness.events.league import Round
    from harness.events.tables import TablesStanding
    from harness.reports.played import Played

    AnyStanding = Round | Standing | TablesStanding


@click.command()
@click.argument("folder", metavar="RESULTS/EVENT", type=click.Path(path_type=Path))
@click.option(
    "--without",
    multiple=True,
    metavar="BOT",
    help="Leave this bot out: none of its games counts for anybody. May be given several times.",
)
@json_option
def standings(folder: Path, without: tuple[str, ...], as_json: bool) -> int:
    """Show the standings of a league or of tables, or what they are without some of the bots; of a
    cup, its places.

    Everything is computed from the recorded blocks: nothing is played, and nothing is written. Also
    of an event that is being played.
    """
    from harness.errors import UserError
    from harness.events.archive import entrant_called, event_of, played, stored
    from harness.events.recount import recount
    from harness.reports.boards import hunt_board
    from harness.reports.files import dumps
    from harness.sandbox.confinement import Layers

    if hunt_board(folder) is not None:
        raise UserError(
            f"{folder} holds a hunt, in which bots do not meet: its leaderboard.md stays as it is "
            "without any of them"
        )
    with stored(folder) as source:
        facts = source.event()
        # No bot is started, so it does not matter what this machine could confine.
        event = event_of(facts, Layers(), facts["sandbox"])
        names = list(dict.fromkeys(entrant_called(event, word).name for word in without))
        found = played(event, source)
        standing = recount(found, names)
        if as_json:
            click.echo(dumps(document(found, standing, names)), nl=False)
        else:
            _show(found, standing, names)
    return 0


def document(played: Played, standing: AnyStanding, without: list[str]) -> dict[str, Any]:
    """What `--json` prints: fields of leaderboard.json, as they are without these bots."""
    from harness.reports.document import is_complete, part

    config = played.event.config
    return {
        "event": config.event,
        "format": config.format,
        "game": config.game,
        "complete": is_complete(standing),
        "without": without,
        "games": _games(standing),
        **part(played, standing),
    }


def _games(standing: AnyStanding) -> int:
    """Games that count, walkovers included."""
    from harness.events.league import Round
    from harness.events.tables import TablesStanding

    if isinstance(standing, TablesStanding):
        return standing.games
    if isinstance(standing, Round):
        return sum(record.games for record in standing.table.records)
    return sum(outcome.games for outcome in standing.outcomes)


def _show(played: Played, standing: AnyStanding, without: list[str]) -> None:
    from harness.cli import words
    from harness.cli.screen import console, say
    from harness.events.tables import TablesStanding
    from harness.reports.document import is_complete
    from harness.reports.text import visible

    config = played.event.config
    left_out = ", without " + " and ".join(map(visible, without)) if without else ""
    say(f"{config.about.title} {config.format}: {config.event}{left_out}", "bold")
    console().print(words.standings(standing, config.about))
    games = words.number(_games(standing))
    text = f"{games} games count" + ("" if is_complete(standing) else "; the event is not finished")
    if without and isinstance(standing, TablesStanding):
        whole = words.number(standing.outcomes[0].games)
        text = f"{text}, of {whole}: those at tables of the others only. Ranks go by means"
    say(text + ".")
