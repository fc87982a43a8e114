"""Every single value of a leaderboard changed, one at a time, and what `koth verify` says to it."""

from __future__ import annotations

import contextlib
import io
import json
import re
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

from harness.cli.main import koth
from harness.errors import UserError
from harness.events import verify as questions
from harness.events.archive import event_of, stored
from harness.reports.files import dumps
from harness.sandbox.isolation import Layers
from tests.cli.conftest import Answer

Path_ = tuple[str | int, ...]

NOT_VERIFIED = {"koth", "sandbox", "entrants[].file"}
"""What nothing can be derived from; docs/reference/leaderboard.md says why."""


def leaves(value: Any, at: Path_ = ()) -> Iterator[tuple[Path_, Any]]:
    """Where every value stands that has nothing below it, and the value."""
    below: Any = ()
    if isinstance(value, dict):
        below = value.items()
    elif isinstance(value, list):
        below = enumerate(value)
    if not below:
        yield at, value
    for key, each in below:
        yield from leaves(each, (*at, key))


def label(at: Path_) -> str:
    """As koth names a place: 'matches[0].wins[1]'."""
    parts = (f"[{key}]" if isinstance(key, int) else f".{key}" for key in at)
    return "".join(parts).removeprefix(".")


def kind(at: Path_) -> str:
    """The same without numbers: 'matches[].wins[]'."""
    return label(tuple("#" if isinstance(key, int) else key for key in at)).replace(".#", "[]")


def others(value: Any) -> list[Any]:
    """A value that is a little different, and one of another type."""
    if isinstance(value, bool):
        return [not value, int(value)]
    if isinstance(value, int):
        return [value + 1, float(value)]
    if isinstance(value, float):
        return [value + 0.001, str(value)]
    if isinstance(value, str):
        if len(value) == 64:
            return [value[:-1] + ("0" if value[-1] != "0" else "1"), value[:-1]]
        return [value + "x", 7]
    return [["x"], {"exception": 1}, "x"] if value in ([], {}) else [0, "x"]


def changed(document: Any, at: Path_, value: Any) -> Any:
    """A copy with another value in one place."""
    copy = deepcopy(document)
    below = copy
    for key in at[:-1]:
        below = below[key]
    below[at[-1]] = value
    return copy


def command(folder: Path, bots: Path) -> Answer:
    """`koth verify` with all blocks, in this process."""
    out = io.StringIO()
    words = ["verify", str(folder), "--blocks", "all", "--workers", "1", "--bots", str(bots)]
    with contextlib.redirect_stdout(out):
        try:
            status = koth.main(words, prog_name="koth", standalone_mode=False)
        except UserError as error:
            return Answer(2, out.getvalue(), str(error))
    return Answer(status, out.getvalue(), "")


def verify(folder: Path, bots: Path) -> Answer:
    """The same, but at the first difference that is found without starting a bot it stops.

    Starting all of them for every change would take an hour.
    """
    try:
        with stored(folder) as source:
            facts = source.event()
            event = event_of(facts, Layers(), facts["sandbox"])
            answers = [questions.commitment(event, facts)]
            answers.append(questions.leaderboard(event, source, folder))
    except UserError as error:
        return Answer(2, "", str(error))
    found = [difference for answer in answers for difference in answer.differences]
    return Answer(1, f"DIFFERS  {found[0]}", "") if found else command(folder, bots)


def check(board: Path, bots: Path, places: list[tuple[Path_, Any]]) -> None:
    """Change these leaves of a leaderboard, one at a time: none may be confirmed."""
    document = json.loads(board.read_text(encoding="utf-8"))
    for at, value in places:
        for other in others(value):
            board.write_text(dumps(changed(document, at, other)), encoding="utf-8")
            answer = verify(board.parent, bots)
            where = f"{label(at)}: {value!r} -> {other!r}: {answer}"
            if answer.status == 2:  # malformed
                assert len(answer.err.splitlines()) == 1, where
                assert re.search(rf"\b{re.escape(str(at[-1]))}\b", answer.err), where
            else:
                assert answer.status == 1, where
                assert re.search(r"DIFFERS  \S", answer.out), where
    board.write_text(dumps(document), encoding="utf-8")
