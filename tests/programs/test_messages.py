"""Programs are told what bots in Python are: every message is its view, fact by fact."""

from __future__ import annotations

import json
import random
from typing import Any

import numpy as np
import pytest

from harness import games
from harness.games.frames import Question
from tests.games.lockstep import play
from tests.sampling import sampled

DEALS = {"pazaak": 60, "bs": 3, "spades": 2, "azi": 2}


def facts(game: str, question: Question, view: Any) -> dict[str, Any]:
    """The view's facts by name, as docs/reference/protocol.md has them."""
    known: dict[str, Any] = view._asdict()
    if game == "bs" and known["last"] is not None:
        known["last"] = known["last"]._asdict()
    if game == "azi" and question.method == "bet":
        del known["legal"]
    return known


def decision(rng: random.Random, view: Any) -> object:
    """Something legal, of whatever game the view is."""
    match type(view).__module__.split(".")[2], type(view).__name__:
        case "pazaak", _:
            cards = [*view.side_hand, 0, 0, 0, 0, -1]
            return rng.choice(cards)
        case "bs", _:
            if view.number:
                return rng.random() < 0.3
            return rng.sample(view.hand, min(rng.choice([1, 1, 2, 4]), len(view.hand)))
        case "spades", "BidView":
            return rng.randint(0, 5)
        case _:
            return rng.choice(view.legal)


@pytest.mark.parametrize("game_name", sampled(list(DEALS), 1))
def test_every_fact_of_every_view_is_told(game_name: str) -> None:
    game, rng = games.load(game_name), random.Random(5)
    told: set[str] = set()

    def question_of(record: np.void) -> Question:
        fitting = [q.wire for q in game.questions if q.observation == record.dtype]
        if game_name == "azi":  # three questions with one record; cards are legal in two of them
            fitting = [q for q in fitting if (q.method == "bet") == (not record["legal"])]
        return fitting[0]

    def decide(seat: int, record: np.void) -> object:
        question, raw = question_of(record), record.tobytes()
        (view,), (message,) = question.views(raw), question.messages(raw)
        found = json.loads(f"{{{message}}}")
        expected = facts(game_name, question, view)
        assert list(found) == list(expected)
        assert found == json.loads(json.dumps(expected))
        assert " " not in message
        assert len(message) < 4000
        told.add(question.method)
        return decision(rng, view)

    for rules in game.about.variants.values():
        play(game, rules, b"messages".ljust(32), DEALS[game_name], 2, decide, raw=True)
    assert len(told) > (game_name == "spades")
