"""What a bot's process may use up: memory, CPU, files; and which of its parent's handles it keeps.

None of this isolates by itself; it bounds the damage of a flood.
"""

from __future__ import annotations

import contextlib
import os
import resource
from collections.abc import Iterable
from typing import Final

from harness.sandbox.libc import attempt

_PAGE: Final = os.sysconf("SC_PAGESIZE")
_STACK_BYTES: Final = 8 << 20

PROGRAM_THREADS: Final = 128
"""The most threads a program may have. Java and Node have a dozen or two."""
BUILD_TASKS: Final = 64
"""The most processes and threads of a build at a time."""
_RESERVED_BYTES: Final = 64 << 30
"""Addresses a program may reserve: Java and V8 take several gigabytes that they never touch."""


def close_all_but(keep: Iterable[int]) -> None:
    """Closes every file descriptor but these; missing standard streams become `/dev/null`.

    A hole at 0, 1 or 2 would be filled by the first file that the bot opens, and then a `print`
    would write into it.
    """
    kept = sorted(keep)
    # The gaps between the kept ones, up to the largest number there can be.
    for low, high in zip((0, *(number + 1 for number in kept)), (*kept, 1 << 31), strict=True):
        if low < high and attempt("close_range", low, high - 1, 0) < 0:
            _close_one_by_one(kept)  # Linux before 5.9
            break
    missing = [number for number in (0, 1, 2) if number not in kept]
    if missing:
        null = os.open("/dev/null", os.O_RDWR)  # the lowest free number: the first missing one
        for number in missing:
            if number != null:
                os.dup2(null, number)


def _close_one_by_one(kept: Iterable[int]) -> None:
    for name in os.listdir("/proc/self/fd"):
        if int(name) not in kept:
            with contextlib.suppress(OSError):  # the descriptor of the listing itself
                os.close(int(name))


def be_first_to_go() -> None:
    """If the machine runs out of memory, this process and its children are killed, not the arena.

    Of them all the kernel takes the largest, which is a bot.
    """
    # Some containers forbid it; it is a courtesy, not a wall.
    with (
        contextlib.suppress(OSError),
        open("/proc/self/oom_score_adj", "w", encoding="ascii") as file,
    ):
        file.write("1000")


def thread_count() -> int:
    return len(os.listdir("/proc/self/task"))


def tasks_of(uid: int) -> int:
    """How many processes and threads a user has at the moment; RLIMIT_NPROC counts them all."""
    count = 0
    for name in os.listdir("/proc"):
        if name.isdigit():
            with contextlib.suppress(OSError):  # it has just ended
                if os.stat(f"/proc/{name}").st_uid == uid:
                    count += len(os.listdir(f"/proc/{name}/task"))
    return count


def apply_limits(
    *,
    memory_bytes: int,
    file_bytes: int,
    open_files: int,
    cpu_seconds: int | None,
    executes: bool = False,
    tasks: int = 0,
) -> None:
    """Sets every resource limit, hard and soft alike.

    `memory_bytes` counts on top of what the process has mapped already: a fork inherits the
    zygote's whole address space, and how large that is says nothing about the bot.

    `executes`: the process is about to become another program, which begins with nothing mapped.
    Its `memory_bytes` are all its private writable memory, and what it merely reserves is bounded
    more loosely.

    `cpu_seconds` has a price: once a process has a CPU limit, the kernel advances its CPU clock
    only at ticks (every few milliseconds) and when it goes to sleep. Whoever reads it from outside
    while the process waits, as the controller does, reads it exact; `time.process_time()` inside is
    coarse, `time.thread_time()` is not.

    Sockets, pipes and threads have no limit worth having: seccomp forbids or the number of
    descriptors bounds them. `RLIMIT_NPROC` at 0 forbids every fork to an ordinary user (at any
    other value it would count all processes of the same user); for root it does nothing. `tasks` is
    that number where processes or threads are allowed.
    """
    statm = os.open("/proc/self/statm", os.O_RDONLY | os.O_CLOEXEC)
    fields = os.read(statm, 200).split()
    os.close(statm)
    mapped = int(fields[0]) * _PAGE
    data = int(fields[5]) * _PAGE
    if executes:
        mapped, data = _RESERVED_BYTES, 0
    for kind, value in (
        (resource.RLIMIT_AS, mapped + memory_bytes),
        (resource.RLIMIT_DATA, data + memory_bytes),
        (resource.RLIMIT_STACK, _STACK_BYTES),
        (resource.RLIMIT_FSIZE, file_bytes),
        (resource.RLIMIT_NOFILE, open_files),
        (resource.RLIMIT_CPU, cpu_seconds),
        (resource.RLIMIT_NPROC, tasks),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_MEMLOCK, 0),
        (resource.RLIMIT_MSGQUEUE, 0),
        (resource.RLIMIT_SIGPENDING, 64),
        (resource.RLIMIT_NICE, 0),
        (resource.RLIMIT_RTPRIO, 0),
    ):
        if value is not None:
            _lower(kind, value)


def _lower(kind: int, value: int) -> None:
    """Both limits to `value`, or to the present hard limit where that is lower already."""
    try:
        resource.setrlimit(kind, (value, value))
    except ValueError:  # Python's word for: only root may raise a hard limit
        hard = resource.getrlimit(kind)[1]
        resource.setrlimit(kind, (hard, hard))
