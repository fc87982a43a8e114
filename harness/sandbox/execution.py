"""From a fork of the zygote to a program in another language: confine, then execute in place.

A program has a *bridge* beside it, a second process that speaks with the arena for it (see
`harness.sandbox.bridge`). Between the two are three pipes, the program's standard streams.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import signal
from dataclasses import dataclass
from typing import Any

from harness.sandbox.confinement import Confinement, IsolationError
from harness.sandbox.isolation import confine, self_test
from harness.sandbox.program import Program
from harness.sandbox.runner import Notes, tail
from harness.sandbox.wire import PARENT_GONE_EXIT

# A frame's questions should fit: a bridge that must wait for room is woken for every page that the
# program has read, which costs more than all the rest. This is the most that a user may have.
_QUESTIONS_BYTES = 1 << 20
_ANSWERS_BYTES = 1 << 17
GO = b"!"
"""What the bridge sends once it is confined itself: before that nothing of the bot may run."""

# What Python ignores or the zygote does; a program is to start with what the system gives.
_SIGNALS = (signal.SIGPIPE, signal.SIGXFSZ, signal.SIGINT)


@dataclass(frozen=True)
class Streams:
    """Both ends of the three pipes between a program and its bridge: descriptors."""

    to_program: int
    from_program: int
    errors: int
    stdin: int
    stdout: int
    stderr: int

    @classmethod
    def new(cls) -> Streams:
        """Three pipes. An ordinary user may have too many already for large ones."""
        (stdin, to_program), (from_program, stdout), (errors, stderr) = (
            os.pipe2(os.O_CLOEXEC) for _ in range(3)
        )
        for fd, size in ((to_program, _QUESTIONS_BYTES), (stdout, _ANSWERS_BYTES)):
            with contextlib.suppress(PermissionError):
                fcntl.fcntl(fd, fcntl.F_SETPIPE_SZ, size)
        return cls(to_program, from_program, errors, stdin, stdout, stderr)

    @property
    def bridge(self) -> tuple[int, int, int]:
        """The ends that the bridge holds."""
        return self.to_program, self.from_program, self.errors

    def close(self) -> None:
        """Close all of them, in the process that only made them."""
        for fd in (*self.bridge, self.stdin, self.stdout, self.stderr):
            os.close(fd)


def become_confined(confinement: Confinement, notes: Notes) -> str | None:
    """Confine this process and test that; the path of its scratch, or None: it must end.

    The reason is then in the notes.
    """
    try:
        scratch = confine(confinement)
        leaks = self_test(confinement)
    except IsolationError as error:
        notes.write("failed", kind="isolation", reason=str(error), traceback=tail(error))
        return None
    if leaks:
        reason = "not withheld: " + ", ".join(leaks)
        notes.write("failed", kind="isolation", reason=reason, traceback="")
        return None
    return scratch


def become_program(request: dict[str, Any], received: list[int], streams: Streams) -> int:
    """In the child: be the program. Returns, with an exit status, only if that is impossible."""
    program = Program.from_json(request["program"])
    for number, fd in enumerate((streams.stdin, streams.stdout, streams.stderr)):
        os.dup2(fd, number)
    (notes_fd,) = received
    os.set_inheritable(notes_fd, False)
    notes = Notes(notes_fd)
    confinement = Confinement.from_json(
        request["confinement"], parent=os.getppid(), keep_fds=(0, 1, 2, notes_fd)
    )
    scratch = become_confined(confinement, notes)
    if scratch is None or os.read(0, len(GO)) != GO:  # the bridge could not be confined
        return PARENT_GONE_EXIT
    notes.write("ready")
    return execute(program, scratch, notes)


def execute(program: Program, scratch: str, notes: Notes) -> int:
    """Execute the program's command in place; an exit status if it cannot be."""
    for number in _SIGNALS:
        signal.signal(number, signal.SIG_DFL)
    environment = {
        "PATH": "/usr/bin:/bin",
        "LANG": "C.UTF-8",
        "HOME": scratch,
        "TMPDIR": scratch,
        # There is no /proc to look it up in: where a program finds the libraries it brings along.
        "LD_ORIGIN_PATH": os.path.dirname(program.command[0]),
    }
    try:
        os.chdir(program.folder)
        os.execve(program.command[0], program.command, environment)
    except OSError as error:
        reason = f"{program.command[0]} cannot be executed: {error.strerror}"
        notes.write("failed", kind="execute", reason=reason, traceback="")
        return 1
