"""`koth duel`: one match of two bots, with a live line."""

from __future__ import annotations

import math
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from harness.cli.options import (
    bots_option,
    game_of_two_argument,
    games_option,
    json_option,
    rules_option,
    salt_option,
    secret_option,
    weak_option,
    workers_option,
)

if TYPE_CHECKING:
    from harness.events.duel import Duel


@click.command()
@game_of_two_argument
@click.argument("bots", nargs=2, metavar="BOT BOT")
@games_option("Games to play, even; 100,000 by default.")
@rules_option
@secret_option
@salt_option
@workers_option
@json_option
@bots_option
@weak_option
def duel(
    game: str,
    bots: tuple[str, str],
    games: int | None,
    rules: str | None,
    secret: str | None,
    salt: str | None,
    workers: int | None,
    as_json: bool,
    bots_folder: Path,
    allow_weak_sandbox: bool,
) -> int:
    """Play one match of two bots of GAME, which may be the same.

    BOT is a display name, a file name without .py, or a path. The games are those of a league
    with the same secret and salt.
    """
    from harness.events import defaults
    from harness.events.executor import on_cores

    blocks = math.ceil((games or defaults.GAMES) / defaults.BLOCK_GAMES)
    # The workers start first: what they import takes longer than all that follows here.
    with on_cores(workers, most=blocks, game=game) as executor:
        from harness.cli.setting import load_bots, sandbox_layers
        from harness.events.bout import bout_config, told_apart
        from harness.events.duel import Duel
        from harness.events.secret import Salt, parse_secret
        from harness.reports.files import dumps

        config = bout_config(game, games, rules)
        master = parse_secret(secret)
        layers, level = sandbox_layers(allow_weak_sandbox)
        entrants = load_bots(game, bots, bots_folder, layers, config.budgets)
        mixed = Salt.given(salt)
        match = Duel(config, told_apart(entrants), master, layers, level, mixed)
        began = time.monotonic()
        if as_json:
            match.play(executor)
        else:
            from harness.cli.duel_display import progress

            with progress(match) as display:
                match.play(executor, display.block, display.idle)
        seconds = time.monotonic() - began
    if as_json:
        click.echo(dumps(document(match, seconds)), nl=False)
    else:
        from harness.cli.duel_display import result

        common = _common_words(match, rules, bots_folder)
        result(match, seconds, replay=["koth", "replay", game, *bots, *common, "1"])
    return 0


def document(match: Duel, seconds: float) -> dict[str, Any]:
    """What `--json` prints; lists are in the order in which the bots were given."""
    sides, record = match.sides(), match.outcome.record
    first = sides[0].share
    return {
        "game": match.event.config.game,
        "rules": match.event.rules_name,
        "bots": [side.name for side in sides],
        "games": record.games,
        "wins": [side.wins for side in sides],
        "draws": record.draws,
        match.event.config.about.points: [side.points for side in sides],
        "rate": round(first.value, 6),
        "interval": [round(first.low, 6), round(first.high, 6)],
        "faults": [side.faults for side in sides],
        "retired": [side.retired for side in sides],
        "walkovers": match.outcome.walkovers,
        "decisions": [side.decisions for side in sides],
        "cpu_seconds": [round(side.cpu, 6) for side in sides],
        "cpu_seconds_starting": [round(side.cpu_starting, 6) for side in sides],
        "seconds": round(seconds, 3),
        "games_per_second": round(match.games_done / seconds),
        "sandbox": match.event.level,
        "secret": match.event.secret.hex(),
        "salt": match.event.salt.text if match.event.salt is not None else None,
    }


def _common_words(match: Duel, rules: str | None, bots_folder: Path) -> list[str]:
    """What a replay must be told so that it plays the same games."""
    from harness.events import defaults

    words = ["--secret", match.event.secret.hex()]
    if match.event.salt is not None:
        words += ["--salt", str(match.event.salt.text)]
    if match.match.games != defaults.GAMES:
        words += ["--games", str(match.match.games)]
    if rules is not None:
        words += ["--rules", rules]
    if bots_folder != Path("bots"):
        words += ["--bots", str(bots_folder)]
    return words
