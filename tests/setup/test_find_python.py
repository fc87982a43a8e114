"""Which Python makes the environment, and what is said when none can."""

from __future__ import annotations

import sys

import pytest

from .conftest import Checkout


def interpreter(checkout: Checkout, python: str = "") -> str:
    """The interpreter found, or the line that is printed instead."""
    result = checkout.run("sh", "setup/find-python", python)
    assert result.stderr == ""
    assert result.stdout.count("\n") == 1
    words = result.stdout.rstrip("\n").split(" ", 3)
    return words[3] if words[0] == "ok" else result.stdout


def test_python3_comes_first(checkout: Checkout) -> None:
    python3 = checkout.python("python3", (3, 11, 2))
    checkout.python("python3.13", (3, 13, 0))
    assert interpreter(checkout) == str(python3)


@pytest.mark.parametrize("default", [None, (2, 7, 18), (3, 10, 13), (3, 14, 0)])
def test_the_newest_tested_one_stands_in(
    checkout: Checkout, default: tuple[int, ...] | None
) -> None:
    if default:
        checkout.python("python3", default)
    checkout.python("python3.11", (3, 11, 9))
    newest = checkout.python("python3.12", (3, 12, 1))
    checkout.script("python3.13", "echo 'not active here' >&2; exit 127")
    assert interpreter(checkout) == str(newest)


def test_a_newer_one_is_better_than_none(checkout: Checkout) -> None:
    python3 = checkout.python("python3", (3, 14, 0))
    assert interpreter(checkout) == str(python3)


def test_the_one_named_is_taken(checkout: Checkout) -> None:
    checkout.python("python3", (3, 11, 2))
    named = checkout.python("other", (3, 12, 1))
    assert interpreter(checkout, "other") == str(named)


@pytest.mark.parametrize("version", [(2, 7, 18), (3, 6, 15), (3, 10, 13)])
def test_too_old(checkout: Checkout, version: tuple[int, ...]) -> None:
    checkout.python("python3", version)
    assert "needs Python 3.11 or newer" in interpreter(checkout)
    assert "needs Python 3.11 or newer, and python3 is older" in interpreter(checkout, "python3")


def test_no_python(checkout: Checkout) -> None:
    assert "apt install python3 python3-venv" in interpreter(checkout)
    assert "PYTHON=python3.12 cannot be run" in interpreter(checkout, "python3.12")


def test_no_ensurepip(checkout: Checkout) -> None:
    checkout.python("python3", (3, 11, 2), able=False)
    assert "apt install python3.11-venv" in interpreter(checkout)


def test_another_system(checkout: Checkout) -> None:
    checkout.python("python3", (3, 11, 2))
    checkout.script("uname", "echo Darwin")
    assert "Linux only, and this is Darwin" in interpreter(checkout)


@pytest.mark.skipif(sys.prefix == sys.base_prefix, reason="not in an environment")
def test_an_activated_environment_changes_nothing(checkout: Checkout) -> None:
    activated = checkout.run("sh", "setup/find-python", sys.executable).stdout
    path = activated.rstrip("\n").split(" ", 3)[3]
    assert not path.startswith(sys.prefix + "/")
    assert checkout.run("sh", "setup/find-python", path).stdout == activated
