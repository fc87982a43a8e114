"""Azi, put together for the arena."""

from __future__ import annotations

from harness.games import contract
from harness.games.azi import rules
from harness.games.azi.about import ABOUT
from harness.games.azi.frames import QUESTIONS
from harness.games.azi.transcript import transcript

GAME = contract.Game(
    about=ABOUT,
    lane=rules.LANE,
    rules_layout=rules.RULES,
    questions=tuple(contract.Question(wire, rules.observe, rules.act) for wire in QUESTIONS),
    start=rules.start,
    proceed=rules.proceed,
    substitute=rules.substitute,
    forfeit=rules.forfeit,
    score=rules.score,
    transcript=transcript,
)
contract.implement(GAME)
