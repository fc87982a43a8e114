"""How a Pazaak question travels: one record per waiting game, decoded into `View`s."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import repeat

from harness.games.frames import INT_REPLY, Question, Record
from harness.games.pazaak import END, NO_ACTION, STAND, View

OBSERVATION = Record(
    (
        # Hands are packed, four bits a card, the first card lowest.
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

# The hand cache is emptied at this size; hands repeat so much that it hardly ever gets there.
_MOST_HANDS = 100_000


class _Hands(dict[int, tuple[int, ...]]):
    """Packed hand -> tuple of cards, each tuple made once."""

    def __missing__(self, packed: int) -> tuple[int, ...]:
        if len(self) >= _MOST_HANDS:
            self.clear()
        hand = []
        rest = packed
        while rest:
            hand.append(rest & 15)
            rest >>= 4
        self[packed] = tuple(hand)
        return self[packed]


_hands = _Hands()
_flag = (False, True)
_actions = {END: END, STAND & 0xFF: STAND, NO_ACTION: None}


def views(raw: bytes) -> Iterator[View]:
    """The views of a frame, in order.

    `tuple.__new__` over zipped columns makes a NamedTuple at half the price of calling its class.
    """
    column = OBSERVATION.column
    hand = _hands.__getitem__
    flag = _flag.__getitem__
    action = OBSERVATION.offsets["opponent_action"]
    return map(
        tuple.__new__,
        repeat(View),
        zip(
            column(raw, "wins"),
            column(raw, "opponent_wins"),
            map(flag, column(raw, "first")),
            map(hand, column(raw, "hand")),
            map(hand, column(raw, "opponent_hand")),
            map(hand, column(raw, "side_hand")),
            column(raw, "opponent_side_cards"),
            map(_actions.__getitem__, raw[action :: OBSERVATION.size]),
            map(flag, column(raw, "opponent_played")),
            column(raw, "total"),
            column(raw, "opponent_total"),
            column(raw, "hand_number"),
            column(raw, "game_number"),
            strict=True,
        ),
    )


def _game_number(view: View) -> int:
    return view.game_number


QUESTIONS = (
    Question(
        method="respond",
        observation=OBSERVATION,
        reply=INT_REPLY,
        views=views,
        starts=_game_number,
    ),
)
