"""A build inside its sandbox: copy the bot's files, run the command, hand over what is there then.

In a child of the zygote, confined like any other, but with the machine's compilers in sight and
several processes allowed. What it sends, and the compiler's words with it, is a stranger's work:
see `harness.building` for the other end.
"""

from __future__ import annotations

import json
import os
import shutil
import stat
from contextlib import suppress
from typing import Any, Final

from harness.sandbox.confinement import Confinement
from harness.sandbox.execution import become_confined, execute
from harness.sandbox.libc import die_with_parent
from harness.sandbox.namespaces import leave_process_numbers
from harness.sandbox.privileges import CAP_SYS_ADMIN, holds
from harness.sandbox.program import Program
from harness.sandbox.runner import Notes
from harness.sandbox.wire import PARENT_GONE_EXIT

MOST_WORDS: Final = 8000
"""Bytes of the compiler's output that are handed over: the first, where the cause is."""


def become_builder(request: dict[str, Any], received: list[int]) -> int:
    """In the child: build, and send a line of JSON and then the files' bytes. The exit status."""
    parent = os.getppid()
    if request["confinement"]["layers"]["namespaces"] and holds(CAP_SYS_ADMIN):
        # All processes of the build end with the first one there, whatever becomes of the arena.
        die_with_parent(parent)
        leave_process_numbers()
        first = os.fork()
        if first != 0:
            return max(os.waitstatus_to_exitcode(os.waitpid(first, 0)[1]), 0)
        parent = os.getppid()  # 0: it lives outside
    out, notes_fd = received
    notes = Notes(notes_fd)
    confinement = Confinement.from_json(
        request["confinement"], parent=parent, keep_fds=(out, notes_fd)
    )
    for fd in received:
        os.set_inheritable(fd, False)
    scratch = become_confined(confinement, notes)
    if scratch is None:
        return PARENT_GONE_EXIT
    notes.write("ready")
    program = Program.from_json(request["program"])
    folder, words = f"{scratch}/work", f"{scratch}/words"
    os.umask(0o077)
    try:
        # Contents alone: modes of copies may not be set here, and times say nothing.
        _copy(request["source"], folder)
        os.mkdir(f"{scratch}/tmp")
        status = _run(program, folder, f"{scratch}/tmp", words, notes)
        files = _files(folder) if status == 0 else []
    except OSError as error:
        files, status = [], 1
        with open(words, "a", encoding="utf-8") as file:
            file.write(f"the files cannot be copied: {error}\n")
    head = {
        "status": status,
        "words": _start(words),
        "files": [[name, _is_executable(f"{folder}/{name}"), size] for name, size in files],
    }
    with open(out, "wb") as stream:
        stream.write(json.dumps(head).encode() + b"\n")
        for name, size in files:
            with open(f"{folder}/{name}", "rb") as file:
                stream.write(file.read(size).ljust(size, b"\0"))
    return 0


def _copy(source: str, target: str) -> None:
    os.mkdir(target)
    for entry in os.scandir(source):
        copy = os.path.join(target, entry.name)
        if entry.name == "__pycache__":
            continue  # no part of the bot's hash, and so not to be read
        if entry.is_dir():
            _copy(entry.path, copy)
        else:
            shutil.copyfile(entry.path, copy)
            os.chmod(copy, 0o700 if _is_executable(entry.path) else 0o600)


def _is_executable(path: str) -> bool:
    """By its mode: nothing in the scratch may be executed, and so `os.access` says no."""
    return bool(os.stat(path).st_mode & stat.S_IXUSR)


def _run(program: Program, folder: str, temporary: str, words: str, notes: Notes) -> int:
    """Run the command in the copy, its output into a file; its exit status, minus a signal's."""
    pid = os.fork()
    if pid == 0:
        output = os.open(words, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
        for number in (1, 2):
            os.dup2(output, number)
        here = Program(program.command, folder, program.readable, program.executable)
        os._exit(execute(here, temporary, notes))
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


def _files(folder: str) -> list[tuple[str, int]]:
    """Names and sizes of all regular files below a folder; links are left out."""
    found = []
    for root, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(root, name)
            with suppress(FileNotFoundError):
                if not os.path.islink(path) and os.path.isfile(path):
                    found.append((os.path.relpath(path, folder), os.stat(path).st_size))
    return sorted(found)


def _start(words: str) -> str:
    if not os.path.exists(words):
        return ""
    with open(words, "rb") as file:
        return file.read(MOST_WORDS).decode("utf-8", "backslashreplace")
