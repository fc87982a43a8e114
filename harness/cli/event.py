"""`koth cup`, `league` and `tables`: play an event, through any number of interruptions."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from harness.cli.options import event_options, tables_options

if TYPE_CHECKING:
    from harness.cli.terminal import Terminal
    from harness.config import Config
    from harness.events.run import Event, Run


@click.command()
@event_options
def cup(**options: Any) -> int:
    """Play an elimination cup; CONFIG is a game, `pazaak` by default, or a file.

    Interrupted or killed, the same command goes on where it was. Files land in
    DIR/EVENT/, beginning with leaderboard.md.
    """
    return _run("cup", **options)


@click.command()
@event_options
def league(**options: Any) -> int:
    """Play a league, every pair one match; CONFIG is a game, `pazaak` by default,
    or a file.

    Interrupted or killed, the same command goes on where it was. Files land in
    DIR/EVENT/, beginning with leaderboard.md.
    """
    return _run("league", **options)


@click.command()
@tables_options
def tables(**options: Any) -> int:
    """Play at tables, line-ups drawn from all bots; CONFIG is a game, as in `koth tables bs`, or a
    file.

    `--games` is per bot. Interrupted or killed, the same command goes on where it was. Files land
    in DIR/EVENT/, beginning with leaderboard.md.
    """
    return _run("tables", **options)


def _run(
    format_: str,
    *,
    config: Path | None,
    games: int | None,
    bots_folder: Path,
    results: Path,
    workers: int | None,
    secret: str | None,
    salt: str | None,
    salt_source: str | None,
    commit_only: bool,
    rules: str | None,
    only: str | None,
    dry_run: bool,
    quiet: bool,
    allow_weak_sandbox: bool,
) -> int:
    from harness.cli.setting import discover_bots, sandbox_layers
    from harness.cli.terminal import Terminal
    from harness.entrants import as_recorded, choose
    from harness.events.run import Event, Run, results_folder
    from harness.events.secret import chosen_salt, parse_secret
    from harness.ledger import Ledger
    from harness.reports.event import write_reports

    chosen = _chosen(config, format_, {"games": games, "rules": rules})
    layers, level = sandbox_layers(allow_weak_sandbox)
    found = discover_bots(chosen.game, bots_folder, layers, chosen.budgets)
    names = only.split(",") if only is not None else chosen.entrants
    playing, broken = choose(found, names)

    def event_of(stored: dict[str, Any]) -> Event:
        """The event, given what the ledger says of it already."""
        mixed = chosen_salt(stored, salt_source, salt, secret_given=secret is not None)
        text = secret if secret is not None or not stored else stored["secret"]
        entrants = as_recorded(playing, stored.get("entrants", ()))
        return Event(chosen, entrants, parse_secret(text), layers, level, mixed)

    terminal = Terminal(quiet=quiet)
    folder = results / chosen.event
    database = folder / "ledger.sqlite"
    if not database.exists():
        # Whatever is wrong with the event is said before anything is written.
        event = event_of({})
        if dry_run:
            terminal.plan(event, broken, folder, workers, committed=secret is not None)
            return 0
    results_folder(results, chosen.event)
    if not database.exists() and (folder / "leaderboard.json").exists() and not quiet:
        click.echo(f"note: {folder} holds a leaderboard without its ledger; it will be replaced")
    with Ledger(database) as ledger:
        stored = ledger.event()
        event = event_of(stored)
        _refuse_another(event, stored, folder)
        if event.waits and stored and not commit_only:
            event.root_key()  # says what is awaited
        run = None if event.waits else Run(event, ledger)
        terminal.plan(event, broken, folder, workers, resumed=run.games_done if run else 0)
        if dry_run:
            return 0
        ledger.set_event(event.facts())
        if commit_only or run is None:
            terminal.committed(event, folder)
            return 0
        if not _play(event, run, workers, terminal):
            return 130
        write_reports(event, ledger, results, bots_folder)
        terminal.result(event, folder)
    return 0


def _play(event: Event, run: Run, workers: int | None, terminal: Terminal) -> bool:
    """Play what is missing; False if it was interrupted."""
    from harness.events.executor import on_cores

    try:
        with on_cores(workers) as executor, terminal.progress(event, run) as display:
            run.play(executor, on_block=display.block, idle=display.idle)
    except KeyboardInterrupt:
        terminal.interrupted(run)
        return False
    return True


def _refuse_another(event: Event, stored: dict[str, Any], folder: Path) -> None:
    """Raises UserError if the ledger is that of another event."""
    from harness.errors import UserError
    from harness.events.run import same_event

    if stored and (differences := same_event(stored, event.facts())):
        raise UserError(
            f"{folder} holds another event's results:\n"
            + "".join(f"  - {line}\n" for line in differences)
            + "Nothing was touched. Give these results a folder of their own with --results "
            f"DIR, or move {folder} away."
        )


def _chosen(config: Path | None, format_: str, changes: dict[str, Any]) -> Config:
    """The event's config, with what the command line changes in it. Raises UserError."""
    from harness import config as configs
    from harness.errors import UserError

    path = _path(config, format_)
    chosen = configs.read(path, {key: v for key, v in changes.items() if v is not None})
    if chosen.format != format_:
        raise UserError(f"{path}: its format is {chosen.format}; use `koth {chosen.format} {path}`")
    return chosen


def _path(config: Path | None, format_: str) -> Path:
    """The config file; a game's name stands for its official one. Raises UserError."""
    from harness import games
    from harness.errors import UserError

    name = str(config) if config else "pazaak"
    if name in games.names() and not Path(name).is_file():
        if reason := games.describe(name).refusal(format_):
            raise UserError(reason)
        return Path("configs") / f"{name}-{format_}.yaml"
    if not Path(name).exists() and not Path(name).suffix:
        raise UserError(
            f"{name}: neither a game nor a config file; games are: {', '.join(games.names())}"
        )
    return Path(name)
