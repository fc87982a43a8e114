"""Comparing with the files in golden/; to make them anew: `UPDATE_GOLDEN=1 make test`."""

from __future__ import annotations

import os
from pathlib import Path

FOLDER = Path(__file__).parent / "golden"


def same_as_golden(path: Path, name: str) -> None:
    """Fails unless the file has exactly the content of the golden one."""
    golden = FOLDER / name
    if os.environ.get("UPDATE_GOLDEN"):
        golden.parent.mkdir(exist_ok=True)
        golden.write_bytes(path.read_bytes())
    assert path.read_text(encoding="utf-8") == golden.read_text(encoding="utf-8")
