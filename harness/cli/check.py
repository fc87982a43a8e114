"""`koth check`: would an event take this bot, what does it use, where would it stand?"""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from harness.cli.options import bots_option, game_argument, games_option, json_option, weak_option

if TYPE_CHECKING:
    from harness.entrants import Entrant
    from harness.events.check import Check, Fault

SECONDS = 30.0
_TO_FINISH = 5.0  # of these, for starting Python and for what follows the last game


@click.command()
@game_argument
@click.argument("bot")
@games_option(
    "Games against each bot, or at tables with all, however long they take; by default what fits "
    "in 30 s."
)
@json_option
@bots_option
@weak_option
def check(
    game: str,
    bot: str,
    games: int | None,
    as_json: bool,
    bots_folder: Path,
    allow_weak_sandbox: bool,
) -> int:
    """Try a bot of GAME out before an event does.

    Loads it in the sandbox and lets it play every other bot in the folder, one by one or, where the
    game is played at tables, all together. BOT is a display name,
    a file name without .py, or a path, also of a file elsewhere. Exit status 1 if an event would
    refuse or retire it.
    """
    from harness import games as known
    from harness.events import defaults
    from harness.events.executor import on_cores

    if known.describe(game).hunted:
        from harness.arena.cache import use_compiled_cache

        use_compiled_cache()  # before anything imports Numba
        from harness.cli.hunt_check import check_hunter

        return check_hunter(game, bot, as_json, bots_folder, allow_weak_sandbox)
    deadline = time.monotonic() + SECONDS - _TO_FINISH
    # The workers start first: what they import takes longer than all that follows here.
    with on_cores(None, game=game) as executor:
        from harness.cli.setting import discover_bots, sandbox_layers, summon_bots
        from harness.events.bout import bout_config
        from harness.events.check import Check
        from harness.events.secret import parse_secret

        config = bout_config(game, games or defaults.BLOCK_GAMES)
        layers, level = sandbox_layers(allow_weak_sandbox)
        (entrant,) = summon_bots(game, [bot], bots_folder, layers, config.budgets)
        if entrant.error is not None:
            _unloadable(entrant, level, as_json)
            return 1
        # The folder may be missing: a bot may be checked that lies elsewhere.
        home = (bots_folder / game).is_dir()
        found = discover_bots(game, bots_folder, layers, config.budgets) if home else []
        trying = Check(config, entrant, found, parse_secret(None), layers, level)
        trying.play(executor, deadline, games is not None, _quiet if as_json else _progress)
    if as_json:
        _print_json(document(trying))
    else:
        from harness.cli.check_display import show

        show(trying, bots_folder)
    return 1 if trying.refusals() else 0


def _progress(text: str) -> None:
    from harness.cli.screen import say

    say(f"playing {text}", "dim")


def _quiet(text: str) -> None:
    pass


def _unloadable(bot: Entrant, level: str, as_json: bool) -> None:
    if as_json:
        said = {"refused": [bot.error], "traceback": bot.traceback, "sandbox": level}
        _print_json({**_facts(bot), **said})
        return
    from harness.cli.screen import say
    from harness.reports.text import visible

    say(f"REFUSED  {visible(bot.path)}: {visible(bot.error or '')}", "bold red")
    if bot.traceback:
        say(visible(bot.traceback, keep="\n"))


def _print_json(value: dict[str, Any]) -> None:
    from harness.reports.files import dumps

    click.echo(dumps(value), nl=False)


def _facts(bot: Entrant) -> dict[str, Any]:
    keys = ("game", "name", "author", "path", "hash", "error")
    return {key: getattr(bot, key) for key in keys}


def document(trying: Check) -> dict[str, Any]:
    """What `--json` prints."""
    rank, *between = trying.rank() if not trying.missed else (None, None, None)
    used = trying.used
    return {
        **_facts(trying.bot),
        "refused": trying.refusals(),
        "hints": trying.hints(),
        "games": trying.games(trying.latest),
        **(_at_tables(trying) if trying.at_tables else _opponents(trying)),
        "rank": rank,
        "rank_between": between,
        "ranked": 1 + len(trying.opponents) - trying.missed,
        "faults": trying.faults,
        "faults_before": trying.faults_before,
        "examples": [_example(trying, fault) for fault in trying.examples()],
        "decisions": used.decisions,
        "cpu_ms_per_decision": round(1000 * used.cpu_per_decision, 6),
        "cpu_seconds_starting": round(used.cpu_starting, 6),
        "cpu_ms_per_instance": round(1000 * used.cpu_per_instance, 6),
        "memory_mb": round(used.memory_mb, 1),
        "output": used.output[:1000].decode("utf-8", "replace"),
        "budgets": trying.config.budgets.model_dump(),
        "not_loaded": [{"name": bot.name, "error": bot.error} for bot in trying.broken],
        "sandbox": trying.level,
        "secret": trying.secret.hex(),
    }


def _opponents(trying: Check) -> dict[str, Any]:
    """How it fared in its matches of two."""
    from harness.events.duel import Duel

    found = []
    for duel in trying.latest:
        assert isinstance(duel, Duel)
        (own, other), record = duel.sides(), duel.outcome.record
        found.append(
            {
                "name": other.name,
                "games": record.games,
                "wins": [own.wins, other.wins],
                "draws": record.draws,
                trying.config.about.points: [own.points, other.points],
                "rate": round(own.share.value, 6),
                "interval": [round(own.share.low, 6), round(own.share.high, 6)],
            }
        )
    return {"opponents": found}


def _at_tables(trying: Check) -> dict[str, Any]:
    """How all fared at the tables, itself included, best first."""
    from harness.reports.tables import standings

    rows: list[dict[str, Any]] = []
    for bout in trying.latest:
        authors = {entrant.name: entrant.author for entrant in bout.entrants}
        rows += standings(trying.standing(bout), authors)
    return {"standings": rows}


def _example(trying: Check, fault: Fault) -> dict[str, Any]:
    others = [name for name in fault.bout.names if name != trying.bot.name]
    return {
        "kind": fault.example.kind,
        **({"others": others} if trying.at_tables else {"opponent": others[0]}),
        "games": fault.bout.event.config.games,
        "game": fault.number,
        "saw": fault.example.saw,
        "answered": fault.example.answered,
        "traceback": fault.example.traceback,
    }
