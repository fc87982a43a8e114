"""What there is to attack, as an attempt sees it, and what came of one.

Light, for it is also part of every attacking bot's folder, and read inside the sandbox.
"""

from __future__ import annotations

import os
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

SCRATCH_BYTES = 8 << 20
SCRATCH_FILES = 256
MEMORY_BYTES = 256 << 20

_TEXT = "SECRET = 'of somebody else'\n"


@dataclass(frozen=True)
class World:
    """What there is outside, and how to reach it."""

    folder: str
    tcp: tuple[str, int]
    udp: tuple[str, int]
    unix: str
    abstract: str
    pipe: int  # a descriptor the bot shares with the arena
    reply: int  # a memfd it shares for writing
    memory: int  # another for reading only
    sealed: int  # and another for reading only, sealed against writing
    stray: int  # one that the fork left behind and nobody meant it to have
    scratch: str = "/scratch"
    bot: str = ""
    """The attacker's own file."""

    @property
    def rival(self) -> str:
        return os.path.join(self.folder, "bots", "rival.py")

    @property
    def ledger(self) -> str:
        return os.path.join(self.folder, "results", "ledger.sqlite")

    @property
    def link(self) -> str:
        """A symbolic link among the organizer's files."""
        return os.path.join(self.folder, "results", "latest")

    @property
    def shared(self) -> tuple[int, ...]:
        return self.pipe, self.reply, self.memory, self.sealed

    def write_files(self) -> None:
        """As if no attempt had been made on them."""
        for path in (self.bot, self.rival, self.ledger):
            file = Path(path)
            if not file.exists() or file.read_text(encoding="utf-8") != _TEXT:
                file.parent.mkdir(exist_ok=True)
                file.write_text(_TEXT, encoding="utf-8")
        if not os.path.lexists(self.link):
            os.symlink("ledger.sqlite", self.link)


def outcome_of(act: Callable[[World], object], world: World) -> tuple[str, str]:
    """`succeeded`, `refused` (with the error) or `broken` (the test is)."""
    try:
        return "succeeded", repr(act(world))
    except (OSError, MemoryError, RuntimeError) as error:
        return "refused", f"{type(error).__name__}: {error}"
    except BaseException:  # noqa: BLE001 (a mistake in the act itself)
        return "broken", traceback.format_exc()
