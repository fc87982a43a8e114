"""System calls by name, straight through ctypes: no wrapper package, no C compiler.

`syscall("mount", ...)` returns the kernel's answer or raises `OSError`; `attempt` returns the error
as a negative number instead. Numbers are looked up by name for the running machine.
"""

from __future__ import annotations

import ctypes
import errno
import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

from harness.sandbox.syscalls import NUMBERS

MACHINE: Final = os.uname().machine
"""`x86_64` or `aarch64`; the sandbox knows the system calls of no other machine."""

NUMBER: Final = {
    name: number for name, number in NUMBERS.get(MACHINE, {}).items() if number is not None
}

Argument = int | bytes | None | ctypes.Array[ctypes.c_char]

# How the arguments of a call travel: i an integer, p a pointer (bytes, a buffer, or None for
# NULL). Calls that are not listed take integers, as many as they are given. Through an untyped
# `syscall(...)` ctypes would pass an int in 32 bits and the kernel read rubbish in the upper half.
_SHAPES: Final = {
    "capget": "pp",
    "capset": "pp",
    "execve": "ppp",
    "landlock_add_rule": "iipi",
    "landlock_create_ruleset": "pii",
    "linkat": "ipipi",
    "memfd_create": "pi",
    "mknodat": "ipii",
    "mount": "pppip",
    "mount_setattr": "ipipi",
    "move_mount": "ipipi",
    "mq_open": "piip",
    "open_tree": "ipi",
    "openat": "ipii",
    "pivot_root": "pp",
    "seccomp": "iip",
    "symlinkat": "pip",
    "umount2": "pi",
}
_TYPES: Final = {"i": ctypes.c_long, "p": ctypes.c_char_p}

_libc = ctypes.CDLL(None, use_errno=True)


def _prototype(shape: str) -> Callable[..., int]:
    kinds = [ctypes.c_long, *(_TYPES[letter] for letter in shape)]
    return ctypes.CFUNCTYPE(ctypes.c_long, *kinds, use_errno=True)(("syscall", _libc))


# Made once, at import: the zygote's children find them ready.
_OF_INTEGERS: Final = tuple(_prototype("i" * count) for count in range(7))
_OF_SHAPE: Final = {shape: _prototype(shape) for shape in set(_SHAPES.values())}
_CALLS: Final = {name: _OF_SHAPE[shape] for name, shape in _SHAPES.items()}


def attempt(name: str, *arguments: Argument) -> int:
    """The result of a system call, or minus the error number; never raises `OSError`."""
    number = NUMBER.get(name)
    if number is None:
        return -errno.ENOSYS
    call = _CALLS.get(name) or _OF_INTEGERS[len(arguments)]
    result = call(number, *arguments)
    return -ctypes.get_errno() if result == -1 else result


def syscall(name: str, *arguments: Argument) -> int:
    """The result of a system call; `OSError` with the call's name when it fails."""
    result = attempt(name, *arguments)
    if result < 0:
        raise OSError(-result, f"{name}: {os.strerror(-result)}")
    return result


_PR_SET_PDEATHSIG: Final = 1


def die_with_parent(parent: int) -> None:
    """Has the kernel kill this process when its parent ends; raises if that happened already.

    The signal comes when the *thread* ends that forked this process, one more reason for forking
    from a single-threaded zygote. Every change of user or capabilities clears the setting.
    """
    syscall("prctl", _PR_SET_PDEATHSIG, int(signal.SIGKILL))
    if os.getppid() != parent:
        raise ProcessLookupError(f"the parent process {parent} is gone")


@contextmanager
def ctrl_c_held_back() -> Iterator[None]:
    """Processes that are started in here do not notice Ctrl-C until they call `leave_ctrl_c`.

    It goes to everybody on the terminal, and would catch a helper that has not come to ignore it.
    """
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def leave_ctrl_c() -> None:
    """Ignore Ctrl-C from now on: it is the controller's to handle."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
