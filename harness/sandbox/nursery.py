"""The arena's end of the zygotes: starts them when they are first needed, and bots through them.

Two zygotes serve one worker: one has NumPy preloaded, one has not, so that a bot pays only for what
it uses.
"""

from __future__ import annotations

import itertools
import json
import os
import socket
import subprocess
import sys
from contextlib import ExitStack
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any

import harness
from harness import games
from harness.arena.cache import cache_folder
from harness.arena.faults import HarnessFault
from harness.sandbox.confinement import Confinement, Layers, readable_paths
from harness.sandbox.libc import ctrl_c_held_back
from harness.sandbox.privileges import throwaway_uid
from harness.sandbox.program import Program
from harness.sandbox.scratch import scratch_path
from harness.sandbox.wire import ExecuteRequest, StartRequest

if TYPE_CHECKING:
    from harness.arena.budgets import Budgets

_PACKET = 1 << 16
_ZYGOTE_SECONDS = 60
# As root, bots that run at the same time get different throwaway users: so many per core.
_SLOTS = 8
_MOST_CORES = 60

# What compilers are made of, and what they read. Nothing of it is anybody's secret.
_TOOLS = ("/usr", "/bin", "/lib", "/lib64", "/etc/alternatives")


class _Zygote:
    def __init__(self, game: str, layers: Layers, *, numpy: bool) -> None:
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        ours.settimeout(_ZYGOTE_SECONDS)
        with theirs, ctrl_c_held_back():
            self._process = subprocess.Popen(
                [
                    sys.executable,
                    "-s",
                    "-P",
                    "-m",
                    "harness.sandbox.zygote",
                    str(theirs.fileno()),
                    game,
                    str(os.getpid()),
                    json.dumps(asdict(layers)),
                    *(["numpy.random"] if numpy else []),  # NumPy alone leaves it for later
                ],
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                env=_environment(game),
                cwd="/",
            )
        self._control = ours
        self._ready = False

    def _wait_ready(self) -> None:
        if not self._ready:
            self._receive(0)
            self._ready = True

    def _receive(self, fds: int) -> tuple[dict[str, Any], list[int]]:
        try:
            packet, received, _, _ = socket.recv_fds(self._control, _PACKET, fds)
        except OSError as error:
            raise HarnessFault(f"the zygote does not answer: {error}") from error
        if not packet:
            raise HarnessFault("the zygote died")
        return json.loads(packet), received

    def start(
        self, command: dict[str, Any], *parcels: tuple[dict[str, Any], list[int]]
    ) -> tuple[int, int]:
        """A parcel for every process that the zygote is to fork: a request and descriptors."""
        self._wait_ready()
        with ExitStack() as closing:
            channels = []
            for request, fds in parcels:
                ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
                closing.enter_context(ours)
                channels.append(closing.enter_context(theirs).fileno())
                # Written before the fork, read by the child alone: see the zygote.
                socket.send_fds(ours, [json.dumps(request).encode()], fds)
            self._send(command, channels)
            answer, (pidfd,) = self._receive(1)
        return answer["pid"], pidfd

    def reap(self, pid: int, group: bool) -> dict[str, Any]:
        self._send({"reap": pid, "group": group}, [])
        return self._receive(0)[0]

    def _send(self, message: dict[str, Any], fds: list[int]) -> None:
        try:
            socket.send_fds(self._control, [json.dumps(message).encode()], fds)
        except OSError as error:
            raise HarnessFault(f"the zygote died: {error}") from error

    def close(self) -> None:
        self._control.close()
        self._process.kill()
        self._process.wait()


def _environment(game: str) -> dict[str, str]:
    """The zygote's and the bots' environment, made from scratch."""
    compiled = {}
    if games.preloaded(game):
        # The zygote takes compiled code from there, or puts it there; no bot can read it.
        compiled["NUMBA_CACHE_DIR"] = os.environ.get("NUMBA_CACHE_DIR") or str(cache_folder())
    return {
        **compiled,
        "PATH": "/usr/bin:/bin",
        # `-P` leaves out the current folder, and this may be a checkout that is not installed.
        "PYTHONPATH": os.path.dirname(os.path.dirname(harness.__file__)),
        "LANG": "C.UTF-8",
        "PYTHONHASHSEED": "0",
        "PYTHONDONTWRITEBYTECODE": "1",
        "OPENBLAS_NUM_THREADS": "1",
        "OMP_NUM_THREADS": "1",
        # Set where a processor needs it to compute right results.
        **({"OPENBLAS_CORETYPE": core} if (core := os.environ.get("OPENBLAS_CORETYPE")) else {}),
    }


class Nursery:
    """Starts confined processes for bots of one game, pinned to one core."""

    def __init__(self, game: str, layers: Layers, core: int | None) -> None:
        self._game = game
        self._layers = layers
        self._core = core
        self._first_slot = 0 if core is None else _SLOTS * (1 + core % _MOST_CORES)
        self._slots = itertools.count()
        self._zygotes: dict[bool, _Zygote] = {}
        self.blames_bots = False
        """Whether a process killed from outside is its bot's fault; so only after several times,
        for it may have been the system, short of memory."""

    @property
    def bots_are_others(self) -> bool:
        """Whether bots run as another user than this one, who sees the machine's own folders."""
        return not self._layers.namespaces and self._uid() is not None

    def confinement(self, path: str, budgets: Budgets) -> Confinement:
        """What the process of a bot in Python is to be confined to."""
        own = os.path.dirname(path) if os.path.basename(path) == "bot.py" else path
        return self._confinement(readable_paths(own), budgets)

    def bridge_confinement(self, budgets: Budgets) -> Confinement:
        """What the process that speaks with a program is to be confined to."""
        return self._confinement(readable_paths(), budgets)

    def program_confinement(self, program: Program, budgets: Budgets) -> Confinement:
        """What the process of a program is to be confined to."""
        confinement = self._confinement(program.readable, budgets)
        return replace(confinement, kind="program", executable=program.executable)

    def build_confinement(
        self,
        program: Program,
        budgets: Budgets,
        *,
        memory: int,
        size: int,
        files: int,
        seconds: int,
    ) -> Confinement:
        """What the processes of a build are to be confined to: memory and size in bytes."""
        tools = tuple(path for path in _TOOLS if os.path.exists(path))
        return replace(
            self._confinement((*tools, *program.readable), budgets),
            kind="build",
            executable=(*tools, *program.executable, *program.homes),
            memory_bytes=memory,
            scratch_bytes=size,
            scratch_files=files,
            cpu_seconds=seconds,
        )

    def _confinement(self, readable: tuple[str, ...], budgets: Budgets) -> Confinement:
        return Confinement(
            readable=readable,
            scratch=scratch_path(self._layers),
            scratch_bytes=budgets.scratch_mb << 20,
            scratch_files=budgets.scratch_files,
            memory_bytes=budgets.memory_mb << 20,
            output_bytes=budgets.output_kb << 10,
            cpu_seconds=None,  # the arena measures, and all processes die with it
            core=self._core,
            uid=self._uid(),
            layers=self._layers,
        )

    def _uid(self) -> int | None:
        if not self._layers.user:
            return None
        return throwaway_uid(self._first_slot + next(self._slots) % _SLOTS)

    def warm(self, *, numpy: bool) -> None:
        """Launch a zygote without waiting for it."""
        if numpy not in self._zygotes:
            self._zygotes[numpy] = _Zygote(self._game, self._layers, numpy=numpy)

    def start(self, request: StartRequest, fds: list[int], *, numpy: bool) -> tuple[int, int]:
        """Fork a process for a bot; returns its pid and a pidfd of the caller's own."""
        self.warm(numpy=numpy)
        return self._zygotes[numpy].start({"fork": "bot"}, (request.to_json(), fds))

    def start_program(
        self, bridge: StartRequest, fds: list[int], program: ExecuteRequest, notes: int
    ) -> tuple[int, int]:
        """Fork a program and its bridge; returns the pid and a pidfd of the program."""
        self.warm(numpy=False)
        command = {"fork": "program", "memory_bytes": program.confinement.memory_bytes}
        return self._zygotes[False].start(
            command, (bridge.to_json(), fds), (program.to_json(), [notes])
        )

    def start_build(
        self, program: Program, source: str, confinement: Confinement, fds: list[int]
    ) -> tuple[int, int]:
        """Fork a build of the files in `source`; `fds`: for its outcome, and notes."""
        self.warm(numpy=False)
        request = {**ExecuteRequest(program, confinement).to_json(), "source": source}
        return self._zygotes[False].start({"fork": "build"}, (request, fds))

    def reap(self, pid: int, *, numpy: bool, group: bool = False) -> dict[str, Any]:
        """Wait for the end of a process that has ended or was killed: exit, cpu, memory_kb.

        `group`: kill it first, and all processes of its group.
        """
        return self._zygotes[numpy].reap(pid, group)

    def close(self) -> None:
        """End the zygotes, and with them every process they started."""
        for zygote in self._zygotes.values():
            zygote.close()
        self._zygotes.clear()
