"""`koth bots`: what lies in the bots' folder, and what is wrong with any of it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from harness.cli.options import bots_option, json_option, known_game, weak_option

if TYPE_CHECKING:
    from harness.entrants import Entrant


@click.command()
@click.argument("game", required=False, callback=known_game)
@json_option
@bots_option
@weak_option
def bots(game: str | None, as_json: bool, bots_folder: Path, allow_weak_sandbox: bool) -> int:
    """List the bots, of GAME or of all games, and what is wrong with any.

    Every file is loaded in the sandbox, as an event would do.
    """
    from harness import games
    from harness.cli.setting import discover_bots, sandbox_layers

    layers, _ = sandbox_layers(allow_weak_sandbox)
    wanted = [game] if game else [name for name in games.names() if (bots_folder / name).is_dir()]
    found = [bot for name in wanted for bot in discover_bots(name, bots_folder, layers)]
    if as_json:
        from harness.reports.text import visible_json

        text = json.dumps([_facts(bot) for bot in found], indent=2, ensure_ascii=False)
        click.echo(visible_json(text))
    else:
        _show(found, bots_folder)
    return 0


def _facts(bot: Entrant) -> dict[str, Any]:
    keys = ("name", "game", "author", "path", "hash", "error")
    return {key: getattr(bot, key) for key in keys}


def _show(found: list[Entrant], folder: Path) -> None:
    from rich.text import Text

    from harness.cli.screen import console, say, short_path
    from harness.cli.words import table
    from harness.reports.text import visible

    if not found:
        say(f"{folder}: no bots; `koth new GAME NAME` writes one")
        return
    made = table("game", "bot", "author", "~file")
    for bot in found:
        style = "" if bot.error is None else "red"
        cells = (bot.game, bot.name, bot.author, short_path(bot.path))
        made.add_row(*(Text(visible(cell), style) for cell in cells))
    console().print(made)
    for bot in found:
        if bot.error is not None:
            say(f"{visible(short_path(bot.path))}: {visible(bot.error)}", "red")
