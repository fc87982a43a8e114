"""How the questions of BS travel: one record per waiting game, decoded into `View`s."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from itertools import repeat
from typing import Any

from harness.games.bs import CARDS, FACTS, NOBODY, RANKS, SEATS, View
from harness.games.frames import PROTOCOL, Question, Record, Spellings, template

OBSERVATION = Record(
    (
        ("turn", "<u2"),
        ("hand", "u1", (CARDS,)),  # padded with NOBODY
        ("sizes", "u1", (SEATS,)),
        ("seat", "u1"),
        ("rank", "u1"),
        ("number", "u1"),  # 0: the seat is asked to lay
        ("pile", "u1"),
        # The turn before; zeros and NOBODY in the first.
        ("last_rank", "u1"),
        ("last_number", "u1"),
        ("last_caller", "u1"),  # NOBODY: nobody called
        ("last_lied", "u1"),
        ("last_taken", "u1"),
        ("given", "u1"),  # NOBODY: no card of the seat's was drawn
    )
)
"""What a seat may know, whichever question it is asked."""

LAY_REPLY = Record((("code", "<i2"), ("cards", "u1", (CARDS,))))
"""`code`: how many of `cards` are laid."""
CALL_REPLY = Record((("code", "<i2"),))
"""`code`: CALL or NO_CALL. Not `INT_REPLY`: an int is no call, so every reply is encoded."""

NO_CALL, CALL = 0, 1
ILLEGAL = -1
"""The code of a list of ints that cannot be cards of a hand."""

_FORM = struct.Struct(f"<H{CARDS}s{SEATS}B10B{OBSERVATION.size - OBSERVATION.offsets['']}x")


def views(raw: bytes) -> Iterator[View]:
    """The views of a frame, in order."""
    return map(tuple.__new__, repeat(View), _FORM.iter_unpack(raw))


_INT = {int}  # exactly: a bool is no card
_RANKS = bytes(range(RANKS))


def encode_lay(reply: object, payload: memoryview) -> int:
    """A list or tuple of ints; whether such cards are held is for the rules to say."""
    if not isinstance(reply, (list, tuple)) or not _INT.issuperset(map(type, reply)):
        return PROTOCOL
    try:
        cards = bytes(reply)
    except ValueError:  # an int that no byte holds
        return ILLEGAL
    if len(cards) > CARDS or cards.strip(_RANKS):
        return ILLEGAL
    payload[: len(cards)] = cards
    return len(cards)


def encode_call(reply: object, payload: memoryview) -> int:
    """True or False, nothing that merely looks like them."""
    if reply is True:
        return CALL
    return NO_CALL if reply is False else PROTOCOL


def _turn_before(facts: tuple[int, ...]) -> dict[str, Any] | None:
    """What `View.last` says, by name. `facts`: this turn, and what is known of the one before."""
    turn, *before = facts
    last = View._make((turn, b"", *[0] * 8, *before, 0)).last
    return None if last is None else last._asdict()


_hands = Spellings(lambda padded: list(padded.rstrip(bytes([NOBODY]))))
_turns = Spellings(_turn_before)
_cards = Spellings(lambda card: None if card == NOBODY else card)
_spelled = template(FACTS).replace('"sizes":%s', '"sizes":[%d,%d,%d,%d]')


def spell(raw: bytes) -> Iterator[str]:
    """The facts of the views as JSON, in the same order; the turn before is an object."""
    for turn, hand, *rest in _FORM.iter_unpack(raw):
        a, b, c, d, seat, rank, number, pile, *before, given = rest
        mover = turn % SEATS
        # Of the turn only its mover matters, and whether there was one before.
        last = _turns[(turn and (turn - 1) % SEATS + 1, *before)]
        place = (seat, turn, mover, rank, number, _hands[hand])
        yield _spelled % (*place, a, b, c, d, pile, last, _cards[given])


def _wrong_lay(view: View, answer: int | list[int]) -> str:
    held = " ".join(map(str, view.hand))
    if isinstance(answer, int):
        said = f"numbers that are no ranks, or more than {CARDS} of them"
    elif not answer:
        said = "no card"
    else:
        said = " ".join(map(str, answer))
        excess = [
            f"{answer.count(rank)} of rank {rank}, of which {view.hand.count(rank)} are held"
            for rank in sorted(set(answer))
            if answer.count(rank) > view.hand.count(rank)
        ]
        said += f": {', '.join(excess)}" if excess else ""
    return f"holds {held}; answered {said}; expected ranks of one or more cards that are held"


def _wrong_call(view: View, answer: int | list[int]) -> str:
    return f"answered {answer}; expected {CALL} to call or {NO_CALL} not to"


QUESTIONS = (
    Question(
        "lay",
        OBSERVATION,
        LAY_REPLY,
        views,
        encode_lay,
        expected=f"a list or tuple of ints, ranks from 0 to {RANKS - 1}",
        spell=spell,
        wrong=_wrong_lay,
    ),
    Question(
        "call",
        OBSERVATION,
        CALL_REPLY,
        views,
        encode_call,
        expected="True or False",
        spell=spell,
        wrong=_wrong_call,
    ),
)
