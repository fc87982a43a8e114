"""The worked example of docs/explanation/statistics.md says what the code computes."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from harness.arena.tally import count
from harness.standings import choice, seats
from harness.standings.intervals import Interval, share_variance
from harness.standings.rating import fit
from harness.standings.table import league_table
from tests.standings.records import of_deals

PAGE = Path(__file__).parents[2] / "docs" / "explanation" / "statistics.md"
RECORDS = [
    of_deals("Ant", "Bee", 110, 800, 90),
    of_deals("Ant", "Cat", 400, 550, 50),
    of_deals("Bee", "Cat", 400, 570, 30),
]


def percent(share: Interval) -> str:
    return f"{share.value:.1%} ({100 * share.low:.1f}-{100 * share.high:.1f})".replace("%", " %")


def test_every_line_of_its_tables() -> None:
    page = PAGE.read_text(encoding="utf-8")
    table, ratings = league_table(RECORDS), fit(RECORDS)
    for row in table.rows:
        band = "-".join(str(rank) for rank in sorted(set(row.band)))
        rating = ratings[row.name]
        assert (
            f"| {row.rank} | {band} | {row.name} | {row.wins}-{row.draws}-{row.losses} "
            f"| {percent(row.share)} | {rating.elo:+} ± {rating.margin} |"
        ) in page
        cells = [
            percent(table.cross[row.name, name].share) if name != row.name else ""
            for name in ("Ant", "Bee", "Cat")
        ]
        assert "| " + " | ".join([row.name, *cells]).replace("|  |", "| |") in page


def test_errors_of_the_text() -> None:
    errors = [round(100 * share_variance(record) ** 0.5, 3) for record in RECORDS]
    assert errors == [0.707, 0.905, 0.856]
    assert round(1000 * share_variance(RECORDS[0]), 5) == 0.04995
    assert round((errors[0] ** 2 + errors[1] ** 2 / 4 + errors[2] ** 2 / 4) ** 0.5, 2) == 0.94
    assert round((1.96 * 0.9422 / 0.5) ** 2) == 14


def test_the_example_at_tables() -> None:
    page = PAGE.read_text(encoding="utf-8")
    wins = np.array([(2, 1, 1, 0)] * 40 + [(1, 2, 1, 0)] * 30 + [(1, 1, 0, 2)] * 30)
    tallies = count(np.tile(np.arange(4, dtype=np.int16), (100, 1)), wins, wins, 4)
    names = ["Ant", "Bee", "Cat", "Dog"]
    ratings = choice.fit(tallies, 4, partners=False)
    for row in seats.standings(names, tallies, by_points=False):
        rating = ratings[names.index(row.name)]
        assert (
            f"| {row.rank} | {row.band[0]}-{row.band[1]} | {row.name} | {row.wins} "
            f"| {percent(row.share)} | {rating.elo:+} ± {rating.margin} |"
        ) in page
    covariances = 100 * np.cov(wins.T) / 400**2
    ant, bee = covariances[0, 0] ** 0.5, covariances[1, 1] ** 0.5
    lead = (covariances[0, 0] + covariances[1, 1] - 2 * covariances[0, 1]) ** 0.5
    errors = [ant, bee, (ant**2 + bee**2) ** 0.5, lead, 1.96 * lead, (0.35 * 0.65 / 400) ** 0.5]
    assert [round(100 * error, 2) for error in errors] == [1.23, 1.15, 1.69, 2.09, 4.09, 2.38]
