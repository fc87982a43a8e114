"""Frames: how questions travel to a bot's process and replies come back.

A frame is an array of fixed-size records, one per waiting game, in memory that both processes
share. This module is imported inside the bots' processes: no NumPy, nothing but the layout.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    import numpy as np

# Format of a field as NumPy spells it -> format of the memoryview that reads it.
_Cast = Literal["B", "b", "H", "h", "I", "i", "Q", "q"]
_CASTS: dict[str, _Cast] = {
    "u1": "B",
    "i1": "b",
    "<u2": "H",
    "<i2": "h",
    "<u4": "I",
    "<i4": "i",
    "<u8": "Q",
    "<i8": "q",
}

# Codes that no action of any game uses; what the bot's process writes when there is no action.
UNANSWERED = -32768
EXCEPTION = -32767
PROTOCOL = -32766


@dataclass(frozen=True)
class Record:
    """The layout of one kind of record: packed fields, wide ones first."""

    fields: tuple[tuple[str, str] | tuple[str, str, tuple[int, ...]], ...]
    """(name, format) or (name, format, shape), wide formats first so that they are aligned."""

    @cached_property
    def offsets(self) -> dict[str, int]:
        """Where each field begins, in bytes."""
        offsets, at = {}, 0
        for name, form, *shape in self.fields:
            width = int(form[-1])
            if at % width:
                raise ValueError(f"field {name!r} is not aligned; put wide fields first")
            offsets[name] = at
            count = 1
            for length in shape[0] if shape else ():
                count *= length
            at += width * count
        offsets[""] = at
        return offsets

    @cached_property
    def size(self) -> int:
        """Bytes per record: a multiple of the widest field, so that every record is aligned."""
        widest = max(int(field[1][-1]) for field in self.fields)
        return -(-self.offsets[""] // widest) * widest

    def dtype(self) -> np.dtype[Any]:
        """The same layout for NumPy, which is imported only here."""
        import numpy as np

        layout: Any = {
            "names": [field[0] for field in self.fields],
            "formats": [
                field[1] if len(field) == 2 else (field[1], field[2]) for field in self.fields
            ],
            "offsets": [self.offsets[field[0]] for field in self.fields],
            "itemsize": self.size,
        }
        return np.dtype(layout)

    def columns(self, *names: str) -> Callable[[bytes], list[Sequence[int]]]:
        """A function that takes scalar fields out of raw records, one sequence per name.

        A strided copy of bytes is an order of magnitude quicker than unpacking records one by
        one. Signed bytes come unsigned.
        """
        size = self.size
        forms = dict(field[:2] for field in self.fields)
        plan: list[tuple[int, _Cast | None, int]] = []
        for name in names:
            width, at = int(forms[name][-1]), self.offsets[name]
            plan.append((at // width, _CASTS[forms[name]] if width > 1 else None, size // width))

        def take(raw: bytes) -> list[Sequence[int]]:
            view = memoryview(raw)
            return [
                raw[at::step] if cast is None else view.cast(cast)[at::step].tolist()
                for at, cast, step in plan
            ]

        return take


def _no_payload(reply: object, payload: memoryview) -> int:
    """For games whose replies are plain integers: anything else breaks the protocol."""
    return PROTOCOL


@dataclass(frozen=True)
class Question:
    """One kind of decision, as the bot's process sees it."""

    method: str
    """The method of `Player` and `BatchPlayer` that answers it."""
    observation: Record
    reply: Record
    """Its first field is `code` (<i2): the reply itself where replies are plain integers."""
    views: Callable[[bytes], Iterable[Any]]
    """Turns the raw records of a frame into views."""
    encode: Callable[[object, memoryview], int] = _no_payload
    """Writes a reply that is not an int into its record's payload and returns its code."""
    drive: Callable[[Any], Callable[[Any], object]] | None = None
    """Makes of a bot what answers its views, where that is not the method itself."""
    spell: Callable[[bytes], Iterable[str]] | None = None
    """Spells the raw records of a frame as JSON, where that is not the views' facts as they are."""
    expected: str = "a reply of the game"
    """What every answer has to be, type and range, for whoever has answered something else."""
    wrong: Callable[[Any, Any], str] | None = None
    """Of a view and an illegal answer, an int or a list: what was held, answered and expected."""

    def illegal(self, view: Any, answer: int | list[int]) -> str:
        """What is wrong with an answer that the rules forbid, for its bot's author."""
        if self.wrong is None:
            return f"answered {answer}; expected {self.expected}"
        return self.wrong(view, answer)

    def responder(self, bot: Any) -> Callable[[Any], object]:
        """What of the bot answers a view."""
        answer: Callable[[Any], object] = getattr(bot, self.method)
        return answer if self.drive is None else self.drive(bot)

    def messages(self, raw: bytes) -> Iterable[str]:
        """The facts of each raw record as programs read them: a JSON object without its braces."""
        if self.spell is not None:
            return self.spell(raw)
        return (spelled(view._asdict())[1:-1] for view in self.views(raw))


def wrong_card(
    answer: int,
    hand: Sequence[int],
    legal: Sequence[int],
    *,
    cards: int,
    name: Callable[[int], str],
) -> str:
    """What is wrong with a card that may not be played to a trick. `cards`: of the deck."""
    if not 0 <= answer < cards:
        said = f"{answer}, which is no card"
    elif answer in hand:
        said = f"{name(answer)} ({answer}), which may not be played to this trick"
    else:
        said = f"{name(answer)} ({answer}), which is not held"
    held, allowed = (" ".join(map(name, these)) for these in (hand, legal))
    return f"holds {held}; answered {said}; expected one of view.legal: {allowed}"


def spelled(value: object) -> str:
    """A value as JSON, without spaces."""
    return json.dumps(value, separators=(",", ":"))


# A game's views repeat hands, tricks and chips so much that a cache hardly ever gets there.
_MOST_SPELLINGS = 50_000


class Spellings(dict[Any, str]):
    """A packed fact -> what `unpack` makes of it, as JSON behind `key`, each spelled once."""

    def __init__(self, unpack: Callable[[Any], object], key: str = "") -> None:
        super().__init__()
        self._unpack = unpack
        self._key = key

    def __missing__(self, packed: Any) -> str:
        if len(self) >= _MOST_SPELLINGS:
            self.clear()
        self[packed] = text = self._key + spelled(self._unpack(packed))
        return text


TRUTHS = Spellings(bool)
"""0 and 1 as JSON."""


def template(facts: Iterable[str]) -> str:
    """What `%` makes the JSON of, without its braces, of spelled facts in this order."""
    return ",".join(f'"{fact}":%s' for fact in facts)


INT_REPLY = Record((("code", "<i2"),))
"""The reply record of games in which every reply is one small integer."""
