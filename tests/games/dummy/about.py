"""The dummy game's one rule parameter and its description."""

from __future__ import annotations

from pydantic import Field

from harness.games.about import About, Rules, rotation
from tests.games.dummy import CARDS, SEATS

_SPARE_WORDS = 6


class DummyRules(Rules):
    rounds: int = Field(3, ge=1, le=100)


def words(rules: DummyRules) -> tuple[int, int]:
    """Two rounds at a time, so that the default game runs out of words once."""
    return 2, CARDS + _SPARE_WORDS


ABOUT = About(
    name="dummy",
    title="Dummy",
    points="points",
    rules=DummyRules,
    variants={"default": DummyRules()},
    words=words,
    tables=lambda rules: rotation(SEATS),
)
