"""The sandbox under the other interpreters of this machine, which need nothing installed."""

from __future__ import annotations

import os

import pytest

from harness.sandbox.probe import STANDARD, WEAK, probe
from tests.attacks import real
from tests.attacks.attempts import ATTEMPTS
from tests.pythons import interpreter

VERSIONS = ("3.11", "3.12", "3.13", "3.14")


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.slow
def test_all_attempts(version: str) -> None:
    python = interpreter(version)
    if python is None:
        pytest.skip(f"no other Python {version} on this machine")
    level = probe().level
    if level == WEAK:
        pytest.skip("this machine's level is weak")
    found = real.run(level, "root" if os.getuid() == 0 else "user", str(python))
    assert found.pop("_imports").kind == "succeeded"
    assert found.keys() == ATTEMPTS.keys()
    gaps = {name for name, attempt in ATTEMPTS.items() if attempt.gap not in ("", "reopen")}
    succeeded = {name for name, outcome in found.items() if outcome.kind == "succeeded"}
    assert succeeded == (gaps if level == STANDARD else set())
    assert not [name for name, outcome in found.items() if outcome.kind == "broken"]
