"""What a program must not be able to do, tried from inside by `attempts.c`, at every level.

The controls show that an act would succeed were it not for the sandbox.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from harness.arena.budgets import Budgets
from harness.sandbox.nursery import Nursery
from harness.sandbox.probe import FULL, STANDARD, WEAK, probe
from harness.sandbox.process import BotProcess, StartFailure
from harness.sandbox.program import Program, resolve
from tests.sandbox.world import LEVELS, World, new_world

# What an act is about, in the world of the attempts; "" if it is about nothing in particular.
SUBJECTS: dict[str, Callable[[World], object]] = {
    "read_a_file": lambda world: world.rival,
    "write_a_file": lambda world: world.rival,
    "make_a_file": lambda world: os.path.join(world.folder, "made"),
    "truncate_a_file": lambda world: world.ledger,
    "delete_a_file": lambda world: world.ledger,
    "list_a_folder": lambda world: world.folder,
    "change_a_mode": lambda world: world.rival,
    "execute_a_file": lambda world: os.path.realpath("/bin/sh"),
    "connect_by_tcp": lambda world: world.tcp[1],
}
OWN = ("execute_what_it_wrote", "may_read_a_file", "may_execute_itself_again")
"""Acts that are about the bot's own file."""
NOTHING = (
    *("fork_a_process", "fork_by_vfork", "fork_a_twin", "fork_by_clone3", "make_a_datagram_socket"),
    *("make_a_unix_socket", "make_a_ring", "make_nameless_memory", "signal_the_parent"),
    *("signal_everybody", "read_the_clock_of_another", "survive_the_parent", "leave_the_session"),
    *("raise_a_limit", "share_nameless_memory", "map_growing_memory", "map_more_than_allowed"),
    *("end_as_if_from_outside", "trace_the_parent", "leave_the_core"),
    "make_a_pair_of_other_sockets",
)
ACTS = (*SUBJECTS, "execute_what_it_wrote", *NOTHING)
NEEDED = ("may_think", "may_write_to_its_scratch", *OWN[1:], "may_pair_sockets")
UNCONTROLLED = {
    "trace_the_parent": "it would stop the tests",
    "end_as_if_from_outside": "it would stop for good",
    "make_a_ring": "many machines forbid it anyway",
    "make_a_pair_of_other_sockets": "few kernels have them",
    "leave_the_core": "it changes nothing where all cores may be used",
    "raise_a_limit": "only root may",
    "execute_a_file": "a shell does not report",
}


@dataclass(frozen=True)
class Tried:
    """How an attempt ended."""

    report: str
    """What the program wrote: `got ...`, `refused: ...`."""
    failure: str | None = None
    """Why it did not get ready."""


@pytest.fixture(scope="module")
def world(compiled: Path) -> Iterator[World]:
    """Files of others, whose modes forbid nothing, and the bot in a folder of its own."""
    with new_world() as world:
        world.write_files()
        for path in (world.rival, world.ledger):
            os.chmod(path, 0o666)
        for folder in ("bots", "results"):
            os.chmod(os.path.join(world.folder, folder), 0o777)
        mine = Path(world.folder, "bots", "mine")
        mine.mkdir()
        shutil.copy(compiled, mine / "attempts")
        yield world


@pytest.fixture(scope="module", params=[FULL, pytest.param(STANDARD, marks=pytest.mark.slow)])
def try_out(request: pytest.FixtureRequest, world: World) -> Iterator[Callable[..., Tried]]:
    """Has the program attempt an act in the sandbox of a level."""
    level = probe().level
    if level == WEAK or (request.param == FULL and level != FULL):
        pytest.skip(f"this machine's level is {level}")
    layers = LEVELS[request.param]
    if not layers.namespaces and not _is_open_to_all(sys.base_prefix):
        # An interpreter in root's private home: another user could not start at this level.
        layers = replace(layers, user=False)
    nursery = Nursery("pazaak", layers, core=min(os.sched_getaffinity(0)))

    def run(act: str, budgets: Budgets | None = None, busy: bool = False) -> Tried:
        """`busy`: with other bots being started all the time, until the program has ended."""
        folder = os.path.join(world.folder, "bots", "mine")
        program = resolve(("./attempts", act, _subject(act, world)), folder)
        budgets = budgets or Budgets()
        process = _start(nursery, f"{folder}/bot.yaml", budgets, program)
        try:
            while busy and not process._ended():
                _start(nursery, __file__, budgets).close()
            process.wait_ready()
            return Tried(process.log().decode())
        except StartFailure as failure:
            return Tried(process.log().decode(), f"{failure.kind}: {failure.reason}")
        finally:
            process.close()

    yield run
    nursery.close()


def _start(
    nursery: Nursery, path: str, budgets: Budgets, program: Program | None = None
) -> BotProcess:
    setting: dict[str, Any] = {"game": "pazaak", "numpy": False, "seed": "", "lanes": 0}
    return BotProcess(nursery, path=path, budgets=budgets, program=program, **setting)


def _is_open_to_all(path: str) -> bool:
    parents = (path, *map(str, Path(path).parents))
    return all(os.stat(folder).st_mode & 0o001 for folder in parents)


def _subject(act: str, world: World) -> str:
    if act in OWN:
        return os.path.join(world.folder, "bots", "mine", "attempts")
    return str(SUBJECTS.get(act, lambda world: "")(world))


@pytest.mark.parametrize("act", ACTS)
def test_is_refused(act: str, try_out: Callable[..., Tried]) -> None:
    tried = try_out(act)
    assert tried.report.startswith("refused: "), tried
    assert tried.failure is None


@pytest.mark.parametrize("act", NEEDED)
def test_is_possible(act: str, try_out: Callable[..., Tried]) -> None:
    tried = try_out(act)
    assert tried.report.startswith("got "), tried
    assert tried.failure is None


@pytest.mark.parametrize(
    "act", ["hide_memory_from_its_limit", "hide_memory_behind_an_ended_thread"]
)
def test_memory_that_its_limit_forgets_is_seen_all_the_same(
    act: str, try_out: Callable[..., Tried]
) -> None:
    tried = try_out(act, Budgets(memory_mb=64))
    assert tried.report == ""
    assert tried.failure is not None
    assert "MB of memory in use" in tried.failure


def test_memory_is_seen_while_many_bots_are_started(try_out: Callable[..., Tried]) -> None:
    tried = try_out("hide_memory_from_its_limit", Budgets(memory_mb=64), busy=True)
    assert tried.report == ""
    assert "MB of memory in use" in str(tried.failure)


def test_threads_are_bounded(try_out: Callable[..., Tried]) -> None:
    tried = try_out("make_a_thousand_threads")
    # Root has no limit of the kernel's; then it is the zygote who looks.
    assert tried.report.startswith("refused: ") or "at most 128" in str(tried.failure), tried


@pytest.mark.parametrize("act", ACTS)
def test_succeeds_when_free(act: str, world: World, compiled: Path, tmp_path: Path) -> None:
    if act in UNCONTROLLED:
        pytest.skip(UNCONTROLLED[act])
    world.write_files()
    done = subprocess.run(
        [str(compiled), act, _subject(act, world)],
        input="hello\n",
        capture_output=True,
        text=True,
        check=True,
        env={"TMPDIR": str(tmp_path)},
        timeout=20,
    )
    assert done.stderr.startswith("got "), done.stderr
    made = Path(world.folder, "made")
    made.unlink(missing_ok=True)
    os.chmod(world.rival, 0o666)
