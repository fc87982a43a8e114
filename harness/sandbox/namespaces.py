"""A world of its own: a fresh root that holds only what the bot may read, no network, no IPC.

Masking folders of the old root would leave everything in sight that nobody thought of, and
Landlock does not forbid `stat`. So the process gets a new, empty root (a tmpfs), the readable
paths are bound into it read-only *at the paths they have outside*, since the interpreter goes on
importing from them, and the old root is unmounted. The folders in between belong to the new root
and are open to all, which makes an interpreter below root's private home usable for another user.

Everything is gone with the process: mounts of a private mount namespace die with its last member.
"""

from __future__ import annotations

import os
import stat
import struct
from collections.abc import Iterable
from functools import lru_cache
from typing import Final, NamedTuple

from harness.sandbox import privileges
from harness.sandbox.libc import syscall

CLONE_NEWNS: Final = 0x0002_0000
CLONE_NEWIPC: Final = 0x0800_0000
CLONE_NEWUSER: Final = 0x1000_0000
CLONE_NEWPID: Final = 0x2000_0000
CLONE_NEWNET: Final = 0x4000_0000

_MS_NOSUID: Final = 1 << 1
_MS_NODEV: Final = 1 << 2
_MS_NOEXEC: Final = 1 << 3
_MS_REC: Final = 1 << 14
_MS_PRIVATE: Final = 1 << 18
_MNT_DETACH: Final = 2

_AT_FDCWD: Final = -100
_AT_EMPTY_PATH: Final = 0x1000
_AT_RECURSIVE: Final = 0x8000
_OPEN_TREE_CLONE: Final = 1
_OPEN_TREE_CLOEXEC: Final = os.O_CLOEXEC
_MOVE_MOUNT_F_EMPTY_PATH: Final = 4
_MOUNT_ATTR_RDONLY: Final = 1
_MOUNT_ATTR_NOSUID: Final = 2
_MOUNT_ATTR_NODEV: Final = 4

SYSTEM: Final = (
    "/usr/lib",
    "/usr/lib64",
    "/usr/local/lib",
    "/lib",
    "/lib64",
    "/etc/ld.so.cache",
)
"""What the dynamic loader needs for extension modules and the libraries they pull in."""

DEVICES: Final = ("/dev/null", "/dev/urandom")

# Any folder serves to mount the new root on, since it is never reached by path again.
_STAGE: Final = ("/tmp", "/var", "/usr", "/etc")


class Resolved(NamedTuple):
    """A path as the kernel walks it: where it ends and the symbolic links on the way."""

    real: str
    links: tuple[tuple[str, str], ...]
    is_folder: bool


class Layout(NamedTuple):
    """The files and folders to show, none beneath another, and the links that lead to them."""

    trees: tuple[Resolved, ...]
    links: tuple[tuple[str, str], ...]


@lru_cache(maxsize=256)
def resolve(path: str) -> Resolved:
    """Walks an absolute path; `OSError` if it does not exist or its links form a circle."""
    if not path.startswith("/"):
        raise ValueError(f"{path!r} is not an absolute path")
    links: dict[str, str] = {}
    pending = path.split("/")[::-1]
    real = ""
    followed = 0
    while pending:
        part = pending.pop()
        if part in ("", "."):
            continue
        if part == "..":
            real = os.path.dirname(real).rstrip("/")
            continue
        here = f"{real}/{part}"
        if not stat.S_ISLNK(os.lstat(here).st_mode):
            real = here
            continue
        followed += 1
        if followed > 40:  # the kernel's own patience
            raise OSError(f"{path}: too many symbolic links")
        links[here] = text = os.readlink(here)
        if text.startswith("/"):
            real = ""
        pending += text.split("/")[::-1]
    return Resolved(real or "/", tuple(links.items()), os.path.isdir(real or "/"))


@lru_cache(maxsize=1)
def system_paths() -> tuple[str, ...]:
    """Those of `SYSTEM` that this machine has."""
    return tuple(path for path in SYSTEM if os.path.exists(path))


@lru_cache(maxsize=1)
def devices() -> tuple[str, ...]:
    """Those of `DEVICES` that this machine has."""
    return tuple(path for path in DEVICES if os.path.exists(path))


def layout(paths: Iterable[str]) -> Layout:
    """What to show so that all these paths exist inside as they do outside."""
    trees: list[Resolved] = []
    folders: tuple[str, ...] = ()
    links: dict[str, str] = {}
    for found in sorted({resolve(path) for path in paths}):
        links.update(found.links)
        # Sorted, a folder comes before what is in it, though not always right before it.
        if not f"{found.real}/".startswith(folders):
            trees.append(found)
            folders += (f"{found.real}/",)
    outside = tuple(link for link in links.items() if not link[0].startswith(folders))
    return Layout(tuple(trees), outside)


# The namespaces that the zygote has left for its children, see `leave_network`.
_left = 0


def leave_network(*, as_user: bool) -> None:
    """Leaves the machine's network for good, for this process and all its children.

    A network namespace is the dearest of all (about 1 ms), so the zygote makes one for all its
    bots. It is empty, and what two bots could do to each other in it, abstract sockets, Landlock
    and seccomp forbid.
    """
    global _left
    _unshare(CLONE_NEWNET, as_user=as_user)
    _left |= CLONE_NEWNET


def leave_process_numbers() -> None:
    """Gives the next child, and all of its children, process numbers of their own.

    They end with that child. Needs CAP_SYS_ADMIN.
    """
    syscall("unshare", CLONE_NEWPID)


def unshare(*, as_user: bool) -> None:
    """Leaves the mount, network and IPC namespaces of the machine."""
    _unshare((CLONE_NEWNS | CLONE_NEWNET | CLONE_NEWIPC) & ~_left, as_user=as_user)
    # Systemd shares mounts by default: without this, ours would appear on the whole machine.
    syscall("mount", None, b"/", None, _MS_REC | _MS_PRIVATE, None)


def _unshare(flags: int, *, as_user: bool) -> None:
    """An ordinary user may leave only inside a user namespace of its own, staying itself there."""
    if not as_user:
        syscall("unshare", flags)
        return
    uid, gid = os.getuid(), os.getgid()
    privileges.allow_own_proc_files()
    syscall("unshare", flags | CLONE_NEWUSER)
    # Without the first line the kernel lets nobody map a group: dropping a group could open files
    # that the group's members are kept out of.
    for name, text in (
        ("setgroups", "deny"),
        ("uid_map", f"{uid} {uid} 1"),
        ("gid_map", f"{gid} {gid} 1"),
    ):
        with open(f"/proc/self/{name}", "w", encoding="ascii") as file:
            file.write(text)


def enter_fresh_root(
    plan: Layout,
    *,
    scratch: str,
    scratch_bytes: int,
    scratch_files: int,
    owner: tuple[int, int],
) -> dict[str, int]:
    """Replaces the root by one with nothing but the layout, two devices and a scratch folder.

    `owner` is the user and group of the scratch folder. Needs CAP_SYS_ADMIN and a private mount
    namespace. Returns an open descriptor for everything that is shown, by its path; they are the
    caller's to close.
    """
    shown = (*plan.trees, *(resolve(path) for path in devices()))
    # Taken before the stage covers anything.
    trees = [_clone(tree) for tree in shown]
    stage = next(path for path in _STAGE if os.path.isdir(path))
    # Room for folders and mount points only.
    _mount_tmpfs(stage, "size=256k,nr_inodes=1024,mode=755", 0)
    os.chdir(stage)
    made = {""}
    for (real, _, is_folder), tree in zip(shown, trees, strict=True):
        inside = real[1:]
        if is_folder:
            _make_folders(inside, made)
        else:
            _make_folders(os.path.dirname(inside), made)
            os.mknod(inside, 0o444)
        syscall("move_mount", tree, b"", _AT_FDCWD, os.fsencode(inside), _MOVE_MOUNT_F_EMPTY_PATH)
    for link, text in plan.links:
        _make_folders(os.path.dirname(link[1:]), made)
        os.symlink(text, link[1:])
    _make_folders(scratch[1:], made)
    _mount_tmpfs(
        scratch[1:],
        # The folder itself takes one of the files.
        f"size={scratch_bytes},nr_inodes={scratch_files + 1},mode=700"
        f",uid={owner[0]},gid={owner[1]}",
        _MS_NOEXEC,
    )
    # With both arguments the same, the old root lands on top of the new one and is the first to go.
    syscall("pivot_root", b".", b".")
    syscall("umount2", b".", _MNT_DETACH)
    os.chdir("/")
    _restrict_mount(_AT_FDCWD, b"/", _MOUNT_ATTR_RDONLY, 0)
    return {found.real: tree for found, tree in zip(shown, trees, strict=True)}


def _clone(tree: Resolved) -> int:
    """A read-only copy of the mount at a path, attached nowhere yet.

    Whole trees, since an unprivileged user may not look beneath mounts that others put there.
    `mount_setattr` only adds to the flags of the source, where a remount would have to repeat
    them: a user namespace may not clear a single one.
    """
    flags = _OPEN_TREE_CLONE | _OPEN_TREE_CLOEXEC | _AT_RECURSIVE
    clone = syscall("open_tree", _AT_FDCWD, os.fsencode(tree.real), flags)
    attributes = _MOUNT_ATTR_RDONLY | _MOUNT_ATTR_NOSUID
    if tree.real not in DEVICES:
        attributes |= _MOUNT_ATTR_NODEV
    _restrict_mount(clone, b"", attributes, _AT_EMPTY_PATH | _AT_RECURSIVE)
    return clone


def _restrict_mount(where: int, path: bytes, attributes: int, flags: int) -> None:
    setting = struct.pack("=QQQQ", attributes, 0, 0, 0)
    syscall("mount_setattr", where, path, flags, setting, len(setting))


def _mount_tmpfs(where: str, options: str, flags: int) -> None:
    flags |= _MS_NOSUID | _MS_NODEV
    syscall("mount", b"tmpfs", os.fsencode(where), b"tmpfs", flags, options.encode())


def _make_folders(path: str, made: set[str]) -> None:
    if path not in made:
        _make_folders(os.path.dirname(path), made)
        os.mkdir(path, 0o755)
        made.add(path)
