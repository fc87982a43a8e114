"""How long an event may take."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness import games
from harness.arena.budgets import Budgets
from harness.events.cup import Cup
from harness.events.estimate import estimate, likely_games
from tests.reports.synthetic import by_order, event, played

BUDGETS = Budgets(average_milliseconds=0.1, slack_seconds=1, wall_factor=3, start_wall_seconds=20)


def test_a_worked_example() -> None:
    spans = estimate(
        games.describe("pazaak").nominal,
        bots=2,
        starts=4,
        least_games=900_000,
        most_games=1_100_000,
        block_games=25_000,
        budgets=BUDGETS,
        workers=2,
    )
    assert games.describe("pazaak").nominal.rate == 25_000
    assert spans.expected == 1_000_000 / 25_000 / 2
    thinking = 1_100_000 * 27 * 0.0001 * 3
    slack = 44 * 2 * 1 * 3
    starting = 44 * 2 * 2 * 20
    assert spans.worst == pytest.approx((thinking + slack + starting) / 2)


def test_nothing_takes_no_time() -> None:
    spans = estimate(
        *(games.describe("pazaak").nominal,),
        bots=2,
        starts=4,
        least_games=0,
        most_games=0,
        block_games=2,
        budgets=BUDGETS,
        workers=1,
    )
    assert (spans.expected, spans.worst) == (0, 0)


def test_a_cups_games_become_known(tmp_path: Path) -> None:
    names = ["a", "b", "c", "d"]
    cup = event(names, "cup")
    assert isinstance(cup.schedule, Cup)
    standing = cup.schedule.standing(cup.outcomes)
    assert likely_games(cup.schedule, standing, 40) == 120 + 4 * (4 + 7) * 40 // 2
    assert likely_games(cup.schedule, standing, 10_000) == 10_000
    with played(tmp_path, cup, by_order(names)):
        standing = cup.schedule.standing(cup.outcomes)
        assert likely_games(cup.schedule, standing, 0) == 120 + 4 * 4 * 40
