"""What the arena, the zygote and a bot's process say to each other.

Three channels per bot: two *bells* (pipes, a few bytes each way per frame), two *frames* (shared
memory, see `FrameLayout`), and *notes* (a pipe, one JSON object per line: ready, loaded, failed,
and the tracebacks of faults). A `StartRequest` travels past the zygote, through a socket that only
the new process reads. Everything that comes from a bot's process is untrusted.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import Any

from harness.games.frames import Question
from harness.sandbox.confinement import Confinement
from harness.sandbox.program import Program

ASK = struct.Struct("<IIB")
"""Arena to bot: serial number, records in the frame, number of the question."""
ANSWER = struct.Struct("<I")
"""Bot to arena: the serial number of the frame that is answered."""

MOST_NOTES = 25
NOTE_BYTES = 4000  # below PIPE_BUF, so that a note is written whole or not at all
NOTES_PIPE_BYTES = 1 << 18

MEMORY_EXIT = 77
"""Exit status of a bot's process that ran out of memory."""
PARENT_GONE_EXIT = 78

GONE = "gone"
"""The kind of a failure: a program has closed its standard output, most likely by ending."""


@dataclass(frozen=True)
class FrameLayout:
    """Where things lie in the two frames, in bytes.

    Requests: lane numbers (uint32); per record 1 if its game is new to the bot (uint8); then
    observation records. Replies: reply records.
    """

    capacity: int
    observation_size: int
    reply_size: int

    @classmethod
    def of(cls, questions: tuple[Question, ...], capacity: int) -> FrameLayout:
        return cls(
            capacity,
            max(question.observation.size for question in questions),
            max(question.reply.size for question in questions),
        )

    @property
    def opened_at(self) -> int:
        return 4 * self.capacity

    @property
    def records_at(self) -> int:
        return -(-5 * self.capacity // 64) * 64

    @property
    def request_bytes(self) -> int:
        return self.records_at + self.capacity * self.observation_size

    @property
    def reply_bytes(self) -> int:
        return self.capacity * self.reply_size


@dataclass(frozen=True)
class StartRequest:
    """What the zygote needs to start one bot's process.

    The file descriptors that come with it: request frame, reply frame (both absent when only
    inspecting), bell to the bot, bell to the arena, notes, log.
    """

    game: str
    path: str
    """The bot's file, or the main file in its folder."""
    seed: str
    """What the random generators of the process derive from; a one-way product of the secret."""
    lanes: int
    """Instances to make; 0 only inspects the file."""
    fresh: bool
    """Whether every game gets an instance of its own; otherwise they play one after another."""
    confinement: Confinement
    rules: dict[str, Any] | None = None
    """For the bridge of a program: the parameters of the rules, None when only inspecting;"""
    scratch: str = ""
    """and the program's scratch folder, which is not the bridge's."""

    def to_json(self) -> dict[str, Any]:
        """As the zygote reads it."""
        return vars(self) | {"confinement": self.confinement.to_json()}


@dataclass(frozen=True)
class ExecuteRequest:
    """What the zygote needs to start the program itself. With it comes one descriptor: notes."""

    program: Program
    confinement: Confinement

    def to_json(self) -> dict[str, Any]:
        """As the zygote reads it."""
        return {"program": vars(self.program), "confinement": self.confinement.to_json()}


START_FDS = ("request", "reply", "bell_in", "bell_out", "notes", "log")
