"""What a bot's process is confined to: plain data that travels from the arena to the zygote."""

from __future__ import annotations

import os
import sys
import sysconfig
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from functools import cache
from typing import Any, Literal

import harness

Kind = Literal["python", "program", "build"]
"""What a confined process is to be: a bot in Python, any program, or what builds one."""


class IsolationError(Exception):
    """A layer could not be applied; the process must not go on to run a bot."""

    def __init__(self, layer: str, reason: str) -> None:
        super().__init__(f"{layer}: {reason}")
        self.layer = layer
        self.reason = reason


@dataclass(frozen=True)
class Layers:
    """The layers to apply; resource limits, descriptors and privileges always are.

    Fewer than all: on a machine that cannot do better (its event says so), and in tests. `user`:
    where root plays, every bot becomes another user, who owns nothing.
    """

    namespaces: bool = True
    landlock: bool = True
    seccomp: bool = True
    user: bool = True


@dataclass(frozen=True)
class Confinement:
    """What one bot's process may do and use.

    `readable`: absolute paths of files and folders the bot may read, besides the system's
    libraries: the standard library, site-packages, the games, the bot's own file or folder, which
    comes last. A path that is or leads through a symbolic link means what the link points to.

    `scratch`: with namespaces, where inside its own root the bot finds its folder (nothing of that
    name exists outside). Without them, a path outside that does not exist yet, in a folder which
    the bot's user can reach; it is created at the start, and the controller removes it, see
    `harness.sandbox.scratch`.

    `uid`: when started as root, the user to become, see `privileges.throwaway_uid`; every bot that
    runs at a time should have its own.

    `memory_bytes` counts on top of what the zygote has mapped. `cpu_seconds` is the backstop for
    the whole life of the process (None: without); the controller measures single decisions itself.
    No file may grow beyond the larger of `scratch_bytes` and `output_bytes`. A program or a build
    begins anew when it is executed, so there `memory_bytes` is all its writable memory.

    `kind`: of a program or a build, `executable` are the files (and folders, with all that is in
    them) that it may execute: at first, and ever after.

    `parent`, the number of the zygote's process, and `keep_fds`, the only descriptors left open,
    are known to the zygote alone.
    """

    readable: tuple[str, ...]
    parent: int = 0
    keep_fds: tuple[int, ...] = ()
    scratch: str = "/scratch"
    scratch_bytes: int = 8 << 20
    scratch_files: int = 256
    memory_bytes: int = 512 << 20
    output_bytes: int = 1 << 20
    cpu_seconds: int | None = 3600
    open_files: int = 64
    core: int | None = None
    uid: int | None = None
    layers: Layers = field(default_factory=Layers)
    kind: Kind = "python"
    executable: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Everything but what only the zygote knows."""
        fields = asdict(self)
        del fields["parent"], fields["keep_fds"]
        return fields

    @classmethod
    def from_json(
        cls, fields: Mapping[str, Any], *, parent: int, keep_fds: tuple[int, ...]
    ) -> Confinement:
        return cls(
            **{
                **fields,
                "readable": tuple(fields["readable"]),
                "executable": tuple(fields["executable"]),
                "layers": Layers(**fields["layers"]),
            },
            parent=parent,
            keep_fds=keep_fds,
        )


def readable_paths(*bot: str) -> tuple[str, ...]:
    """What every bot may read (Python, installed packages, the games), and its own file or folder.

    The games only, not the rest of the harness: how deals are made, for one, is not a bot's
    business. From this process's own interpreter, which the zygote shares.
    """
    return (*_common_paths(), *(os.path.abspath(path) for path in bot))


@cache
def _common_paths() -> tuple[str, ...]:
    package = os.path.dirname(os.path.abspath(harness.__file__))
    python = {sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib")}
    # Debian's own Python adds folders of its own; an editable install adds the project, which
    # must stay out.
    python |= {path for path in sys.path if path.endswith(("site-packages", "dist-packages"))}
    if sys.base_prefix not in ("/usr", "/usr/local"):
        # Of an interpreter that lives apart from the system (conda, pyenv): its libraries.
        python.add(os.path.join(sys.base_prefix, "lib"))
    games = (os.path.join(package, "__init__.py"), os.path.join(package, "games"))
    return tuple(
        os.path.abspath(path) for path in (*sorted(python), *games) if os.path.exists(path)
    )
