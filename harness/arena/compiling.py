"""Compile the rules of all games into the cache: `python -m harness.arena.compiling`.

A game's rules are compiled when they are first played, which takes up to half a minute. This does
it for all games beforehand, one process a core.
"""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import harness
from harness.arena.cache import use_compiled_cache


def main(arguments: list[str]) -> int:
    """Without arguments all games; with one, that game in this process."""
    use_compiled_cache()
    from harness import games

    if not arguments:
        # The longest first, or it would be waited for at the end.
        names = sorted(games.names(), key=_size, reverse=True)
        command = [sys.executable, "-m", __spec__.name]
        with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
            return max(pool.map(lambda name: subprocess.call([*command, name]), names))
    (name,) = arguments
    for module in games.preloaded(name):
        importlib.import_module(module).load()
    if not games.describe(name).hunted:
        from harness.arena.leg import warm_up

        warm_up(games.load(name))
    return 0


def _size(name: str) -> int:
    folder = Path(harness.__file__).parent / "games" / name
    return sum(path.stat().st_size for path in folder.glob("*.py"))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
