"""Runs commands on a disk of its own: `python -m tests.events.disk FOLDER SIZE STEP...`

In a mount namespace with a tmpfs on FOLDER, so that nothing needs to be tidied up. A STEP is a JSON
list: a command to run, or one word with options to mount anew with. Prints JSON: of every command
its status, standard output and standard error. Exit status 77 where this user may not mount.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from harness.sandbox.libc import syscall

CANNOT = 77
_CLONE_NEWNS, _CLONE_NEWUSER = 0x0002_0000, 0x1000_0000
_MS_REMOUNT, _MS_REC, _MS_PRIVATE = 1 << 5, 1 << 14, 1 << 18


def mount(folder: str, options: str, flags: int = 0) -> None:
    read_only = 1 if "ro" in options.split(",") else 0
    rest = ",".join(word for word in options.split(",") if word not in ("ro", "rw"))
    syscall("mount", b"disk", folder.encode(), b"tmpfs", flags | read_only, rest.encode())


def main(folder: str, size: str, *steps: str) -> int:
    user, group = os.getuid(), os.getgid()
    try:
        if user == 0:
            syscall("unshare", _CLONE_NEWNS)
        else:
            syscall("unshare", _CLONE_NEWUSER | _CLONE_NEWNS)
            Path("/proc/self/setgroups").write_text("deny")
            Path("/proc/self/uid_map").write_text(f"0 {user} 1")
            Path("/proc/self/gid_map").write_text(f"0 {group} 1")
        syscall("mount", b"none", b"/", None, _MS_REC | _MS_PRIVATE, None)
        mount(folder, f"size={size}")
    except OSError as error:
        print(error, file=sys.stderr)
        return CANNOT
    told = []
    for step in map(json.loads, steps):
        if len(step) == 1:
            mount(folder, step[0], _MS_REMOUNT)
            continue
        done = subprocess.run(step, capture_output=True, text=True, check=False)
        told.append([done.returncode, done.stdout, done.stderr])
    print(json.dumps(told))
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
