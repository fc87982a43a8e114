"""Trying a bot out: rounds that the time may cut short, and what is counted."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.config import Config, read
from harness.entrants import discover
from harness.events.bout import bout_config
from harness.events.check import Check
from harness.events.executor import on_cores
from harness.sandbox.nursery import Nursery
from harness.sandbox.probe import probe
from tests.events.small import SECRET, Small

ROOT = Path(__file__).parents[2]


class Enough(Exception):
    pass


def test_a_round_cut_short_has_met_all_opponents_equally_often(
    nursery: Nursery, tmp_path: Path
) -> None:
    small = Small.make(tmp_path, "league")
    config = bout_config("pazaak", 200).model_copy(update={"block_games": 20, "lanes": 10})
    found = discover("pazaak", small.folder / "bots", nursery, config.budgets)
    bot = next(entrant for entrant in found if entrant.file == "bold")
    report = probe()
    check = Check(config, bot, found, bytes.fromhex(SECRET), report.layers, report.level)
    bouts = check._bouts(200, check.opponents)
    assert len(bouts) == 4

    def idle() -> None:
        if sum(len(bout.results) for bout in bouts) >= 10:
            raise Enough

    with on_cores(1) as executor, pytest.raises(Enough):
        check._round(executor, bouts, idle)
    played = [check.games([bout]) for bout in bouts]
    assert sum(played) == 200
    assert max(played) - min(played) == 20  # one block
    # What is shown is counted, and what was played before it is not.
    again = check._bouts(20, check.opponents)
    with on_cores(1) as executor:
        check._round(executor, again, lambda: None)
    assert check.latest == again
    assert (check.games(check.latest), check.games(check.earlier)) == (80, 200)


def average(config: Config) -> float:
    return config.budgets.average_milliseconds


def test_a_check_allows_what_the_official_event_does() -> None:
    for path in sorted((ROOT / "configs").glob("*.yaml")):
        if path.name != "camicia-hunt.yaml":
            config = read(path)
            assert average(bout_config(config.game, 100)) == average(config), path.name
    assert average(bout_config("azi", 100)) == 0.3
    values = {"event": "e", "game": "azi", "format": "tables"}
    stricter = Config.model_validate(values | {"budgets": {"average_milliseconds": 0.2}})
    assert average(stricter) == 0.2
    assert average(Config.model_validate(values | {"budgets": {"max_faults": 3}})) == 0.3
