"""What every command that starts bots settles first: this machine's sandbox, and which bots."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path

from harness.arena.budgets import Budgets
from harness.entrants import Entrant, discover, summon
from harness.errors import UserError
from harness.sandbox.isolation import Layers
from harness.sandbox.nursery import Nursery


def sandbox_layers(allow_weak: bool) -> tuple[Layers, str]:
    """The layers this machine can apply and the level they make.

    Raises UserError for a weak one that is not allowed. Never degrades silently: the level is in
    every report.
    """
    from harness.sandbox.probe import probe

    report = probe()
    if report.level == "weak" and not allow_weak:
        raise UserError(
            "this machine can only give a weak sandbox, in which a bot may read and change what is "
            "not its own; `koth doctor` says why. To play all the same: --allow-weak-sandbox"
        )
    return report.layers, report.level


def summon_bots(
    game: str, wanted: Sequence[str], folder: Path, layers: Layers, budgets: Budgets
) -> list[Entrant]:
    """The bots called so, broken or not; see `entrants.summon`."""
    nursery = Nursery(game, layers, core=None)
    try:
        return [summon(game, name, folder, nursery, budgets) for name in wanted]
    finally:
        nursery.close()


def load_bots(
    game: str, wanted: Sequence[str], folder: Path, layers: Layers, budgets: Budgets
) -> list[Entrant]:
    """The same, but raises UserError for a broken one."""
    entrants = summon_bots(game, wanted, folder, layers, budgets)
    for entrant in entrants:
        if entrant.error is not None:
            check = shlex.join(["koth", "check", game, entrant.path])
            raise UserError(f"{entrant.path}: {entrant.error}; `{check}` tells more")
    return entrants


def discover_bots(
    game: str, folder: Path, layers: Layers, budgets: Budgets | None = None
) -> list[Entrant]:
    """All bots of a game; see `entrants.discover`."""
    nursery = Nursery(game, layers, core=None)
    try:
        return discover(game, folder, nursery, budgets or Budgets())
    finally:
        nursery.close()
