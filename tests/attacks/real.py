"""Every attempt as a bot of its own, started by the real zygote and loaded by the real runner.

`python -m tests.attacks.real LEVEL USER` prints, as JSON, what came of each by its name. It needs
nothing but the standard library, so it runs under any Python there is.
"""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import harness
from harness.sandbox.nursery import Nursery
from harness.sandbox.privileges import allow_own_proc_files, become
from harness.sandbox.process import SEALS, BotProcess, StartFailure
from tests.attacks.attempts import ATTEMPTS
from tests.attacks.target import MEMORY_BYTES, SCRATCH_BYTES, SCRATCH_FILES, World
from tests.sandbox.world import LEVELS, ORDINARY, Outcome, new_world, open_homes

PROJECT = Path(harness.__file__).parent.parent

# The attempts of other families stay out: every process compiles its bot from the source.
_FILES = ("__init__.py", "target.py", "inside.py", "attempts/registry.py")

_BOT = """
from harness.games.pazaak import END, Player
from tests.attacks.inside import attack
from tests.attacks.attempts.{family} import {name}


attack({name}, __file__)


class Attacker(Player):
    def respond(self, view):
        return END
"""
_IMPORTS = """
import sys

for name in ("json", "decimal", "hashlib", "random", "datetime", "re", "ctypes", "csv", "socket"):
    for loaded in [key for key in sys.modules if key.partition(".")[0] == name]:
        del sys.modules[loaded]
    __import__(name)
print('["succeeded", ""]')
from harness.games.pazaak import Player


class Honest(Player):
    def respond(self, view):
        return 0
"""


@dataclass(frozen=True)
class _Budgets:
    """The arena's own need a package."""

    start_seconds: float = 20
    start_wall_seconds: float = 60
    memory_mb: int = MEMORY_BYTES >> 20
    scratch_mb: int = SCRATCH_BYTES >> 20
    scratch_files: int = SCRATCH_FILES
    output_kb: int = 64


def _write_bot(world: World, name: str, family: str) -> Path:
    """A folder with the attempt, as a contestant would hand it in."""
    home = Path(world.folder, "bots", name)
    for file in (*_FILES, f"attempts/{family}.py"):
        target = home / "tests" / "attacks" / file
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(PROJECT / "tests" / "attacks" / file, target)
    for package in ("tests", "tests/attacks/attempts"):
        (home / package / "__init__.py").touch()
    (home / "world.json").write_text(json.dumps(asdict(world)), encoding="utf-8")
    (home / "bot.py").write_text(_BOT.format(name=name, family=family), encoding="utf-8")
    return home / "bot.py"


@contextmanager
def _frames() -> Iterator[tuple[int, int]]:
    """Shared memory as a seat makes it."""
    made = []
    for seals in (SEALS | 0x10, SEALS):  # F_SEAL_FUTURE_WRITE on the requests
        fd = os.memfd_create("frame", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
        os.ftruncate(fd, 4096)
        fcntl.fcntl(fd, fcntl.F_ADD_SEALS, seals)
        made.append(fd)
    try:
        yield made[0], made[1]
    finally:
        for fd in made:
            os.close(fd)


def _report(nursery: Nursery, path: Path) -> tuple[str, str]:
    """Start a bot; what it prints while it is loaded, or how it died."""
    budgets: Any = _Budgets()
    with _frames() as frames:
        process = BotProcess(
            nursery,
            game="pazaak",
            path=str(path),
            numpy=False,
            seed="",
            lanes=1,
            budgets=budgets,
            frames=frames,
        )
    ended = ""
    try:
        process.wait_ready()
    except StartFailure as failure:
        ended = f"{failure.kind}: {failure.reason}{failure.traceback}"
    finally:
        printed = process.log().decode()
        process.close()
    if ended:
        return ("killed" if "signal SIG" in ended else "broken"), ended
    try:
        # The first line: without a free descriptor, say, the runner ends with a traceback after it.
        kind, detail = json.loads(printed.splitlines()[0])
    except (IndexError, ValueError):
        return "broken", f"{path} printed {printed[-2000:]!r}"
    return kind, detail[-2000:]


def outcomes(level: str) -> dict[str, tuple[str, str]]:
    """All attempts at a level, as whoever this process is."""
    nursery = Nursery("pazaak", LEVELS[level], core=None)
    found = {}
    try:
        with new_world() as world:
            world.write_files()
            for name, attempt in ATTEMPTS.items():
                found[name] = _report(nursery, _write_bot(world, name, attempt.family))
                shutil.rmtree(Path(world.folder, "bots", name))
            honest = Path(world.folder, "bots", "honest.py")
            honest.write_text(_IMPORTS, encoding="utf-8")
            found["_imports"] = _report(nursery, honest)
    finally:
        nursery.close()
    return found


def run(level: str, user: str, python: str = sys.executable) -> dict[str, Outcome]:
    """The same in processes of their own, as root or as an ordinary user, under any Python."""
    done = subprocess.run(
        [python, "-s", "-P", "-m", "tests.attacks.real", level, user],
        cwd="/",
        env={"PYTHONPATH": str(PROJECT), "PYTHONDONTWRITEBYTECODE": "1", "LANG": "C.UTF-8"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    return {name: Outcome(kind, detail) for name, (kind, detail) in found.items()}


def main(level: str, user: str) -> None:
    if os.getuid() == 0:
        # Whoever becomes an ordinary user finds Python and the project below root's private home.
        open_homes(str(PROJECT), sys.base_prefix, sys.prefix)
        if user == "user":
            become(ORDINARY)
            allow_own_proc_files()  # as if it had been started by that user
    json.dump(outcomes(level), sys.stdout)


if __name__ == "__main__":
    main(*sys.argv[1:])
