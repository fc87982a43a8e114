"""The filter as a program: what it decides about every call, on both architectures.

A few lines of BPF interpreter stand for the kernel, so that each machine checks the filter of the
other one too.
"""

from __future__ import annotations

import errno
import re
from functools import cache
from pathlib import Path

import pytest

from harness.sandbox import seccomp
from harness.sandbox.policy import BOT, Check, Policy
from harness.sandbox.syscalls import NEWEST, NUMBERS

PID = 4711
ARCHITECTURE = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
KILL, ALLOW = "kill", "allow"

machines = pytest.mark.parametrize("machine", NUMBERS)


@cache
def assembled(policy: Policy, machine: str) -> list[seccomp.Instruction]:
    return seccomp.assemble(policy, machine, PID)


def decide(
    machine: str,
    number: int,
    arguments: tuple[int, ...] = (),
    *,
    architecture: int | None = None,
    policy: Policy = BOT,
) -> str:
    """What the filter says: `kill`, `allow` or the name of an error."""
    words = {0: number & 0xFFFFFFFF, 4: architecture or ARCHITECTURE[machine]}
    for position in range(6):
        value = arguments[position] if position < len(arguments) else 0xDEAD_BEEF_DEAD_BEEF
        words[16 + 8 * position] = value & 0xFFFFFFFF
        words[20 + 8 * position] = value >> 32 & 0xFFFFFFFF
    program = assembled(policy, machine)
    at = loaded = 0
    while True:
        operation, if_true, if_false, value = program[at]
        at += 1
        if operation == 0x20:
            loaded = words[value]
        elif operation == 0x54:
            loaded &= value
        elif operation == 0x05:
            at += value
        elif operation == 0x06:
            if value == 0x80000000:
                return KILL
            return ALLOW if value == 0x7FFF0000 else errno.errorcode[value & 0xFFFF]
        else:
            true = {
                0x15: loaded == value,
                0x35: loaded >= value,
            }[operation]
            at += if_true if true else if_false


@machines
def test_every_number(machine: str) -> None:
    """Allowed is what the policy names, and not one call more."""
    name_of = {number: name for name, number in NUMBERS[machine].items() if number is not None}
    guarded = dict(BOT.guarded)
    for number in range(NEWEST + 1):
        name = name_of.get(number)
        decision = decide(machine, number)
        if name in BOT.allowed:
            assert decision == ALLOW, name
        elif name in BOT.absent:
            assert decision == "ENOSYS", name
        else:  # guarded ones too: these arguments pass no check
            assert decision == "EPERM", (number, name)
    assert guarded.keys().isdisjoint(BOT.allowed)
    assert guarded.keys() <= NUMBERS[machine].keys()


@machines
def test_guarded_calls(machine: str) -> None:
    numbers = NUMBERS[machine]
    null, pointer, half = 0, 0x7FFF_0000_1000, 1 << 32  # the last looks null in 32 bits

    def say(name: str, *arguments: int) -> str:
        number = numbers[name]
        assert number is not None
        return decide(machine, number, arguments)

    assert say("kill", PID, 10) == ALLOW
    assert say("kill", PID, 0) == ALLOW
    assert say("kill", PID + 1, 10) == "EPERM"
    for everybody in (0, -1, -PID):
        assert say("kill", everybody, 10) == "EPERM"
    assert say("tgkill", PID, PID, 10) == ALLOW
    assert say("tgkill", 1, PID, 10) == "EPERM"
    for fatal in (9, 19, half | 9):
        assert say("kill", PID, fatal) == "EPERM"
        assert say("tgkill", PID, PID, fatal) == "EPERM"
    # The kernel looks at the lower half of a process number, so the upper must not matter.
    assert say("kill", half | PID + 1, 10) == "EPERM"
    assert say("prlimit64", 0, 7, null, pointer) == ALLOW
    assert say("prlimit64", PID, 7, null, pointer) == ALLOW
    assert say("prlimit64", PID + 1, 7, null, pointer) == "EPERM"
    for new_limit in (pointer, half, 1):
        assert say("prlimit64", 0, 7, new_limit, null) == "EPERM"
    assert say("sched_getaffinity", 0, 8, pointer) == ALLOW
    assert say("sched_getaffinity", 1, 8, pointer) == "EPERM"
    for command, decision in ((0, ALLOW), (1030, ALLOW), (4, "EPERM"), (8, "EPERM"), (6, "EPERM")):
        assert say("fcntl", 3, command, 0) == decision
    assert say("ioctl", 3, 0x5401, pointer) == ALLOW
    assert say("ioctl", 3, half | 0x5412, pointer) == "EPERM"  # TIOCSTI, disguised
    assert say("prctl", 38, 1) == "EPERM"
    assert say("prctl", 16, pointer) == ALLOW
    for call in ("clock_gettime", "clock_getres", "clock_nanosleep"):
        assert say(call, 1) == ALLOW
        assert say(call, (~1) << 3 | 2) == "EPERM"
    assert say("madvise", pointer, 4096, 4) == ALLOW
    assert say("madvise", pointer, 4096, 12) == "EPERM"


@machines
def test_foreign_numbers(machine: str) -> None:
    """Other instruction sets of the same processor, x32, and what does not exist yet."""
    for other in (0x40000003, 0x40000028, *ARCHITECTURE.values()):  # i386, 32-bit ARM
        if other != ARCHITECTURE[machine]:
            assert decide(machine, 0, architecture=other) == KILL
    for number in (NEWEST + 1, 1000, 0x40000000, 0x40000000 | 39, 0x7FFFFFFF, -1):
        assert decide(machine, number) == "ENOSYS"


@machines
def test_the_program_fits(machine: str) -> None:
    program = seccomp.assemble(BOT, machine, PID)
    assert len(program) < 500  # the kernel's limit is 4096
    for at, (operation, if_true, if_false, value) in enumerate(program):
        assert 0 <= if_true < 256
        assert 0 <= if_false < 256
        jump = value if operation == 0x05 else max(if_true, if_false)
        assert at + 1 + jump < len(program) or operation == 0x06


@machines
def test_the_search_is_short(machine: str) -> None:
    """Ten comparisons at most for a call without checks, however many calls are allowed."""
    program = seccomp.assemble(BOT, machine, PID)

    def depth(at: int) -> int:
        operation, if_true, if_false, value = program[at]
        if operation == 0x35:
            return 1 + max(depth(at + 1 + if_true), depth(at + 1 + if_false))
        return depth(at + 1 + value) if operation == 0x05 else 0

    assert depth(4) <= 10


def test_checks_compare_whole_words() -> None:
    values = [value for _, checks in BOT.guarded for check in checks for value in check.values]
    assert all(value < 1 << 32 for value in values)
    assert Check(0, (1,)).pointer is False


@pytest.mark.parametrize(
    ("machine", "header"),
    [
        ("x86_64", "/usr/include/x86_64-linux-gnu/asm/unistd_64.h"),
        ("x86_64", "/usr/include/asm/unistd_64.h"),
        ("aarch64", "/usr/include/asm-generic/unistd.h"),
    ],
)
def test_the_numbers_are_the_kernels(machine: str, header: str) -> None:
    if not Path(header).exists():
        pytest.skip(f"no kernel header {header} here")
    text = Path(header).read_text(encoding="ascii")
    defined = dict(re.findall(r"#define __NR(?:3264)?_(\w+)\s+(\d+)", text))
    # The generic header calls two of them by the name that 32-bit machines know.
    renamed = {"newfstatat": "fstatat", "fadvise64": "fadvise64"}
    compared = 0
    for name, number in NUMBERS[machine].items():
        theirs = defined.get(name) or defined.get(renamed.get(name, name))
        if theirs is not None:
            assert number == int(theirs), name
            compared += 1
    assert compared > 100
