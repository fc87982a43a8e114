"""Disturbing the arena: signals, shared descriptors, priorities, limits."""

from __future__ import annotations

import ctypes
import fcntl
import mmap
import os
import resource
import signal
import struct
import time

from tests.attacks.attempts.registry import NO_CONTROL, ROOT_ONLY, attempt, call
from tests.attacks.target import World

# A signal that does nothing to whoever does not ask for it.
_HARMLESS = signal.SIGURG


@attempt("signals")
def signal_the_parent(world: World) -> object:
    return os.kill(os.getppid(), _HARMLESS)


@attempt("signals")
def ask_whether_the_parent_lives(world: World) -> object:
    return os.kill(os.getppid(), 0)


@attempt("signals")
def ask_for_the_parents_session(world: World) -> object:
    return os.getsid(os.getppid())


@attempt("signals")
def signal_everybody(world: World) -> object:
    return os.kill(-1, 0)


@attempt("signals")
def signal_the_parents_group(world: World) -> object:
    return os.killpg(os.getpgid(os.getppid()), 0)


@attempt("signals")
def signal_the_parents_thread(world: World) -> object:
    return call("tgkill", os.getppid(), os.getppid(), _HARMLESS)


@attempt("signals")
def signal_a_thread_anywhere(world: World) -> object:
    return call("tkill", os.getppid(), _HARMLESS)


@attempt("signals", controls=NO_CONTROL)  # needs a signal information that is the sender's own
def queue_a_signal_to_the_parent(world: World) -> object:
    return call("rt_sigqueueinfo", os.getppid(), _HARMLESS, ctypes.create_string_buffer(128))


@attempt("signals")
def open_a_handle_on_the_parent(world: World) -> object:
    return os.pidfd_open(os.getppid())


@attempt("signals")
def signal_the_parent_by_handle(world: World) -> object:
    return signal.pidfd_send_signal(os.pidfd_open(os.getppid()), _HARMLESS)


@attempt("signals")
def have_the_kernel_signal_the_parent(world: World) -> object:
    """SIGIO, or any other signal, to the "owner" of a pipe whenever it becomes readable."""
    reader, _ = os.pipe()
    fcntl.fcntl(reader, fcntl.F_SETSIG, _HARMLESS)
    return fcntl.fcntl(reader, fcntl.F_SETOWN, os.getppid())


@attempt("signals")
def own_the_shared_pipe(world: World) -> object:
    return fcntl.fcntl(world.pipe, fcntl.F_SETOWN, os.getppid())


@attempt("signals")
def make_the_shared_pipe_block(world: World) -> object:
    """Its flags belong to the arena as well, which would hang."""
    return os.set_blocking(world.pipe, True)


@attempt("signals")
def make_the_shared_pipe_block_by_ioctl(world: World) -> object:
    return fcntl.ioctl(world.pipe, 0x5421, struct.pack("=i", 0))  # FIONBIO


@attempt("signals")
def have_the_shared_pipe_signal_by_ioctl(world: World) -> object:
    return fcntl.ioctl(world.pipe, 0x5452, struct.pack("=i", 1))  # FIOASYNC


@attempt("signals")
def shrink_the_shared_pipe(world: World) -> object:
    return fcntl.fcntl(world.pipe, fcntl.F_SETPIPE_SZ, 4096)


@attempt("signals")
def seal_the_shared_memory(world: World) -> object:
    return fcntl.fcntl(world.reply, fcntl.F_ADD_SEALS, fcntl.F_SEAL_GROW)


@attempt("signals")
def limit_the_parent(world: World) -> object:
    parent = os.getppid()
    return resource.prlimit(parent, resource.RLIMIT_CORE, (0, 0))


@attempt("signals")
def read_the_parents_limits(world: World) -> object:
    return resource.prlimit(os.getppid(), resource.RLIMIT_CORE)


@attempt("signals")
def read_the_parents_processor_time(world: World) -> object:
    return time.clock_gettime((~os.getppid()) << 3 | 2)


@attempt("signals")
def change_the_own_core(world: World) -> object:
    return os.sched_setaffinity(0, os.sched_getaffinity(0))


@attempt("signals")
def change_the_parents_core(world: World) -> object:
    return os.sched_setaffinity(os.getppid(), os.sched_getaffinity(0))


@attempt("signals")
def see_the_parents_core(world: World) -> object:
    return os.sched_getaffinity(os.getppid())


@attempt("signals", controls=ROOT_ONLY)
def raise_the_own_priority(world: World) -> object:
    return os.nice(-1)


@attempt("signals")
def lower_the_parents_priority(world: World) -> object:
    now = os.getpriority(os.PRIO_PROCESS, os.getppid())  # it may be low already
    return os.setpriority(os.PRIO_PROCESS, os.getppid(), min(now + 1, 19))


@attempt("signals", controls=ROOT_ONLY)
def run_in_real_time(world: World) -> object:
    return os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))


@attempt("signals")
def lend_priority_to_the_parent(world: World) -> object:
    """A lock in shared memory that claims to be the parent's; gives up when it has waited."""
    memory = mmap.mmap(-1, 4096)
    memory[:4] = struct.pack("=I", os.getppid())
    address = ctypes.addressof(ctypes.c_char.from_buffer(memory))
    try:
        return call("futex", address, 6, 0, struct.pack("=QQ", 1, 0), 0, 0)  # FUTEX_LOCK_PI
    except TimeoutError:
        return "the kernel believed it"


@attempt("signals")
def interrupt_all_processors(world: World) -> object:
    return call("membarrier", 1, 0, 0)  # MEMBARRIER_CMD_GLOBAL


@attempt("signals")
def change_the_disk_priority(world: World) -> object:
    return call("ioprio_set", 1, 0, 2 << 13)


@attempt("signals")
def loosen_the_memory_limit(world: World) -> object:
    hard = resource.getrlimit(resource.RLIMIT_AS)[1]
    try:
        return resource.setrlimit(resource.RLIMIT_AS, (hard, hard))
    except ValueError as error:  # Python's word for EPERM here
        raise PermissionError(str(error)) from None


@attempt("signals")
def take_signals_by_descriptor(world: World) -> object:
    return call("signalfd4", -1, struct.pack("=Q", 1), 8, 0)


@attempt("signals")
def set_a_timer_by_descriptor(world: World) -> object:
    return call("timerfd_create", 1, 0)
