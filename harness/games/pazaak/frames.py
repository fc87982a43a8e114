"""How a Pazaak question travels: one record per waiting game, decoded into `View`s."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import repeat

from harness.games.frames import INT_REPLY, TRUTHS, Question, Record, Spellings, template
from harness.games.pazaak import ACTIONS, FACTS, View, unpack

OBSERVATION = Record(
    (
        # Hands are packed, four bits a card, the first card lowest. The action is a signed byte,
        # read unsigned by `View`.
        ("hand", "<u8"),
        ("opponent_hand", "<u8"),
        ("side_hand", "<u8"),
        ("game_number", "<u4"),
        ("hand_number", "<u2"),
        ("wins", "u1"),
        ("opponent_wins", "u1"),
        ("first", "u1"),
        ("opponent_side_cards", "u1"),
        ("opponent_action", "i1"),
        ("opponent_played", "u1"),
        ("total", "u1"),
        ("opponent_total", "u1"),
    )
)

_columns = OBSERVATION.columns(*FACTS)


def views(raw: bytes) -> Iterator[View]:
    """The views of a frame, in order.

    `tuple.__new__` over zipped columns makes a view at a third of the price of calling its class.
    """
    return map(tuple.__new__, repeat(View), zip(*_columns(raw), strict=True))


_spelled = template(FACTS)
_words: dict[str, Spellings] = {
    **dict.fromkeys(("hand", "opponent_hand", "side_hand"), Spellings(unpack)),
    **dict.fromkeys(("first", "opponent_played"), TRUTHS),
    "opponent_action": Spellings(ACTIONS.get),
}


def spell(raw: bytes) -> Iterator[str]:
    """The facts of the views as JSON, in the same order.

    Column by column and without a view in between, at a quarter of the price.
    """
    columns = (
        map(_words[fact].__getitem__, column) if fact in _words else column
        for fact, column in zip(FACTS, _columns(raw), strict=True)
    )
    return map(_spelled.__mod__, zip(*columns, strict=True))


QUESTIONS = (
    Question(
        method="respond",
        observation=OBSERVATION,
        reply=INT_REPLY,
        views=views,
        spell=spell,
    ),
)
