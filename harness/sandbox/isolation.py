"""Confines a freshly forked process: every layer, in the one order that works.

    prepare(layers)             once in the zygote, before its first fork
    confine(confinement)        in the child, before any of the bot's code; cannot be undone
    self_test(confinement)      right after: what is possible although it must not be

The order is dictated by the kernel. `/proc` is needed first (descriptors, threads, memory, id maps)
and goes with the old root. Building the new root needs capabilities, and what is bound into it may
be reachable for root alone, so the change of user comes later. That change clears the parent-death
signal, so this comes after it. Landlock would forbid the mounts, and seccomp nearly everything, so
they come last.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from harness.sandbox import landlock, limits, namespaces, policy, privileges, seccomp
from harness.sandbox.confinement import Confinement, IsolationError, Layers, readable_paths
from harness.sandbox.libc import die_with_parent
from harness.sandbox.selftest import self_test

__all__ = (
    "Confinement",
    "IsolationError",
    "Layers",
    "confine",
    "prepare",
    "readable_paths",
    "self_test",
)


@contextmanager
def _layer(name: str) -> Iterator[None]:
    try:
        yield
    except (OSError, ValueError) as error:
        raise IsolationError(name, str(error)) from error


def prepare(layers: Layers, readable: Iterable[str] = ()) -> None:
    """Does in the zygote, once, what its children would have to do each.

    It leaves the machine's network, gives up the capabilities that it could regain, hides from
    debuggers, offers itself to the kernel when memory runs out, and warms what is computed once
    (the filter, the paths). `confine` works without this too, a good millisecond slower.
    """
    is_admin = privileges.holds(privileges.CAP_SYS_ADMIN)
    limits.be_first_to_go()
    with _layer("privileges"):
        privileges.drop_bounding_set()
    # Root in a container, too weak to mount: its children change their user first.
    if layers.namespaces and (is_admin or os.getuid() != 0):
        with _layer("namespaces"):
            namespaces.leave_network(as_user=not is_admin)
    with _layer("privileges"):
        privileges.drop_bounding_set()  # a new user namespace has filled it again
        privileges.hide()
    seccomp.prepare(policy.BOT)
    landlock.abi()
    for path in (*readable, *namespaces.system_paths(), *namespaces.devices()):
        namespaces.resolve(path)


def confine(confinement: Confinement) -> str:
    """Confines the calling process for good; returns the path of its scratch folder.

    Raises `IsolationError`, which names the layer, when anything cannot be applied. The process is
    then half confined and good for nothing but reporting that and ending.
    """
    layers, uid = confinement.layers, confinement.uid
    is_admin = privileges.holds(privileges.CAP_SYS_ADMIN)
    with _layer("session"):
        _leave_session(confinement)
    with _layer("limits"):
        limits.apply_limits(
            memory_bytes=confinement.memory_bytes,
            # The kernel knows one limit for every file: the log and those in the scratch.
            file_bytes=max(confinement.scratch_bytes, confinement.output_bytes),
            open_files=confinement.open_files,
            cpu_seconds=confinement.cpu_seconds,
            executes=confinement.kind != "python",
            tasks=_tasks(confinement),
        )
    if uid is not None and not is_admin:
        # Root in a container, too weak to mount. As a user it is as strong as any user, inside a
        # user namespace of its own.
        _become(uid)
    owner = (os.getuid(), os.getgid()) if uid is None else (uid, uid)
    with _layer("readable"):
        plan = namespaces.layout((*confinement.readable, *namespaces.system_paths()))
        executable = [namespaces.resolve(path) for path in confinement.executable]
    opened: dict[str, int] = {}
    if layers.namespaces:
        with _layer("namespaces"):
            namespaces.unshare(as_user=not is_admin)
            opened = namespaces.enter_fresh_root(
                plan,
                scratch=confinement.scratch,
                scratch_bytes=confinement.scratch_bytes,
                scratch_files=confinement.scratch_files,
                owner=owner,
            )
    else:
        with _layer("scratch"):
            # Must not exist: whatever lies there already was put there by somebody else.
            os.mkdir(confinement.scratch, 0o700)
            if owner != (os.getuid(), os.getgid()):
                os.chown(confinement.scratch, *owner)
    if uid is not None and is_admin:
        _become(uid)
    with _layer("privileges"):
        privileges.drop_bounding_set()
        privileges.lose_root()
        privileges.drop_capabilities()
        privileges.hide()
        die_with_parent(confinement.parent)
        privileges.no_new_privileges()
        os.chdir(confinement.scratch)
        if not layers.namespaces:
            _check_readable(confinement.readable)
    if layers.landlock:
        with _layer("landlock"):
            own = namespaces.resolve(confinement.readable[-1]).real
            rules = _rules(plan, executable, own, confinement.scratch)
            landlock.restrict(rules, opened)
    for descriptor in opened.values():
        os.close(descriptor)
    if layers.seccomp:
        with _layer("seccomp"):
            seccomp.install(policy.POLICIES[confinement.kind], os.getpid())
    return confinement.scratch


def _leave_session(confinement: Confinement) -> None:
    os.setsid()  # out of reach of the terminal's signals and of `kill(0)`
    limits.close_all_but(confinement.keep_fds)
    if confinement.core is not None:
        os.sched_setaffinity(0, {confinement.core})
    threads = limits.thread_count()
    if threads != 1:
        # A thread that exists before Landlock and seccomp stays free of them.
        raise OSError(f"{threads} threads where there must be one")


def _become(uid: int) -> None:
    with _layer("privileges"):
        privileges.drop_bounding_set()
        privileges.lose_root()
        privileges.become(uid)


def _check_readable(readable: tuple[str, ...]) -> None:
    """Another user may be kept out of the interpreter's own folder (below `/root`, say)."""
    for path in readable:
        if not os.access(path, os.R_OK):
            raise PermissionError(f"{path} cannot be read by user {os.getuid()}")


_TASKS = {"python": 0, "program": limits.PROGRAM_THREADS, "build": limits.BUILD_TASKS}


def _tasks(confinement: Confinement) -> int:
    """RLIMIT_NPROC: what the process may start, on top of all that runs for its user already."""
    tasks = _TASKS[confinement.kind]
    if tasks and confinement.uid is None:
        tasks += limits.tasks_of(os.getuid())
    return tasks


def _rules(
    plan: namespaces.Layout, executable: list[namespaces.Resolved], own: str, scratch: str
) -> Iterator[tuple[str, int]]:
    for found in executable:
        rights = landlock.READ if found.is_folder else landlock.READ_FILE
        yield found.real, rights | landlock.EXECUTE
    for tree in plan.trees:
        if tree.is_folder and tree.real == own and _holds_byte_code(own):
            yield from _but_byte_code(own)
        else:
            yield tree.real, landlock.READ if tree.is_folder else landlock.READ_FILE
    for path in namespaces.devices():
        yield path, landlock.DEVICE
    yield scratch, landlock.SCRATCH


def _holds_byte_code(folder: str) -> bool:
    return any("__pycache__" in folders for _, folders, _ in os.walk(folder))


def _but_byte_code(folder: str) -> Iterator[tuple[str, int]]:
    """Rules for a bot's folder without `__pycache__`, which its hash does not cover.

    Landlock cannot take from a folder what it gave to one above, so everything else is named.
    """
    yield folder, landlock.READ_DIR
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_file(follow_symlinks=False):
                yield entry.path, landlock.READ_FILE
            elif entry.is_dir(follow_symlinks=False) and entry.name != "__pycache__":
                yield from _but_byte_code(entry.path)
