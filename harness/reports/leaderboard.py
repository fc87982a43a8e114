"""`leaderboard.md`: the document as a page."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml

from harness.arena.faults import KINDS
from harness.reports.markdown import render
from harness.reports.tree import how, tree


def leaderboard(board: Mapping[str, Any], results: Path = Path("results")) -> str:
    """The page of an event, whose folder lies in `results`."""
    rows = board["places"] if board["format"] == "cup" else board["standings"]
    return render(
        f"{board['format']}.md.j2",
        filters={
            "how": how,
            "or_bye": lambda name: "bye" if name is None else name,
            "set_winner": set_winner,
            "note": note,
            "noted": lambda rows: any(note(row) for row in rows),
            "counts": lambda faults: ", ".join(f"{kind} {n:,}" for kind, n in faults.items()),
            "yes_no": lambda value: {"True": "yes", "False": "no"}.get(str(value), value),
        },
        board=board,
        kinds=kinds(row["faults"] for row in rows),
        cells={(cell["row"], cell["column"]): cell for cell in _cross(board)},
        tree=tree(board),
        timed=[(m, block) for m in board["matches"] for block in m["blocks"] if block["timed"]],
        commands="\n".join(commands(board, results)),
        config=configuration(board),
    )


def _cross(board: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
    """The cells of the cross table; a cup's is that of its seeding league."""
    if board["format"] == "tables":
        return ()
    league = board if board["format"] == "league" else board["seeding"] or {"cross": []}
    cells: Sequence[Mapping[str, Any]] = league["cross"]
    return cells


def kinds(faults: Iterable[Mapping[str, int]]) -> list[str]:
    """The kinds of fault that occurred, in the usual order: a column each."""
    present = {kind for counts in faults for kind in counts}
    return [kind for kind in KINDS if kind in present]


def note(row: Mapping[str, Any]) -> str:
    """What has to be said about a bot beside its numbers."""
    words = ["disqualified"] if row.get("disqualified") else []
    if number := len(row["retirements"]):
        reasons = ", ".join(sorted({retired["kind"] for retired in row["retirements"]}))
        words.append(f"retired in {number} match{'es' if number > 1 else ''} ({reasons})")
    return "; ".join(words)


def set_winner(
    played: Mapping[str, Any], pairing: Mapping[str, Any], last: bool, points: str
) -> str:
    """Who won a set, beside its last play; beside the others, and if nobody did, that it is drawn.

    `last`: whether the play is the set's last one so far.
    """
    if not last or played["winner"] is None:
        return "drawn"
    name = (pairing["first"], pairing["second"])[played["winner"]]
    return f"{name}" + {"sets": "", "hands": f", by {points}", "lot": ", by lot"}[played["how"]]


def commands(board: Mapping[str, Any], results: Path) -> list[str]:
    """The commands that play the event again, elsewhere, and compare.

    Where the config lay is not known; configs/EVENT.yaml is where the page tells readers to put it.
    """
    config, event = board["config"], board["event"]
    words = ["koth", board["format"], f"configs/{event}.yaml", "--games", str(config["games"])]
    if isinstance(config["rules"], str):
        words += ["--rules", config["rules"]]
    files = sorted(entrant["file"] for entrant in board["entrants"])
    if config["entrants"] is None and not any("," in file for file in files):
        words += ["--only", ",".join(files)]
    if board["sandbox"] == "weak":
        words.append("--allow-weak-sandbox")
    words += ["--secret", board["secret"]]
    if "salt" in board:
        words += ["--salt-from", board["salt_source"], "--salt", board["salt"]]
    words += ["--results", "again"]
    return [
        shlex.join(words),
        f"cmp again/{event}/leaderboard.json leaderboard.json  # the one beside this page",
        shlex.join(["koth", "verify", str(results / event)]),
    ]


def configuration(board: Mapping[str, Any]) -> str:
    """The config as YAML that koth reads back."""
    # Without the keys that are not set: they mean the same as null, and read better.
    config = {key: value for key, value in board["config"].items() if value is not None}
    return yaml.safe_dump(config, sort_keys=False, allow_unicode=True, width=1000).rstrip()
