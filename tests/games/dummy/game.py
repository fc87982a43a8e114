"""The dummy game, put together for the arena."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from harness.games import contract
from tests.games.dummy import rules
from tests.games.dummy.about import ABOUT
from tests.games.dummy.frames import QUESTIONS


def transcript(rules: Any, words: Any, more: Any, decisions: Any, names: Any) -> Iterator[str]:
    yield f"{len(list(decisions))} decisions by {', '.join(names)}."


GAME = contract.Game(
    about=ABOUT,
    lane=rules.LANE,
    rules_layout=rules.RULES,
    questions=(
        contract.Question(QUESTIONS[0], rules.observe_bid, rules.act_bid),
        contract.Question(QUESTIONS[1], rules.observe_discard, rules.act_discard),
    ),
    start=rules.start,
    proceed=rules.proceed,
    substitute=rules.substitute,
    forfeit=rules.forfeit,
    score=rules.score,
    transcript=transcript,
)
contract.implement(GAME)
