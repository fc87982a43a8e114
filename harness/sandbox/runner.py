"""The bot's side of the arena: load one bot, answer frames until the bell falls silent.

Runs in the confined process, in the bot's full reach: nothing here can be relied on by the arena,
which checks and measures everything from outside. What is done here for the bot's author: views,
hooks, tracebacks, and a verdict for every single reply.
"""

from __future__ import annotations

import gc
import importlib.util
import io
import json
import mmap
import os
import sys
import traceback
from collections.abc import Callable
from importlib.machinery import (
    EXTENSION_SUFFIXES,
    SOURCE_SUFFIXES,
    ExtensionFileLoader,
    FileFinder,
    SourceFileLoader,
)
from pathlib import Path
from types import ModuleType
from typing import Any

from harness.games.frames import EXCEPTION, INT_REPLY, PROTOCOL, Question
from harness.games.player import BatchBot, Bot, SingleBot
from harness.sandbox.wire import (
    ANSWER,
    ASK,
    MEMORY_EXIT,
    MOST_NOTES,
    NOTE_BYTES,
    FrameLayout,
)

_NOTE_TEXT = NOTE_BYTES // 4  # characters of one text; there are two at most
_MODULE = "bot"  # the name under which a bot's file is imported


class LoadError(Exception):
    """The file holds no bot that can play; the message says what was found instead."""


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
        if self._left:
            text = error if isinstance(error, str) else tail(error)
            self.write("fault", serial=serial, record=record, traceback=text)


def tail(error: BaseException) -> str:
    """The traceback without our own frames."""
    trace = error.__traceback__
    while trace is not None and _is_ours(trace.tb_frame.f_code.co_filename):
        trace = trace.tb_next
    return "".join(traceback.format_exception(type(error), error, trace, limit=-12)).rstrip()


def _is_ours(file: str) -> bool:
    return file == __file__ or file.startswith("<frozen importlib")


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


class _SourceOnly(SourceFileLoader):
    """Never takes byte code from `__pycache__`: the content hash covers the sources alone."""

    def path_stats(self, path: str) -> Any:
        raise OSError("no cached byte code for bots")


def _from_source_in(folder: str) -> Callable[[str], FileFinder]:
    """A path hook for the modules of a bot's folder."""

    def hook(path: str) -> FileFinder:
        if path != folder and not path.startswith(folder + "/"):
            raise ImportError(f"not in {folder}")
        return FileFinder(
            path, (_SourceOnly, SOURCE_SUFFIXES), (ExtensionFileLoader, EXTENSION_SUFFIXES)
        )

    return hook


def load(path: str, game: ModuleType) -> type[Bot]:
    """Import the file and find the one bot class defined in it.

    Raises LoadError, or whatever the import raises.
    """
    loader = _SourceOnly(_MODULE, path)
    spec = importlib.util.spec_from_file_location(_MODULE, path, loader=loader)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[_MODULE] = module
    if Path(path).name == "bot.py":
        folder = str(Path(path).parent)
        sys.path.insert(0, folder)
        sys.path_hooks.insert(0, _from_source_in(folder))
    loader.exec_module(module)
    bases = getattr(game, "BASES", None) or (game.Player, game.BatchPlayer)
    found = [
        value
        for value in vars(module).values()
        if isinstance(value, type) and issubclass(value, bases) and value.__module__ == _MODULE
    ]
    found = list(dict.fromkeys(found))
    if len(found) != 1:
        names = ", ".join(cls.__name__ for cls in found)
        raise LoadError(
            f"exactly one class deriving from {' or '.join(b.__name__ for b in bases)} is needed; "
            f"found {len(found)}{': ' + names if names else ''}"
        )
    return found[0]


def describe(cls: type[Bot], questions: tuple[Question, ...]) -> dict[str, Any]:
    """The facts the arena asks a bot's file for. Raises LoadError if one is unusable."""
    for question in questions:
        base = next(c for c in cls.__mro__ if c.__module__.startswith("harness.games."))
        if getattr(cls, question.method, None) is getattr(base, question.method):
            arguments = "self, view" if question.drive is None else "self"
            raise LoadError(f"class {cls.__name__} has no method {question.method}({arguments})")
    name = cls.name or cls.__name__
    if not isinstance(name, str) or not isinstance(cls.author, str):
        raise LoadError(f"class {cls.__name__}: name and author must be strings")
    if not name.strip() or len(name) > 100 or len(cls.author) > 100:
        raise LoadError(
            f"class {cls.__name__}: name must have 1 to 100 characters, author at most 100"
        )
    lanes = cls.lanes
    if lanes is not None and (type(lanes) is not int or lanes < 1):
        raise LoadError(f"class {cls.__name__}: lanes must be None or a positive int")
    return {
        "name": name,
        "author": cls.author,
        "class": cls.__name__,
        "batch": issubclass(cls, BatchBot),
        "lanes": lanes,
        "numpy": "numpy" in sys.modules,
    }


def _responders(bots: list[Any], question: Question) -> list[Callable[[Any], object]]:
    """One callable per lane. The hook `start_game` costs nothing unless a bot defines it."""
    if question.drive is not None:
        return [question.drive(bot) for bot in bots]
    methods = [getattr(bot, question.method) for bot in bots]
    if question.starts is None or not hasattr(bots[0], "start_game"):
        return methods
    return [
        _hooked(bot, method, question.starts) for bot, method in zip(bots, methods, strict=True)
    ]


def _hooked(
    bot: Any, method: Callable[[Any], object], game_of: Callable[[Any], int]
) -> Callable[[Any], object]:
    last = -1

    def respond(view: Any) -> object:
        nonlocal last
        game = game_of(view)
        if game != last:
            last = game
            bot.start_game(view)
        return method(view)

    return respond


class _NoReply:
    """The type of no reply: where replies are records, an int goes through `encode` as well."""


class SingleServer:
    """Answers frames with one `Player` instance per lane."""

    def __init__(
        self,
        cls: type[SingleBot],
        questions: tuple[Question, ...],
        lanes: int,
        seed: str,
        scratch: str,
    ) -> None:
        bots = [cls.make(f"{seed}/{lane}", scratch) for lane in range(lanes)]
        self._bots = bots
        self._responders = [_responders(bots, question) for question in questions]

    def answer(
        self,
        number: int,
        question: Question,
        lanes: memoryview,
        raw: bytes,
        replies: memoryview,
        fault: Callable[[int, BaseException | str], None],
    ) -> None:
        """Write one reply per record into `replies`, in order, so that a hang shows its place."""
        size = question.reply.size
        codes = replies.cast("h")[:: size // 2]
        encode = question.encode
        plain: type[int] | type[_NoReply] = int if question.reply is INT_REPLY else _NoReply
        record = 0
        asked = zip(
            map(self._responders[number].__getitem__, lanes.tolist()),
            question.views(raw),
            strict=True,
        )
        while True:
            try:
                for respond, view in asked:
                    reply = respond(view)
                    if type(reply) is plain:  # not isinstance: a bool is no card
                        try:
                            codes[record] = reply  # type: ignore[assignment]  # an int, by the test above
                        except (ValueError, OverflowError):
                            codes[record] = PROTOCOL
                    else:
                        payload = replies[record * size + 2 : (record + 1) * size]
                        code = encode(reply, payload)
                        if code == PROTOCOL:
                            fault(record, f"answered {reply!r}"[:200])
                        codes[record] = code
                    record += 1
                return
            except MemoryError:
                raise
            except BaseException as error:  # noqa: BLE001 (the bot may raise anything)
                codes[record] = EXCEPTION
                fault(record, error)
                record += 1


class BatchServer:
    """Answers frames with one `BatchPlayer` instance for all lanes."""

    def __init__(
        self,
        cls: type[BatchBot],
        questions: tuple[Question, ...],
        lanes: int,
        seed: str,
        scratch: str,
    ) -> None:
        import numpy as np

        self._np = np
        bot = cls.make(seed, scratch)
        self._bot = bot
        self._methods = [getattr(bot, question.method) for question in questions]
        self._dtypes = [
            (question.observation.dtype(), question.reply.dtype()) for question in questions
        ]

    def answer(
        self,
        number: int,
        question: Question,
        lanes: memoryview,
        raw: bytes,
        replies: memoryview,
        fault: Callable[[int, BaseException | str], None],
    ) -> None:
        """Write all replies, or one verdict for the whole frame."""
        np = self._np
        observed, replied = self._dtypes[number]
        out = np.frombuffer(replies, replied)
        try:
            got = self._methods[number](np.frombuffer(raw, observed))
        except MemoryError:
            raise
        except BaseException as error:  # noqa: BLE001 (the bot may raise anything)
            out["code"] = EXCEPTION
            fault(0, error)
            return
        if not isinstance(got, np.ndarray) or got.shape != out.shape or got.dtype.kind not in "iu":
            out["code"] = PROTOCOL
            fault(0, f"answered {type(got).__name__} of shape {getattr(got, 'shape', None)}")
            return
        info = np.iinfo(np.int16)
        inside = (got > PROTOCOL) & (got <= info.max)
        out["code"] = np.where(inside, got, PROTOCOL)


def seed_generators(seed: str) -> None:
    """Seed the module-level generators, so that `random.random()` is reproducible too."""
    import random

    random.seed(seed)
    numpy = sys.modules.get("numpy")
    if numpy is not None:
        numpy.random.seed(random.randrange(1 << 32))
    random.seed(seed)


def serve(
    server: SingleServer | BatchServer,
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
            number,
            question,
            memoryview(request[: 4 * n]).cast("I"),
            request[layout.records_at : layout.records_at + n * size],
            reply[: n * question.reply.size],
            lambda record, error, serial=serial: notes.fault(serial, record, error),  # type: ignore[misc]
        )
        os.write(bell_out, ANSWER.pack(serial))


def run(
    path: str,
    game: ModuleType,
    questions: tuple[Question, ...],
    lanes: int,
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
        server = make(cls, questions, lanes, seed, scratch)  # type: ignore[arg-type]
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
