"""`faults.md`: the first faults of every kind with their circumstances, for the bots' authors."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from harness.arena.faults import EXAMPLES_PER_KIND, KINDS
from harness.events.match import Match
from harness.reports.markdown import render
from harness.reports.played import Played
from harness.reports.text import visible

_MOST_LINES = 40
_MOST_CHARACTERS = 4000


@dataclass(frozen=True)
class Folders:
    """As commands name them."""

    results: Path
    bots: Path


def page(played: Played, folders: Folders) -> str | None:
    """The page, or None if nobody has done anything wrong."""
    found = {entrant.name: played.faults(entrant.name) for entrant in played.event.entrants}
    examples = _examples(played, folders)
    bots = [
        {
            "name": name,
            "counts": found[name],
            "examples": [e for kind in KINDS for e in examples.get((name, kind), ())],
        }
        for name in sorted(found)
        if found[name]
    ]
    if not bots:
        return None
    config = played.event.config
    return render("faults.md.j2", {}, event=config.event, bots=bots, most=EXAMPLES_PER_KIND)


def _examples(played: Played, folders: Folders) -> dict[tuple[str, str], list[dict[str, Any]]]:
    """The first examples by bot and kind, in the order of the schedule."""
    order = {outcome.match.id: number for number, outcome in enumerate(played.outcomes)}
    matches = {outcome.match.id: outcome.match for outcome in played.outcomes}
    moot = {(o.match.id, block) for o in played.outcomes for block in o.moot}
    stored = [e for e in played.ledger.examples() if e[0] in order and e[:2] not in moot]
    stored.sort(key=lambda e: (order[e[0]], e[1]))
    kept: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for id_, block, player, example in stored:
        match = matches[id_]
        those = kept.setdefault((match.players[player], example["kind"]), [])
        if len(those) < EXAMPLES_PER_KIND:
            those.append(
                {
                    **example,
                    "match": match.label,
                    "block": block,
                    **_where(played, match, block, example, folders),
                    "saw": "\n".join(f"{k} = {v!r}" for k, v in example["saw"].items()),
                    "traceback": _shortened(example["traceback"]),
                }
            )
    return kept


def _where(
    played: Played, match: Match, block: int, example: dict[str, Any], folders: Folders
) -> dict[str, Any]:
    """The game and the command that shows it; None for what happened before any game."""
    if example["deal"] < 0:
        return {"game": None, "replay": None}
    game = match.game_number(block, example["leg"], example["deal"])
    files = {entrant.name: entrant.file for entrant in played.event.entrants}
    words = ["koth", "replay", str(folders.results / played.event.config.event)]
    if played.event.config.format != "tables":  # which are a single match, of everybody
        words += [files[name] for name in match.players]
    words.append(str(game))
    if match.stage not in ("match", "tables"):
        words += ["--set", match.stage.removeprefix("set ").replace("seeding", "0")]
    if folders.bots != Path("bots"):
        words += ["--bots", str(folders.bots)]
    return {"game": game, "replay": shlex.join(words)}


def _shortened(text: str) -> str:
    """The end of a traceback, where the cause stands."""
    lines = visible(text, keep="\n").strip("\n")[-_MOST_CHARACTERS:].split("\n")
    cut = len(lines) > _MOST_LINES or len(text) > _MOST_CHARACTERS
    return "\n".join((["..."] if cut else []) + lines[-_MOST_LINES:])
