"""Leaderboards read back: what kind of event one is of, without loading a game's code."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any


def hunt_board(folder: Path) -> dict[str, Any] | None:
    """The `leaderboard.json` in a folder, if it is a hunt's."""
    try:
        board = json.loads((folder / "leaderboard.json").read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return None
    return board if isinstance(board, dict) and board.get("format") == "hunt" else None
