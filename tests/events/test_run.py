"""An event is the same to the byte, however often it is killed and however many workers play it."""

from __future__ import annotations

import pytest

from harness.ledger import Ledger
from tests.events.interrupt import blocks, end, wait_until
from tests.events.small import SECRET, Small

_CUP = pytest.param("cup", marks=pytest.mark.slow)


@pytest.fixture(scope="module", params=["league", "tables", _CUP])
def small(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Small:
    """An event whose undisturbed result lies in the folder `whole`."""
    small = Small.make(tmp_path_factory.mktemp(request.param), request.param)
    played = small.play("whole", "--workers", "2")
    assert played.returncode == 0, played.stderr
    return small


@pytest.fixture(scope="module")
def league(tmp_path_factory: pytest.TempPathFactory) -> Small:
    """The same, of a league; for what does not depend on the format."""
    small = Small.make(tmp_path_factory.mktemp("league-only"), "league")
    played = small.play("whole", "--workers", "2")
    assert played.returncode == 0, played.stderr
    return small


@pytest.mark.parametrize("workers", ["1", pytest.param("4", marks=pytest.mark.slow)])
def test_any_number_of_workers_gives_the_same_bytes(small: Small, workers: str) -> None:
    """Also more than there are cores: then they share them."""
    assert small.play(workers, "--workers", workers).returncode == 0
    assert small.outcome(workers) == small.outcome("whole")


def test_a_finished_event_run_again_rewrites_its_reports_only(league: Small) -> None:
    before = league.outcome("whole")
    board = league.folder / "whole" / "small" / "leaderboard.md"
    board.unlink()
    again = league.play("whole")
    assert again.returncode == 0
    assert league.outcome("whole") == before


def test_without_a_secret_a_resumed_run_takes_the_stored_one(league: Small) -> None:
    command = league.command("whole")
    assert "--secret" not in command
    process = league.play("whole")
    assert process.returncode == 0
    assert SECRET in (league.folder / "whole" / "small" / "leaderboard.md").read_text()


@pytest.mark.parametrize(
    ("change", "said"),
    [(("--games", "400"), "games"), (("--rules", "original-2015"), "rules"), ((), "secret")],
)
def test_another_event_in_the_folder_stops_the_run(
    league: Small, change: tuple[str, ...], said: str
) -> None:
    before = league.outcome("whole")
    more = change or ("--secret", "00" * 32)
    refused = league.play("whole", *more)
    assert refused.returncode == 2
    assert said in refused.stderr
    assert "--results" in refused.stderr
    assert league.outcome("whole") == before


def test_a_changed_bot_stops_the_run_and_is_named(league: Small) -> None:
    bot = league.folder / "bots" / "pazaak" / "bold.py"
    text = bot.read_text()
    bot.write_text(text + "# changed\n")
    try:
        refused = league.play("whole")
    finally:
        bot.write_text(text)
    assert refused.returncode == 2
    assert "Bold" in refused.stderr


def test_a_ledger_in_use_refuses_a_run(league: Small) -> None:
    before = league.outcome("whole")
    with Ledger(league.ledger("whole")):
        refused = league.play("whole")
    assert refused.returncode == 2
    assert refused.stderr.splitlines() == [
        f"koth: {league.ledger('whole')} is in use by another run, or is being read; wait for it, "
        "or choose another folder with --results"
    ]
    assert league.outcome("whole") == before


@pytest.mark.slow
def test_of_two_runs_on_one_folder_the_second_is_refused(league: Small) -> None:
    process = league.start("busy")
    wait_until(lambda: blocks(league, "busy") >= 1)
    second = league.play("busy")
    assert second.returncode == 2
    assert "another run" in second.stderr
    end(process)
    assert league.outcome("busy") == league.outcome("whole")
