"""What `/proc` tells, and lets do, about processes."""

from __future__ import annotations

import mmap
import os

from tests.attacks.attempts.registry import NO_CONTROL, ROOT_ONLY, attempt, read
from tests.attacks.target import World


@attempt("proc")
def list_processes(world: World) -> object:
    return os.listdir("/proc")


@attempt("proc", gap="stat")
def stat_a_process(world: World) -> object:
    return os.stat("/proc/1")


@attempt("proc")
def read_where_the_parent_works(world: World) -> object:
    return os.readlink(f"/proc/{os.getppid()}/cwd")


@attempt("proc")
def read_which_files_the_parent_has_open(world: World) -> object:
    return os.readlink(f"/proc/{os.getppid()}/fd/{world.stray}")


@attempt("proc")
def read_the_own_environment(world: World) -> object:
    return read("/proc/self/environ")


@attempt("proc")
def read_the_parents_environment(world: World) -> object:
    return read(f"/proc/{os.getppid()}/environ")


@attempt("proc")
def read_the_parents_command_line(world: World) -> object:
    return read(f"/proc/{os.getppid()}/cmdline")


@attempt("proc")
def read_the_parents_memory_map(world: World) -> object:
    return read(f"/proc/{os.getppid()}/maps")


@attempt("proc")
def write_the_own_memory_through_proc(world: World) -> object:
    return os.open("/proc/self/mem", os.O_RDWR)


@attempt("proc", gap="reopen")
def reopen_read_only_memory_for_writing(world: World) -> object:
    return os.write(os.open(f"/proc/self/fd/{world.memory}", os.O_RDWR), b"x")


@attempt("proc", controls=NO_CONTROL)
def write_sealed_memory(world: World) -> object:
    return os.write(os.open(f"/proc/self/fd/{world.sealed}", os.O_RDWR), b"x")


@attempt("proc", controls=NO_CONTROL)
def map_sealed_memory_for_writing(world: World) -> object:
    return mmap.mmap(os.open(f"/proc/self/fd/{world.sealed}", os.O_RDWR), 4096)


@attempt("proc", controls=ROOT_ONLY)
def change_a_kernel_setting(world: World) -> object:
    return os.open("/proc/sys/kernel/pid_max", os.O_WRONLY)
