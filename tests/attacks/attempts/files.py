"""Files of others: rivals, results, the machine."""

from __future__ import annotations

import ctypes
import fcntl
import mmap
import os
import struct
import sysconfig

import harness.games
from tests.attacks.attempts.registry import ROOT_ONLY, attempt, call, read, write
from tests.attacks.target import World


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


@attempt("files", gap="stat")
def read_where_a_link_points(world: World) -> object:
    return os.readlink(world.link)


@attempt("files", gap="stat")
def ask_how_full_the_disk_is(world: World) -> object:
    return os.statvfs(os.path.dirname(world.ledger)).f_bavail


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


@attempt("files", controls=ROOT_ONLY)
def plant_code_in_site_packages(world: World) -> object:
    """Every Python that starts later would run a line of it."""
    path = os.path.join(sysconfig.get_path("purelib"), "koth_was_here.pth")
    write(path, b"# nothing\n")
    return os.unlink(path)


@attempt("files", controls=ROOT_ONLY)
def plant_a_module_among_the_games(world: World) -> object:
    path = os.path.join(os.path.dirname(harness.games.__file__), "koth_was_here.py")
    write(path, b"# nothing\n")
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
