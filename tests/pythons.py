"""The other versions of Python on this machine."""

from __future__ import annotations

import os
import sys
from pathlib import Path


def interpreter(version: str) -> Path | None:
    """From pyenv or the system, but not the one that runs the tests."""
    root = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"))
    candidates = [
        *root.glob(f"versions/{version}.*/bin/python3"),
        Path(f"/usr/bin/python{version}"),
    ]
    for path in candidates:
        if path.exists() and path.resolve() != Path(sys.executable).resolve():
            return path
    return None
