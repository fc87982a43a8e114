"""A look from inside: does the confinement hold? Run in every bot's process before the bot.

Each act is one that a layer must forbid, tried in a way that does no harm if it should succeed.
"""

from __future__ import annotations

import errno
import os
import resource
import select
from collections.abc import Iterator
from typing import Final

from harness.sandbox.confinement import Confinement
from harness.sandbox.libc import Argument, attempt
from harness.sandbox.privileges import capabilities

# A sample: the filter refuses everything that it does not list, and the list's own tests are more
# thorough. Every call has an argument that the kernel itself refuses (a bad descriptor, a null
# pointer, an unknown flag) or that changes nothing. So EPERM or ENOSYS comes from seccomp, and
# anything else, even an error, shows that the call got through.
_CALLS: Final[tuple[tuple[str, tuple[Argument, ...]], ...]] = (
    ("socket", (-1, 0, 0)),
    ("io_uring_setup", (0, 0)),
    ("clone", (0x800,)),  # CLONE_SIGHAND without CLONE_VM
    ("clone3", (0, 0)),
    ("execve", (None, None, None)),
    ("ptrace", (-1, -1)),
    ("process_vm_readv", (-1, 0, 0, 0, 0, -1)),
    ("pidfd_open", (-1, -1)),
    ("sched_setaffinity", (0, 0, 0)),
    ("unshare", (0,)),
    ("personality", (-1,)),
    ("setresuid", (-1, -1, -1)),
    ("bpf", (-1, 0, 0)),
    ("userfaultfd", (-1,)),
    ("memfd_create", (None, 0)),
    ("shmget", (0, 0, 0)),
    ("mq_open", (None, 0, 0, None)),
    ("keyctl", (-1,)),
    ("symlinkat", (None, -1, None)),
    ("mknodat", (-1, None, 0, 0)),
    ("fchmod", (-1, 0)),
    ("utimensat", (-1, 0, 0, 0)),
    ("truncate", (0, 0)),
    ("seccomp", (-1, 0, None)),
    ("prctl", (4, 999)),  # PR_SET_DUMPABLE
    ("fcntl", (-1, 4, 0)),  # F_SETFL
    ("fcntl", (-1, 6, 0)),  # F_SETLK
    ("fcntl", (-1, 8, 0)),  # F_SETOWN
    ("fcntl", (-1, 1033, 0)),  # F_ADD_SEALS
    ("kill", (0, 0)),
    ("kill", (-1, 999)),
)
# What may be executed is Landlock's to say, and a program's pipes are its own.
_PROGRAMS_MAY: Final = (("execve", (None, None, None)), ("fcntl", (-1, 4, 0)))
_ALLOWED: Final[dict[str, tuple[tuple[str, tuple[Argument, ...]], ...]]] = {
    "python": (),
    "program": _PROGRAMS_MAY,
    "build": (*_PROGRAMS_MAY, ("clone", (0x800,)), ("fchmod", (-1, 0))),
}
_STOPPED: Final = (-errno.EPERM, -errno.ENOSYS)

_PR_GET_DUMPABLE: Final = 3
_PR_GET_NO_NEW_PRIVS: Final = 39

_AT_FDCWD: Final = -100


def self_test(confinement: Confinement) -> tuple[str, ...]:
    """The names of forbidden acts that succeeded; must be empty. To be called after `confine`."""
    return tuple(_failures(confinement))


def _failures(confinement: Confinement) -> Iterator[str]:
    yield from _process(confinement)
    layers = confinement.layers
    if layers.seccomp:
        for name, arguments in _CALLS:
            if (name, arguments) in _ALLOWED[confinement.kind]:
                continue
            if attempt(name, *arguments) not in _STOPPED:
                yield f"system call {name}{arguments}"
        if attempt("kill", confinement.parent, 0) == 0:
            yield "signal the parent"
    elif capabilities():
        yield "hold capabilities"
    if layers.landlock or layers.namespaces:
        yield from _files(confinement)
    if layers.namespaces:
        yield from _root(confinement)


def _process(confinement: Confinement) -> Iterator[str]:
    if os.getppid() != confinement.parent:
        yield "outlive the parent"
    if attempt("prctl", _PR_GET_DUMPABLE) != 0:
        yield "be dumpable"
    if attempt("prctl", _PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) != 1:
        yield "gain privileges"
    if confinement.uid is not None and os.getresuid() != (confinement.uid,) * 3:
        yield "stay root"
    if confinement.core is not None and os.sched_getaffinity(0) != {confinement.core}:
        yield "leave its core"
    limits = ["RLIMIT_AS", "RLIMIT_DATA", "RLIMIT_FSIZE", "RLIMIT_NOFILE"]
    if confinement.cpu_seconds is not None:
        limits.append("RLIMIT_CPU")
    for name in limits:
        if resource.getrlimit(getattr(resource, name))[1] == resource.RLIM_INFINITY:
            yield f"exceed {name}"
    # The kernel polls no more descriptors at a time than a process may open.
    others = set(range(3, min(64, confinement.open_files))).difference(confinement.keep_fds)
    descriptors = select.poll()
    for number in others:
        descriptors.register(number, 0)
    for number in others.difference(number for number, _ in descriptors.poll(0)):
        yield f"use descriptor {number}"


def _files(confinement: Confinement) -> Iterator[str]:
    folder = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC
    secret = {"/etc/passwd": os.O_RDONLY, "/proc/self/mem": os.O_RDONLY, "/proc": folder}
    if confinement.layers.landlock:
        secret["/"] = folder
    for path, flags in secret.items():
        if (opened := attempt("openat", _AT_FDCWD, path.encode(), flags, 0)) >= 0:
            os.close(opened)
            yield f"open {path}"
    for parent in ("/", "/tmp", os.path.dirname(confinement.readable[-1])):
        if attempt("openat", _AT_FDCWD, parent.encode(), os.O_WRONLY | os.O_TMPFILE, 0o600) >= 0:
            yield f"write in {parent}"


def _root(confinement: Confinement) -> Iterator[str]:
    for path in ("/proc", "/sys", "/etc/passwd", "/dev/shm"):
        if os.path.lexists(path):
            yield f"see {path}"
    size = os.statvfs(confinement.scratch)
    if size.f_blocks * size.f_frsize > confinement.scratch_bytes + size.f_frsize:
        yield "fill the scratch with too much"
    if size.f_files > confinement.scratch_files + 1:
        yield "fill the scratch with too many files"
