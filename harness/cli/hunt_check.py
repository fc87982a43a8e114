"""`koth check` for a hunter: ten seconds of a hunt of its own, in a folder that is thrown away."""

from __future__ import annotations

import secrets
import tempfile
from pathlib import Path
from typing import Any

import click

from harness.cli.setting import sandbox_layers, summon_bots
from harness.config import HuntConfig
from harness.events.chase import Chase
from harness.events.executor import claim_cores
from harness.events.hunt import Hunt
from harness.games.camicia import compiled
from harness.hunt_ledger import HuntLedger
from harness.reports.files import dumps
from harness.reports.hunt import document

SECONDS = 10.0
"""Of CPU."""
_MOST_FAULTS = 2


def check_hunter(
    game: str, bot: str, as_json: bool, bots_folder: Path, allow_weak_sandbox: bool
) -> int:
    """Try a hunter out; 1 if a hunt would refuse or retire it, or if it finds nothing at all."""
    compiled.load()
    values = {"event": "check", "game": game, "format": "hunt", "seconds": SECONDS}
    config = HuntConfig.model_validate(values | {"stretch_seconds": SECONDS})
    budgets = config.budgets.model_copy(update={"max_faults": _MOST_FAULTS})
    config = config.model_copy(update={"budgets": budgets})
    layers, level = sandbox_layers(allow_weak_sandbox)
    (entrant,) = summon_bots(game, [bot], bots_folder, layers, budgets)
    if entrant.error is not None:
        found = {"name": entrant.name, "refused": [entrant.error], "sandbox": level}
        _say(as_json, found, entrant.traceback)
        return 1
    facts = {"secret": secrets.token_hex(32), "source": "check"}
    hunt = Hunt(config, [entrant], facts, level)
    cores, locks = claim_cores(1)
    with tempfile.TemporaryDirectory() as folder, HuntLedger(Path(folder) / "ledger") as ledger:
        try:
            Chase(hunt, ledger, layers, cores).run(lambda taken: None, lambda: None)
        finally:
            for lock in locks:
                lock.close()
    board = document(hunt)
    (row,) = board["standings"]
    refused = [f"{fault['kind']}: {fault['detail']}" for fault in board["faults"]]
    refused += [f"rejected {one['deal']!r}: {one['reason']}" for one in board["rejected"]]
    if not refused and row["best"] is None:
        refused.append("it found no game that ends")
    _say(as_json, {**row, "refused": refused, "sandbox": level})
    return 1 if refused else 0


def _say(as_json: bool, found: dict[str, Any], traceback: str = "") -> None:
    from harness.cli.screen import say
    from harness.reports.text import visible

    if as_json:
        click.echo(dumps({**found, "traceback": traceback}), nl=False)
        return
    say(visible(found["name"]), "bold")
    for reason in found["refused"]:
        say(f"REFUSED  {visible(reason, keep=chr(10))}", "bold red")
    if traceback:
        say(visible(traceback, keep="\n"))
    if not found["refused"]:
        say("OK: a hunt would take it.", "green")
    if "tried" in found:
        best = found["best"]
        if best is not None:
            say(f"longest: {best['deal']}, {best['cards']:,} cards, {best['tricks']:,} tricks")
        say(
            f"{found['tried']:,} deals tried in {found['cpu_seconds']:g} s of CPU, "
            f"{found['yielded']:,} handed over"
        )
    say(f"sandbox: {found['sandbox']}")
