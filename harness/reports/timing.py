"""`timing.json` and `timing.md`: all that changes from run to run, kept apart from the results."""

from __future__ import annotations

import datetime
import os
import platform
from collections.abc import Mapping
from importlib import metadata
from math import fsum
from pathlib import Path
from typing import Any

from harness.reports.markdown import render
from harness.reports.played import Played

SCHEMA = 1
_LIBRARIES = ("numpy", "numba", "cryptography")


def document(played: Played) -> dict[str, Any]:
    """Time and memory as measured, and on what."""
    event = played.event
    counted = {o.match.id: (o.match, played.blocks(o)) for o in played.outcomes}
    rows = {(id_, row.number): row for id_, (_, blocks) in counted.items() for row in blocks}
    seconds: dict[tuple[str, int], float] = {}
    spent: dict[str, list[Any]] = {entrant.name: [] for entrant in event.entrants}
    for id_, block, player, timing in played.ledger.timings():
        if (id_, block) not in rows:
            continue
        seconds[id_, block] = timing.seconds
        name = counted[id_][0].players[player]
        spent[name].append((timing, rows[id_, block].players[player].decisions))
    games = sum(row.games for row in rows.values())
    total = fsum(seconds.values())
    seating = event.config.seating
    starts = len(seating.legs) * (seating.seats // seating.places)
    return {
        "schema": SCHEMA,
        "event": event.config.event,
        "written": datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
        "games": games,
        "blocks": len(rows),
        "seconds": round(total, 3),
        "games_per_second": round(games / total, 1) if total else None,
        "bots": [_bot(name, spent[name], starts) for name in sorted(spent)],
        "machine": machine(),
        "versions": versions(),
    }


def _bot(name: str, spent: list[Any], starts: int) -> dict[str, Any]:
    decisions = sum(number for _, number in spent)
    cpu = fsum(timing.cpu for timing, _ in spent)
    starting = fsum(timing.cpu_starting for timing, _ in spent)
    processes = starts * len(spent)
    return {
        "name": name,
        "decisions": decisions,
        "cpu_seconds": round(cpu, 3),
        "microseconds_per_decision": round(1e6 * cpu / decisions, 3) if decisions else None,
        "start_cpu_seconds": round(starting, 3),
        "milliseconds_per_start": round(1e3 * starting / processes, 2) if spent else None,
        "memory_mb": round(max((timing.memory_kb for timing, _ in spent), default=0) / 1024, 1),
    }


def machine() -> dict[str, Any]:
    """What the reports were written on; usually also what the games were played on."""
    import psutil

    return {
        "system": f"{platform.system()} {platform.release()}",
        "architecture": platform.machine(),
        "processor": _processor(),
        "cores": len(os.sched_getaffinity(0)),
        "memory_mb": psutil.virtual_memory().total >> 20,
    }


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return "unknown"
    names = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(names, "unknown")


def versions() -> dict[str, str]:
    """Of Python and of the libraries that the arena computes with."""
    found = {"python": platform.python_version()}
    for library in _LIBRARIES:
        try:
            found[library] = metadata.version(library)
        except metadata.PackageNotFoundError:
            found[library] = "unknown"
    return found


def page(spent: Mapping[str, Any]) -> str:
    """The document as Markdown."""
    return render("timing.md.j2", {}, spent=spent)
