"""An event is the same to the byte, however often it is killed and however many workers play it."""

from __future__ import annotations

import os
import random
import signal
import sqlite3
import time

import psutil
import pytest

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


def wait_until(condition, seconds: float = 30.0) -> None:
    """Wait for something that must come; fail if it does not."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "it did not happen in time"
        time.sleep(0.02)


def blocks(small: Small, results: str) -> int:
    """How many blocks a ledger holds at the moment, read past the run that has it open."""
    path = small.folder / results / "small" / "ledger.sqlite"
    if not path.exists():
        return 0
    with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as db:
        try:
            return int(db.execute("SELECT count(*) FROM blocks").fetchone()[0])
        except sqlite3.OperationalError:  # not written yet
            return 0


def family(pid: int) -> list[psutil.Process]:
    """A process and all its descendants."""
    root = psutil.Process(pid)
    return [root, *root.children(recursive=True)]


def test_one_worker_gives_the_same_bytes_as_two(small: Small) -> None:
    assert small.play("one", "--workers", "1").returncode == 0
    assert small.outcome("one") == small.outcome("whole")


@pytest.mark.parametrize("seed", [1, *(pytest.param(n, marks=pytest.mark.slow) for n in (2, 3))])
def test_killed_at_any_moment_it_plays_exactly_what_is_missing(small: Small, seed: int) -> None:
    results = f"killed-{seed}"
    rng = random.Random(seed)
    total = small.outcome("whole")[0].count('["blocks"')
    for _ in range(1 + (seed > 1)):
        process = small.start(results, "--workers", "2")
        goal = min(blocks(small, results) + rng.randrange(1, total // 2), total - 2)
        wait_until(lambda goal=goal: blocks(small, results) >= goal)
        members = family(process.pid)
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        # Nobody survives: not the workers, not the zygotes, not the bots in their own sessions.
        _, alive = psutil.wait_procs(members, timeout=10)
        assert [p for p in alive if p.status() != psutil.STATUS_ZOMBIE] == []
    before = blocks(small, results)
    assert 0 < before < total
    assert small.play(results, "--workers", "2").returncode == 0
    assert small.outcome(results) == small.outcome("whole")


def test_ctrl_c_stops_orderly_and_says_how_to_go_on(league: Small) -> None:
    process = league.start("stopped", "--workers", "1")
    wait_until(lambda: blocks(league, "stopped") >= 1)
    members = family(process.pid)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=30)
    assert process.returncode == 130
    assert "small.yaml" in out + err
    _, alive = psutil.wait_procs(members, timeout=10)
    assert alive == []
    assert league.play("stopped").returncode == 0
    assert league.outcome("stopped") == league.outcome("whole")


@pytest.mark.parametrize(
    "victim", ["worker", *(pytest.param(who, marks=pytest.mark.slow) for who in ("zygote", "bot"))]
)
def test_a_killed_helper_process_is_nobodys_loss(league: Small, victim: str) -> None:
    results = f"lost-{victim}"
    process = league.start(results, "--workers", "1")
    wait_until(lambda: blocks(league, results) >= 2)
    depth = {"worker": 1, "zygote": 2, "bot": 3}[victim]

    def find() -> list[psutil.Process]:
        found = [psutil.Process(process.pid)]
        for _ in range(depth):
            found = [child for parent in found for child in parent.children()]
        return found

    wait_until(lambda: bool(find()))
    for unlucky in find()[:1]:
        unlucky.kill()
    out, err = process.communicate(timeout=240)
    assert process.returncode == 0, out + err
    assert league.outcome(results) == league.outcome("whole")


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


@pytest.mark.slow
def test_a_second_run_on_the_same_folder_is_refused(league: Small) -> None:
    process = league.start("busy")
    wait_until(lambda: blocks(league, "busy") >= 1)
    second = league.play("busy")
    assert second.returncode == 2
    assert "another run" in second.stderr
    process.communicate(timeout=240)
    assert league.outcome("busy") == league.outcome("whole")
