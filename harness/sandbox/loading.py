"""Loading a bot's file: from source alone, one class, and the facts the arena asks it for.

Runs in the bot's confined process, as `harness.sandbox.runner` does.
"""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable
from importlib.machinery import (
    EXTENSION_SUFFIXES,
    SOURCE_SUFFIXES,
    ExtensionFileLoader,
    FileFinder,
    SourceFileLoader,
)
from pathlib import Path
from types import ModuleType
from typing import Any

from harness.games.frames import Question
from harness.games.player import BatchBot, Bot

_MODULE = "bot"  # the name under which a bot's file is imported


class LoadError(Exception):
    """The file holds no bot that can play; the message says what was found instead."""


class _SourceOnly(SourceFileLoader):
    """Never takes byte code from `__pycache__`: the content hash covers the sources alone."""

    def path_stats(self, path: str) -> Any:
        raise OSError("no cached byte code for bots")


def _from_source_in(folder: str) -> Callable[[str], FileFinder]:
    """A path hook for the modules of a bot's folder."""

    def hook(path: str) -> FileFinder:
        if path != folder and not path.startswith(folder + "/"):
            raise ImportError(f"not in {folder}")
        return FileFinder(
            path, (_SourceOnly, SOURCE_SUFFIXES), (ExtensionFileLoader, EXTENSION_SUFFIXES)
        )

    return hook


def load(path: str, game: ModuleType) -> type[Bot]:
    """Import the file and find the one bot class defined in it.

    Raises LoadError, or whatever the import raises.
    """
    loader = _SourceOnly(_MODULE, path)
    spec = importlib.util.spec_from_file_location(_MODULE, path, loader=loader)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[_MODULE] = module
    if Path(path).name == "bot.py":
        folder = str(Path(path).parent)
        sys.path.insert(0, folder)
        sys.path_hooks.insert(0, _from_source_in(folder))
    loader.exec_module(module)
    bases = getattr(game, "BASES", None) or (game.Player, game.BatchPlayer)
    found = [
        value
        for value in vars(module).values()
        if isinstance(value, type) and issubclass(value, bases) and value.__module__ == _MODULE
    ]
    found = list(dict.fromkeys(found))
    if len(found) != 1:
        names = ", ".join(cls.__name__ for cls in found)
        raise LoadError(
            f"exactly one class deriving from {' or '.join(b.__name__ for b in bases)} is needed; "
            f"found {len(found)}{': ' + names if names else ''}"
        )
    return found[0]


def describe(cls: type[Bot], questions: tuple[Question, ...]) -> dict[str, Any]:
    """The facts the arena asks a bot's file for. Raises LoadError if one is unusable."""
    for question in questions:
        base = next(c for c in cls.__mro__ if c.__module__.startswith("harness.games."))
        if getattr(cls, question.method, None) is getattr(base, question.method):
            arguments = "self, view" if question.drive is None else "self"
            raise LoadError(f"class {cls.__name__} has no method {question.method}({arguments})")
    name = cls.name or cls.__name__
    if not isinstance(name, str) or not isinstance(cls.author, str):
        raise LoadError(f"class {cls.__name__}: name and author must be strings")
    if not name.strip() or len(name) > 100 or len(cls.author) > 100:
        raise LoadError(
            f"class {cls.__name__}: name must have 1 to 100 characters, author at most 100"
        )
    lanes = cls.lanes
    if lanes is not None and (type(lanes) is not int or lanes < 1):
        raise LoadError(f"class {cls.__name__}: lanes must be None or a positive int")
    return {
        "name": name,
        "author": cls.author,
        "class": cls.__name__,
        "batch": issubclass(cls, BatchBot),
        "lanes": lanes,
        "numpy": "numpy" in sys.modules,
    }
