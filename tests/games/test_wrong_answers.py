"""What authors are told of a wrong answer: what was held, what was answered, what was expected."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from harness.games.azi import CALL, FOLD, card
from harness.games.azi import frames as azi
from harness.games.bs import View as BsView
from harness.games.bs import frames as bs
from harness.games.frames import PROTOCOL, Question
from harness.games.pazaak import View as PazaakView
from harness.games.pazaak import frames as pazaak
from harness.games.player import SingleBot
from harness.games.spades import BidView, PlayView
from harness.games.spades import card as spades_card
from harness.games.spades import frames as spades
from harness.sandbox.runner import Frame, SingleServer

GAMES = {"pazaak": pazaak, "bs": bs, "spades": spades, "azi": azi}
QUESTIONS = [(name, question) for name, game in GAMES.items() for question in game.QUESTIONS]


def told(game: str, question: Question, reply: object) -> tuple[int, str]:
    """The code and the words that a real server makes of a reply."""
    methods = {one.method: lambda bot, view: reply for one in GAMES[game].QUESTIONS}
    bot: Any = type("Wrong", (SingleBot,), methods)
    questions, notes = GAMES[game].QUESTIONS, []
    server = SingleServer(bot, questions, 1, "", "", fresh=False)
    replies = bytearray(question.reply.size)
    server.answer(
        Frame(
            questions.index(question),
            question,
            [0],
            b"\0",
            bytes(question.observation.size),
            memoryview(replies),
            lambda record, text: notes.append(str(text)),
        )
    )
    (text,) = notes
    return memoryview(replies)[:2].cast("h")[0], text


@pytest.mark.parametrize("reply", [1.5, None, 10**30, "7"])
@pytest.mark.parametrize(("game", "question"), QUESTIONS)
def test_what_is_no_answer_of_a_game_names_type_and_range(
    game: str, question: Question, reply: object
) -> None:
    code, text = told(game, question, reply)
    assert code == PROTOCOL
    kind = type(reply).__name__
    assert text == f"answered {reply!r}, of type {kind}; expected {question.expected}"


@pytest.mark.parametrize(("game", "question"), QUESTIONS)
def test_every_question_says_what_it_expects(game: str, question: Question) -> None:
    assert question.expected != Question("m", *[question.observation] * 2, lambda raw: ()).expected
    assert question.wrong is not None


PAZAAK = PazaakView(0, 0, True, (7,), (9,), (2, 4), 4, None, False, 7, 9, 0, 0)
BS = BsView(seat=0, turn=0, rank=0, number=0, hand=(7, 2, 7), sizes=(3, 9, 9, 9), pile=0)
HAND = tuple(sorted(map(spades_card, ("2C", "KC", "AS"))))


def spades_view(kind: Any, **more: Any) -> Any:
    facts = {"seat": 0, "dealer": 3, "score": 0, "opponent_score": 0, "bags": 0}
    return kind(**facts, opponent_bags=0, hand_number=0, game_number=0, hand=HAND, **more)


def azi_view(**facts: int) -> Any:
    hand = 1 << card("h6") | 1 << card("sA")
    fields = {"hand": hand, "turn_up": card("d7"), "seats": 4, "players": 15, **facts}
    made = np.zeros(1, azi.OBSERVATION.dtype())
    for name, value in fields.items():
        made[name] = value
    (view,) = azi.views(made.tobytes())
    return view


@pytest.mark.parametrize(
    ("question", "view", "answer", "words"),
    [
        (pazaak.QUESTIONS[0], PAZAAK, 9, ["side cards held: 2 4;", "answered 9;", "play(card)"]),
        (bs.QUESTIONS[0], BS, [2, 2], ["holds 7 2 7;", "2 of rank 2, of which 1 are held;"]),
        (bs.QUESTIONS[0], BS, [], ["answered no card;", "one or more cards that are held"]),
        (bs.QUESTIONS[0], BS, -1, ["no ranks"]),
        (bs.QUESTIONS[1], BS, 2, ["answered 2;", "1 to call or 0 not to"]),
        (
            azi.QUESTIONS[azi.BET],
            azi_view(stacks=90, cost=5, least=6, most=80, may_call=1),
            500,
            [
                "has 90 chips,",
                "CALL takes 5;",
                "answered 500;",
                f"CALL ({CALL}) or chips from 6 to",
            ],
        ),
        (azi.QUESTIONS[azi.BET], azi_view(may_fold=1), 3, [f"expected FOLD ({FOLD})"]),
        (
            azi.QUESTIONS[azi.PLAY],
            azi_view(legal=1 << card("h6")),
            card("sA"),
            ["holds h6 sA;", "sA (26), which may not be played", "view.legal: h6"],
        ),
        (azi.QUESTIONS[azi.PLAY], azi_view(), card("d6"), ["d6 (1), which is not held"]),
        (azi.QUESTIONS[azi.DISCARD], azi_view(), 27, ["27, which is no card"]),
    ],
)
def test_an_illegal_answer_is_explained(
    question: Question, view: Any, answer: Any, words: list[str]
) -> None:
    text = question.illegal(view, answer)
    for word in words:
        assert word in text


def test_an_illegal_answer_at_spades_is_explained() -> None:
    bid, play = spades.QUESTIONS
    view = spades_view(BidView, bids=(None,) * 4)
    assert bid.illegal(view, 14) == "bid 14; expected 0 (NIL) to 13"
    legal = (spades_card("2C"), spades_card("KC"))
    view = spades_view(
        PlayView,
        bids=(3, 3, 3, 3),
        legal=legal,
        trick=((3, spades_card("QC")),),
        tricks=(),
        tricks_won=(0, 0, 0, 0),
        spades_broken=False,
    )
    text = play.illegal(view, spades_card("AS"))
    assert text.startswith("holds 2C KC AS; answered AS (51), which may not be played")
    assert text.endswith("expected one of view.legal: 2C KC")
    assert "3H (27), which is not held" in play.illegal(view, spades_card("3H"))
    assert "60, which is no card" in play.illegal(view, 60)
