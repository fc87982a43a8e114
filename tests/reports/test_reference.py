"""docs/reference/leaderboard.md describes every field there is, and its examples are real."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from harness.arena.tally import Tally
from harness.reports.files import dumps
from tests.reports.conftest import Report
from tests.reports.synthetic import at_tables, block, event
from tests.reports.test_cup import NAMES as CUP
from tests.reports.test_cup import mixed
from tests.reports.test_league import NAMES as LEAGUE
from tests.reports.test_league import eventful

REFERENCE = Path(__file__).parents[2] / "docs" / "reference" / "leaderboard.md"
TEXT = REFERENCE.read_text(encoding="utf-8")
# Described on pages of their own.
ELSEWHERE = ("config", "parameters", "faults")


def fields(value: Any) -> Iterator[str]:
    """The names of all fields below a value."""
    if isinstance(value, list):
        for item in value:
            yield from fields(item)
    elif isinstance(value, dict):
        for key, below in value.items():
            yield key
            if key not in ELSEWHERE:
                yield from fields(below)


def played(report: Report, format_: str) -> Path:
    """An event with all there is to describe; its folder."""
    if format_ == "league":
        return report(event(LEAGUE), eventful)
    if format_ == "cup":
        return report(event(CUP, "cup"), mixed)
    return report(event(LEAGUE, "tables", game="bs"), at_tables)


@pytest.mark.parametrize(
    ("format_", "file"),
    [
        ("league", "leaderboard.json"),
        ("cup", "leaderboard.json"),
        ("tables", "leaderboard.json"),
        ("league", "timing.json"),
    ],
)
def test_every_field_is_described(report: Report, format_: str, file: str) -> None:
    folder = played(report, format_)
    document = json.loads((folder / file).read_text(encoding="utf-8"))
    described = set(re.findall(r"`(\w+)`", TEXT)) | set(re.findall(r'"(\w+)":', TEXT))
    assert set(fields(document)) - described == set()


def examples() -> dict[str, Any]:
    """The examples by the heading under which they stand."""
    sections = re.split(r"^##+ ", TEXT, flags=re.MULTILINE)[1:]
    return {
        section.split("\n")[0].split(",")[0]: json.loads(code)
        for section in sections
        for code in re.findall(r"```json\n(.*?)```", section, flags=re.DOTALL)
    }


def test_the_examples_have_exactly_the_fields_of_the_real_thing(report: Report) -> None:
    folders = {format_: played(report, format_) for format_ in ("league", "cup", "tables")}
    boards = {
        format_: json.loads((folder / "leaderboard.json").read_text(encoding="utf-8"))
        for format_, folder in folders.items()
    }
    league, board, bracket = folders["league"], boards["league"], boards["cup"]
    at_tables = {f"{key} at tables": boards["tables"][key] for key in ("standings", "matches")}
    shown = examples()
    assert set(shown) == {
        *("standings", "cross", "disqualified", "places", "pairings", "matches", "timing.json"),
        *at_tables,
    }
    for name, example in shown.items():
        if name == "timing.json":
            real = json.loads((league / "timing.json").read_text(encoding="utf-8"))
        else:
            real = {**bracket, **board, **at_tables}[name][0]
        assert list(example) == list(real), name
        for key in ("share", "mean", "blocks", "sets"):
            if real.get(key):
                assert shape(example[key]) == shape(real[key])


def shape(value: Any) -> Any:
    """The fields of an object, or of the first in a list of them."""
    if isinstance(value, list):
        return shape(value[0]) if value else None
    return [(key, shape(below)) for key, below in value.items()] if isinstance(value, dict) else ""


def test_the_examples_are_written_as_koth_writes_them() -> None:
    for code in re.findall(r"```json\n(.*?)```", TEXT, flags=re.DOTALL):
        assert dumps(json.loads(code)) == code


def test_the_worked_numbers_are_possible() -> None:
    match = examples()["matches"]
    for key in ("games", "deals", "squares"):
        assert sum(b[key] for b in match["blocks"]) == match[key]
    assert block(10, 4).squares == match["blocks"][0]["squares"]
    (block_,) = examples()["matches at tables"]["blocks"]
    tallies = [Tally.of(lineup, sums) for lineup, *sums in block_["tallies"]]
    assert sum(tally.deals for tally in tallies) == block_["deals"]
    for key in ("wins", "points"):
        taken = [0] * len(block_[key])
        for tally in tallies:
            for player, own in zip(tally.who, getattr(tally, key), strict=True):
                taken[player] += own
        assert taken == block_[key]
