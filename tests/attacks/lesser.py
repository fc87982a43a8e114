"""A machine that can do less: `python -m tests.attacks.lesser CALL,CALL WORD...` is `koth WORD...`.

The kernel itself refuses these system calls to koth and to all that it starts, as a container or an
older kernel would.
"""

from __future__ import annotations

import ctypes
import errno
import os
import struct
import sys

from harness.sandbox.libc import NUMBER, syscall

_ALLOW, _ERRNO = 0x7FFF0000, 0x00050000

LEVELS = {
    "standard": ("unshare",),
    "weak": ("unshare", "landlock_create_ruleset"),
    "weak without seccomp": ("seccomp",),
}


def refuse(calls: list[str]) -> None:
    """From now on these calls get EPERM, those of an older kernel's ignorance ENOSYS."""
    program = [(0x20, 0, 0, 0)]  # the number of the call
    for call in calls:
        answer = errno.EPERM if call == "unshare" else errno.ENOSYS
        program += [(0x15, 0, 1, NUMBER[call]), (0x06, 0, 0, _ERRNO | answer)]
    program.append((0x06, 0, 0, _ALLOW))
    code = ctypes.create_string_buffer(b"".join(struct.pack("=HBBI", *step) for step in program))
    syscall("prctl", 38, 1, 0, 0, 0)  # PR_SET_NO_NEW_PRIVS
    syscall("seccomp", 1, 0, struct.pack("=HxxxxxxQ", len(program), ctypes.addressof(code)))


if __name__ == "__main__":
    refuse(sys.argv[1].split(","))
    os.execv(sys.executable, [sys.executable, "-m", "harness", *sys.argv[2:]])
