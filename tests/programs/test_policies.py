"""What the filters for programs and builds allow beyond the one for bots in Python."""

from __future__ import annotations

import pytest

from harness.sandbox import seccomp
from harness.sandbox.policy import BOT, BUILD, PROGRAM, Policy
from harness.sandbox.syscalls import NEWEST, NUMBERS
from tests.sandbox.test_seccomp import ALLOW, PID, decide, machines

THREAD = 0x3D_0F00  # as glibc makes one
FORK = 0x0120_0011


@machines
@pytest.mark.parametrize("policy", [PROGRAM, BUILD], ids=["program", "build"])
def test_every_number(machine: str, policy: Policy) -> None:
    name_of = {number: name for name, number in NUMBERS[machine].items() if number is not None}
    for number in range(NEWEST + 1):
        name = name_of.get(number)
        decision = decide(machine, number, policy=policy)
        if name in policy.allowed:
            assert decision == ALLOW, name
        elif name in policy.absent:
            assert decision == "ENOSYS", name
        else:
            assert decision == "EPERM", (number, name)
    assert dict(policy.guarded).keys().isdisjoint(policy.allowed)
    assert len(seccomp.assemble(policy, machine, PID)) < 600


def test_nothing_is_taken_away_but_ways_of_mapping_memory() -> None:
    assert BOT.allowed - PROGRAM.allowed == {"mmap"}
    assert PROGRAM.allowed <= BUILD.allowed
    assert BOT.absent == PROGRAM.absent == BUILD.absent
    for call in ("socket", "ptrace", "unshare", "setsid", "setpgid", "memfd_create", "execveat"):
        for policy in (PROGRAM, BUILD):
            assert call not in policy.allowed | set(dict(policy.guarded))


@machines
def test_guarded_calls(machine: str) -> None:
    def say(policy: Policy, name: str, *arguments: int) -> str:
        number = NUMBERS[machine][name]
        assert number is not None
        return decide(machine, number, arguments, policy=policy)

    assert say(PROGRAM, "clone", THREAD) == ALLOW
    for flags in (FORK, 17, 0, THREAD & ~0x1_0000, THREAD | 0x1000_0000, THREAD | 0x8000):
        assert say(PROGRAM, "clone", flags) == "EPERM", hex(flags)
    assert say(BUILD, "clone", FORK) == say(BUILD, "clone", THREAD) == ALLOW
    for namespace in (17, 25, 26, 27, 28, 29, 30):
        assert say(BUILD, "clone", FORK | 1 << namespace) == "EPERM"
    assert say(BUILD, "clone", FORK | 0x8000) == "EPERM"  # a child for the zygote
    for policy in (PROGRAM, BUILD):
        assert say(policy, "socketpair", 1, 1, 0) == ALLOW
        assert say(policy, "socketpair", 2, 1, 0) == "EPERM"
        assert say(policy, "mmap", 0, 4096, 3, 0x22) == ALLOW  # private
        assert say(policy, "mmap", 0, 4096, 3, 0x01) == ALLOW  # shared, of a file
        for flags in (0x21, 0x23, 0x4021, 0x122, 0x4_0022):
            assert say(policy, "mmap", 0, 4096, 3, flags) == "EPERM", hex(flags)
        assert say(policy, "prctl", 1, 0) == "EPERM"
        assert say(policy, "fcntl", 0, 4, 0) == ALLOW
        assert say(policy, "fcntl", 0, 8, 0) == "EPERM"
        assert say(policy, "kill", PID + 1, 9) == "EPERM"
