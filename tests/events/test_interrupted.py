"""Hit at any moment, an event loses nothing, blames nobody, and leaves nothing behind.

Through the real command, at random moments; the number of a test is the seed of its moment.
"""

from __future__ import annotations

import signal
from collections.abc import Iterator

import pytest

from harness.sandbox.probe import FULL, probe
from tests.events.interrupt import Moment, Traces, end, orphans_come_to_us
from tests.events.small import Small

QUICK = (3, 4, 9)
FORMATS = ("league", "cup", "tables")
SEEDS = [pytest.param(n, marks=() if n in QUICK else pytest.mark.slow) for n in range(50)]


@pytest.fixture(scope="module")
def events(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Small]:
    """By format, an event whose undisturbed result lies in the folder `whole`; made when needed."""
    return {}


@pytest.fixture(autouse=True)
def adopted() -> Iterator[None]:
    with orphans_come_to_us():
        yield


@pytest.fixture(scope="module")
def struck() -> dict[int, bool]:
    """By seed, whether there was somebody to be hit at its moment."""
    return {}


def undisturbed(
    events: dict[str, Small], format_: str, tmp_path_factory: pytest.TempPathFactory
) -> Small:
    if format_ not in events:
        small = events[format_] = Small.make(tmp_path_factory.mktemp(format_), format_)
        before = Traces()
        played = small.play("whole", "--workers", "2")
        assert played.returncode == 0, played.stderr
        assert before.left() == []
    return events[format_]


@pytest.mark.parametrize("seed", SEEDS)
def test_at_a_random_moment(
    events: dict[str, Small],
    struck: dict[int, bool],
    tmp_path_factory: pytest.TempPathFactory,
    seed: int,
) -> None:
    small = undisturbed(events, FORMATS[seed % len(FORMATS)], tmp_path_factory)
    moment, results, before = Moment.drawn(seed), f"hit-{seed}", Traces()
    workers, workers_again = map(str, moment.workers)
    process = small.start(results, "--workers", workers)
    hit = struck[seed] = moment.strike(process, small, results)
    out, err = end(process)
    said = f"seed {seed}: {moment}, hit: {hit}\n{out}{err}"
    assert "Traceback" not in err, said
    if not hit or moment.victim != "controller":
        assert process.returncode == 0, said
    elif moment.signal == signal.SIGKILL:
        assert process.returncode == -signal.SIGKILL, said
    else:
        assert process.returncode == 130, said
        assert "small.yaml" in out, said  # how to go on
    left = before.left()
    if probe().level != FULL:  # elsewhere scratch is a folder of the machine
        left = [place for place in left if "koth-scratch" not in place]
    assert left == [], said
    if process.returncode != 0:
        again = small.play(results, "--workers", workers_again)
        assert again.returncode == 0, said + again.stderr
    assert small.outcome(results) == small.outcome("whole"), said


def test_the_moments_were_not_all_too_late(struck: dict[int, bool]) -> None:
    assert 2 * sum(struck.values()) >= len(struck)
