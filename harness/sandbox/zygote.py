"""The zygote: a small, single-threaded process that forks one confined process per bot.

A bot that is a program in another language gets two: the program, and its bridge.

It has imported what every bot needs, so a bot's process is ready in milliseconds, and holds no
secret: it does not even learn which bots it starts. Started by the arena as
`python -s -P -m harness.sandbox.zygote FD GAME PARENT LAYERS [numpy]`, with an environment from
scratch.
"""

from __future__ import annotations

import gc
import importlib
import json
import os
import select
import signal
import socket
import sys
from contextlib import suppress
from typing import Any

from harness import games
from harness.sandbox import policy, seccomp
from harness.sandbox.bridge import become_bridge
from harness.sandbox.builder import become_builder
from harness.sandbox.execution import Streams, become_confined, become_program
from harness.sandbox.isolation import Confinement, Layers, prepare, readable_paths
from harness.sandbox.libc import die_with_parent, leave_ctrl_c
from harness.sandbox.runner import Notes, run
from harness.sandbox.watch import Programs
from harness.sandbox.wire import PARENT_GONE_EXIT, START_FDS

_PACKET = 1 << 16
# What bots are likely to import; here it costs once what it would cost every process.
_PRELOADED = ("collections", "dataclasses", "enum", "functools", "itertools", "math", "random")


def main(arguments: list[str]) -> int:
    control = socket.socket(fileno=int(arguments[0]))
    game = arguments[1]
    leave_ctrl_c()
    try:
        die_with_parent(int(arguments[2]))
    except ProcessLookupError:
        return 0
    layers = Layers(**json.loads(arguments[3]))
    for name in (*_PRELOADED, *arguments[4:]):
        importlib.import_module(name)
    player = importlib.import_module(f"harness.games.{game}")
    questions = importlib.import_module(f"harness.games.{game}.frames").QUESTIONS
    for name in games.preloaded(game):
        importlib.import_module(name).load()
    prepare(layers, readable_paths())
    # A collection in a child would touch, and so copy, every page that holds an object of ours.
    gc.disable()
    gc.freeze()
    try:
        control.send(b'{"zygote": "ready"}')
        _serve(control, player, questions)
    except ConnectionError:  # the arena's end is gone, and we are about to be
        pass
    return 0


def _serve(control: socket.socket, player: Any, questions: Any) -> None:
    """Fork and reap as told, until the arena closes its end."""
    programs = Programs()
    while True:
        asked = select.select([control], [], [], programs.pause)[0]
        programs.look()  # also between commands, or many of them would hide a program
        if not asked:
            continue
        packet, channels, _, _ = socket.recv_fds(control, _PACKET, 2)
        if not packet:
            return
        command = json.loads(packet)
        if "reap" in command:
            if command["group"]:
                _kill_group(command["reap"])
            report = _reap(command["reap"]) | programs.end(command["reap"])
            control.send(json.dumps(report).encode())
            continue
        # Requests come through channels of their own, which only the children read: what the
        # zygote had read once, freed or not, every later bot would find in its own memory.
        if command["fork"] == "program":
            pid = _fork_program(command, channels, programs, questions)
        else:
            (channel,) = channels
            pid = os.fork()
            if pid == 0 and command["fork"] == "build":
                os._exit(become_builder(*_request(channel)))
            if pid == 0:
                os._exit(_become_bot(*_request(channel), player, questions))
        for channel in channels:
            os.close(channel)
        pidfd = os.pidfd_open(pid)
        socket.send_fds(control, [json.dumps({"pid": pid}).encode()], [pidfd])
        os.close(pidfd)


def _fork_program(
    command: dict[str, Any], channels: list[int], programs: Programs, questions: Any
) -> int:
    """Start a program and its bridge, which share no more than three pipes; the program's pid."""
    seccomp.prepare(policy.PROGRAM)  # costs something the first time only
    streams = Streams.new()
    bridge = os.fork()
    if bridge == 0:
        os._exit(become_bridge(*_request(channels[0]), streams, questions))
    pid = os.fork()
    if pid == 0:
        os._exit(become_program(*_request(channels[1]), streams))
    streams.close()
    programs.add(pid, bridge, command["memory_bytes"])
    return pid


def _kill_group(pid: int) -> None:
    """Kill a child and its process group, which it may not have made yet."""
    os.kill(pid, signal.SIGKILL)
    with suppress(ProcessLookupError):
        os.killpg(pid, signal.SIGKILL)


def _reap(pid: int) -> dict[str, Any]:
    """Wait for a process that has ended or is being killed: its status and what it used."""
    _, status, usage = os.wait4(pid, 0)
    return {
        "exit": os.waitstatus_to_exitcode(status),
        "cpu": usage.ru_utime + usage.ru_stime,
        "memory_kb": usage.ru_maxrss,
    }


def _request(channel: int) -> tuple[dict[str, Any], list[int]]:
    """In the child: what to become, and the descriptors that come with it."""
    with socket.socket(fileno=channel) as incoming:
        packet, fds, _, _ = socket.recv_fds(incoming, _PACKET, len(START_FDS))
    return json.loads(packet), fds


def _become_bot(request: dict[str, Any], received: list[int], player: Any, questions: Any) -> int:
    """In the child: confine, test the confinement, then be the bot. Returns the exit status."""
    names = START_FDS if len(received) == len(START_FDS) else START_FDS[2:]
    fds = dict(zip(names, received, strict=True))
    notes = Notes(fds["notes"])
    confinement = Confinement.from_json(
        request["confinement"], parent=os.getppid(), keep_fds=tuple(received)
    )
    scratch = become_confined(confinement, notes)
    if scratch is None:
        return PARENT_GONE_EXIT
    notes.write("ready")
    return run(
        request["path"],
        player,
        questions,
        request["lanes"],
        request["fresh"],
        request["seed"],
        scratch,
        fds,
        confinement.output_bytes,
        notes,
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
