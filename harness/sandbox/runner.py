"""The bot's side of the arena: load one bot, answer frames until the bell falls silent.

Runs in the confined process, in the bot's full reach: nothing here can be relied on by the arena,
which checks and measures everything from outside. What is done here for the bot's author: views,
hooks, tracebacks, and a verdict for every single reply.
"""

from __future__ import annotations

import gc
import io
import json
import mmap
import os
import sys
import traceback
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from types import ModuleType
from typing import Any, Protocol

from harness.games.frames import EXCEPTION, INT_REPLY, PROTOCOL, Question
from harness.games.player import BatchBot, SingleBot
from harness.sandbox import loading
from harness.sandbox.loading import LoadError, describe, load
from harness.sandbox.wire import (
    ANSWER,
    ASK,
    MEMORY_EXIT,
    MOST_NOTES,
    NOTE_BYTES,
    FrameLayout,
)

_REPLY_TEXT = 200  # characters that are shown of a reply
_NOTE_TEXT = NOTE_BYTES // 4  # characters of one text; there are two at most


class Notes:
    """Writes JSON lines to the arena; drops what does not fit, and never waits."""

    def __init__(self, fd: int) -> None:
        self._fd = fd
        self._left = MOST_NOTES
        os.set_blocking(fd, False)

    def write(self, note: str, /, **facts: Any) -> None:
        if self._left == 0:
            return
        self._left -= 1
        for key, value in facts.items():
            if isinstance(value, str) and len(value) > _NOTE_TEXT:
                facts[key] = value[: _NOTE_TEXT // 2] + " ... " + value[-_NOTE_TEXT // 2 :]
        line = json.dumps({"note": note, **facts}) + "\n"
        if len(line) > NOTE_BYTES:  # full of characters that JSON spells in six or twelve bytes
            facts = {k: ascii(v)[: _NOTE_TEXT // 2] for k, v in facts.items() if isinstance(v, str)}
            line = json.dumps({"note": note, **facts}) + "\n"
        try:
            os.write(self._fd, line.encode())
        except BlockingIOError:
            self._left = 0

    def fault(self, serial: int, record: int, error: BaseException | str) -> None:
        if self._left == 0:
            return
        try:
            text = error if isinstance(error, str) else tail(error)
        except BaseException as another:  # noqa: BLE001 (an exception is the bot's code, too)
            text = f"an exception that cannot be shown: {type(another).__name__} while doing so"
        self.write("fault", serial=serial, record=record, traceback=text)


def tail(error: BaseException) -> str:
    """The traceback without our own frames."""
    trace = error.__traceback__
    while trace is not None and _is_ours(trace.tb_frame.f_code.co_filename):
        trace = trace.tb_next
    return "".join(traceback.format_exception(type(error), error, trace, limit=-12)).rstrip()


def _is_ours(file: str) -> bool:
    return file in (__file__, loading.__file__) or file.startswith("<frozen importlib")


class CappedLog(io.TextIOBase):
    """Standard output and error of a bot: kept up to a limit, dropped beyond, never an error."""

    def __init__(self, fd: int, most: int) -> None:
        self._fd = fd
        self._left = most

    def writable(self) -> bool:
        return True

    def write(self, text: str) -> int:
        if self._left > 0:
            data = text[: self._left].encode("utf-8", "backslashreplace")[: self._left]
            self._left -= len(data)
            try:
                os.write(self._fd, data)
            except OSError:  # the sealed log file is full: the bot wrote to it past this object
                self._left = 0
        return len(text)


def _wrong(reply: object, question: Question) -> str:
    """What a bot is told of a reply that is none."""
    try:
        shown = f"{reply!r}"
    except ValueError:  # an int of more digits than Python spells
        shown = "what cannot be spelled"
    if len(shown) > _REPLY_TEXT:
        shown = f"{shown[:_REPLY_TEXT]}..."
    return f"answered {shown}, of type {type(reply).__name__}; expected {question.expected}"


class _NoReply:
    """The type of no reply: where replies are records, an int goes through `encode` as well."""


@dataclass(frozen=True)
class Frame:
    """What is asked at once: one record per waiting game, and room for as many replies."""

    number: int
    """Of the question."""
    question: Question
    lanes: list[int]
    opened: bytes
    """Of each record, 1 if the bot is asked for the first time in its game."""
    raw: bytes
    """The observation records."""
    replies: memoryview
    fault: Callable[[int, BaseException | str], None]
    """Tells the arena why a record got no reply."""


class Server(Protocol):
    """What answers frames."""

    def answer(self, frame: Frame) -> None:
        """Write a reply for every record of the frame."""


class SingleServer:
    """Answers frames with one `Player` instance per lane.

    `fresh`: an instance plays one game only. The hook `start_game` costs nothing unless a bot
    defines it.
    """

    def __init__(
        self,
        cls: type[SingleBot],
        questions: tuple[Question, ...],
        lanes: int,
        seed: str,
        scratch: str,
        *,
        fresh: bool,
    ) -> None:
        self._cls, self._seed, self._scratch = cls, seed, scratch
        self._questions = questions
        self._fresh = fresh
        self._bots = [self._make(lane) for lane in range(lanes)]
        self._games = [0] * lanes
        self._responders = [[q.responder(bot) for bot in self._bots] for q in questions]
        self._heeds_starts = fresh or hasattr(cls, "start_game")

    def _make(self, label: object) -> Any:
        return self._cls.make(f"{self._seed}/{label}", self._scratch)

    def answer(self, frame: Frame) -> None:
        """Write one reply per record, in order, so that a hang shows its place."""
        question, replies, fault = frame.question, frame.replies, frame.fault
        size = question.reply.size
        codes = replies.cast("h")[:: size // 2]
        encode = question.encode
        plain: type[int] | type[_NoReply] = int if question.reply is INT_REPLY else _NoReply
        record = 0
        asked = zip(self._asked(frame), question.views(frame.raw), strict=True)
        while True:
            try:
                for respond, view in asked:
                    reply = respond(view)
                    if type(reply) is plain:  # not isinstance: a bool is no card
                        try:
                            codes[record] = reply  # type: ignore[assignment]  # an int, by the test above
                        except (ValueError, OverflowError):
                            codes[record] = PROTOCOL
                            fault(record, _wrong(reply, question))
                    else:
                        payload = replies[record * size + 2 : (record + 1) * size]
                        code = encode(reply, payload)
                        if code == PROTOCOL:
                            fault(record, _wrong(reply, question))
                        codes[record] = code
                    record += 1
                return
            except MemoryError:
                raise
            except BaseException as error:  # noqa: BLE001 (the bot may raise anything)
                codes[record] = EXCEPTION
                fault(record, error)
                record += 1

    def _asked(self, frame: Frame) -> Iterable[Callable[[Any], object]]:
        """What answers each record."""
        responder = self._responders[frame.number].__getitem__
        if not self._heeds_starts or 1 not in frame.opened:
            return map(responder, frame.lanes)
        return [
            partial(self._open, frame.number, lane) if opened else responder(lane)
            for lane, opened in zip(frame.lanes, frame.opened, strict=True)
        ]

    def _open(self, number: int, lane: int, view: Any) -> object:
        """The first answer of a game."""
        if self._fresh and self._games[lane]:
            bot = self._make(f"{lane}/{self._games[lane]}")
            self._bots[lane] = bot
            for responders, question in zip(self._responders, self._questions, strict=True):
                responders[lane] = question.responder(bot)
        self._games[lane] += 1
        if start := getattr(self._bots[lane], "start_game", None):
            start(view)
        return self._responders[number][lane](view)


class BatchServer:
    """Answers frames with one `BatchPlayer` instance for all lanes."""

    def __init__(
        self,
        cls: type[BatchBot],
        questions: tuple[Question, ...],
        lanes: int,
        seed: str,
        scratch: str,
        *,
        fresh: bool,
    ) -> None:
        import numpy as np

        self._np = np
        bot = cls.make(seed, scratch)
        self._methods = [getattr(bot, question.method) for question in questions]
        self._dtypes = [
            (question.observation.dtype(), question.reply.dtype()) for question in questions
        ]

    def answer(self, frame: Frame) -> None:
        """Write all replies, or one verdict for the whole frame."""
        np = self._np
        observed, replied = self._dtypes[frame.number]
        out = np.frombuffer(frame.replies, replied)
        try:
            got = self._methods[frame.number](np.frombuffer(frame.raw, observed))
        except MemoryError:
            raise
        except BaseException as error:  # noqa: BLE001 (the bot may raise anything)
            out["code"] = EXCEPTION
            frame.fault(0, error)
            return
        # By its type: the class and shape it claims may be computed by the bot's code.
        shape = None
        if issubclass(type(got), np.ndarray):
            got = np.ndarray.view(got, np.ndarray)
            shape = got.shape
        if shape != out.shape:
            wrong = True
        elif frame.question.reply is INT_REPLY:
            wrong = got.dtype.kind not in "iu"
        else:
            wrong = got.dtype != replied
        if wrong:
            out["code"] = PROTOCOL
            kind = type(got).__name__ if shape is None else f"{got.dtype} array"
            frame.fault(0, f"answered {kind} of shape {shape}, expected {replied} {out.shape}")
            return
        if frame.question.reply is INT_REPLY:
            codes = got
        else:
            out[:] = got
            codes = got["code"]
        inside = (codes > PROTOCOL) & (codes <= np.iinfo(np.int16).max)
        if not inside.all():
            record = int(np.flatnonzero(~inside)[0])
            frame.fault(record, f"answered {codes[record]}; expected {frame.question.expected}")
        out["code"] = np.where(inside, codes, PROTOCOL)


def seed_generators(seed: str) -> None:
    """Seed the module-level generators, so that `random.random()` is reproducible too."""
    import random

    random.seed(seed)
    numpy = sys.modules.get("numpy")
    if numpy is not None:
        numpy.random.seed(random.randrange(1 << 32))
    random.seed(seed)


def serve(
    server: Server,
    questions: tuple[Question, ...],
    layout: FrameLayout,
    fds: dict[str, int],
    notes: Notes,
) -> None:
    """Answer frames until the arena closes the bell."""
    request = mmap.mmap(fds["request"], layout.request_bytes, prot=mmap.PROT_READ)
    reply = memoryview(mmap.mmap(fds["reply"], layout.reply_bytes))
    bell_in, bell_out = fds["bell_in"], fds["bell_out"]
    while len(message := os.read(bell_in, ASK.size)) == ASK.size:
        serial, n, number = ASK.unpack(message)
        question = questions[number]
        size = question.observation.size
        server.answer(
            Frame(
                number,
                question,
                memoryview(request[: 4 * n]).cast("I").tolist(),
                request[layout.opened_at : layout.opened_at + n],
                request[layout.records_at : layout.records_at + n * size],
                reply[: n * question.reply.size],
                partial(notes.fault, serial),
            )
        )
        os.write(bell_out, ANSWER.pack(serial))


def run(
    path: str,
    game: ModuleType,
    questions: tuple[Question, ...],
    lanes: int,
    fresh: bool,
    seed: str,
    scratch: str,
    fds: dict[str, int],
    output_bytes: int,
    notes: Notes,
) -> int:
    """The life of a bot's process after its confinement; returns its exit status."""
    log = CappedLog(fds["log"], output_bytes)
    sys.stdout = sys.stderr = log
    try:
        seed_generators(seed)
        cls = load(path, game)
        facts = describe(cls, questions)
        if lanes == 0:
            notes.write("loaded", **facts)
            return 0
        make = BatchServer if facts["batch"] else SingleServer
        server = make(cls, questions, lanes, seed, scratch, fresh=fresh)  # type: ignore[arg-type]
    except MemoryError:
        return MEMORY_EXIT
    except LoadError as error:
        notes.write("failed", kind="load", reason=str(error), traceback="")
        return 1
    except BaseException as error:  # noqa: BLE001 (the bot may raise anything)
        kind = "syntax" if isinstance(error, SyntaxError) else "import"
        reason = f"{type(error).__name__}: {error}"
        notes.write("failed", kind=kind, reason=reason, traceback=tail(error))
        return 1
    # What is loaded stays: keep the collector from walking it again and again.
    gc.freeze()
    gc.enable()
    notes.write("loaded", **facts)
    try:
        serve(server, questions, FrameLayout.of(questions, lanes), fds, notes)
    except MemoryError:
        return MEMORY_EXIT
    return 0
