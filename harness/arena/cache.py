"""Where compiled rules are kept between runs.

Numba notices a change in the file of a cached function, but not in files that it calls. So the
folder is named by a hash over all sources that are compiled, and stale code cannot be found.
Call `use_compiled_cache` before the first import of Numba.
"""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

import harness

_COMPILED = ("arena/lanes.py", "games/*.py", "games/*/*.py")


def cache_folder() -> Path:
    """`$XDG_CACHE_HOME/koth/<hash of the sources>`, by default below `~/.cache`."""
    root = Path(harness.__file__).parent
    digest = hashlib.sha256()
    for pattern in _COMPILED:
        for path in sorted(root.glob(pattern)):
            digest.update(path.relative_to(root).as_posix().encode())
            digest.update(path.read_bytes())
    return user_cache() / digest.hexdigest()[:16]


def user_cache() -> Path:
    """`$XDG_CACHE_HOME/koth`, by default `~/.cache/koth`: whatever can be made again."""
    base = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return Path(base) / "koth"


def use_compiled_cache() -> None:
    """Point Numba's on-disk cache to `cache_folder`, unless the user has chosen a place."""
    os.environ.setdefault("NUMBA_CACHE_DIR", str(cache_folder()))
