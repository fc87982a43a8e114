"""The scratch folder of a bot that has no mount namespace: a folder of the machine.

With namespaces it is a tmpfs of limited size that goes with the process, and nothing here is used.
"""

from __future__ import annotations

import os
import secrets
import tempfile
from typing import Final

from harness.sandbox.confinement import Layers

INSIDE: Final = "/scratch"


def scratch_path(layers: Layers) -> str:
    """Where the scratch of a process with these layers goes; to be removed afterwards."""
    if layers.namespaces:
        return INSIDE
    return os.path.join(tempfile.gettempdir(), f"koth-scratch-{secrets.token_hex(8)}")


_FOLDER: Final = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


def remove_scratch(path: str) -> None:
    """Removes a scratch folder whatever the bot left in it; a missing one is fine.

    The bot's process must have ended. It may have left folders that forbid looking in, nested
    beyond the length of a path and the depth of a recursion: so this walks down and up again with
    one open folder and a list of names. Links are removed, never followed.
    """
    if os.path.islink(path) or not os.path.isdir(path):
        return  # a link, or a file: not what was made there, so not ours
    here = os.open(os.path.dirname(path), _FOLDER)
    way: list[str] = []
    pending = [[os.path.basename(path)]]  # at each folder of the way: the subfolders still there
    while True:
        if pending[-1]:
            name = pending[-1].pop()
            os.chmod(name, 0o700, dir_fd=here)
            here = _move(here, name)
            way.append(name)
            pending.append(_remove_files(here))
        elif way:
            pending.pop()
            here = _move(here, "..")
            os.rmdir(way.pop(), dir_fd=here)
        else:
            break
    os.close(here)


def _move(here: int, name: str) -> int:
    there = os.open(name, _FOLDER, dir_fd=here)
    os.close(here)
    return there


def _remove_files(folder: int) -> list[str]:
    """Leaves nothing but subfolders, and returns their names."""
    subfolders = []
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                subfolders.append(entry.name)
            else:
                os.unlink(entry.name, dir_fd=folder)
    return subfolders
