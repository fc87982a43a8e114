"""A disk that is full or read-only: one clear line, and nothing that was stored is lost."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from harness.errors import UserError
from harness.ledger import Ledger
from harness.reports.event import write_reports
from tests.events.disk import CANNOT
from tests.events.small import SECRET, Small
from tests.reports.synthetic import by_order, event

NAMES = ["Ant", "Bee", "Cat", "Dog", "Elk", "Fox"]
FILL = "import sys; from tests.events.test_storage import fill; sys.exit(fill(sys.argv[1]))"


def fill(results: str) -> int:
    """Play what is missing of a league, as a run would: the status, as the command's."""
    league, rule = event(NAMES), by_order(NAMES)
    folder = Path(results) / league.config.event
    folder.mkdir(exist_ok=True)
    try:
        with Ledger(folder / "ledger.sqlite") as ledger:
            if not ledger.event():
                ledger.set_event(league.facts())
            for match in league.schedule.matches(league.outcomes):
                league.learn(match, ledger.rows(match))
                for number, deals in match.blocks():
                    if number in league.outcomes(match).missing:
                        league.learn_block(
                            match, ledger.add(match, number, rule(match, number, deals))
                        )
                        print("stored", match.id, number)
            write_reports(league, ledger, Path(results))
    except UserError as error:
        print(error, file=sys.stderr)
        return 2
    return 0


def on_disk(folder: Path, size: str, *steps: list[Any]) -> list[list[Any]]:
    """What the commands among the steps came to: status, output, errors."""
    folder.mkdir()
    command = [sys.executable, "-m", "tests.events.disk", str(folder), size]
    command += [json.dumps([str(word) for word in step]) for step in steps]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=280)
    if done.returncode == CANNOT:
        pytest.skip(f"this user may not mount: {done.stderr.strip()}")
    assert done.returncode == 0, done.stderr
    told: list[list[Any]] = json.loads(done.stdout)
    return told


def one_line(step: list[Any], *words: str) -> None:
    """Exit status 2 and one line that holds these words."""
    status, _, err = step
    assert status == 2, err
    assert len(err.strip().splitlines()) == 1, err
    for word in words:
        assert word in err


def test_a_full_disk_loses_nothing_that_was_stored(tmp_path: Path) -> None:
    disk, plain, kept = (tmp_path / name for name in ("disk", "plain", "synthetic-league"))
    plain.mkdir()
    assert fill(str(plain)) == 0
    play = [sys.executable, "-c", FILL, disk]
    koth = [sys.executable, "-m", "harness", "standings", disk / "synthetic-league", "--json"]
    full, read_only, shown, whole, _ = on_disk(
        *(disk, "240k", play, ["ro"], play, koth, ["rw,size=8m"], play),
        ["cp", "-r", disk / "synthetic-league", kept],
    )
    stored = full[1].count("stored")
    assert 0 < stored < 30
    hint = "what was stored before is safe, and the same command goes on"
    one_line(full, "ledger.sqlite: cannot be written: database or disk is full", hint)
    one_line(read_only, "ledger.lock: cannot be written: Read-only file system")
    assert json.loads(shown[1])["games"] == 20 * stored
    assert (whole[0], whole[1].count("stored")) == (0, 30 - stored), whole[2]
    board, page = (
        [(folder / f"leaderboard.{kind}").read_text() for folder in (kept, plain / kept.name)]
        for kind in ("json", "md")
    )
    assert board[0] == board[1]
    # The commands on a page name the folder that it was written to.
    assert page[0].replace(str(disk), "DISK") == page[1].replace(str(plain), "DISK")


@pytest.mark.slow
def test_reports_that_find_no_room_are_written_later(tmp_path: Path) -> None:
    disk = tmp_path / "disk"
    play = [sys.executable, "-c", FILL, disk]
    stuff = "import os, sys; s = os.statvfs(sys.argv[1]); n = (s.f_bavail - 11) * s.f_bsize; "
    stuff += "open(sys.argv[1] + '/stuff', 'wb').write(bytes(n))"
    boards = ["sha256sum", disk / "synthetic-league" / "leaderboard.json"]
    played, before, _, late, after, hidden, _, done, last = on_disk(
        *(disk, "8m", play, boards, [sys.executable, "-c", stuff, disk], play, boards),
        *(["ls", "-A", disk / "synthetic-league"], ["rm", disk / "stuff"], play, boards),
    )
    assert played[0] == done[0] == 0, played[2] + done[2]
    one_line(late, "leaderboard.json: cannot be written: No space left on device", "the ledger")
    assert before[1] == after[1] == last[1] != ""
    assert not any(name.startswith(".") for name in hidden[1].splitlines())


@pytest.mark.slow
def test_a_run_on_a_full_disk(tmp_path: Path) -> None:
    """The same through the real command, with bots; what is played there can also be verified."""
    small = Small.make(tmp_path, "league")
    (tmp_path / "kept").mkdir()
    run = small.command("disk", "--secret", SECRET, "--workers", "2")
    verify = [*run[:3], "verify", tmp_path / "disk" / "small", "--bots", tmp_path / "bots"]
    full, read_only, sound, whole, still, _ = on_disk(
        *(tmp_path / "disk", "260k", run, ["ro"], run, [*verify, "--blocks", "1"]),
        *(["rw,size=8m"], run, ["ro"], [*verify, "--blocks", "1"]),
        ["cp", "-r", tmp_path / "disk" / "small", tmp_path / "kept" / "small"],
    )
    one_line(full, "koth: ", "ledger.sqlite: cannot be written: database or disk is full")
    one_line(read_only, "koth: ", "ledger.lock: cannot be written: Read-only file system")
    assert whole[0] == 0, whole[2]
    for step in (sound, still):
        assert step[0] == 0, step[1] + step[2]
        assert "1 of " in step[1]
    assert small.play("whole").returncode == 0
    # Beneath the disk that is gone: the pages name its folder.
    (tmp_path / "kept" / "small").rename(tmp_path / "disk" / "small")
    assert small.outcome("disk") == small.outcome("whole")
