"""A bot in another language: the file to execute, where it runs, and what it needs to read.

Whatever a bot's `bot.yaml` says comes from a stranger. It names a file of its own folder, or, by a
bare name, a program of this machine; what the program of the machine needs is for koth to know, not
for the bot to ask for.
"""

from __future__ import annotations

import os
import struct
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

from harness.content import UnusableError
from harness.sandbox import namespaces

_SEARCHED: Final = "/usr/local/bin:/usr/bin:/bin"

_INTERPRETER_SEGMENT: Final = 3  # PT_INTERP
_MOST_SEGMENTS: Final = 64


@dataclass(frozen=True)
class Program:
    """How a bot's process becomes the bot."""

    command: tuple[str, ...]
    """The file to execute, by its absolute path, and the arguments."""
    folder: str
    """Where it starts: the bot's own folder, or that of what was built from it."""
    readable: tuple[str, ...]
    """What it may read besides the system's libraries; the folder comes last."""
    executable: tuple[str, ...]
    """What it may execute: the file, and the loader that the kernel starts for it."""
    homes: tuple[str, ...] = ()
    """Of `readable`, the folders of a runtime that lives in folders of its own."""

    @classmethod
    def from_json(cls, fields: dict[str, Any]) -> Program:
        """From what `vars` gives, after it has travelled as JSON."""
        return cls(
            tuple(fields["command"]),
            fields["folder"],
            tuple(fields["readable"]),
            tuple(fields["executable"]),
            tuple(fields["homes"]),
        )


def resolve(command: tuple[str, ...], folder: str, key: str = "command") -> Program:
    """What `command` means in `folder`. Raises UnusableError for what cannot be executed.

    `key`: how it is called in `bot.yaml`.
    """
    word, *arguments = command
    own = "/" in word
    try:
        file = _own_file(word, folder) if own else _found(word)
        if _is_script(file):
            raise UnusableError(f"{word} is a script; put its interpreter before it")
    except OSError as error:
        raise UnusableError(f"{key}: {word} cannot be read: {error.strerror}") from error
    except UnusableError as error:
        raise UnusableError(f"{key}: {error}") from None
    needed = () if own else _needs(file)
    loader = _loader(file)
    executable = (file,) if loader is None else (file, loader)
    return Program((file, *arguments), folder, (file, *needed, folder), executable, needed)


def _own_file(word: str, folder: str) -> str:
    """A file of the bot's folder; no links lead out of it, see `harness.content`."""
    file = os.path.normpath(os.path.join(folder, word))
    if word.startswith("/") or not file.startswith(f"{folder}/"):
        raise UnusableError(
            f"{word} lies outside the bot's folder; a program of the machine is called by "
            "its bare name, as in [node, bot.js]"
        )
    if os.path.realpath(file) != os.path.join(
        os.path.realpath(folder), os.path.relpath(file, folder)
    ):
        raise UnusableError(f"{word} leads through a symbolic link")
    if not os.path.isfile(file):
        raise UnusableError(f"{word} is not in the bot's folder, nor made by its build")
    if not os.access(file, os.X_OK):
        raise UnusableError(f"{word} is not executable; chmod +x it")
    return file


def _found(word: str) -> str:
    """A program of this machine by its bare name, through whatever links lead to it.

    Scripts are passed over: version managers put them first, to find the program behind them.
    """
    scripts = []
    for entry in os.environ.get("PATH", _SEARCHED).split(os.pathsep):
        file = os.path.realpath(os.path.join(entry, word))
        if entry.startswith("/") and os.path.isfile(file) and os.access(file, os.X_OK):
            if not _is_script(file):
                return file
            scripts.append(file)
    if scripts:
        raise UnusableError(f"{word} is only found as a script, {scripts[0]}; name its interpreter")
    raise UnusableError(
        f"{word} is not installed on this machine; a file of the bot's folder is called ./{word}"
    )


def _is_script(file: str) -> bool:
    with open(file, "rb") as start:
        return start.read(2) == b"#!"


@lru_cache(maxsize=32)
def _needs(file: str) -> tuple[str, ...]:
    """The folders beside a program of the machine that it cannot do without.

    Of those known to live in a folder of their own. What else a program installed below /usr needs
    it finds in the system's libraries, which every bot may read.
    """
    home = os.path.dirname(os.path.dirname(file))
    if os.path.isfile(f"{home}/lib/modules") and os.path.exists(f"{home}/lib/jvm.cfg"):
        return (home, *_linked(f"{home}/conf"), *_linked(f"{home}/lib"))  # Java
    if os.path.isdir(f"{home}/lib") and os.path.basename(file).startswith("python"):
        return (f"{home}/lib",)
    return ()


def _linked(folder: str) -> tuple[str, ...]:
    """Where the links in a folder of Java's lead; Debian keeps its settings below /etc."""
    found = set()
    for root, folders, names in os.walk(folder):
        for name in folders + names:
            path = os.path.join(root, name)
            if os.path.islink(path) and os.path.realpath(path).startswith("/etc/java"):
                found.add(path)
    return tuple(sorted(found))


def _loader(file: str) -> str | None:
    """The dynamic loader that an ELF file asks for; None for what is none, or asks for none.

    The file may be a stranger's: only the loader of this machine's libraries is taken for one.
    """
    try:
        with open(file, "rb") as elf:
            head = elf.read(64)
            if head[:5] != b"\x7fELF\x02":
                return None
            at, size, count = (
                *struct.unpack_from("<Q", head, 32),
                *struct.unpack_from("<HH", head, 54),
            )
            for number in range(min(count, _MOST_SEGMENTS)):
                elf.seek(at + number * size)
                segment = elf.read(56)
                if struct.unpack_from("<I", segment)[0] == _INTERPRETER_SEGMENT:
                    start, length = struct.unpack_from("<Q16xQ", segment, 8)
                    elf.seek(start)
                    name = elf.read(min(length, 256)).rstrip(b"\0").decode()
                    return _trusted(name)
    except (OSError, struct.error, ValueError, OverflowError):
        return None
    return None


def _trusted(loader: str) -> str | None:
    real = os.path.realpath(loader)
    libraries = tuple(f"{os.path.realpath(path)}/" for path in namespaces.system_paths())
    name = os.path.basename(real)
    return real if real.startswith(libraries) and name.startswith("ld") else None
