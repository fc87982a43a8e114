"""Options that several commands share, and what they are turned into."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

F = TypeVar("F", bound=Callable[..., Any])


def _even(context: click.Context, parameter: click.Parameter, value: int | None) -> int | None:
    if value is not None and value % 2:
        raise click.BadParameter(f"{value} is odd; every deal is played twice, so it must be even")
    return value


def games_option(text: str, *, even: bool = True) -> Callable[[F], F]:
    """`--games N`; `even` where every deal is played twice."""
    check = _even if even else None
    return click.option(
        "--games", type=click.IntRange(min=2), callback=check, metavar="N", help=text
    )


def hex_digits(context: click.Context, parameter: click.Parameter, value: str | None) -> str | None:
    """64 hex digits in small letters, or none at all. Raises BadParameter."""
    if value is not None and not re.fullmatch(r"[0-9a-fA-F]{64}", value):
        raise click.BadParameter(f"expected 64 hex digits, found {value!r}")
    return value and value.lower()


def _salt(context: click.Context, parameter: click.Parameter, value: str | None) -> str | None:
    from harness.events.secret import parse_salt

    return None if value is None else parse_salt(parameter.opts[0], value)


def known_game(context: click.Context, parameter: click.Parameter, value: str | None) -> str | None:
    """The name of a game there is, or none at all. Raises UserError."""
    from harness import games
    from harness.errors import UserError

    if value is not None and value not in games.names():
        raise UserError(f"no game {value!r}; there are: {', '.join(games.names())}")
    return value


def known_game_of_two(
    context: click.Context, parameter: click.Parameter, value: str | None
) -> str | None:
    """The same, but a game that is played between two. Raises UserError."""
    from harness import games
    from harness.errors import UserError

    name = known_game(context, parameter, value)
    if name is not None and (reason := games.describe(name).refusal("duel")):
        raise UserError(reason)
    return name


game_argument = click.argument("game", callback=known_game)
game_of_two_argument = click.argument("game", callback=known_game_of_two)
json_option = click.option(
    "--json", "as_json", is_flag=True, help="Print one JSON document and nothing else."
)
rules_option = click.option("--rules", metavar="NAME", help="A named rule variant of the game.")
secret_option = click.option(
    "--secret",
    callback=hex_digits,
    metavar="HEX",
    help="The event's secret, 64 hex digits; by default a fresh one.",
)
salt_option = click.option(
    "--salt",
    callback=_salt,
    metavar="TEXT",
    help="The event's salt, a public value that was not known when its secret was committed to.",
)
workers_option = click.option(
    "--workers",
    type=click.IntRange(min=1, max=1024),
    metavar="N",
    help="Worker processes; by default one per free core.",
)
bots_option = click.option(
    "--bots",
    "bots_folder",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("bots"),
    show_default=True,
    metavar="DIR",
    help="Where the bots are, in a folder per game.",
)
weak_option = click.option(
    "--allow-weak-sandbox",
    is_flag=True,
    help="Play although this machine cannot confine bots properly; reports will say so.",
)


def event_options(command: F) -> F:
    """All options of `koth cup` and `koth league`."""
    return _event_options(games_option("Games per match or set, even."), command)


def tables_options(command: F) -> F:
    """All options of `koth tables`."""
    words = "Games per bot, rounded up until all can have played the same number of deals."
    return _event_options(games_option(words, even=False), command)


def _event_options(games: Callable[[F], F], command: F) -> F:
    for option in (
        click.argument("config", required=False, type=click.Path(path_type=Path)),
        games,
        bots_option,
        click.option(
            "--results",
            type=click.Path(path_type=Path, file_okay=False),
            default=Path("results"),
            show_default=True,
            metavar="DIR",
            help="Where the event's folder goes.",
        ),
        workers_option,
        secret_option,
        salt_option,
        click.option(
            "--salt-from",
            "salt_source",
            callback=_salt,
            metavar="TEXT",
            help="Commit to secret, bots and config, print the commitment, and wait for a salt; "
            "TEXT says what public value it will be.",
        ),
        click.option(
            "--commit-only",
            is_flag=True,
            help="Commit to secret, bots and config, print the commitment, and play later.",
        ),
        rules_option,
        click.option("--only", metavar="NAME,NAME", help="Only these bots play."),
        click.option("--dry-run", is_flag=True, help="Say what would be played, and stop."),
        click.option("--quiet", is_flag=True, help="Print the result only."),
        weak_option,
    )[::-1]:
        command = option(command)
    return command
