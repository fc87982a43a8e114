"""How a Pazaak question travels: one record per waiting game, decoded into `View`s."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import repeat

from harness.games.frames import INT_REPLY, Question, Record, Spellings
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


_UNPACKED: dict[str, Callable[[int], object]] = {
    **dict.fromkeys(("hand", "opponent_hand", "side_hand"), unpack),
    **dict.fromkeys(("first", "opponent_played"), bool),
    "opponent_action": ACTIONS.get,
}
_pieces = [
    Spellings(_UNPACKED.get(fact, int), f'{"," if number else ""}"{fact}":')
    for number, fact in enumerate(FACTS)
]


def spell(raw: bytes) -> Iterator[str]:
    """The facts of the views as JSON, in the same order.

    Column by column, from pieces that were spelled before: a decision of a quick program costs
    little more than this.
    """
    columns = zip(_pieces, _columns(raw), strict=True)
    return map("".join, zip(*(map(p.__getitem__, column) for p, column in columns), strict=True))


def _wrong(view: View, answer: int) -> str:
    held = " ".join(map(str, view.side_hand)) or "none"
    return (
        f"side cards held: {held}; answered {answer}; expected END (0), STAND (-1) or play(card) "
        "with a side card that is held"
    )


QUESTIONS = (
    Question(
        method="respond",
        observation=OBSERVATION,
        reply=INT_REPLY,
        views=views,
        spell=spell,
        expected="an int: END (0), STAND (-1) or play(card)",
        wrong=_wrong,
    ),
)
