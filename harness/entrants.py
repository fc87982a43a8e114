"""Discovery: from the files in `bots/<game>/` to entrants.

Nothing is registered. A bot is `name.py`, or a folder with `bot.py` and data files; files and
folders that begin with `_` or `.` are left alone. What a file says of itself is asked in the
sandbox: the controller never imports a bot.
"""

from __future__ import annotations

import os
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from harness import botfile, games
from harness.arena.budgets import Budgets
from harness.arena.faults import HarnessFault
from harness.arena.job import Player
from harness.building import built
from harness.content import MAIN_FILES, UnusableError, is_program, main_file, read_content
from harness.errors import UserError
from harness.near import did_you_mean
from harness.sandbox.nursery import Nursery
from harness.sandbox.process import BotProcess, StartFailure
from harness.sandbox.program import Program, resolve

MOST_NAME = 100
MOST_LANES = 1 << 16
_ASKED_AGAIN = 3
"""How often a bot is asked again what it is, after a process of ours was killed meanwhile."""
# Letters without a glyph: two names that differ in them look the same. (Joiners and variation
# selectors, which emoji are made of, are told apart by `same_name`.)
_BLANK = frozenset("\u00ad\u034f\u115f\u1160\u180e\u200b\u2060\u2800\u3164\ufeff\uffa0")


@dataclass(frozen=True)
class Entrant:
    """A bot's file and what it says of itself; or, with `error`, why it cannot play."""

    name: str
    """The display name; of a broken bot the file's name."""
    game: str
    author: str
    file: str
    """Name of the file without `.py`, or of the folder."""
    path: str
    """Absolute path of the file, or of the main file in the folder."""
    hash: str
    """SHA-256 over the content, in hex; empty if it could not be read."""
    batch: bool = False
    numpy: bool = False
    lanes: int | None = None
    program: Program | None = None
    """How it is started, if it is not in Python."""
    error: str | None = None
    traceback: str = ""

    def player(self) -> Player:
        """As a table needs it."""
        return Player(self.name, self.path, self.batch, self.numpy, self.lanes, self.program)


def discover(game: str, folder: Path, nursery: Nursery, budgets: Budgets) -> list[Entrant]:
    """All bots of a game below `folder` (usually `bots`), sorted by file name.

    A file that cannot play is listed with its error. Raises UserError if there is no such folder.
    """
    return refuse_duplicates(load(game, path, nursery, budgets) for path in bot_paths(game, folder))


def bot_paths(game: str, folder: Path) -> list[Path]:
    """The files and folders of a game's bots, sorted by name. Raises UserError without a folder."""
    home = folder / game
    if not home.is_dir():
        raise UserError(f"{home}: no such folder; bots of {game} are looked for there")
    return [path for path in sorted(home.iterdir()) if _is_bot(path)]


def _is_bot(path: Path) -> bool:
    if path.name.startswith(("_", ".")):
        return False
    return path.suffix == ".py" or path.is_dir()


def summon(game: str, wanted: str, folder: Path, nursery: Nursery, budgets: Budgets) -> Entrant:
    """The bot called `wanted`: a path, a file name without .py, or a display name.

    The other bots are not loaded, or only until the display name is found. It may be broken.
    Raises UserError if there is none.
    """
    path = locate(game, wanted, folder)
    if path is not None:
        return load(game, path, nursery, budgets)
    there = []
    for path in bot_paths(game, folder):
        entrant = load(game, path, nursery, budgets)
        if entrant.name == wanted and entrant.error is None:
            return entrant
        there.append(entrant)
    names = ", ".join(f"{entrant.name} ({entrant.file})" for entrant in there) or "none"
    raise UserError(
        f"no bot {wanted!r}: neither a path nor a bot of {folder / game}; there are: "
        f"{names}{meant(there, wanted)}"
    )


def locate(game: str, wanted: str, folder: Path) -> Path | None:
    """The file or folder of a bot called by path or file name; None if there is none."""
    home, path = folder / game, Path(wanted)
    candidates = [path]
    if path.name == wanted:  # no slash: rather a name than a file that happens to lie here
        candidates = [home / f"{wanted}.py", home / wanted, path]
    for candidate in candidates:
        if candidate.name in MAIN_FILES and candidate.parent != home:
            candidate = candidate.parent
        # Not Path's own methods: those raise for a name too long to be one.
        if any(os.path.isfile(path) for path in (candidate, *(candidate / m for m in MAIN_FILES))):
            return candidate
    return None


def file_name(path: Path) -> str:
    """What a bot's file or folder is called in configs and commands."""
    return path.stem if path.suffix == ".py" else path.name


def _printable(path: str) -> str:
    return path.encode("utf-8", "backslashreplace").decode()


def load(game: str, path: Path, nursery: Nursery, budgets: Budgets) -> Entrant:
    """One bot from its file or folder, asked in the sandbox what it is."""
    stem = _printable(file_name(path))
    main = main_file(path) if path.is_dir() else path
    blank = Entrant(stem, game, "", stem, _printable(str(main.absolute())), "")
    try:
        if blank.path != str(main.absolute()):
            raise UnusableError("its file name is not UTF-8; rename it")
        if path.name in MAIN_FILES:
            # It would be taken for a folder's, and its bot would be let into that folder.
            raise UnusableError(f"a bot that is no folder cannot be called {path.name}; rename it")
        content = read_content(path)
        blank = replace(blank, hash=content.hash)
        said: dict[str, Any] = {}
        if is_program(blank.path):
            said, program = _program(main, game, content.hash, nursery)
            blank = replace(blank, program=program)
    except UnusableError as error:
        return replace(blank, error=str(error), traceback=error.details)
    try:
        facts = _ask(blank, nursery, budgets)
    except StartFailure as failure:
        return replace(blank, error=failure.reason, traceback=failure.traceback)
    if blank.program is not None:
        return _checked(blank, said)
    # NumPy's own generator is seeded at the start, so a bot that imports NumPy only later must have
    # it from the start as well.
    facts["numpy"] = facts.get("numpy") or content.mentions_numpy
    return _checked(blank, facts)


def _program(
    main: Path, game: str, content: str, nursery: Nursery
) -> tuple[dict[str, Any], Program]:
    """What a `bot.yaml` says of its bot, and how the bot is started, built if it must be.

    Raises UnusableError.
    """
    if games.describe(game).hunted:
        raise UnusableError(f"bots of {game} are in Python: a bot.py, or a file of its own")
    file = botfile.read(main)
    folder = str(main.absolute().parent)
    if file.build is not None:
        folder = built(folder, content, tuple(file.build), nursery)
    program = resolve(tuple(file.command), folder)
    return {"name": file.name, "author": file.author, "lanes": file.lanes}, program


def _ask(blank: Entrant, nursery: Nursery, budgets: Budgets) -> dict[str, Any]:
    """What a bot says of itself. Raises StartFailure.

    If a process of ours dies meanwhile, or somebody kills the bot's, it is asked again.
    """
    for attempt in range(_ASKED_AGAIN + 1):
        nursery.blames_bots = attempt == _ASKED_AGAIN
        try:
            process = BotProcess(
                nursery,
                game=blank.game,
                path=blank.path,
                numpy=False,
                seed="",
                lanes=0,
                budgets=budgets,
                program=blank.program,
            )
            try:
                return process.wait_ready()
            finally:
                process.close()
        except HarnessFault:
            nursery.close()
            if attempt == _ASKED_AGAIN:
                raise
    raise AssertionError


def _checked(blank: Entrant, facts: dict[str, Any]) -> Entrant:
    """The entrant with what it says of itself, which may be anything: the process is the bot's."""
    name, author, lanes = facts.get("name"), facts.get("author"), facts.get("lanes")
    if (
        not isinstance(name, str)
        or not isinstance(author, str)
        or not (lanes is None or (type(lanes) is int and lanes > 0))
    ):
        return replace(blank, error="it describes itself in a form that nothing can be made of")
    if not 1 <= len(name.strip()) <= len(name) <= MOST_NAME or len(author) > MOST_NAME:
        return replace(blank, error=f"its name must have 1 to {MOST_NAME} characters")
    if any(character in _BLANK or "\ud800" <= character <= "\udfff" for character in name + author):
        return replace(blank, error="its name or author holds characters that nobody can see")
    lanes = None if lanes is None else min(lanes, MOST_LANES)
    return replace(
        blank,
        name=name,
        author=author,
        lanes=lanes,
        batch=bool(facts.get("batch")),
        numpy=bool(facts.get("numpy")),
    )


def same_name(name: str) -> str:
    """What two names share that people would take for the same."""
    plain = unicodedata.normalize("NFKC", name).casefold()
    seen = (c for c in plain if unicodedata.category(c) != "Cf" and not "\ufe00" <= c <= "\ufe0f")
    return " ".join("".join(seen).split())


def refuse_duplicates(entrants: Iterable[Entrant]) -> list[Entrant]:
    """The first file of a name keeps it; later ones are listed with an error that says which."""
    kept: dict[str, Entrant] = {}
    out = []
    for entrant in entrants:
        if entrant.error is None:
            first = kept.setdefault(same_name(entrant.name), entrant)
            if first is not entrant:
                reason = f"the name {entrant.name!r} is taken by {first.file}"
                entrant = replace(entrant, name=entrant.file, error=reason)
        out.append(entrant)
    return out


def as_recorded(
    entrants: Iterable[Entrant], recorded: Iterable[Mapping[str, str]]
) -> list[Entrant]:
    """The entrants by the names and authors that an event has recorded for the same files.

    A bot that called itself otherwise every time would keep everybody's event from being resumed.
    """
    known = {(one["file"], one["hash"]): one for one in recorded}
    out = []
    for entrant in entrants:
        one = known.get((entrant.file, entrant.hash))
        if one is not None:
            entrant = replace(entrant, name=one["name"], author=one["author"])
        out.append(entrant)
    return out


def find(entrants: Iterable[Entrant], wanted: str) -> Entrant | None:
    """The entrant called so: by path, file name without .py, or display name, like `summon`."""
    entrants = list(entrants)
    by_name = [e for e in entrants if e.error is None and e.name == wanted]
    by_file = [e for e in entrants if e.file == wanted]
    path = Path(wanted).absolute()
    by_path = [e for e in entrants if path in (Path(e.path), Path(e.path).parent)]
    return next(iter(by_path + by_file + by_name), None)


def meant(entrants: Iterable[Entrant], wanted: str) -> str:
    """The end of an error about a bot that is not there: file and display names that come near."""
    return did_you_mean(wanted, [word for e in entrants for word in (e.file, e.name)])


def choose(entrants: list[Entrant], names: list[str] | None) -> tuple[list[Entrant], list[Entrant]]:
    """(those who play, the broken others). `names`: who is to play; None means everybody.

    Raises UserError for a name that is not there, or that belongs to a broken bot.
    """
    broken = [entrant for entrant in entrants if entrant.error is not None]
    if names is None:
        return [entrant for entrant in entrants if entrant.error is None], broken
    chosen = []
    for name in dict.fromkeys(name.strip() for name in names):
        entrant = find(entrants, name)
        if entrant is None:
            there = ", ".join(sorted(e.name for e in entrants)) or "none"
            raise UserError(f"no bot {name!r}; there are: {there}{meant(entrants, name)}")
        if entrant.error is not None:
            raise UserError(f"{entrant.path}: {entrant.error}")
        if entrant not in chosen:  # called by two of its names
            chosen.append(entrant)
    return chosen, []
