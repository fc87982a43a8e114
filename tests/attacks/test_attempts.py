"""Every attempt from inside, at every level and as everybody this machine can show.

Confined, each is a bot of its own that the real zygote starts and the real runner loads; one that
succeeds fails its test. The controls show that each would succeed were it not for the sandbox, so
none of these tests passes for want of trying.
"""

from __future__ import annotations

import os
from collections.abc import Callable

import pytest

from harness.sandbox import landlock
from harness.sandbox.probe import FULL, STANDARD, WEAK, probe
from tests.attacks import real
from tests.attacks.attempts import ATTEMPTS, GAPS, Attempt
from tests.sampling import sampled
from tests.sandbox.world import LEVELS, Outcome, Run, new_world

Outcomes = Callable[[str, str], dict[str, Outcome]]

_ME, *_OTHERS = ("root", "user") if os.getuid() == 0 else ("user", "root")
_users = pytest.mark.parametrize("user", sampled([_ME, *_OTHERS], 1))
_attempts = pytest.mark.parametrize("attempt", ATTEMPTS.values(), ids=ATTEMPTS)


@pytest.fixture(scope="module")
def outcomes() -> Outcomes:
    """All attempts of a user at a level, or free, run once; skips what cannot be shown here."""
    level = probe().level
    known: dict[tuple[str, str], dict[str, Outcome]] = {}

    def run(user: str, at: str) -> dict[str, Outcome]:
        if user == "root" and os.getuid() != 0:
            pytest.skip("the tests do not run as root")
        if at != "free" and (level == WEAK or (at == FULL and level != FULL)):
            pytest.skip(f"this machine's level is {level}")
        if (user, at) not in known:
            known[user, at] = _free(user) if at == "free" else real.run(at, user)
        return known[user, at]

    return run


def _free(user: str) -> dict[str, Outcome]:
    acts = {name: attempt.act for name, attempt in ATTEMPTS.items() if user in attempt.controls}
    with new_world() as world:
        return Run(user, layers=None).all(acts, world)


@pytest.mark.parametrize(
    ("user", "at"), sampled([(u, at) for at in (FULL, STANDARD) for u in (_ME, *_OTHERS)], 1)
)
@_attempts
def test_is_refused(attempt: Attempt, at: str, user: str, outcomes: Outcomes) -> None:
    outcome = outcomes(user, at)[attempt.name]
    # All memory that the arena shares is sealed; see `test_older_landlock` for what is not.
    if attempt.gap not in ("", "reopen") and at == STANDARD:
        assert outcome.kind == "succeeded", f"no gap any more: {outcome}; see {GAPS[attempt.gap]}"
    else:
        assert outcome.kind in ("refused", "killed"), outcome


@_users
@_attempts
def test_succeeds_when_free(attempt: Attempt, user: str, outcomes: Outcomes) -> None:
    if user not in attempt.controls:
        pytest.skip("as this user it would fail anyway, or do harm")
    outcome = outcomes(user, "free")[attempt.name]
    assert outcome.kind == "succeeded", outcome


@pytest.mark.slow
@pytest.mark.parametrize("version", sampled([1, 4, 2, 3, 5, 6], 2))
def test_older_landlock(version: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Older kernels' Landlock, which handles less; this kernel's own must know more.

    Without the zygote, which would ask the kernel again.
    """
    if landlock.abi() <= version:
        pytest.skip(f"this kernel's Landlock is ABI {landlock.abi()}")
    monkeypatch.setattr(landlock, "abi", lambda: version)
    with new_world() as world:
        acts = {name: attempt.act for name, attempt in ATTEMPTS.items()}
        outcomes = Run(layers=LEVELS[STANDARD]).all(acts, world)
    gaps = {name for name, attempt in ATTEMPTS.items() if attempt.gap}
    assert {name for name, outcome in outcomes.items() if outcome.kind == "succeeded"} == gaps
    assert not [name for name, outcome in outcomes.items() if outcome.kind == "broken"]


def test_there_are_enough_of_them() -> None:
    assert len(ATTEMPTS) >= 80
    assert sum(bool(attempt.controls) for attempt in ATTEMPTS.values()) >= 60
    assert {attempt.gap for attempt in ATTEMPTS.values()} == {"", *GAPS}
