"""The system calls a bot may make, each with the reason; every other one is refused.

A list of what is allowed, not of what is forbidden: the kernel grows by a few calls a year, and a
list of dangers would have to know them all. What is missing here gets EPERM, which Python turns
into a `PermissionError` that the bot's author can read; a few calls get ENOSYS ("no such call"),
because libraries then fall back to an older way, and so does everything newer than the table of
numbers.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

OWN_PID: Final = -(2**40)
"""Stands for the number of the process that the filter is for."""


@dataclass(frozen=True)
class Check:
    """An argument (0-5) that must have one of these values, or none of them if `but` is set.

    A pointer is compared in 64 bits. With a `mask` only those bits of the argument count.
    """

    argument: int
    values: tuple[int, ...]
    pointer: bool = False
    but: bool = False
    mask: int | None = None


@dataclass(frozen=True)
class Policy:
    """`allowed` whatever the arguments, `guarded` if all checks pass, `absent` as if unknown."""

    allowed: frozenset[str]
    guarded: tuple[tuple[str, tuple[Check, ...]], ...]
    absent: frozenset[str]


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Which files and folders is Landlock's and the mount namespace's matter. Not here: `truncate` by
# path, which Landlock does not cover before ABI 3 (`ftruncate` needs a descriptor open for
# writing); `fadvise64`, which could leave marks in the page cache for a later bot; links, device
# nodes, owners, modes, times and extended attributes; locks; `sendfile`, `splice` and relatives,
# which Python does without when refused.
_FILES: Final = _names(
    "open openat creat close close_range read readv pread64 preadv write writev pwrite64"
    " pwritev lseek dup dup2 dup3 stat fstat lstat newfstatat statx statfs fstatfs access"
    " faccessat faccessat2 getdents getdents64 readlink readlinkat getcwd chdir fchdir rename"
    " renameat mkdir mkdirat rmdir unlink unlinkat ftruncate fallocate fsync fdatasync"
    " umask pipe pipe2"
)

# The allocator, extension modules (which are mapped executable), `mmap` and NumPy's large arrays.
# Not here: locking in memory, moving pages, `mincore` (it shows what others have read).
_MEMORY: Final = _names("mmap munmap mremap mprotect msync brk")

# `time`, `signal.alarm`; a timer signals nobody but the process itself.
_TIME: Final = _names("nanosleep gettimeofday time times getrusage alarm getitimer setitimer")

# Handlers and masks of its own. `restart_syscall` is made by the kernel itself after a stop.
_SIGNALS: Final = _names(
    "rt_sigaction rt_sigprocmask rt_sigreturn rt_sigpending rt_sigtimedwait rt_sigsuspend"
    " sigaltstack pause restart_syscall"
)

# Waiting for the bell. Not here: epoll, eventfd, inotify, io_uring.
_WAITING: Final = _names("poll ppoll select pselect6 sched_yield")

# Harmless knowledge about itself and the machine. Not here: what takes another process's number
# and would tell whether it exists.
_KNOWLEDGE: Final = _names(
    "getpid gettid getppid getuid geteuid getgid getegid getresuid getresgid getgroups getpgrp"
    " getcpu uname sysinfo getrandom getrlimit"
)

_END: Final = _names("exit exit_group")

# fcntl: duplicate, close-on-exec, and read the flags. Not set them: the descriptors that a bot
# shares with the controller share their flags too, and clearing O_NONBLOCK would let it hang the
# controller. Not owner and signal (SIGIO would be a kill without a kill), locks, leases, seals,
# pipe sizes.
_FCNTL: Final = (
    0,  # F_DUPFD
    1,  # F_GETFD
    2,  # F_SETFD
    3,  # F_GETFL
    1030,  # F_DUPFD_CLOEXEC
)

# ioctl: is it a terminal and how wide, how much is there to read, close-on-exec.
_IOCTL: Final = (
    0x5401,  # TCGETS
    0x5413,  # TIOCGWINSZ
    0x541B,  # FIONREAD
    0x5450,  # FIONCLEX
    0x5451,  # FIOCLEX
    0x802C542A,  # TCGETS2
)

# prctl: read what is set. (Setting would undo the parent-death signal and the non-dumpable state.)
_PRCTL: Final = (
    2,  # PR_GET_PDEATHSIG
    3,  # PR_GET_DUMPABLE
    16,  # PR_GET_NAME
    21,  # PR_GET_SECCOMP
    39,  # PR_GET_NO_NEW_PRIVS
)

# futex: wait and wake (plain or by bit set; private or shared; by either clock). Not the kinds that
# hand priorities on: they can name a thread of any process, and led into many a kernel.
_FUTEX: Final = tuple(
    operation | flags for operation in (0, 1, 9, 10) for flags in (0, 128, 256, 128 | 256)
)

# renameat2: plain, or only if nothing is there. A "whiteout" would leave a device behind.
_RENAME_FLAGS: Final = (0, 1)

# madvise as malloc and NumPy use it. Not merging (a side channel), poisoning, fork behaviour,
# nor reading ahead, which would leave marks in the page cache.
_MADVICE: Final = (
    0,  # MADV_NORMAL
    1,  # MADV_RANDOM
    2,  # MADV_SEQUENTIAL
    4,  # MADV_DONTNEED
    8,  # MADV_FREE
    14,  # MADV_HUGEPAGE
    15,  # MADV_NOHUGEPAGE
    16,  # MADV_DONTDUMP
    17,  # MADV_DODUMP
)

# The clocks with a number of their own. All others are made from the number of a process (negative)
# or a device, and would read the CPU time of the controller.
_CLOCKS: Final = tuple(range(12))

# A death by SIGKILL means that somebody outside has ended the process, which is nobody's fault and
# has the block played again: a bot must not be able to look like that. Nor stop itself.
_KILL_AND_STOP: Final = (9, 19)

_SELF: Final = (OWN_PID,)
_SELF_OR_0: Final = (0, OWN_PID)

BOT: Final = Policy(
    allowed=_FILES | _MEMORY | _TIME | _SIGNALS | _WAITING | _KNOWLEDGE | _END,
    guarded=(
        ("clock_gettime", (Check(0, _CLOCKS),)),
        ("clock_getres", (Check(0, _CLOCKS),)),
        ("clock_nanosleep", (Check(0, _CLOCKS),)),
        ("fcntl", (Check(1, _FCNTL),)),
        ("ioctl", (Check(1, _IOCTL),)),
        ("futex", (Check(1, _FUTEX),)),
        ("madvise", (Check(2, _MADVICE),)),
        # Without flags: RWF_NOWAIT tells whether a page is cached, and so reads what another left.
        ("preadv2", (Check(5, (0,)),)),
        ("pwritev2", (Check(5, (0,)),)),
        ("prctl", (Check(0, _PRCTL),)),
        ("renameat2", (Check(4, _RENAME_FLAGS),)),
        # `os.kill(os.getpid(), ...)`, `abort()`, `raise()`.
        ("kill", (Check(0, _SELF), Check(1, _KILL_AND_STOP, but=True))),
        ("tgkill", (Check(0, _SELF), Check(2, _KILL_AND_STOP, but=True))),
        # `os.cpu_count()`; OpenBLAS.
        ("sched_getaffinity", (Check(0, _SELF_OR_0),)),
        # Read its own limits (`getrlimit`, `sysconf`), set none.
        ("prlimit64", (Check(0, _SELF_OR_0), Check(2, (0,), pointer=True))),
    ),
    # glibc tries these first and goes back to `clone`, `openat`, nothing.
    absent=_names("clone3 openat2 rseq"),
)
"""CPython with the standard library and NumPy: one process, one thread, no exec, no sockets."""

# What glibc and musl, and Go, ask `clone` for when they make a thread: all of it shares everything
# with the process, and ends with it.
_THREAD: Final = (0x3D_0F00, 0x7D_0F00, 0x05_0F00, 0x0D_0F00)

# Private memory counts towards RLIMIT_DATA. Memory that is shared and belongs to no file would not,
# nor would what grows downwards; huge pages come out of a reserve of the machine.
_SHARED_AND_ANONYMOUS: Final = 0x21
_GROWS_DOWN_OR_HUGE: Final = 0x4_0100

# The thread's own registers, where the loader keeps the address of its variables.
_ARCH_PRCTL: Final = (0x1001, 0x1002, 0x1003, 0x1004)

# libuv sets its pipes to non-blocking so. A program's pipes are its own, see `_FCNTL`.
_FIONBIO: Final = 0x5421
_F_SETFL: Final = 4

_RUNTIMES: Final = _names(
    "execve set_tid_address set_robust_list epoll_create epoll_create1 epoll_ctl epoll_wait"
    " epoll_pwait eventfd2 sched_get_priority_max sched_get_priority_min"
    # Of any thread: threads have numbers of their own. It tells whether a number is in use.
    " sched_getaffinity"
)


def _changed(policy: Policy, allowed: frozenset[str], **guarded: tuple[Check, ...]) -> Policy:
    """The policy with more calls allowed and other checks for these."""
    checks = dict(policy.guarded) | guarded
    return Policy(
        (policy.allowed | allowed) - set(guarded),
        tuple((name, each) for name, each in checks.items() if name not in allowed),
        policy.absent,
    )


PROGRAM: Final = _changed(
    BOT,
    _RUNTIMES,
    clone=(Check(0, _THREAD),),
    mmap=(
        Check(3, (_SHARED_AND_ANONYMOUS,), but=True, mask=_SHARED_AND_ANONYMOUS),
        Check(3, (0,), mask=_GROWS_DOWN_OR_HUGE),
    ),
    arch_prctl=(Check(0, _ARCH_PRCTL),),
    # A pair of Unix sockets reaches nobody else; without one, Java opens no file.
    socketpair=(Check(0, (1,)),),
    fcntl=(Check(1, (*_FCNTL, _F_SETFL)),),
    ioctl=(Check(1, (*_IOCTL, _FIONBIO)),),
)
"""Any program: threads, but one process. It may execute again what it was executed as: which files
that are is Landlock's matter."""

# No new namespaces (CLONE_NEW*), and no children for the zygote (CLONE_PARENT). Nor is there a way
# to leave the process group, by which a whole build is killed.
_NEW_NAMESPACES: Final = 0x7E02_8080

BUILD: Final = _changed(
    PROGRAM,
    _names("fork vfork wait4 waitid chmod fchmod fchmodat fchmodat2 getpgid"),
    clone=(Check(0, (0,), mask=_NEW_NAMESPACES),),
)
"""Compilers and linkers: several processes, all of one group."""

POLICIES: Final = {"python": BOT, "program": PROGRAM, "build": BUILD}
