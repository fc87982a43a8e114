"""BS, put together for the arena."""

from __future__ import annotations

from harness.games import contract
from harness.games.bs import rules
from harness.games.bs.about import ABOUT
from harness.games.bs.frames import QUESTIONS
from harness.games.bs.transcript import transcript

GAME = contract.Game(
    about=ABOUT,
    lane=rules.LANE,
    rules_layout=rules.RULES,
    questions=(
        contract.Question(QUESTIONS[0], rules.observe, rules.act_lay),
        contract.Question(QUESTIONS[1], rules.observe, rules.act_call),
    ),
    start=rules.start,
    proceed=rules.proceed,
    substitute=rules.substitute,
    forfeit=rules.forfeit,
    score=rules.score,
    transcript=transcript,
)
contract.implement(GAME)
