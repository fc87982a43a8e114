"""The bridge between the arena and a program in another language: frames here, lines there.

It runs in a process of its own, as confined as a bot in Python, because what a program writes may
be anything: it is parsed where a mistake in the parser could do no harm. Every wait has an end that
the arena watches over; the bridge itself only waits, for the bell, or for the program to take
questions or give answers. Both at once, so that two full pipes cannot hold each other up.

The protocol is documented in docs/reference/protocol.md.
"""

from __future__ import annotations

import json
import os
import select
from typing import Any, Final

from harness.games.frames import EXCEPTION, INT_REPLY, PROTOCOL, Question, spelled
from harness.sandbox.confinement import Confinement
from harness.sandbox.execution import GO, Streams, become_confined
from harness.sandbox.runner import CappedLog, Frame, Notes, serve
from harness.sandbox.wire import GONE, MEMORY_EXIT, PARENT_GONE_EXIT, START_FDS, FrameLayout

VERSION: Final = 1
"""Of the protocol."""
MOST_LINE: Final = 4096
"""Bytes of one answer, the line feed not counted."""

_READ_BYTES: Final = 1 << 16
_MOST_ANSWER: Final = (1 << 15) - 1
_MOST_KNOWN: Final = 64
_LAST_WORDS: Final = 2000
_SHOWN: Final = 200


class ProgramGoneError(Exception):
    """The program has ended, or closed its standard output."""


class Lines:
    """What came from a program, cut into lines. Of one that is too long only the start is kept."""

    def __init__(self) -> None:
        self._rest = b""
        self._is_skipping = False
        """Whether the rest of a line that was too long is still to come."""

    def feed(self, data: bytes) -> list[bytes]:
        """The lines that are complete now, and what of a longer one shows that it is too long."""
        *lines, rest = data.split(b"\n")
        if lines:
            lines[0] = self._rest + lines[0]
            self._rest = b""
            if self._is_skipping:
                del lines[0]
                self._is_skipping = False
        if not self._is_skipping:
            self._rest += rest
            if len(self._rest) > MOST_LINE:
                lines.append(self._rest[: MOST_LINE + 1])
                self._rest, self._is_skipping = b"", True
        return lines


class Pipes:
    """A program's standard streams. What it writes to its standard error goes to the log."""

    def __init__(self, streams: Streams, log: CappedLog) -> None:
        self._to, self._from, self._errors = streams.bridge
        self._log = log
        self._lines = Lines()
        self.last_words = b""
        """The end of what it has written to its standard error."""
        self._hears = True
        """Whether it takes what is sent."""
        self._complains = True
        """Whether its standard error is open."""
        for fd in streams.bridge:
            os.set_blocking(fd, False)

    def exchange(self, pending: memoryview, *, hear: bool = True) -> tuple[memoryview, list[bytes]]:
        """Wait until the program takes or gives something: what is left to send, and its lines.

        `hear`: whether more lines are wanted; a program could give them without end. Raises
        ProgramGoneError at the end of its standard output.
        """
        if not self._hears:
            pending = pending[:0]
        if not len(pending) and not hear:
            return pending, []
        events = self._events(send=len(pending) > 0, hear=hear)
        if self._to in events:
            pending = self._send(pending)
        if self._errors in events:
            self._listen()
        if self._from not in events:
            return pending, []
        data = os.read(self._from, _READ_BYTES)
        if not data:
            self._listen_to_the_end()
            raise ProgramGoneError
        return pending, self._lines.feed(data)

    def _events(self, *, send: bool, hear: bool) -> dict[int, int]:
        """What is possible now, by descriptor; waits until something is."""
        poll = select.poll()
        if send:
            poll.register(self._to, select.POLLOUT)
        if hear:
            poll.register(self._from, select.POLLIN)
        if self._complains:
            poll.register(self._errors, select.POLLIN)
        return dict(poll.poll())

    def _send(self, pending: memoryview) -> memoryview:
        try:
            return pending[os.write(self._to, pending) :]
        except BlockingIOError:
            return pending
        except BrokenPipeError:  # closed its input, or ended: what it has answered still counts
            self._hears = False
            return pending[:0]

    def _listen(self) -> bool:
        """Log what has come on standard error; False if there was nothing."""
        if not self._complains:
            return False
        try:
            data = os.read(self._errors, _READ_BYTES)
        except BlockingIOError:
            return False
        if not data:
            self._complains = False
            return False
        self._log.write(data.decode("utf-8", "backslashreplace"))
        self.last_words = (self.last_words + data)[-_LAST_WORDS:]
        return True

    def _listen_to_the_end(self) -> None:
        # A pipe holds no more than this; a program that lives and writes on does not hold us up.
        for _ in range(64):
            if not self._listen():
                return


class ProgramServer:
    """Answers frames with what a program says."""

    def __init__(self, pipes: Pipes, questions: tuple[Question, ...], lanes: int) -> None:
        self._pipes = pipes
        self._waiting: list[bytes] = []
        """Lines that came before they were asked for."""
        self._games = [-1] * lanes
        """Of each lane, the number of the game last asked about."""
        self._unmet = set(range(lanes))
        """Lanes that were not asked about yet."""
        # How a question begins, by kind and lane, for as long as its game lasts; how it goes on.
        self._methods = [question.method for question in questions]
        self._heads = [[""] * lanes for _ in questions]
        self._lefts = [f"{left}," for left in range(lanes)]
        # Answers that were met before, by lane: what is said most is judged once.
        self._known: list[dict[bytes, int]] = [{} for _ in range(lanes)]
        for lane in range(lanes):
            self._begin(lane, 0)

    def _begin(self, lane: int, game: int) -> None:
        for method, heads in zip(self._methods, self._heads, strict=True):
            heads[lane] = _head(method, lane, game, "false")

    def answer(self, frame: Frame) -> None:
        """Ask all questions and write one reply per record, in order, as the answers come.

        Raises ProgramGoneError.
        """
        size = frame.question.reply.size
        codes = frame.replies.cast("h")[:: size // 2]
        known = [self._known[lane] for lane in frame.lanes]
        pending, lines, record = self._questions(frame), self._waiting, 0
        number = len(frame.lanes)
        while True:
            first = record
            for line, answers in zip(lines, known[first:], strict=False):
                code = answers.get(line)
                codes[record] = self._judge(line, frame, record) if code is None else code
                record += 1
            lines = lines[record - first :]
            if record == number and not len(pending):
                self._waiting = lines
                return
            pending, more = self._pipes.exchange(pending, hear=record < number)
            lines += more

    def _questions(self, frame: Frame) -> memoryview:
        """The frame's questions, a line each."""
        if self._unmet:
            self._meet(frame)
        heads = self._heads[frame.number]
        starts = [heads[lane] for lane in frame.lanes]
        if 1 in frame.opened:
            for record, (lane, opened) in enumerate(zip(frame.lanes, frame.opened, strict=True)):
                if opened:
                    self._games[lane] += 1
                    starts[record] = _head(frame.question.method, lane, self._games[lane], "true")
                    self._begin(lane, self._games[lane])
        # Put together by columns: a quarter of what formatting line by line would cost.
        number = len(frame.lanes)
        pieces = ["}\n"] * (4 * number)
        pieces[0::4] = starts
        pieces[1::4] = self._lefts[number - 1 :: -1]
        pieces[2::4] = frame.question.messages(frame.raw)
        return memoryview("".join(pieces).encode())

    def _meet(self, frame: Frame) -> None:
        """A lane that this process meets in the middle of a game begins with game 0."""
        for lane, opened in zip(frame.lanes, frame.opened, strict=True):
            if lane in self._unmet:
                self._unmet.discard(lane)
                self._games[lane] = -1 if opened else 0

    def _judge(self, line: bytes, frame: Frame, record: int) -> int:
        """The code of an answer that was not met before."""
        question, lane = frame.question, frame.lanes[record]
        size = question.reply.size
        try:
            answer = parsed(line, lane)
        except AnswerError as error:
            frame.fault(record, str(error))
            return error.code
        if question.reply is INT_REPLY and type(answer) is int:
            if not PROTOCOL < answer <= _MOST_ANSWER:
                frame.fault(record, f"answered {shown(line)}: no action has such a number")
                return PROTOCOL
            if len(self._known[lane]) < _MOST_KNOWN:
                self._known[lane][line] = answer
            return answer
        code = question.encode(answer, frame.replies[record * size + 2 : (record + 1) * size])
        if code == PROTOCOL:
            reason = f"of the wrong type; expected {question.expected}"
            frame.fault(record, f"answered {shown(line)}: {reason}")
        return code


def _head(method: str, lane: int, game: int, new: str) -> str:
    return f'{{"ask":"{method}","lane":{lane},"game":{game},"new":{new},"left":'


class AnswerError(Exception):
    """A line is no answer: the code that the arena gets instead, and why."""

    def __init__(self, code: int, reason: str) -> None:
        super().__init__(reason)
        self.code = code


def parsed(line: bytes, lane: int) -> Any:
    """The answer in a line about the game on `lane`. Raises AnswerError."""
    if len(line) > MOST_LINE:
        raise AnswerError(PROTOCOL, f"answered {shown(line)}: longer than {MOST_LINE} bytes")
    try:
        said = json.loads(line.decode())
    except (ValueError, RecursionError):
        raise AnswerError(PROTOCOL, f"answered {shown(line)}: not JSON") from None
    if not isinstance(said, dict):
        raise AnswerError(PROTOCOL, f"answered {shown(line)}: not a JSON object")
    if type(said.get("lane")) is not int or said["lane"] != lane:
        raise AnswerError(PROTOCOL, f"answered {shown(line)}: the question was about lane {lane}")
    if isinstance(said.get("error"), str):
        raise AnswerError(EXCEPTION, said["error"])
    if "answer" not in said:
        raise AnswerError(PROTOCOL, f"answered {shown(line)}: without an answer")
    return said["answer"]


def shown(line: bytes) -> str:
    """A line for people, cut if it is long."""
    text = line.decode("utf-8", "backslashreplace")
    return repr(text if len(text) <= _SHOWN else text[:_SHOWN] + "...")


def become_bridge(
    request: dict[str, Any], received: list[int], streams: Streams, questions: tuple[Question, ...]
) -> int:
    """In the child: confine, let the program start, and be its bridge. Returns the exit status."""
    names = START_FDS if len(received) == len(START_FDS) else START_FDS[2:]
    fds = dict(zip(names, received, strict=True))
    notes = Notes(fds["notes"])
    confinement = Confinement.from_json(
        request["confinement"], parent=os.getppid(), keep_fds=(*received, *streams.bridge)
    )
    # Before the filter, which lets nobody change the flags of a descriptor.
    pipes = Pipes(streams, CappedLog(fds["log"], confinement.output_bytes))
    if become_confined(confinement, notes) is None:
        return PARENT_GONE_EXIT
    os.write(streams.to_program, GO)
    try:
        if not _greet(pipes, request, notes):
            return 1
        notes.write("loaded")
        if request["lanes"]:
            server = ProgramServer(pipes, questions, request["lanes"])
            layout = FrameLayout.of(questions, request["lanes"])
            serve(server, questions, layout, fds, notes)
    except MemoryError:
        return MEMORY_EXIT
    except ProgramGoneError:
        return 1
    return 0


def _greet(pipes: Pipes, request: dict[str, Any], notes: Notes) -> bool:
    """Say hello and hear it; False, with a note, if the program says something else."""
    keys = ("game", "rules", "lanes", "fresh", "seed", "scratch")
    hello = {"koth": VERSION, **{key: request[key] for key in keys}}
    pending, lines = memoryview(spelled(hello).encode() + b"\n"), list[bytes]()
    try:
        while not lines:
            pending, lines = pipes.exchange(pending)
        said = _hello(lines[0])
        if said is None and len(lines) == 1:
            return True
        kind, reason = "hello", said or f"wrote {shown(lines[1])} before it was asked anything"
    except ProgramGoneError:
        kind, reason = GONE, "it closed its standard output before it said hello"
    words = pipes.last_words.decode("utf-8", "backslashreplace")
    notes.write("failed", kind=kind, reason=reason, traceback=words)
    return False


def _hello(line: bytes) -> str | None:
    """What is wrong with the first line of a program; None if nothing is."""
    expected = f'{{"koth": {VERSION}}}'
    try:
        said = json.loads(line[: MOST_LINE + 1].decode())
    except (ValueError, RecursionError):
        said = None
    version = said.get("koth") if isinstance(said, dict) else None
    if type(version) is int and version == VERSION:
        return None
    return f"its first line was {shown(line)}; expected {expected}"
