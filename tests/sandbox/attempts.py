"""What a hostile bot would try, one tiny function each; returning at all means it succeeded.

An attempt fails by `OSError`, `MemoryError` or `RuntimeError`, or by the death of the process. It
must do no harm when it does succeed, since each also runs free, as the control that shows that it
could.
"""

from __future__ import annotations

import ctypes
import fcntl
import mmap
import os
import resource
import signal
import socket
import stat
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

from harness.sandbox.libc import MACHINE
from tests.sandbox.world import SCRATCH_BYTES, SCRATCH_FILES, World

Act = Callable[[World], object]

GAPS = {
    "stat": "Landlock does not forbid to ask for a file's size and times, or whether it exists",
    "chdir": "Landlock does not forbid to enter a folder (listing it, it does)",
    "reopen": "what it may read by a descriptor it can open anew for writing, if the mode allows;"
    " only a seal keeps shared memory from being written",
    "disk": "without a mount of its own the scratch has no size; only each file has",
}
"""Why some attempts succeed where there are no namespaces; the documentation repeats them."""


@dataclass(frozen=True)
class Attempt:
    """`controls`: as whom it succeeds when free. `gap`: the key of GAPS why `standard` lets it."""

    name: str
    family: str
    act: Act
    controls: tuple[str, ...]
    gap: str


ATTEMPTS: dict[str, Attempt] = {}


def attempt(
    family: str, *, controls: tuple[str, ...] = ("root", "user"), gap: str = ""
) -> Callable[[Act], Act]:
    def register(act: Act) -> Act:
        name = act.__name__
        assert name not in ATTEMPTS, name
        ATTEMPTS[name] = Attempt(name, family, act, controls, gap)
        return act

    return register


ROOT_ONLY = ("root",)
NO_CONTROL = ()

_libc = ctypes.CDLL(None, use_errno=True)

# name: (x86_64, aarch64), of calls that Python has no function for.
_NUMBERS = {
    "acct": (163, 89),
    "add_key": (248, 217),
    "bpf": (321, 280),
    "capset": (126, 91),
    "clone": (56, 220),
    "clone3": (435, 435),
    "fanotify_init": (300, 262),
    "getxattr": (191, 8),
    "inotify_init1": (294, 26),
    "io_uring_setup": (425, 425),
    "ioperm": (173, None),
    "ioprio_set": (251, 30),
    "kcmp": (312, 272),
    "keyctl": (250, 219),
    "memfd_secret": (447, 447),
    "mincore": (27, 232),
    "mlock": (149, 228),
    "modify_ldt": (154, None),
    "mount": (165, 40),
    "mq_open": (240, 180),
    "msgget": (68, 186),
    "name_to_handle_at": (303, 264),
    "perf_event_open": (298, 241),
    "personality": (135, 92),
    "pidfd_getfd": (438, 438),
    "pivot_root": (155, 41),
    "prctl": (157, 167),
    "process_vm_readv": (310, 270),
    "ptrace": (101, 117),
    "quotactl": (179, 60),
    "rt_sigqueueinfo": (129, 138),
    "seccomp": (317, 277),
    "semget": (64, 190),
    "setns": (308, 268),
    "shmget": (29, 194),
    "signalfd4": (289, 74),
    "syslog": (103, 116),
    "tgkill": (234, 131),
    "timerfd_create": (283, 85),
    "tkill": (200, 130),
    "umount2": (166, 39),
    "unshare": (272, 97),
    "userfaultfd": (323, 282),
    "vmsplice": (278, 75),
}


def call(name: str, *arguments: int | bytes | ctypes.Array[ctypes.c_char] | None) -> int:
    """A system call; `OSError` when it fails."""
    number = _NUMBERS[name][MACHINE == "aarch64"]
    if number is None:
        raise OSError(f"{name} does not exist on {MACHINE}")
    return raw(number, *arguments)


def raw(number: int, *arguments: int | bytes | ctypes.Array[ctypes.c_char] | None) -> int:
    wide = [ctypes.c_long(value) if isinstance(value, int) else value for value in arguments]
    _libc.syscall.restype = ctypes.c_long
    result = int(_libc.syscall(ctypes.c_long(number), *wide))
    if result == -1:
        error = ctypes.get_errno()
        raise OSError(error, os.strerror(error))
    return result


def read(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read(100)


def write(path: str, data: bytes = b"x") -> int:
    with open(path, "ab") as file:
        return file.write(data)


# --- files of others ---------------------------------------------------------------------------


@attempt("files")
def read_a_rival(world: World) -> object:
    return read(world.rival)


@attempt("files")
def map_a_rival(world: World) -> object:
    descriptor = os.open(world.rival, os.O_RDONLY)
    return mmap.mmap(descriptor, 0, prot=mmap.PROT_READ)[:10]


@attempt("files")
def list_rivals(world: World) -> object:
    return os.listdir(os.path.dirname(world.rival))


@attempt("files", gap="stat")
def stat_a_rival(world: World) -> object:
    return os.stat(world.rival).st_size


@attempt("files", gap="stat")
def ask_whether_a_file_exists(world: World) -> object:
    if not os.access(world.ledger, os.F_OK):
        raise FileNotFoundError(world.ledger)
    return True


@attempt("files", gap="chdir")
def enter_the_folder_of_results(world: World) -> object:
    return os.chdir(os.path.dirname(world.ledger))


@attempt("files")
def climb_by_relative_paths(world: World) -> object:
    return read("../" * 20 + world.rival.lstrip("/"))


@attempt("files")
def read_the_ledger(world: World) -> object:
    return read(world.ledger)


@attempt("files")
def truncate_the_ledger_by_path(world: World) -> object:
    return os.truncate(world.ledger, 0)


@attempt("files")
def truncate_the_ledger_on_opening(world: World) -> object:
    return os.open(world.ledger, os.O_WRONLY | os.O_TRUNC)


@attempt("files")
def append_to_the_ledger(world: World) -> object:
    return write(world.ledger)


@attempt("files")
def rename_the_ledger(world: World) -> object:
    return os.rename(world.ledger, world.ledger + "~")


@attempt("files")
def move_the_ledger_into_scratch(world: World) -> object:
    return os.rename(world.ledger, os.path.join(world.scratch, "ledger"))


@attempt("files")
def delete_the_ledger(world: World) -> object:
    return os.unlink(world.ledger)


@attempt("files")
def link_the_ledger_into_scratch(world: World) -> object:
    return os.link(world.ledger, os.path.join(world.scratch, "ledger"))


@attempt("files")
def change_the_ledgers_mode(world: World) -> object:
    return os.chmod(world.ledger, 0o600)


@attempt("files")
def change_the_ledgers_times(world: World) -> object:
    return os.utime(world.ledger, (0, 0))


@attempt("files")
def read_a_stray_descriptor(world: World) -> object:
    return os.read(world.stray, 10)


@attempt("files")
def rewrite_the_own_file(world: World) -> object:
    return write(world.bot)


@attempt("files", controls=ROOT_ONLY)
def write_into_the_standard_library(world: World) -> object:
    path = os.path.join(os.path.dirname(os.__file__), "koth_was_here.py")
    write(path)
    return os.unlink(path)


@attempt("files")
def read_the_users(world: World) -> object:
    return read("/etc/passwd")


@attempt("files")
def read_the_host_name(world: World) -> object:
    return read("/etc/hostname") or read("/etc/os-release")


@attempt("files")
def list_the_root(world: World) -> object:
    return os.listdir("/")


@attempt("files")
def leave_something_in_tmp(world: World) -> object:
    path = f"/tmp/koth-{os.getpid()}"
    write(path)
    return os.unlink(path)


@attempt("files")
def leave_something_in_shared_memory(world: World) -> object:
    path = f"/dev/shm/koth-{os.getpid()}"
    write(path)
    return os.unlink(path)


@attempt("files", controls=ROOT_ONLY)
def make_a_folder_in_the_root(world: World) -> object:
    os.mkdir("/koth-was-here")
    return os.rmdir("/koth-was-here")


@attempt("files", controls=ROOT_ONLY)
def read_the_kernels_log(world: World) -> object:
    return call("syslog", 10, None, 0)


@attempt("files")
def lock_a_shared_file(world: World) -> object:
    with open(world.bot, "rb") as file:
        return fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)


@attempt("files")
def lock_a_range_of_a_shared_file(world: World) -> object:
    with open(world.bot, "rb") as file:
        return fcntl.lockf(file, fcntl.LOCK_SH | fcntl.LOCK_NB)


@attempt("files")
def lease_a_shared_file(world: World) -> object:
    with open(world.bot, "rb") as file:
        return fcntl.fcntl(file, fcntl.F_SETLEASE, fcntl.F_RDLCK)


@attempt("files")
def watch_a_shared_folder(world: World) -> object:
    return call("inotify_init1", 0)


@attempt("files", controls=ROOT_ONLY)
def watch_everything(world: World) -> object:
    return call("fanotify_init", 0, 0)


@attempt("files")
def take_a_file_handle(world: World) -> object:
    handle = ctypes.create_string_buffer(struct.pack("=Ii", 128, 0), 256)
    mount = ctypes.create_string_buffer(4)
    return call("name_to_handle_at", -100, world.bot.encode(), handle, mount, 0)


@attempt("files")
def read_an_extended_attribute(world: World) -> object:
    try:
        return call("getxattr", world.bot.encode(), b"user.koth", None, 0)
    except OSError as error:
        if error.errno == 61:  # ENODATA: the answer is that there is none
            return None
        raise


@attempt("files")
def see_what_others_have_read(world: World) -> object:
    memory = mmap.mmap(-1, 4096)
    address = ctypes.addressof(ctypes.c_char.from_buffer(memory))
    return call("mincore", address, 4096, ctypes.create_string_buffer(1))


# --- processes in /proc ------------------------------------------------------------------------


@attempt("proc")
def list_processes(world: World) -> object:
    return os.listdir("/proc")


@attempt("proc", gap="stat")
def stat_a_process(world: World) -> object:
    return os.stat("/proc/1")


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


# --- the scratch folder ------------------------------------------------------------------------


@attempt("scratch")
def write_one_file_too_large(world: World) -> object:
    return write("large", bytes(SCRATCH_BYTES + 1))


@attempt("scratch")
def make_a_huge_sparse_file(world: World) -> object:
    with open("sparse", "wb") as file:
        return file.truncate(1 << 40)


@attempt("scratch")
def reserve_too_much(world: World) -> object:
    with open("reserved", "wb") as file:
        return os.posix_fallocate(file.fileno(), 0, SCRATCH_BYTES + 1)


@attempt("scratch", gap="disk")
def write_too_much_in_several_files(world: World) -> object:
    for number in range(3):
        write(f"part{number}", bytes(SCRATCH_BYTES // 2))
    return True


@attempt("scratch", gap="disk")
def write_too_much_through_deleted_files(world: World) -> object:
    kept = []
    for number in range(3):
        file = open(f"part{number}", "wb", buffering=0)  # noqa: SIM115
        kept.append(file)
        os.unlink(file.name)
        # A full disk may answer with a short write.
        if file.write(bytes(SCRATCH_BYTES // 2)) < SCRATCH_BYTES // 2:
            raise OSError("short write")
    return True


@attempt("scratch", gap="disk")
def make_too_many_files(world: World) -> object:
    for number in range(SCRATCH_FILES + 1):
        os.close(os.open(f"{number}", os.O_CREAT | os.O_WRONLY))
    return True


@attempt("scratch", gap="disk")
def make_too_many_folders(world: World) -> object:
    for number in range(SCRATCH_FILES + 1):
        os.mkdir(f"{number}")
    return True


@attempt("scratch")
def make_a_symbolic_link(world: World) -> object:
    return os.symlink(world.ledger, "link")


@attempt("scratch")
def make_a_hard_link(world: World) -> object:
    write("file")
    return os.link("file", "link")


@attempt("scratch")
def make_a_fifo(world: World) -> object:
    return os.mkfifo("fifo")


@attempt("scratch", controls=ROOT_ONLY)
def make_a_device(world: World) -> object:
    return os.mknod("device", stat.S_IFCHR | 0o666, os.makedev(1, 3))


@attempt("scratch")
def make_a_socket_file(world: World) -> object:
    return os.mknod("socket", stat.S_IFSOCK | 0o666)


@attempt("scratch")
def make_a_setuid_file(world: World) -> object:
    write("file")
    return os.chmod("file", 0o4755)


@attempt("scratch", controls=ROOT_ONLY)
def give_a_file_away(world: World) -> object:
    write("file")
    return os.chown("file", 1, 1)


@attempt("scratch")
def forge_times(world: World) -> object:
    write("file")
    return os.utime("file", (0, 0))


@attempt("scratch")
def hide_data_in_attributes(world: World) -> object:
    write("file")
    return os.setxattr("file", "user.koth", b"x" * 1000)


@attempt("scratch")
def execute_a_file_of_its_own(world: World) -> object:
    with open("program", "w", encoding="ascii") as file:
        file.write("#!/bin/sh\n")
    os.chmod("program", 0o755)
    return subprocess.run(["./program"], check=True)


# --- processes and threads ---------------------------------------------------------------------


def _as_child(child: int) -> object:
    if child == 0:
        os._exit(0)
    return os.waitpid(child, 0)


@attempt("processes")
def fork(world: World) -> object:
    return _as_child(os.fork())


@attempt("processes")
def clone(world: World) -> object:
    return _as_child(call("clone", signal.SIGCHLD, 0, 0, 0, 0))


@attempt("processes", controls=NO_CONTROL)  # it would borrow the stack of the interpreter
def vfork(world: World) -> object:
    if MACHINE != "x86_64":
        raise OSError("no such call here")
    return _as_child(raw(58))


@attempt("processes")
def clone3(world: World) -> object:
    arguments = struct.pack("=8Q", 0, 0, 0, 0, signal.SIGCHLD, 0, 0, 0)
    return _as_child(call("clone3", arguments, len(arguments)))


@attempt("processes")
def leave_a_daemon_behind(world: World) -> object:
    child = os.fork()
    if child == 0:
        os.setsid()
        if os.fork():
            os._exit(0)
        os._exit(0)
    return os.waitpid(child, 0)


@attempt("processes")
def spawn(world: World) -> object:
    child = os.posix_spawn("/bin/true", ["true"], {})
    return os.waitpid(child, 0)


@attempt("processes")
def run_a_command(world: World) -> object:
    return subprocess.run(["/bin/true"], check=True)


@attempt("processes", controls=NO_CONTROL)  # it would replace the process that reports
def execute(world: World) -> object:
    return os.execv("/bin/true", ["true"])


@attempt("processes", controls=NO_CONTROL)
def execute_the_interpreter(world: World) -> object:
    return os.execv(sys.executable, [sys.executable, "-c", ""])


@attempt("processes")
def start_a_thread(world: World) -> object:
    thread = threading.Thread(target=time.sleep, args=(0,))
    thread.start()
    return thread.join()


@attempt("processes", controls=NO_CONTROL)  # pytest's zygote leads no session
def start_a_session(world: World) -> object:
    return os.setsid()


# --- the network -------------------------------------------------------------------------------


@attempt("network")
def connect_by_tcp(world: World) -> object:
    with socket.create_connection(world.tcp, timeout=5) as connection:
        return connection.send(b"x")


@attempt("network")
def listen_by_tcp(world: World) -> object:
    with socket.create_server(("127.0.0.1", 0)) as server:
        return server.getsockname()


@attempt("network")
def send_by_udp(world: World) -> object:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
        return sender.sendto(b"x", world.udp)


@attempt("network")
def connect_by_ipv6(world: World) -> object:
    with socket.socket(socket.AF_INET6, socket.SOCK_STREAM) as connection:
        return connection.fileno()


@attempt("network", controls=NO_CONTROL)  # depends on the kernel
def connect_by_mptcp(world: World) -> object:
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM, 262) as connection:
        return connection.connect(world.tcp)


@attempt("network", controls=NO_CONTROL)  # depends on the machine's network
def resolve_a_name(world: World) -> object:
    return socket.getaddrinfo("example.org", 80)


@attempt("network")
def connect_by_unix_path(world: World) -> object:
    with socket.socket(socket.AF_UNIX) as connection:
        return connection.connect(world.unix)


@attempt("network")
def connect_by_abstract_name(world: World) -> object:
    with socket.socket(socket.AF_UNIX) as connection:
        return connection.connect(world.abstract)


@attempt("network")
def make_a_pair_of_sockets(world: World) -> object:
    return [one.close() for one in socket.socketpair()]


@attempt("network")
def talk_to_the_kernel_by_netlink(world: World) -> object:
    with socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0) as link:
        return link.fileno()


@attempt("network", controls=NO_CONTROL)  # depends on the kernel
def talk_to_the_hypervisor(world: World) -> object:
    with socket.socket(socket.AF_VSOCK, socket.SOCK_STREAM) as connection:
        return connection.fileno()


@attempt("network", controls=ROOT_ONLY)
def listen_to_all_packets(world: World) -> object:
    with socket.socket(socket.AF_PACKET, socket.SOCK_RAW) as tap:
        return tap.fileno()


@attempt("network", controls=NO_CONTROL)  # depends on the kernel
def encrypt_in_the_kernel(world: World) -> object:
    with socket.socket(socket.AF_ALG, socket.SOCK_SEQPACKET) as connection:
        return connection.fileno()


@attempt("network", controls=NO_CONTROL)  # often switched off
def do_everything_by_io_uring(world: World) -> object:
    return call("io_uring_setup", 4, ctypes.create_string_buffer(120))


# --- signals, priorities, limits ---------------------------------------------------------------

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
    return os.setpriority(os.PRIO_PROCESS, os.getppid(), 5)


@attempt("signals", controls=ROOT_ONLY)
def run_in_real_time(world: World) -> object:
    return os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))


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


# --- memory of others, and too much of one's own -----------------------------------------------


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
    _libc.shmctl(segment, 0, None)  # IPC_RMID
    return segment


@attempt("memory")
def make_a_system_v_semaphore(world: World) -> object:
    semaphore = call("semget", 0, 1, 0o600)
    _libc.semctl(semaphore, 0, 0)
    return semaphore


@attempt("memory")
def make_a_system_v_queue(world: World) -> object:
    queue = call("msgget", 0, 0o600)
    _libc.msgctl(queue, 0, None)
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


# --- privileges and ways out -------------------------------------------------------------------

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
