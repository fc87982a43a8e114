"""Camicia's description. Nothing in it is dealt by the harness, and nobody meets anybody."""

from __future__ import annotations

from harness.games.about import About, Rules


class CamiciaRules(Rules):
    """Camicia has no parameters."""


def words(rules: CamiciaRules) -> tuple[int, int]:
    """No random words: the bots bring the deals."""
    return 0, 0


ABOUT = About(
    name="camicia",
    title="Camicia",
    points="tricks",
    rules=CamiciaRules,
    variants={"text": CamiciaRules()},
    words=words,
    hunted=True,
)
