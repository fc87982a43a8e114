"""The zygote: a small, single-threaded process that forks one confined process per bot.

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
import socket
import sys
from typing import Any

from harness import games
from harness.sandbox.isolation import (
    Confinement,
    IsolationError,
    Layers,
    confine,
    prepare,
    readable_paths,
    self_test,
)
from harness.sandbox.libc import die_with_parent, leave_ctrl_c
from harness.sandbox.runner import Notes, run, tail
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
    while True:
        packet, fds, _, _ = socket.recv_fds(control, _PACKET, 1)
        if not packet:
            return
        command = json.loads(packet)
        if "reap" in command:
            control.send(json.dumps(_reap(command["reap"])).encode())
            continue
        # The request comes through a channel of its own, which only the child reads: what the
        # zygote had read once, freed or not, every later bot would find in its own memory.
        (channel,) = fds
        pid = os.fork()
        if pid == 0:
            os._exit(_become_bot(*_request(channel), player, questions))
        os.close(channel)
        pidfd = os.pidfd_open(pid)
        socket.send_fds(control, [json.dumps({"pid": pid}).encode()], [pidfd])
        os.close(pidfd)


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
    try:
        confinement = Confinement.from_json(
            request["confinement"], parent=os.getppid(), keep_fds=tuple(received)
        )
        scratch = confine(confinement)
        leaks = self_test(confinement)
    except IsolationError as error:
        notes.write("failed", kind="isolation", reason=str(error), traceback=tail(error))
        return PARENT_GONE_EXIT
    if leaks:
        notes.write(
            "failed", kind="isolation", reason="not withheld: " + ", ".join(leaks), traceback=""
        )
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
