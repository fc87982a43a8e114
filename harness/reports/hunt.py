"""The leaderboard of a hunt, as plain data and as a page. Every game on it was played by koth."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

from harness import __version__
from harness.events.hunt import Hunt, doubt
from harness.hunt_ledger import Find
from harness.reports.document import SCHEMA
from harness.reports.files import dumps, write
from harness.reports.index import page
from harness.reports.markdown import render

LONGEST = 50
"""Games in the list of the longest."""


def document(hunt: Hunt) -> dict[str, Any]:
    """What `leaderboard.json` holds; every field is described in docs/games/camicia.md."""
    standings = _standings(hunt)
    return {
        "schema": SCHEMA,
        "koth": __version__,
        "event": hunt.config.event,
        "format": "hunt",
        "game": hunt.config.game,
        "title": f"{hunt.config.about.title} Hunt",
        "complete": hunt.seconds_left < hunt.config.slice_seconds,
        "games": sum(row["yielded"] for row in standings),
        "winners": [row["name"] for row in standings[:1] if row["best"]],
        "standings": standings,
        "longest": [
            {"rank": rank, **_find(find)} for rank, find in enumerate(hunt.longest()[:LONGEST], 1)
        ],
        "rejected": [
            {"bot": bot, "deal": deal, "reason": reason}
            for _, bot, deal, reason in sorted(hunt.rejected)
        ],
        "faults": [
            {"bot": f.bot, "stretch": f.number, "kind": f.kind, "detail": f.detail}
            for f in sorted(hunt.faults, key=lambda f: (f.bot, f.source, f.number, f.kind))
        ],
        "sources": sorted({key[0] for key in hunt.stretches} | {hunt.source}),
        "config": hunt.config.model_dump(mode="json"),
        "sandbox": hunt.level,
        "entrants": sorted(hunt.known.values(), key=lambda entrant: entrant["name"]),
    }


def _standings(hunt: Hunt) -> list[dict[str, Any]]:
    """A row per bot, by the longest game; bots without one last, by name."""
    rows = []
    for name, entrant in hunt.known.items():
        own = [s for s in hunt.stretches.values() if s.bot == name]
        cpu = sum(s.cpu for s in own)
        # A bot has at least looked at what it handed over.
        tried = sum(max(s.tried, s.yielded) for s in own)
        best = hunt.best(name)
        row = {
            "name": name,
            "author": entrant["author"],
            "best": None if best is None else _find(best),
            "tried": tried,
            **{
                key: sum(getattr(s, key) for s in own)
                for key in ("yielded", "equivalent", "rejected", "loops")
            },
            "cpu_seconds": round(cpu, 1),
            "tried_per_cpu_second": round(tried / cpu) if cpu else None,
            "faults": dict(sorted(Counter(f.kind for f in hunt.faults if f.bot == name).items())),
            "retired": hunt.retired(name),
        }
        rows.append(((best is None, best.order if best else (), name), row))
    rows.sort(key=lambda row: row[0])
    return [{"rank": rank, **row} for rank, (_, row) in enumerate(rows, 1)]


def _find(find: Find) -> dict[str, Any]:
    keys = ("bot", "cards", "tricks", "deal", "found")
    return {key: getattr(find, key) for key in keys} | {"cpu_seconds": round(find.cpu, 1)}


def doubts(board: dict[str, Any]) -> list[str]:
    """What is wrong with the games on a leaderboard, every one of them played again."""
    finds = [*board["longest"], *(row["best"] for row in board["standings"] if row["best"])]
    wrong = [doubt(find["deal"], find["cards"], find["tricks"]) for find in finds]
    for rows in (board["longest"], [row["best"] for row in board["standings"] if row["best"]]):
        lengths = [(row["cards"], row["tricks"]) for row in rows]
        if lengths != sorted(lengths, reverse=True):
            wrong.append("its games are not in the order of their lengths")
    return [text for text in wrong if text is not None]


def write_hunt(hunt: Hunt, results: Path) -> None:
    """Write `leaderboard.md` and `leaderboard.json`, and the index of all results."""
    board = document(hunt)
    folder = results / hunt.config.event
    write(folder / "leaderboard.json", dumps(board))
    write(folder / "leaderboard.md", render("hunt.md.j2", {"counts": _counts}, board=board))
    write(results / "README.md", page(results))


def _counts(faults: dict[str, int]) -> str:
    return ", ".join(f"{times:,} {kind}" for kind, times in faults.items())
