"""What is published says what was played: the pages in `results/`, and the table in the README."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from harness.reports.leaderboard import leaderboard
from harness.reports.markdown import number, percent, rating

ROOT = Path(__file__).parents[2]
BOARDS = {
    path.parent.name: json.loads(path.read_text(encoding="utf-8"))
    for path in sorted((ROOT / "results").glob("*/leaderboard.json"))
}
PLAYED = [name for name, board in BOARDS.items() if board["format"] != "hunt"]


@pytest.mark.parametrize("name", PLAYED)
def test_a_page_is_that_of_its_json(name: str) -> None:
    page = (ROOT / "results" / name / "leaderboard.md").read_text(encoding="utf-8")
    assert page == leaderboard(BOARDS[name])


def test_the_table_in_the_readme_is_the_official_leagues() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    rows = [line for line in text.splitlines() if line.startswith("| ") and line[2].isdigit()]
    assert rows == [
        f"| {row['rank']} | {row['name']} | {number(row['wins'])} | {number(row['losses'])} | "
        f"{percent(row['share'])} | {rating(row)} |"
        for row in BOARDS["pazaak-league"]["standings"]
    ]
