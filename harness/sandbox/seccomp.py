"""seccomp: which system calls the process may make, as a BPF program assembled here.

The policy (`harness.sandbox.policy`) says what is allowed; this module turns it into the kernel's
bytes and installs them. A call that passes always and whatever its arguments (all of them on the
way of a decision) costs nothing: since Linux 5.11 the kernel remembers the answer per number.
"""

from __future__ import annotations

import ctypes
import errno
import struct
from functools import lru_cache
from typing import Final

from harness.sandbox.libc import MACHINE, syscall
from harness.sandbox.policy import OWN_PID, Check, Policy
from harness.sandbox.syscalls import NEWEST, NUMBERS

_SET_MODE_FILTER: Final = 1

# BPF operations: load a word of the call's description, mask it, compare, return.
_LOAD: Final = 0x20
_AND: Final = 0x54
_JUMP_IF_EQUAL: Final = 0x15
_JUMP: Final = 0x05
_JUMP_IF_AT_LEAST: Final = 0x35
_RETURN: Final = 0x06

_KILL_PROCESS: Final = 0x8000_0000
_ALLOW: Final = 0x7FFF_0000
_ERRNO: Final = 0x0005_0000
_REFUSE: Final = _ERRNO | errno.EPERM
_UNKNOWN: Final = _ERRNO | errno.ENOSYS

# Offsets in `struct seccomp_data`; arguments are 64 bits, low half first.
_NUMBER: Final = 0
_ARCHITECTURE: Final = 4
_ARGUMENTS: Final = 16

_AUDIT_ARCH: Final = {"x86_64": 0xC000_003E, "aarch64": 0xC000_00B7}

Instruction = tuple[int, int, int, int]  # operation, jump if true, jump if false, value
Segment = tuple[int, list[Instruction]]
_LONGEST_JUMP: Final = 255  # of a conditional jump


def assemble(policy: Policy, machine: str, pid: int) -> list[Instruction]:
    """The filter of `policy` for the process `pid` on `machine`.

    A call of the other instruction set of the machine (32-bit x86, 32-bit ARM) has numbers that
    mean something else, and ends the process. x32 numbers lie above the newest.
    """
    return [
        (_LOAD, 0, 0, _ARCHITECTURE),
        (_JUMP_IF_EQUAL, 1, 0, _AUDIT_ARCH[machine]),
        (_RETURN, 0, 0, _KILL_PROCESS),
        (_LOAD, 0, 0, _NUMBER),
        *_search(_segments(_verdicts(policy, machine, pid))),
    ]


def _verdicts(policy: Policy, machine: str, pid: int) -> dict[int, list[Instruction]]:
    """What to do about every number; each list ends by returning."""
    numbers = NUMBERS[machine]
    verdicts = {number: [(_RETURN, 0, 0, _REFUSE)] for number in range(NEWEST + 1)}
    verdicts[NEWEST + 1] = [(_RETURN, 0, 0, _UNKNOWN)]  # and whatever is above it

    def put(name: str, verdict: list[Instruction]) -> None:
        number = numbers[name]  # a KeyError is a misspelt policy
        if number is not None:
            verdicts[number] = verdict

    for name in policy.allowed:
        put(name, [(_RETURN, 0, 0, _ALLOW)])
    for name in policy.absent:
        put(name, [(_RETURN, 0, 0, _UNKNOWN)])
    for name, checks in policy.guarded:
        steps = [step for check in checks for step in _check(check, pid)]
        put(name, [*steps, (_RETURN, 0, 0, _ALLOW)])
    return verdicts


def _segments(verdicts: dict[int, list[Instruction]]) -> list[Segment]:
    """Runs of numbers with the same verdict, each as its first number and the verdict."""
    segments: list[Segment] = []
    for number, verdict in sorted(verdicts.items()):
        if not segments or segments[-1][1] != verdict:
            segments.append((number, verdict))
    return segments


def _search(segments: list[Segment]) -> list[Instruction]:
    """A binary search for the number's segment.

    The kernel runs the filter once for each of its own calls when it is installed, to learn what
    is always allowed; trying one number after the other would cost it 0.15 ms per process.
    """
    if len(segments) == 1:
        return segments[0][1]
    middle = len(segments) // 2
    below, above = _search(segments[:middle]), _search(segments[middle:])
    first = segments[middle][0]
    if len(below) <= _LONGEST_JUMP:
        return [(_JUMP_IF_AT_LEAST, len(below), 0, first), *below, *above]
    return [(_JUMP_IF_AT_LEAST, 0, 1, first), (_JUMP, 0, 0, len(below)), *below, *above]


def _check(check: Check, pid: int) -> list[Instruction]:
    """Refuses the call if its argument does not pass; otherwise falls through.

    The kernel's own type of all these arguments but pointers is an `int`, so it ignores the upper
    half, and so must the filter.
    """
    offset = _ARGUMENTS + 8 * check.argument
    values = [pid if value == OWN_PID else value for value in check.values]
    steps: list[Instruction] = []
    if check.pointer:
        steps += [(_LOAD, 0, 0, offset + 4), (_JUMP_IF_EQUAL, 1, 0, 0), (_RETURN, 0, 0, _REFUSE)]
    steps.append((_LOAD, 0, 0, offset))
    if check.mask is not None:
        steps.append((_AND, 0, 0, check.mask))
    if check.but:
        for value in values:
            steps += [(_JUMP_IF_EQUAL, 0, 1, value), (_RETURN, 0, 0, _REFUSE)]
        return steps
    for position, value in enumerate(values):
        # Past the comparisons left and the refusal behind them.
        steps.append((_JUMP_IF_EQUAL, len(values) - position, 0, value & 0xFFFF_FFFF))
    steps.append((_RETURN, 0, 0, _REFUSE))
    return steps


# A real process number cannot be this large (PID_MAX_LIMIT is 2**22).
_PID_MARK: Final = 0x7EAD_BEEF


@lru_cache(maxsize=4)
def _template(policy: Policy) -> tuple[bytes, tuple[int, ...]]:
    """The filter's bytes with a mark for the process number, and where the marks are."""
    program = assemble(policy, MACHINE, _PID_MARK)
    marks = tuple(8 * n + 4 for n, step in enumerate(program) if step[3] == _PID_MARK)
    return b"".join(struct.pack("=HBBI", *step) for step in program), marks


def prepare(policy: Policy) -> None:
    """Assembles the filter once, in the zygote, for all its children."""
    _template(policy)


def install(policy: Policy, pid: int) -> None:
    """Filters this process's system calls from now on. Needs no_new_privs."""
    template, marks = _template(policy)
    code = ctypes.create_string_buffer(template, len(template))
    for mark in marks:
        struct.pack_into("=I", code, mark, pid)
    # struct sock_fprog: the number of instructions and, aligned to 8 bytes, their address.
    program = struct.pack("=HxxxxxxQ", len(template) // 8, ctypes.addressof(code))
    syscall("seccomp", _SET_MODE_FILTER, 0, program)
