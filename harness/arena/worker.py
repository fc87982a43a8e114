"""A worker: a process pinned to one core that plays one block after another for the controller.

Started as `python -s -P -m harness.arena.worker FD PARENT CORE [GAME]`. What it is told comes over
a connection from the controller, which it trusts; everything from bots goes through `Seat`.
"""

from __future__ import annotations

import os
import sys
import traceback
from multiprocessing.connection import Connection
from typing import Any

from harness.arena.cache import use_compiled_cache

_REPLAYS = 3
"""How often a block is tried again after a process of ours was killed under it."""


def main(arguments: list[str]) -> int:
    fd, parent, core = (int(argument) for argument in arguments[:3])
    from harness.sandbox.libc import die_with_parent, leave_ctrl_c

    leave_ctrl_c()
    try:
        die_with_parent(parent)
    except ProcessLookupError:
        return 0
    if core >= 0:
        os.sched_setaffinity(0, {core})
    controller = Connection(fd)
    use_compiled_cache()
    _get_ready(arguments[3:])
    worker = _Worker(core if core >= 0 else None)
    try:
        while True:
            controller.send(worker.carry_out(controller.recv()))
    except (EOFError, ConnectionError):  # the controller is gone, and we are about to be
        return 0
    finally:
        worker.close()


def _get_ready(games_to_come: list[str]) -> None:
    """Spend the time Numba takes while the controller is still looking at the bots."""
    from harness import games
    from harness.arena.leg import warm_up

    for name in games_to_come:
        warm_up(games.load(name))


class _Worker:
    def __init__(self, core: int | None) -> None:
        self._core = core
        self._nurseries: dict[Any, Any] = {}

    def carry_out(self, task: Any) -> tuple[str, Any]:
        """("done", Result), or ("failed", a traceback of a bug or a lasting fault of ours)."""
        from harness.arena.faults import HarnessFault

        for attempt in range(_REPLAYS + 1):
            try:
                return "done", self._play(task, blames_bots=attempt == _REPLAYS)
            except HarnessFault:
                self.close()
                if attempt == _REPLAYS:
                    return "failed", traceback.format_exc()
            except Exception:  # noqa: BLE001 (a bug, whatever it is: the controller shows it)
                return "failed", traceback.format_exc()
        raise AssertionError

    def _play(self, task: Any, *, blames_bots: bool) -> Any:
        from harness import games
        from harness.arena.block import play_block
        from harness.sandbox.nursery import Nursery

        key = (task.job.game, task.layers)
        nursery = self._nurseries.get(key)
        if nursery is None:
            nursery = self._nurseries[key] = Nursery(task.job.game, task.layers, self._core)
            # The zygotes start while Numba is being imported.
            for numpy in {player.numpy for player in task.job.players}:
                nursery.warm(numpy=numpy)
        nursery.blames_bots = blames_bots
        return play_block(task.job, games.load(task.job.game), nursery, task.watch)

    def close(self) -> None:
        for nursery in self._nurseries.values():
            nursery.close()
        self._nurseries.clear()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
