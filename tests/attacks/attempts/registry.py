"""How an attempt is registered, and what they share."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Callable
from dataclasses import dataclass

from harness.sandbox.libc import MACHINE
from tests.attacks.target import World

Act = Callable[[World], object]

GAPS = {
    "stat": "Landlock does not forbid to ask for a file's size and times, or whether it exists,"
    " or where a link points",
    "chdir": "Landlock does not forbid to enter a folder (listing it, it does)",
    "reopen": "what it may read by a descriptor it can open anew for writing, if the mode allows;"
    " only a seal keeps shared memory from being written",
    "disk": "without a mount of its own the scratch has no size; only each file has",
}
"""Why some attempts succeed where there are no namespaces; the documentation repeats them."""


@dataclass(frozen=True)
class Attempt:
    """`controls`: as whom it succeeds when free. `gap`: the key of GAPS why `standard` lets it."""

    name: str
    family: str
    act: Act
    controls: tuple[str, ...]
    gap: str


ATTEMPTS: dict[str, Attempt] = {}


def attempt(
    family: str, *, controls: tuple[str, ...] = ("root", "user"), gap: str = ""
) -> Callable[[Act], Act]:
    def register(act: Act) -> Act:
        name = act.__name__
        assert name not in ATTEMPTS, name
        ATTEMPTS[name] = Attempt(name, family, act, controls, gap)
        return act

    return register


ROOT_ONLY = ("root",)
NO_CONTROL = ()

libc = ctypes.CDLL(None, use_errno=True)

# name: (x86_64, aarch64), of calls that Python has no function for.
_NUMBERS = {
    "acct": (163, 89),
    "add_key": (248, 217),
    "bpf": (321, 280),
    "capset": (126, 91),
    "clone": (56, 220),
    "clone3": (435, 435),
    "fanotify_init": (300, 262),
    "futex": (202, 98),
    "getxattr": (191, 8),
    "inotify_init1": (294, 26),
    "io_uring_setup": (425, 425),
    "ioperm": (173, None),
    "ioprio_set": (251, 30),
    "kcmp": (312, 272),
    "keyctl": (250, 219),
    "memfd_secret": (447, 447),
    "membarrier": (324, 283),
    "mincore": (27, 232),
    "mlock": (149, 228),
    "modify_ldt": (154, None),
    "mount": (165, 40),
    "mq_open": (240, 180),
    "msgget": (68, 186),
    "name_to_handle_at": (303, 264),
    "perf_event_open": (298, 241),
    "personality": (135, 92),
    "pidfd_getfd": (438, 438),
    "pivot_root": (155, 41),
    "prctl": (157, 167),
    "process_vm_readv": (310, 270),
    "ptrace": (101, 117),
    "quotactl": (179, 60),
    "renameat2": (316, 276),
    "rt_sigqueueinfo": (129, 138),
    "seccomp": (317, 277),
    "semget": (64, 190),
    "setns": (308, 268),
    "shmget": (29, 194),
    "signalfd4": (289, 74),
    "syslog": (103, 116),
    "tgkill": (234, 131),
    "timerfd_create": (283, 85),
    "tkill": (200, 130),
    "umount2": (166, 39),
    "unshare": (272, 97),
    "userfaultfd": (323, 282),
    "vmsplice": (278, 75),
}


def call(name: str, *arguments: int | bytes | ctypes.Array[ctypes.c_char] | None) -> int:
    """A system call; `OSError` when it fails."""
    number = _NUMBERS[name][MACHINE == "aarch64"]
    if number is None:
        raise OSError(f"{name} does not exist on {MACHINE}")
    return raw(number, *arguments)


def raw(number: int, *arguments: int | bytes | ctypes.Array[ctypes.c_char] | None) -> int:
    wide = [ctypes.c_long(value) if isinstance(value, int) else value for value in arguments]
    libc.syscall.restype = ctypes.c_long
    result = int(libc.syscall(ctypes.c_long(number), *wide))
    if result == -1:
        error = ctypes.get_errno()
        raise OSError(error, os.strerror(error))
    return result


def read(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read(100)


def write(path: str, data: bytes = b"x") -> int:
    with open(path, "ab") as file:
        return file.write(data)
