"""Spades, put together for the arena."""

from __future__ import annotations

from harness.games import contract
from harness.games.spades import rules
from harness.games.spades.about import ABOUT
from harness.games.spades.frames import QUESTIONS
from harness.games.spades.transcript import transcript

_OBSERVE = (rules.observe_bid, rules.observe_play)

GAME = contract.Game(
    about=ABOUT,
    lane=rules.LANE,
    rules_layout=rules.RULES,
    questions=tuple(
        contract.Question(wire, observe, rules.act)
        for wire, observe in zip(QUESTIONS, _OBSERVE, strict=True)
    ),
    start=rules.start,
    proceed=rules.proceed,
    substitute=rules.substitute,
    forfeit=rules.forfeit,
    score=rules.score,
    transcript=transcript,
)
contract.implement(GAME)
