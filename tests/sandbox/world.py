"""A small world for attempts: files of others, listeners, and a zygote that forks a bot into it.

Nothing here needs pytest, so that the attempts also run under interpreters without it.
"""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import signal
import socket
import stat
import tempfile
import traceback
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from typing import Any

from harness.sandbox import namespaces, privileges
from harness.sandbox.isolation import Confinement, Layers, confine, prepare, readable_paths
from harness.sandbox.libc import syscall
from harness.sandbox.scratch import remove_scratch
from tests.attacks.target import MEMORY_BYTES, SCRATCH_BYTES, SCRATCH_FILES, World, outcome_of

ORDINARY = 65_533
"""The user that plays the ordinary one when the tests run as root."""

LEVELS = {"full": Layers(), "standard": Layers(namespaces=False)}


@contextmanager
def new_world() -> Iterator[World]:
    folder = tempfile.mkdtemp(prefix="koth-world-")
    os.chmod(folder, 0o777)
    unix = os.path.join(folder, "socket")
    abstract = f"\0{os.path.basename(folder)}"
    with ExitStack() as closing:
        closing.callback(shutil.rmtree, folder)
        tcp = closing.enter_context(socket.create_server(("127.0.0.1", 0)))
        udp = closing.enter_context(socket.socket(socket.AF_INET, socket.SOCK_DGRAM))
        udp.bind(("127.0.0.1", 0))
        for address in (unix, abstract):
            listener = closing.enter_context(socket.socket(socket.AF_UNIX))
            listener.bind(address)
            listener.listen()
        os.chmod(unix, 0o777)
        stray = os.open(os.devnull, os.O_RDONLY)
        descriptors = (*os.pipe(), _memory(os.O_RDWR), _memory(), _memory(seal=True), stray)
        for descriptor in descriptors:
            closing.callback(os.close, descriptor)
        yield World(
            folder,
            tcp.getsockname(),
            udp.getsockname(),
            unix,
            abstract,
            *descriptors[1:],
            bot=os.path.join(folder, "bots", "mine.py"),
        )


def _memory(mode: int = os.O_RDONLY, *, seal: bool = False) -> int:
    """A page of shared memory."""
    memory = os.memfd_create("frame", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
    os.ftruncate(memory, 4096)
    os.fchmod(memory, 0o666)
    if seal:
        fcntl.fcntl(memory, fcntl.F_ADD_SEALS, 0x10)  # F_SEAL_FUTURE_WRITE
    opened = os.open(f"/proc/self/fd/{memory}", mode)
    os.close(memory)
    return opened


@dataclass(frozen=True)
class Outcome:
    """`succeeded`, `refused` (with the error), `killed` (by signal) or `broken` (the test is)."""

    kind: str
    detail: str


@dataclass(frozen=True)
class Run:
    """How to run acts: as whom, with which layers (None: free), from a prepared zygote or not."""

    user: str = "root" if os.getuid() == 0 else "user"
    layers: Layers | None = LEVELS["full"]
    prepared: bool = True

    def __call__(self, act: Callable[[World], object], world: World, **changes: Any) -> Outcome:
        """One act; `changes` are fields of the `Confinement`."""
        return self.all({"act": act}, world, **changes)["act"]

    def all(
        self, acts: Mapping[str, Callable[[World], object]], world: World, **changes: Any
    ) -> dict[str, Outcome]:
        """Forks a zygote that forks, for each act, a process that confines itself and acts."""
        reader, writer = os.pipe()
        zygote = os.fork()
        if zygote == 0:
            try:
                os.close(reader)
                uid = self._be_zygote(world)
                for name, act in acts.items():
                    outcome = self._fork_bot(act, world, uid, changes)
                    os.write(writer, (json.dumps([name, *outcome]) + "\n").encode())
            except BaseException:  # noqa: BLE001 (nothing may escape into pytest's own stack)
                traceback.print_exc()
            finally:
                os._exit(0)
        os.close(writer)
        with os.fdopen(reader, "rb") as pipe:
            lines = [json.loads(line) for line in pipe]
        os.waitpid(zygote, 0)
        return {name: Outcome(kind, detail) for name, kind, detail in lines}

    def _be_zygote(self, world: World) -> int | None:
        """Becomes what the real one would be; the user that its bots are to become, if any."""
        uid = None
        if os.getuid() == 0:
            if self.user == "user" or self.layers is None or not self.layers.namespaces:
                open_homes()
            if self.user == "user":
                privileges.become(ORDINARY)
                privileges.allow_own_proc_files()  # as if it had been started by that user
            elif self.layers is not None:
                uid = privileges.throwaway_uid()
        world.write_files()
        if self.prepared and self.layers is not None:
            prepare(self.layers, readable_paths(world.bot))
        return uid

    def _fork_bot(
        self,
        act: Callable[[World], object],
        world: World,
        uid: int | None,
        changes: dict[str, Any],
    ) -> tuple[str, str]:
        world.write_files()
        if self.layers is None or not self.layers.namespaces:
            world = replace(world, scratch=os.path.join(world.folder, "scratch"))
        reader, writer = os.pipe()
        bot = os.fork()
        if bot == 0:
            try:
                confinement = Confinement(
                    readable=readable_paths(world.bot),
                    parent=os.getppid(),
                    keep_fds=(0, 1, 2, writer, *world.shared),
                    scratch=world.scratch,
                    scratch_bytes=SCRATCH_BYTES,
                    scratch_files=SCRATCH_FILES,
                    memory_bytes=MEMORY_BYTES,
                    uid=uid,
                    layers=self.layers or Layers(),
                )
                if self.layers is None:
                    os.mkdir(world.scratch)
                    os.chdir(world.scratch)
                else:
                    confine(replace(confinement, **changes))
                outcome = outcome_of(act, world)
            except BaseException:  # noqa: BLE001
                outcome = "broken", traceback.format_exc()
            try:
                os.write(writer, json.dumps(outcome).encode())
            finally:
                os._exit(0)
        os.close(writer)
        with _deadline(bot), os.fdopen(reader, "rb") as pipe:
            answer = pipe.read()
        status = os.waitstatus_to_exitcode(os.waitpid(bot, 0)[1])
        if world.scratch != Confinement.scratch:
            remove_scratch(world.scratch)
        if status < 0:
            return "killed", signal.Signals(-status).name
        kind, detail = json.loads(answer) if answer else ("broken", f"exit {status}")
        return kind, detail[-2000:]


@contextmanager
def _deadline(bot: int, seconds: int = 20) -> Iterator[None]:
    """A bot that hangs is killed."""
    signal.signal(signal.SIGALRM, lambda *_: os.kill(bot, signal.SIGKILL))
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)


def open_homes(*more: str) -> None:
    """Makes the interpreter, and `more`, reachable for every user, in a private mount namespace.

    It often lives below `/root`, which nobody else may enter: each such folder is replaced by an
    empty one that everybody may, with the interpreter's own folders bound into it.
    """
    syscall("unshare", namespaces.CLONE_NEWNS)
    syscall("mount", None, b"/", None, 1 << 18 | 1 << 14, None)  # MS_PRIVATE | MS_REC
    needed = [namespaces.resolve(path).real for path in (*more, *readable_paths())]
    closed = {folder for path in needed if (folder := _first_closed(path))}
    for folder in closed:
        inside = [path for path in needed if path.startswith(f"{folder}/")]
        trees = [syscall("open_tree", -100, path.encode(), 1 | 0x8000) for path in inside]
        syscall("mount", b"tmpfs", folder.encode(), b"tmpfs", 0, b"mode=755")
        for path, tree in zip(inside, trees, strict=True):
            if os.path.exists(path):  # beneath one that is in place already
                continue
            os.makedirs(path, exist_ok=True)
            syscall("move_mount", tree, b"", -100, path.encode(), 4)


def _first_closed(path: str) -> str | None:
    parts = path.split("/")[1:]
    for count in range(1, len(parts)):
        folder = "/" + "/".join(parts[:count])
        if not os.stat(folder).st_mode & stat.S_IXOTH:
            return folder
    return None
