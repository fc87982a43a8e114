"""Becoming somebody else, and ways out of the sandbox."""

from __future__ import annotations

import ctypes
import mmap
import os
import socket
import struct
import time

from harness.sandbox.libc import MACHINE
from tests.attacks.attempts.registry import NO_CONTROL, ROOT_ONLY, attempt, call, raw
from tests.attacks.target import World

_CLONE_NEWUSER, _CLONE_NEWNS = 0x10000000, 0x20000


@attempt("privileges", controls=ROOT_ONLY)
def become_root(world: World) -> object:
    return os.setuid(0)


@attempt("privileges", controls=ROOT_ONLY)
def become_root_for_files(world: World) -> object:
    return os.setreuid(0, 0)


@attempt("privileges", controls=ROOT_ONLY)
def join_a_group(world: World) -> object:
    return os.setgroups([0])


@attempt("privileges", controls=ROOT_ONLY)
def become_somebody_else(world: World) -> object:
    return os.setresuid(1, 1, 1)


@attempt("privileges", controls=ROOT_ONLY)
def gain_capabilities(world: World) -> object:
    header, everything = struct.pack("=Ii", 0x20080522, 0), (1 << 21)
    return call("capset", header, struct.pack("=6I", everything, everything, 0, 0, 0, 0))


@attempt("privileges")
def make_a_user_namespace(world: World) -> object:
    return call("unshare", _CLONE_NEWUSER)


@attempt("privileges", controls=ROOT_ONLY)
def make_a_mount_namespace(world: World) -> object:
    return call("unshare", _CLONE_NEWNS)


@attempt("privileges", controls=NO_CONTROL)
def enter_the_parents_namespaces(world: World) -> object:
    return call("setns", os.pidfd_open(os.getppid()), _CLONE_NEWNS)


@attempt("privileges", controls=ROOT_ONLY)
def mount(world: World) -> object:
    call("mount", b"tmpfs", world.scratch.encode(), b"tmpfs", 0, None)
    return call("umount2", world.scratch.encode(), 2)


@attempt("privileges", controls=NO_CONTROL)
def make_the_root_writable(world: World) -> object:
    return call("mount", None, b"/", None, 1 << 5, None)  # MS_REMOUNT


@attempt("privileges", controls=NO_CONTROL)
def unmount_the_scratch(world: World) -> object:
    return call("umount2", world.scratch.encode(), 2)


@attempt("privileges", controls=NO_CONTROL)
def swap_the_root(world: World) -> object:
    return call("pivot_root", b".", b".")


@attempt("privileges", controls=ROOT_ONLY)
def change_the_root(world: World) -> object:
    return os.chroot(".")


@attempt("privileges", controls=ROOT_ONLY)
def escape_from_a_changed_root(world: World) -> object:
    """The classic: a folder opened before, then climbed from beneath a new root."""
    os.mkdir("jail")
    outside = os.open(".", os.O_RDONLY)
    os.chroot("jail")
    os.fchdir(outside)
    return os.listdir("../../../../../..")


@attempt("privileges")
def change_the_personality(world: World) -> object:
    return call("personality", 0x0040000)  # ADDR_NO_RANDOMIZE


@attempt("privileges", controls=NO_CONTROL)  # free, it would outlive its parent
def stop_dying_with_the_parent(world: World) -> object:
    return call("prctl", 1, 0, 0, 0, 0)  # PR_SET_PDEATHSIG


@attempt("privileges")
def become_dumpable(world: World) -> object:
    return call("prctl", 4, 1, 0, 0, 0)  # PR_SET_DUMPABLE


@attempt("privileges")
def take_another_name(world: World) -> object:
    return call("prctl", 15, b"koth", 0, 0, 0)  # PR_SET_NAME


@attempt("privileges")
def add_a_filter(world: World) -> object:
    return call("seccomp", 2, 0, struct.pack("=I", 0x7FFF0000))  # SECCOMP_GET_ACTION_AVAIL


@attempt("privileges", controls=ROOT_ONLY)
def load_a_kernel_program(world: World) -> object:
    return call("bpf", 0, struct.pack("=4I", 2, 4, 8, 1) + bytes(56), 72)  # an array map


@attempt("privileges", controls=NO_CONTROL)  # virtual machines have no counters
def count_events(world: World) -> object:
    attributes = struct.pack("=IIQ", 1, 64, 1) + bytes(48)
    return call("perf_event_open", attributes, 0, -1, -1, 0)


@attempt("privileges", controls=NO_CONTROL)
def set_the_clock(world: World) -> object:
    return time.clock_settime(time.CLOCK_REALTIME, time.time())


@attempt("privileges", controls=NO_CONTROL)
def rename_the_machine(world: World) -> object:
    return socket.sethostname("koth")


@attempt("privileges", controls=NO_CONTROL)
def account_processes(world: World) -> object:
    return call("acct", None)


@attempt("privileges", controls=NO_CONTROL)
def read_quotas(world: World) -> object:
    return call("quotactl", 0x80000100, None, 0, None)


@attempt("privileges", controls=NO_CONTROL)  # locked down in some machines
def touch_hardware_ports(world: World) -> object:
    return call("ioperm", 0x80, 1, 1)


@attempt("privileges", controls=NO_CONTROL)  # built without it on some kernels
def change_segments(world: World) -> object:
    return call("modify_ldt", 0, None, 0)


@attempt("privileges", controls=NO_CONTROL)
def call_by_x32_numbers(world: World) -> object:
    if MACHINE != "x86_64":
        raise OSError("x86_64 only")
    return raw(0x40000000 | 39)  # getpid


@attempt("privileges", controls=NO_CONTROL)  # many kernels are built without the 32-bit calls
def call_by_32_bit_numbers(world: World) -> object:
    if MACHINE != "x86_64":
        raise OSError("x86_64 only")
    # mov eax, 20 (getpid); int 0x80; ret
    code = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
    code.write(b"\xb8\x14\x00\x00\x00\xcd\x80\xc3")
    address = ctypes.addressof(ctypes.c_char.from_buffer(code))
    result = int(ctypes.CFUNCTYPE(ctypes.c_int)(address)())
    if result < 0:
        raise OSError(-result, os.strerror(-result))
    return result


@attempt("privileges", controls=NO_CONTROL)  # there is none yet
def call_by_a_number_of_the_future(world: World) -> object:
    return raw(1000)
