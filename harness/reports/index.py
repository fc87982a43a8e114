"""`results/README.md`: every event whose leaderboard lies below."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from urllib.parse import quote

from harness.reports.markdown import render

TITLE = "# Results\n"
"""How the page begins, by which it is known again."""


def page(results: Path) -> str:
    """The page, made from the `leaderboard.json` files that are there."""
    events = []
    for path in sorted(results.glob("*/leaderboard.json")):
        board = _read(path)
        if board is not None:
            events.append({"link": f"{quote(path.parent.name)}/leaderboard.md", "board": board})
    return render("index.md.j2", {}, events=events)


def _read(path: Path) -> dict[str, Any] | None:
    """The board, or None for a file that is not one: somebody else's files lie there."""
    try:
        board = json.loads(path.read_text(encoding="utf-8"))
        wanted = {"event": str, "title": str, "format": str, "winners": list, "games": int}
        if all(isinstance(board[key], kind) for key, kind in wanted.items()):
            return {**board, "entrants": len(board["entrants"])}
    except (OSError, ValueError, LookupError, TypeError):
        pass
    return None
