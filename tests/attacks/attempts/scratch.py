"""The own folder: too much of it, and what may not be in it."""

from __future__ import annotations

import os
import stat
import subprocess

from tests.attacks.attempts.registry import ROOT_ONLY, attempt, call, write
from tests.attacks.target import SCRATCH_BYTES, SCRATCH_FILES, World


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


@attempt("scratch", controls=ROOT_ONLY)
def leave_a_device_when_renaming(world: World) -> object:
    """`renameat2` with RENAME_WHITEOUT puts a device where the file was."""
    write("file")
    return call("renameat2", -100, b"file", -100, b"renamed", 4)


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
