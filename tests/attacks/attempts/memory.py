"""The memory of others, too much of one's own, and memory that would stay behind."""

from __future__ import annotations

import ctypes
import mmap
import os
import struct

from tests.attacks.attempts.registry import NO_CONTROL, ROOT_ONLY, attempt, call, libc
from tests.attacks.target import World


@attempt("memory", controls=ROOT_ONLY)
def trace_the_parent(world: World) -> object:
    return call("ptrace", 0x4206, os.getppid(), 0, 0)  # PTRACE_SEIZE; ends with this process


@attempt("memory")
def be_traced(world: World) -> object:
    return call("ptrace", 0, 0, 0, 0)  # PTRACE_TRACEME


@attempt("memory", controls=ROOT_ONLY)
def read_the_parents_memory(world: World) -> object:
    target = ctypes.create_string_buffer(8)
    vector = struct.pack("=QQ", ctypes.addressof(target), 8)
    # The same address is valid in the parent, of which this process is a copy.
    return call("process_vm_readv", os.getppid(), vector, 1, vector, 1, 0)


@attempt("memory", controls=ROOT_ONLY)
def open_the_parents_memory(world: World) -> object:
    return os.open(f"/proc/{os.getppid()}/mem", os.O_RDONLY)


@attempt("memory", controls=ROOT_ONLY)
def take_a_descriptor_of_the_parent(world: World) -> object:
    return call("pidfd_getfd", os.pidfd_open(os.getppid()), world.stray, 0)


@attempt("memory", controls=ROOT_ONLY)
def compare_with_the_parent(world: World) -> object:
    return call("kcmp", os.getpid(), os.getppid(), 0, world.stray, world.stray)


@attempt("memory")
def allocate_too_much(world: World) -> object:
    return len(bytearray(1 << 30))


@attempt("memory")
def map_too_much(world: World) -> object:
    return mmap.mmap(-1, 1 << 30, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)


@attempt("memory")
def map_too_much_shared(world: World) -> object:
    return mmap.mmap(-1, 1 << 30, flags=mmap.MAP_SHARED | mmap.MAP_ANONYMOUS)


@attempt("memory")
def grow_step_by_step(world: World) -> object:
    return len([bytes(1 << 20) for _ in range(400)])


@attempt("memory")
def make_anonymous_files(world: World) -> object:
    return os.memfd_create("flood")


@attempt("memory", controls=NO_CONTROL)  # depends on the kernel
def make_secret_memory(world: World) -> object:
    return call("memfd_secret", 0)


@attempt("memory")
def share_memory_by_system_v(world: World) -> object:
    segment = call("shmget", 0, 4096, 0o600)
    libc.shmctl(segment, 0, None)  # IPC_RMID
    return segment


@attempt("memory")
def make_a_system_v_semaphore(world: World) -> object:
    semaphore = call("semget", 0, 1, 0o600)
    libc.semctl(semaphore, 0, 0)
    return semaphore


@attempt("memory")
def make_a_system_v_queue(world: World) -> object:
    queue = call("msgget", 0, 0o600)
    libc.msgctl(queue, 0, None)
    return queue


@attempt("memory", controls=NO_CONTROL)  # would stay; POSIX queues have names
def make_a_posix_queue(world: World) -> object:
    return call("mq_open", b"koth", os.O_CREAT | os.O_RDWR, 0o600, None)


@attempt("memory")
def leave_a_key_in_the_keyring(world: World) -> object:
    return call("add_key", b"user", b"koth", b"x", 1, -2)  # the process's own keyring


@attempt("memory")
def read_a_keyring(world: World) -> object:
    return call("keyctl", 0, -3, 1)  # KEYCTL_GET_KEYRING_ID of the session


@attempt("memory", controls=ROOT_ONLY)
def lock_memory(world: World) -> object:
    memory = mmap.mmap(-1, 1 << 20)
    return call("mlock", ctypes.addressof(ctypes.c_char.from_buffer(memory)), 1 << 20)


@attempt("memory", controls=ROOT_ONLY)
def handle_page_faults(world: World) -> object:
    return call("userfaultfd", 0)


@attempt("memory")
def give_pages_to_a_pipe(world: World) -> object:
    data = ctypes.create_string_buffer(16)
    vector = struct.pack("=QQ", ctypes.addressof(data), 16)
    return call("vmsplice", world.pipe, vector, 1, 0)


@attempt("memory")
def open_many_files(world: World) -> object:
    return [os.open(world.bot, os.O_RDONLY) for _ in range(100)]


@attempt("memory")
def make_many_pipes(world: World) -> object:
    return [os.pipe() for _ in range(50)]


@attempt("memory")
def leave_a_mark_in_the_page_cache(world: World) -> object:
    descriptor = os.open(os.__file__, os.O_RDONLY)
    os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_DONTNEED)
    return "forgotten"


@attempt("memory")
def read_a_mark_in_the_page_cache(world: World) -> object:
    descriptor = os.open(os.__file__, os.O_RDONLY)
    try:
        os.preadv(descriptor, [bytearray(1)], 0, os.RWF_NOWAIT)
    except BlockingIOError:
        return "it is not cached"
    return "it is cached"
