"""How deals travel from a hunter to the harness: text, a line per deal."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from itertools import starmap
from typing import Any

from harness.games.camicia import Catch, Driver, Request
from harness.games.frames import PROTOCOL, Question, Record

MOST_DEALS = 500
"""Deals handed over at a time."""
MOST_DEAL_BYTES = 192
"""Of one deal's text, in figures and with separators. More is cut off, and no deal any more."""

REQUEST = Record((("milliseconds", "<u4"), ("most", "<u4")))
REPLY = Record(
    (
        ("code", "<i2"),  # how many deals
        ("over", "<u2"),
        ("length", "<u4"),  # of the text
        ("tried", "<u8"),
        ("text", "u1", (MOST_DEALS * MOST_DEAL_BYTES,)),
    )
)
_HEAD = struct.Struct("<HIQ")  # of a reply, behind its code
_LARGEST = (1 << 63) - 1

_columns = REQUEST.columns("milliseconds", "most")


def requests(raw: bytes) -> Iterator[Request]:
    """The requests of a frame, in order; there is one."""
    return starmap(Request, zip(*_columns(raw), strict=True))


def encode(reply: object, payload: memoryview) -> int:
    """Write what a slice came to behind the code, and return the code."""
    if not isinstance(reply, Catch) or not isinstance(reply.tried, int):
        return PROTOCOL
    lines = [_line(deal) for deal in reply.deals[:MOST_DEALS]]
    text = b"\n".join(lines)
    tried = min(max(int(reply.tried), 0), _LARGEST)
    _HEAD.pack_into(payload, 0, int(reply.over), len(text), tried)
    payload[_HEAD.size : _HEAD.size + len(text)] = text
    return len(lines)


def _line(deal: str) -> bytes:
    return deal.replace("\n", " ").encode("ascii", "replace")[: MOST_DEAL_BYTES - 1]


def decode(reply: Any) -> tuple[list[str], int, bool]:
    """From a reply record (a copy of it): deals as text, deals tried, whether it is over.

    Whatever the bot's process has written, these come of it: no more than MOST_DEALS texts.
    """
    text = reply["text"].tobytes()[: int(reply["length"])].decode("ascii", "replace")
    lines = text.split("\n")[: min(max(int(reply["code"]), 0), MOST_DEALS)]
    return lines, min(int(reply["tried"]), _LARGEST), bool(reply["over"])


QUESTIONS = (
    Question(
        method="hunt",
        observation=REQUEST,
        reply=REPLY,
        views=requests,
        encode=encode,
        drive=Driver,
    ),
)
