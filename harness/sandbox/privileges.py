"""Who a bot's process is: a throwaway user without any capability."""

from __future__ import annotations

import ctypes
import os
import struct
from typing import Final

from harness.sandbox.libc import attempt, syscall

_PR_SET_DUMPABLE: Final = 4
_PR_CAPBSET_READ: Final = 23
_PR_CAPBSET_DROP: Final = 24
_PR_SET_SECUREBITS: Final = 28
_PR_SET_NO_NEW_PRIVS: Final = 38
_PR_CAP_AMBIENT: Final = 47
_PR_CAP_AMBIENT_CLEAR_ALL: Final = 4

# The number 0 gives no capability any more, nor does changing it; each bit with its lock.
_NOROOT: Final = 0b11 << 0
_NO_SETUID_FIXUP: Final = 0b11 << 2
_NO_AMBIENT_RAISE: Final = 0b11 << 6

CAP_SETGID: Final = 6
CAP_SETUID: Final = 7
CAP_SETPCAP: Final = 8
CAP_SYS_ADMIN: Final = 21

# struct __user_cap_header_struct of version 3, for the calling thread.
_CAPABILITY_HEADER: Final = struct.pack("=Ii", 0x2008_0522, 0)
_NO_CAPABILITIES: Final = bytes(24)

# Where throwaway users come from: first number and how many. The first range neither distributions
# nor systemd hand out ("hic sunt leones"); a container that maps fewer numbers has the end of the
# 16-bit ones.
_THROWAWAY: Final = ((1_900_000_000, 1_000_000), (65_000, 500))


def capabilities() -> int:
    """The effective capabilities of this thread, as a bit mask."""
    data = ctypes.create_string_buffer(24)
    syscall("capget", _CAPABILITY_HEADER, data)
    # Effective, permitted, inheritable: first for capabilities 0-31, then again for 32-63.
    low, _, _, high, _, _ = struct.unpack("=6I", data)
    return int(low | high << 32)


def holds(capability: int) -> bool:
    return bool(capabilities() >> capability & 1)


def throwaway_uid(slot: int = 0) -> int | None:
    """A user number that owns nothing, another one for every `slot` (of 1,000,000; or 500).

    None when this process may not change its user: it is no root, or lacks the capability.
    """
    have = capabilities()
    if not (have >> CAP_SETUID & 1 and have >> CAP_SETGID & 1):
        return None
    with open("/proc/self/uid_map", encoding="ascii") as mapping:
        mapped = [(int(line.split()[0]), int(line.split()[2])) for line in mapping]
    for first, count in _THROWAWAY:
        if any(start <= first and first + count <= start + size for start, size in mapped):
            return first + slot % count
    return None


def drop_bounding_set() -> None:
    """Gives up every capability that an executed file could bring back.

    What the process holds it keeps for now, so the zygote does this once for all its children (a
    new user namespace fills the set again). Does nothing when it is empty already or when the
    process, as an ordinary user, has no say in it and nothing to lose.
    """
    if attempt("prctl", _PR_CAPBSET_READ, 0) == 1 and holds(CAP_SETPCAP):
        for capability in range(64):
            if attempt("prctl", _PR_CAPBSET_DROP, capability) < 0:
                break  # past the last capability of this kernel


def lose_root() -> None:
    """Makes the number 0 a user like any other, if this process may decide that."""
    if holds(CAP_SETPCAP):
        syscall("prctl", _PR_SET_SECUREBITS, _NOROOT | _NO_SETUID_FIXUP | _NO_AMBIENT_RAISE)


def become(uid: int) -> None:
    """Turns root into a throwaway user; the group of the same number, and no other."""
    os.setgroups([])
    os.setresgid(uid, uid, uid)
    os.setresuid(uid, uid, uid)


def drop_capabilities() -> None:
    attempt("prctl", _PR_CAP_AMBIENT, _PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0)
    syscall("capset", _CAPABILITY_HEADER, _NO_CAPABILITIES)


def allow_own_proc_files() -> None:
    """Makes the process dumpable, so that its user owns `/proc/self` and may write its id maps."""
    syscall("prctl", _PR_SET_DUMPABLE, 1)


def hide() -> None:
    """Keeps debuggers and memory dumps of the same user away (and its `/proc` files root's).

    A change of user or capabilities resets this, so it comes after the last one.
    """
    syscall("prctl", _PR_SET_DUMPABLE, 0)


def no_new_privileges() -> None:
    """No file executed from here on grants anything; Landlock and seccomp ask for it."""
    syscall("prctl", _PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
