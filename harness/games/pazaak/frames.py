"""How a Pazaak question travels: one record per waiting game, decoded into `View`s."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import repeat

from harness.games.frames import INT_REPLY, Question, Record
from harness.games.pazaak import FACTS, View

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


QUESTIONS = (
    Question(
        method="respond",
        observation=OBSERVATION,
        reply=INT_REPLY,
        views=views,
    ),
)
