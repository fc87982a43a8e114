"""Programs and builds are confined whoever runs koth; a build alone may have more processes."""

from __future__ import annotations

import os
import resource

import pytest

from harness.sandbox.limits import BUILD_TASKS, PROGRAM_THREADS
from harness.sandbox.probe import FULL, STANDARD, WEAK, probe
from tests.sandbox.world import LEVELS, Run, World, new_world


def start_a_process(_: World) -> int:
    pid = os.fork()
    if pid == 0:
        os._exit(7)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


def most_tasks(_: World) -> int:
    return resource.getrlimit(resource.RLIMIT_NPROC)[1]


@pytest.mark.parametrize("user", ["root", "user"])
@pytest.mark.parametrize("at", [FULL, STANDARD])
@pytest.mark.parametrize(
    ("kind", "process", "tasks"),
    [
        ("python", "refused", 0),
        ("program", "refused", PROGRAM_THREADS),
        ("build", "succeeded", BUILD_TASKS),
    ],
)
def test_processes_and_their_number(
    kind: str, process: str, tasks: int, at: str, user: str
) -> None:
    level = probe().level
    if level == WEAK or (at == FULL and level != FULL):
        pytest.skip(f"this machine's level is {level}")
    if user == "root" and os.getuid() != 0:
        pytest.skip("the tests do not run as root")
    acts = {"process": start_a_process, "tasks": most_tasks}
    with new_world() as world:
        outcomes = Run(user, LEVELS[at]).all(acts, world, kind=kind)
    assert outcomes["process"].kind == process, outcomes
    # On top of what runs for that user already, where others may.
    others = 100 if kind != "python" else 0
    assert tasks <= int(outcomes["tasks"].detail) <= tasks + others, outcomes
