"""The way to the cup, as a tree of text: the final at the root, the first round at the leaves.

Text in a code block, because it needs no escaping, and names of any width cannot put it out of
shape: nothing stands behind them that would have to line up.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from harness.reports.text import visible


def tree(board: Mapping[str, Any]) -> str:
    """The pairings that led to first place; empty while there are none."""
    pairings = [p for p in board.get("pairings", ()) if p["places"][0] == 1]
    if not pairings:
        return ""
    last = max(pairing["round"] for pairing in pairings)
    roots = [pairing for pairing in pairings if pairing["round"] == last]
    return "\n".join(line for root in roots for line in _lines(root, board, pairings, "", ""))


def _lines(
    pairing: Mapping[str, Any],
    board: Mapping[str, Any],
    pairings: Sequence[Mapping[str, Any]],
    first: str,
    rest: str,
) -> Iterator[str]:
    yield first + describe(pairing, board["points"])
    before = [
        earlier
        for name in (pairing["first"], pairing["second"])
        for earlier in pairings
        if earlier["round"] == pairing["round"] - 1 and earlier["winner"] == name
    ]
    for number, earlier in enumerate(before, 1):
        end = number == len(before)
        own, below = ("└─ ", "   ") if end else ("├─ ", "│  ")
        yield from _lines(earlier, board, pairings, rest + own, rest + below)


def describe(pairing: Mapping[str, Any], points: str) -> str:
    """One pairing in a line, its winner first: `final: Nestor  4-2  Bastila`."""
    name, one, other = pairing["name"], pairing["first"], pairing["second"]
    if pairing["how"] == "bye":
        return f"{name}: {visible(pairing['winner'])}  bye"
    score = pairing["score"]
    if pairing["winner"] == other:
        one, other, score = other, one, score[::-1]
    ending = how(pairing, points)
    line = f"{name}: {visible(one)}  {score[0]}-{score[1]}  {visible(other)}"
    return f"{line}  ({visible(ending)})" if ending else line


def how(pairing: Mapping[str, Any], points: str) -> str:
    """How a pairing was decided, where it was not simply by sets won on games."""
    if pairing["winner"] is None:
        return "not finished"
    if pairing["how"] == "disqualified":
        one, other = pairing["first"], pairing["second"]
        return f"{other if pairing['winner'] == one else one} disqualified"
    ways = {"bye": "bye", "sets": "", "hands": f"by {points}", "lot": "by lot"}
    return ways[pairing["how"]]
