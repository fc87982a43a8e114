"""requirements.lock: every package pinned and hashed, for every Python, from anywhere."""

from __future__ import annotations

import re
import tomllib

import pytest
from packaging.markers import Environment, Marker, default_environment
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from .conftest import ROOT

LOCK = (ROOT / "requirements.lock").read_text()
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())

# One entry: its first line without the continuation, then its hashes.
PIN = re.compile(r"(\S+)==(\S+)(?: ; (.+?))?(?: --hash=sha256:[0-9a-f]{64})+")


def pins(python: str) -> dict[str, str]:
    """The versions by name that an installation on that Python takes."""
    environment: Environment = default_environment()
    environment |= {"python_version": python, "python_full_version": f"{python}.0"}
    found = {}
    lines = re.sub(r" *\\\n +", " ", re.sub(r"^ *#.*\n", "", LOCK, flags=re.MULTILINE))
    for line in lines.splitlines():
        match = PIN.fullmatch(line)
        assert match, f"not a pin with hashes: {line}"
        name, version, marker = match.groups()
        if marker is None or Marker(marker).evaluate(dict(environment)):
            assert name not in found
            found[name] = version
    return found


@pytest.mark.parametrize("python", ["3.11", "3.12", "3.13"])
def test_covers_the_project(python: str) -> None:
    found = pins(python)
    wanted = PROJECT["project"]["dependencies"] + PROJECT["dependency-groups"]["dev"]
    for requirement in map(Requirement, wanted + PROJECT["build-system"]["requires"]):
        version = found[canonicalize_name(requirement.name)]
        assert requirement.specifier.contains(version), f"{requirement}: run make lock"


def test_one_version_for_all_pythons() -> None:
    assert pins("3.11") == pins("3.12") == pins("3.13")


def test_names_no_place() -> None:
    assert "/" not in LOCK
    assert "://" not in (ROOT / "pyproject.toml").read_text()
