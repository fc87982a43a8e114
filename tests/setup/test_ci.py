""".ci/run installs what is missing, and only that."""

from __future__ import annotations

import pytest

from .conftest import Checkout


@pytest.fixture
def machine(checkout: Checkout) -> Checkout:
    """A checkout on a machine that has everything."""
    checkout.python("python3", (3, 11, 2))
    for name in ("git", "gcc"):
        checkout.script(name, "exit 1")
    for name in ("make", "apt-get"):
        checkout.script(name, f'echo "{name} $*" >>calls')
    return checkout


def test_nothing_missing(machine: Checkout) -> None:
    assert machine.run("bash", ".ci/run").returncode == 0
    assert machine.calls() == ["make lint test"]


def test_no_compiler_and_no_venv(machine: Checkout) -> None:
    (machine.bin / "gcc").unlink()
    machine.python("python3", (3, 11, 2), able=False)
    assert machine.run("bash", ".ci/run").returncode == 0
    *installed, last = machine.calls()
    assert installed == [
        "apt-get update",
        "apt-get install --yes --no-install-recommends gcc libc6-dev python3 python3-venv",
    ]
    assert last == "make lint test"


def test_a_failure_is_one(machine: Checkout) -> None:
    machine.script("make", "exit 2")
    assert machine.run("bash", ".ci/run").returncode == 2
