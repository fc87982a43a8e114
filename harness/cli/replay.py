"""`koth replay`: any game of a match, move by move."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from harness.cli.options import (
    bots_option,
    games_option,
    rules_option,
    salt_option,
    secret_option,
    weak_option,
)

if TYPE_CHECKING:
    from harness.events.match import BlockRow, Match
    from harness.events.run import Event


@click.command()
@click.argument("where", metavar="RESULTS/EVENT|GAME")
@click.argument("words", nargs=-1, metavar="[BOT BOT...] [GAME_NUMBER]")
@secret_option
@salt_option
@games_option("Games of the duel or, of every bot, of the check; 100,000 by default, as in a duel.")
@rules_option
@click.option(
    "--set",
    "set_number",
    type=click.IntRange(min=0),
    metavar="N",
    help="In a cup, which set of the two; 1 by default, 0 for their seeding match.",
)
@click.option("--lost-by", metavar="BOT", help="The first game that this bot lost.")
@click.option("--faulty", is_flag=True, help="The first game in which a bot committed a fault.")
@bots_option
@weak_option
def replay(
    where: str,
    words: tuple[str, ...],
    lost_by: str | None,
    faulty: bool,
    **setting: Any,
) -> int:
    """Show a game of a match, move by move.

    RESULTS/EVENT is the folder of an event, for instance results/pazaak-league, and BOT BOT are
    those who met; of an event at tables no BOT is named. With the name of a game in its place, and
    --secret, it is a game that these bots play with that secret: of a duel, or of a check.

    GAME_NUMBER is 1 for the first game of the match. With --lost-by or --faulty the search begins
    there, by default at the first.
    """
    from harness.cli.screen import say
    from harness.entrants import find, meant
    from harness.errors import UserError
    from harness.events.executor import on_cores
    from harness.events.replay import Replay
    from harness.reports.text import visible

    bots, number = _bots_and_number(words)
    searching = lost_by is not None or faulty
    _check_combination(where, **setting)
    first = number or 1
    with on_cores(1) as executor, _match(where, bots, **setting) as (event, match, rows):
        if number is None and not searching:
            raise UserError(
                "which game? Give its number last, or let one be found: --lost-by BOT, --faulty"
            )
        if first > match.games:
            raise UserError(f"{match.label} has {match.games} games; there is no game {first}")
        loser = None
        if lost_by is not None:
            found = find(event.entrants, lost_by)
            if found is None or found.name not in match.players:
                playing = [e for e in event.entrants if e.name in match.players]
                raise UserError(
                    f"--lost-by: {lost_by!r} is not one of {', '.join(match.players)}"
                    f"{meant(playing, lost_by)}"
                )
            loser = found.name
        replays = Replay(event, match, executor, rows)
        game: int | None = first
        if searching:
            game = replays.find(first, loser, faulty)
            wanted = f"lost by {visible(loser)}" if loser is not None else ""
            wanted += (" and " if wanted else "") + "with a fault" if faulty else ""
            if game is None:
                say(f"{visible(match.label)}: no game {wanted} from game {first} on.")
                return 0
            say(f"The first game {wanted} from game {first} on is game {game}.")
        assert game is not None
        say(f"Game {game} of {match.games}, {visible(match.label)}")
        for line in replays.tell(game, visible):
            say(line)
    return 0


def _bots_and_number(words: tuple[str, ...]) -> tuple[tuple[str, ...], int | None]:
    """The number comes last, and is the only word that is one."""
    from harness.errors import UserError

    if not words or not words[-1].isdecimal():
        return words, None
    number = int(words[-1])
    if number < 1:
        raise UserError(f"there is no game {number}; the first game of a match is 1")
    return words[:-1], number


def _check_combination(
    where: str,
    *,
    secret: str | None,
    salt: str | None,
    games: int | None,
    rules: str | None,
    set_number: int | None,
    **others: Any,
) -> None:
    """Whether the options go with an event, or with a duel. Raises UserError."""
    from harness import games as known
    from harness.errors import UserError

    if Path(where).is_dir() and secret is None:
        if games is not None or rules is not None or salt is not None:
            raise UserError("--games, --rules and --salt are those of the event; leave them out")
    elif where not in known.names():
        raise UserError(
            f"{where}: neither a folder with an event's results nor a game; games are: "
            f"{', '.join(known.names())}"
        )
    elif secret is None:
        raise UserError("a game of a duel or a check is known by its secret: give it with --secret")
    elif set_number is not None:
        raise UserError("--set is for the folder of a cup; a duel has no sets")


@contextmanager
def _match(
    where: str,
    bots: tuple[str, ...],
    *,
    secret: str | None,
    salt: str | None,
    games: int | None,
    rules: str | None,
    set_number: int | None,
    bots_folder: Path,
    allow_weak_sandbox: bool,
) -> Iterator[tuple[Event, Match, dict[int, BlockRow] | None]]:
    """The match that is meant, its event with the bots' files, and what is recorded of it."""
    from harness.cli.setting import load_bots, sandbox_layers
    from harness.errors import UserError
    from harness.events.archive import recorded_match
    from harness.events.bout import Bout, bout_config, told_apart
    from harness.events.secret import Salt, parse_secret

    layers, level = sandbox_layers(allow_weak_sandbox)
    if secret is None:
        yield recorded_match(Path(where), bots, set_number, bots_folder, layers, level)
        return
    config = bout_config(where, games, rules)
    if len(bots) < config.fewest or (config.format == "league" and len(bots) > 2):
        wanted = "two bots" if config.format == "league" else f"at least {config.fewest} bots"
        raise UserError(f"name {wanted}, those who played; given: {', '.join(bots) or 'none'}")
    entrants = told_apart(load_bots(where, bots, bots_folder, layers, config.budgets))
    bout = Bout(config, entrants, parse_secret(secret), layers, level, Salt.given(salt))
    yield bout.event, bout.match, None
