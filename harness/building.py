"""Bots that are built: from their sources to a folder of the user's cache.

A build runs once for a bot's content: its outcome is kept by a hash of the bot's files, the
command and the compiler. It runs sandboxed, without network, on a copy of the bot's files; this
end reads what comes out of the sandbox, and believes none of it.
"""

from __future__ import annotations

import hashlib
import json
import os
import select
import shutil
import stat
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from harness.arena.budgets import Budgets
from harness.arena.cache import user_cache
from harness.arena.faults import HarnessFault
from harness.content import UnusableError
from harness.sandbox.nursery import Nursery
from harness.sandbox.program import Program, resolve
from harness.sandbox.scratch import remove_scratch

SECONDS: Final = 60.0
"""By the clock, for one build."""
MEMORY_BYTES: Final = 1 << 30
"""Of each of its processes."""
MOST_BYTES: Final = 128 << 20
"""What a build may write, all together; kept are the bot's files and what was made of them."""
MOST_FILES: Final = 4096

_SYSTEM_CACHE: Final = Path("/var/cache/koth/built")
_READ_BYTES: Final = 1 << 18
_MOST_HEAD: Final = 1 << 20
_MOST_NAME: Final = 500


@dataclass(frozen=True)
class _Outcome:
    status: int
    words: str
    files: list[tuple[str, bool, bytes]]
    """Name, whether it may be executed, content."""


def built(folder: str, content: str, command: tuple[str, ...], nursery: Nursery) -> str:
    """The folder with what `command` makes of the bot in `folder`, whose hash is `content`.

    Builds if that was not done yet. Raises UnusableError with the compiler's words.
    """
    program = resolve(command, folder, key="build")
    home = _kept(nursery) / _key(content, program, folder)
    if not home.is_dir():
        outcome = _build(program, folder, nursery)
        if outcome.status != 0:
            raise _failure(command, outcome)
        _keep(outcome, home)
    return str(home)


def _kept(nursery: Nursery) -> Path:
    """Where outcomes are kept: in the cache of the user who runs koth, if the bots may read there.

    Without namespaces root's bots are other users, and must reach what was built through folders
    that root's home usually is not open to.
    """
    folder = user_cache() / "built"
    if nursery.bots_are_others and not _is_open(folder):
        return _SYSTEM_CACHE
    return folder


def _is_open(folder: Path) -> bool:
    """Whether every user may go there, as far as it exists."""
    parents = [folder, *folder.parents]
    return all(os.stat(path).st_mode & stat.S_IXOTH for path in parents if path.exists())


def _key(content: str, program: Program, folder: str) -> str:
    """What the outcome depends on: the bot's files, the command, and the compiler's file."""
    compiler = os.stat(program.command[0])
    facts = [content, program.command, compiler.st_size, compiler.st_mtime_ns, os.uname().machine]
    facts.append(_executables(folder))
    return hashlib.sha256(json.dumps(facts).encode()).hexdigest()[:32]


def _executables(folder: str) -> list[str]:
    """What is executable in a bot's folder: the bot's hash leaves that out, its build sees it."""
    paths = [os.path.join(root, name) for root, _, names in os.walk(folder) for name in names]
    able = [path for path in paths if os.stat(path).st_mode & stat.S_IXUSR]
    return sorted(os.path.relpath(path, folder) for path in able)


def _failure(command: tuple[str, ...], outcome: _Outcome) -> UnusableError:
    how = f"exit status {outcome.status}" if outcome.status > 0 else f"signal {-outcome.status}"
    words = outcome.words.strip()
    lines = words.splitlines() or ["it said nothing"]
    said = f": {next((line for line in lines if 'error' in line), lines[0])}"
    return UnusableError(f"build: {' '.join(command)} ended with {how}{said}", words)


def _build(program: Program, source: str, nursery: Nursery) -> _Outcome:
    confinement = nursery.build_confinement(
        program,
        Budgets(),
        memory=MEMORY_BYTES,
        size=MOST_BYTES,
        files=MOST_FILES,
        seconds=int(SECONDS),
    )
    (out, out_end), (notes, notes_end) = os.pipe2(os.O_CLOEXEC), os.pipe2(os.O_CLOEXEC)
    pidfd = -1
    try:
        try:
            pid, pidfd = nursery.start_build(program, source, confinement, [out_end, notes_end])
        finally:
            os.close(out_end)
            os.close(notes_end)
        try:
            return _outcome(_received(out), notes)
        finally:
            nursery.reap(pid, numpy=False, group=True)
            if not confinement.layers.namespaces:
                remove_scratch(confinement.scratch)
    finally:
        for fd in (out, notes, pidfd):
            if fd >= 0:
                os.close(fd)


def _received(out: int) -> bytes:
    """All that comes through the pipe. Raises UnusableError if it is too much or too late."""
    deadline = time.monotonic() + SECONDS
    received = bytearray()
    while (left := deadline - time.monotonic()) > 0:
        if not select.select([out], [], [], left)[0]:
            break
        data = os.read(out, _READ_BYTES)
        if not data:
            return bytes(received)
        received += data
        if len(received) > MOST_BYTES + _MOST_HEAD:
            raise UnusableError(f"build: it made more than {MOST_BYTES >> 20} MB")
    raise UnusableError(f"build: not done within {SECONDS:g} s")


def _outcome(received: bytes, notes: int) -> _Outcome:
    head, _, content = received.partition(b"\n")
    if not head:
        raise _without_outcome(notes)
    try:
        said = json.loads(head[:_MOST_HEAD])
        return _Outcome(int(said["status"]), str(said["words"]), list(_files(said, content)))
    except (ValueError, TypeError, KeyError, RecursionError):
        raise UnusableError("build: what came out of it makes no sense") from None


def _without_outcome(notes: int) -> Exception:
    """Why there is none: the sandbox, or the builder was ended by the command."""
    said = os.read(notes, _READ_BYTES) if select.select([notes], [], [], 0)[0] else b""
    if b'"ready"' not in said:
        return HarnessFault(f"a build could not be confined: {said.decode('utf-8', 'replace')}")
    return UnusableError("build: it ended without a result; it may have run out of memory")


def _files(said: dict[str, Any], content: bytes) -> Iterator[tuple[str, bool, bytes]]:
    at = 0
    if len(said["files"]) > MOST_FILES:
        raise ValueError("too many")
    for name, executable, size in said["files"]:
        parts = Path(name).parts
        if not parts or Path(name).is_absolute() or ".." in parts or "\0" in name:
            raise ValueError(name)
        if len(name) > _MOST_NAME or type(size) is not int or not 0 <= size <= len(content) - at:
            raise ValueError(name)
        yield name, bool(executable), content[at : at + size]
        at += size


def _keep(outcome: _Outcome, home: Path) -> None:
    """Write the files where they are looked for, at once: whoever looks finds all or nothing."""
    home.parent.mkdir(parents=True, exist_ok=True)
    made = tempfile.mkdtemp(prefix=".", dir=home.parent)
    try:
        os.chmod(made, 0o755)
        for name, executable, content in outcome.files:
            path = Path(made, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
            path.chmod(0o755 if executable else 0o644)
        with suppress(OSError):  # another koth was faster
            os.rename(made, home)
    finally:
        shutil.rmtree(made, ignore_errors=True)
    if not home.is_dir():
        raise UnusableError(f"build: {home} cannot be written")
