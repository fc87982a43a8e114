"""The games: one folder each, found by name, nothing to register.

A game's folder `harness/games/<game>/` holds

    __init__.py    what a bot imports: actions, `View`, `Player`, `BatchPlayer`
    frames.py      how questions travel to the bots' processes
    about.py       name, rule parameters and variants: `ABOUT`
    rules.py       the rules, compiled
    game.py        all of it put together for the arena: `GAME`
    transcript.py  a game as people read it

`__init__.py` and `frames.py` are imported inside the bots' processes and stay light.
"""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from harness.games.about import About
    from harness.games.contract import Game


def names() -> list[str]:
    """The names of all games, sorted."""
    return sorted(path.parent.name for path in Path(__file__).parent.glob("*/about.py"))


def describe(name: str) -> About:
    """The description of a game. Raises KeyError with the known names for an unknown one."""
    if name not in names():
        raise KeyError(f"no game {name!r}; there are: {', '.join(names())}")
    return cast("About", importlib.import_module(f"{__name__}.{name}.about").ABOUT)


def preloaded(name: str) -> tuple[str, ...]:
    """Modules of compiled code that the zygotes of a game's bots load, by their `load()`."""
    modules: tuple[str, ...] = getattr(
        importlib.import_module(f"{__name__}.{name}"), "PRELOADED", ()
    )
    return modules


def load(name: str) -> Game:
    """A game with its compiled rules; imports Numba."""
    describe(name)
    return cast("Game", importlib.import_module(f"{__name__}.{name}.game").GAME)
