"""`koth hunt`: the contest of a game without decisions, through any number of interruptions."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from harness.cli.options import bots_option, weak_option, workers_option

if TYPE_CHECKING:
    from harness.config import HuntConfig
    from harness.entrants import Entrant
    from harness.events.hunt import Hunt
    from harness.hunt_ledger import HuntLedger
    from harness.sandbox.isolation import Layers

_CONFIG = Path("configs") / "camicia-hunt.yaml"


@click.command()
@click.argument("files", nargs=-1, metavar="[CONFIG] [LEDGER...]", type=click.Path(path_type=Path))
@click.option(
    "--seconds",
    type=click.FloatRange(min=0, min_open=True),
    metavar="N",
    help="CPU seconds per bot.",
)
@bots_option
@click.option(
    "--results",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("results"),
    show_default=True,
    metavar="DIR",
    help="Where the hunt's folder goes.",
)
@workers_option
@click.option("--only", metavar="NAME,NAME", help="Only these bots hunt.")
@click.option("--merge", is_flag=True, help="Take over LEDGER files of other machines, and stop.")
@click.option("--quiet", is_flag=True, help="Print the result only.")
@weak_option
def hunt(
    files: tuple[Path, ...],
    seconds: float | None,
    bots_folder: Path,
    results: Path,
    workers: int | None,
    only: str | None,
    merge: bool,
    quiet: bool,
    allow_weak_sandbox: bool,
) -> int:
    """Hunt for the longest game; CONFIG is configs/camicia-hunt.yaml by default.

    Every bot has so many CPU seconds and hands over deals, which koth plays. Interrupted or killed,
    the same command goes on where it was; with more --seconds it goes on for longer. Files land in
    DIR/EVENT/, beginning with leaderboard.md.

    With --merge, ledgers of the same hunt on other machines are taken over instead, every game
    played anew.
    """
    from harness.arena.cache import use_compiled_cache

    use_compiled_cache()  # before anything imports Numba; the zygotes look there too
    from harness import config as configs
    from harness.cli.hunt_display import Screen
    from harness.errors import UserError

    config_file, ledgers = _told_apart(files, merge)
    config = configs.read_hunt(config_file, {} if seconds is None else {"seconds": seconds})
    screen = Screen(quiet)
    if merge:
        if not ledgers:
            raise UserError("--merge: name the ledgers, such as results/camicia-hunt/ledger.sqlite")
        return _merge(config, ledgers, results, screen)
    from harness.cli.setting import discover_bots, sandbox_layers
    from harness.entrants import choose
    from harness.games.camicia import compiled

    compiled.load()  # the zygotes find it compiled
    layers, level = sandbox_layers(allow_weak_sandbox)
    found = discover_bots(config.game, bots_folder, layers, config.budgets)
    playing, broken = choose(found, only.split(",") if only is not None else config.entrants)
    if not playing:
        raise UserError(f"{bots_folder / config.game}: no bot that could hunt")
    with _opened(config, playing, level, results) as (known, ledger):
        screen.plan(known, broken, results / config.event, workers)
        try:
            _chase(known, ledger, layers, workers, screen)
        except KeyboardInterrupt:
            screen.interrupted(known)
            return 130
        finally:
            _report(known, results)
        screen.result(known, results / config.event)
    return 0


def _told_apart(files: tuple[Path, ...], merge: bool) -> tuple[Path, list[Path]]:
    """The config, and the ledgers to merge."""
    configs = [file for file in files if not merge or file.suffix in (".yaml", ".yml")]
    if len(configs) > 1:
        raise click.UsageError(f"one CONFIG at most; found {', '.join(map(str, configs))}")
    return (configs or [_CONFIG])[0], [file for file in files if file not in configs]


@contextmanager
def _opened(
    config: HuntConfig, entrants: list[Entrant], level: str | None, results: Path
) -> Iterator[tuple[Hunt, HuntLedger]]:
    """The hunt as far as it has come, and its ledger; both made if need be.

    `level`: the sandbox's; None takes the ledger's, or `unknown`.
    """
    import secrets

    from harness.errors import UserError
    from harness.events.hunt import Hunt, same_hunt
    from harness.events.run import results_folder
    from harness.hunt_ledger import HuntLedger

    folder = results_folder(results, config.event)
    with HuntLedger(folder / "ledger.sqlite") as ledger:
        stored = ledger.event()
        fresh: dict[str, Any] = {"secret": secrets.token_hex(32), "source": secrets.token_hex(8)}
        hunt = Hunt(config, entrants, stored or fresh, level or stored.get("sandbox", "unknown"))
        if stored and (differences := same_hunt(stored, hunt.facts())):
            raise UserError(
                f"{folder} holds another hunt's results:\n"
                + "".join(f"  - {line}\n" for line in differences)
                + "Nothing was touched. Give this hunt a folder of its own with --results DIR, "
                f"or move {folder} away."
            )
        ledger.change_event(hunt.facts())
        hunt.learn(ledger)
        yield hunt, ledger


def _chase(
    known: Hunt, ledger: HuntLedger, layers: Layers, workers: int | None, screen: Any
) -> None:
    from harness.events.chase import Chase
    from harness.events.executor import claim_cores

    cores, locks = claim_cores(workers)
    try:
        with screen.progress(known, len(cores)) as display:
            Chase(known, ledger, layers, cores).run(display.slice, display.idle)
    finally:
        for lock in locks:
            lock.close()


def _merge(config: HuntConfig, ledgers: list[Path], results: Path, screen: Any) -> int:
    from harness.errors import UserError
    from harness.hunt_ledger import read_foreign

    others = [(path, read_foreign(path)) for path in ledgers]
    for path, other in others:
        if other.event.get("config", {}).get("game") != config.game:
            raise UserError(f"{path}: not a hunt in {config.game}")
    with _opened(config, [], None, results) as (known, ledger):
        if known.level == "unknown":
            known.level = str(others[0][1].event["sandbox"])
            ledger.change_event({"sandbox": known.level})
        for path, other in others:
            known.merge(other, str(path), ledger)
            screen.merged(path, other)
        _report(known, results)
        screen.result(known, results / config.event)
    return 0


def _report(known: Hunt, results: Path) -> None:
    from harness.reports.hunt import write_hunt

    write_hunt(known, results)
