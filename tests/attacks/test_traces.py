"""Leaving something behind: for a later process of its own, for others, for whoever cleans up.

A bot's process of the second leg meets the deals of the first. What the first knew must not reach
it: neither by a file, nor by anything that the kernel keeps.
"""

from __future__ import annotations

import os
import shutil
import stat
import tempfile
from dataclasses import replace
from pathlib import Path

import psutil
import pytest

from harness.arena.budgets import Budgets
from harness.entrants import discover
from harness.sandbox.confinement import Layers
from harness.sandbox.nursery import Nursery
from harness.sandbox.process import BotProcess
from harness.sandbox.scratch import remove_scratch
from tests.attacks.conftest import QUICK, Arena, attacker, counts, told
from tests.conftest import CAUTIOUS, HEADER

# Looks everywhere first, then leaves a mark everywhere.
MARKS = """
import socket

libc = ctypes.CDLL(None, use_errno=True)
HERE = os.path.dirname(os.path.abspath(__file__))
LIBRARY = os.path.dirname(os.__file__)
GAMES = os.path.dirname(sys.modules["harness.games"].__file__)
PLACES = [
    "/tmp", "/var/tmp", "/dev/shm", "/run", "/", HERE, LIBRARY, GAMES, GAMES + "/pazaak",
    os.getcwd(),
    LIBRARY + "/site-packages", GAMES + "/__pycache__", LIBRARY + "/__pycache__",
    HERE + "/__pycache__", os.path.expanduser("~"), "/proc/self/cwd", "/scratch",
]

def check(result):
    if result < 0:
        raise OSError(ctypes.get_errno(), "refused")
    return result

def file(folder):
    return open(os.path.join(folder, "koth_mark.py"), "w").write("1")

def saw(folder):
    return open(os.path.join(folder, "koth_mark.py")).read()

def abstract():
    s = socket.socket(socket.AF_UNIX)
    s.bind("\\0koth-mark")

LOOKS = {f"file_{n}": (lambda p=p: saw(p)) for n, p in enumerate(PLACES)}
LOOKS |= {
    "system_v": lambda: check(libc.shmget(0x6B6F7468, 4096, 0)),
    "semaphore": lambda: check(libc.semget(0x6B6F7468, 1, 0)),
    "queue": lambda: check(libc.msgget(0x6B6F7468, 0)),
    "posix": lambda: check(libc.syscall(240, b"koth", os.O_RDONLY, 0, None)),
    "key": lambda: check(libc.syscall(249, b"user", b"koth", None, -5)),
    "environment": lambda: os.environ["KOTH_MARK"],
    "module": lambda: sys.modules["koth_mark"],
    "attribute": lambda: sys.modules["harness.games.pazaak"].koth_mark,
    "lock": lambda: fcntl.flock(open(__file__), fcntl.LOCK_EX | fcntl.LOCK_NB),
}
LEAVES = {f"file_{n}": (lambda p=p: file(p)) for n, p in enumerate(PLACES)}
LEAVES |= {
    "system_v": lambda: check(libc.shmget(0x6B6F7468, 4096, 0o1666)),
    "semaphore": lambda: check(libc.semget(0x6B6F7468, 1, 0o1666)),
    "queue": lambda: check(libc.msgget(0x6B6F7468, 0o1666)),
    "posix": lambda: check(libc.syscall(240, b"koth", os.O_CREAT | os.O_RDWR, 0o666, None)),
    "key": lambda: check(libc.syscall(248, b"user", b"koth", b"x", 1, -5)),
    "abstract": abstract,
    "lock": lambda: fcntl.flock(open(__file__), fcntl.LOCK_SH | fcntl.LOCK_NB),
    "record_lock": lambda: fcntl.lockf(open(__file__), fcntl.LOCK_SH | fcntl.LOCK_NB),
}
for name, act in LOOKS.items(): tell("look_" + name, act)
for name, act in LEAVES.items(): tell("leave_" + name, act)
os.environ["KOTH_MARK"] = "1"
sys.modules["koth_mark"] = sys
sys.modules["harness.games.pazaak"].koth_mark = 1
"""


def test_no_process_finds_a_mark_of_an_earlier_one(
    arena: Arena, level: tuple[str, Nursery]
) -> None:
    """Through a whole match of two legs, and then through another one."""
    here = replace(arena, nursery=level[1], deals=2, lanes=2, _known={})
    before = _outside()
    for _ in range(2):
        result = here.meet(attacker("pass", MARKS))
        here.check(result)
        assert counts(result) == {}
        found = told(result)
        looks = {name: said for name, said in found.items() if name.startswith("look_")}
        assert len(looks) > 20
        for name, said in looks.items():
            assert all(outcome.startswith("refused") for outcome in said), (name, said)
        # Its scratch folder is the only place that takes anything, and goes with it.
        left = {name for name, said in found.items() if any("succeeded" in s for s in said)}
        assert left <= {"leave_file_9", "leave_file_15", "leave_file_16"}, found
        assert "leave_file_9" in left
    assert _outside() == before


def test_access_times_are_a_mark_at_standard_alone(
    level: tuple[str, Nursery], tmp_path: Path
) -> None:
    """Reading a file is written down in it, and anybody may ask when that was; see the known gaps.

    Where everything is mounted read-only, nothing is written down.
    """
    home = tmp_path / "bots" / "pazaak" / "evil"
    home.mkdir(parents=True)
    for name in ("mark", "control"):
        (home / name).write_text("x")
        os.utime(home / name, (0, 10**9))  # last read before it was written: the next time counts
    (home / "control").read_text()
    if (home / "control").stat().st_atime == 0:
        pytest.skip("this file system keeps no access times")
    source = "import os\nopen(os.path.join(os.path.dirname(__file__), 'mark')).read()\n"
    (home / "bot.py").write_text(HEADER + source + CAUTIOUS)
    (found,) = discover("pazaak", tmp_path / "bots", level[1], Budgets())
    # koth itself has read it for its hash.
    os.utime(home / "mark", (0, 10**9))
    process = BotProcess(
        level[1],
        game="pazaak",
        path=found.path,
        numpy=False,
        seed="",
        lanes=0,
        budgets=Budgets(),
    )
    try:
        process.wait_ready()
    finally:
        process.close()
    assert ((home / "mark").stat().st_atime == 0) is (level[0] == "full")


def _outside() -> list[str]:
    """What lies where strangers may write."""
    folders = [tempfile.gettempdir(), "/var/tmp", "/dev/shm", "/"]
    marks = [f"{folder}/{name}" for folder in folders for name in os.listdir(folder)]
    return sorted(name for name in marks if "koth_mark" in name or "koth-scratch" in name)


def test_no_process_survives_whatever_ignores_signals(arena: Arena) -> None:
    before = {child.pid for child in psutil.Process().children(recursive=True)}
    act = (
        "if once():\n"
        "    for n in range(1, 32):\n"
        "        try: signal.signal(n, signal.SIG_IGN)\n"
        "        except OSError: pass\n"
        "    for name in ('fork', 'forkpty', 'setsid'): tell(name, getattr(os, name))"
    )
    result = replace(arena, deals=2, lanes=2).meet(attacker(act))
    assert counts(result) == {}
    for name in ("fork", "forkpty", "setsid"):
        assert all(outcome.startswith("refused") for outcome in told(result)[name])
    after = psutil.Process().children(recursive=True)
    assert {child.pid for child in after if child.name() != "python"} <= before
    ours = {child.pid for child in psutil.Process().children()}
    assert {child.pid for child in after} - before <= ours


@pytest.mark.parametrize("kind", ["symlink", "folder_link", "fifo", "hard_link", "socket", "swap"])
def test_the_keeper_follows_nothing_planted_in_a_scratch(tmp_path: Path, kind: str) -> None:
    """A bot cannot plant these; if ever one could, cleaning up would neither follow nor hang."""
    outside = tmp_path / "outside"
    outside.mkdir()
    precious = outside / "precious"
    precious.write_text("x")
    mode = stat.S_IMODE(outside.stat().st_mode), precious.stat().st_mtime_ns
    scratch = tmp_path / "scratch"
    (scratch / "deep").mkdir(parents=True)
    target = scratch / "deep" / "planted"
    if kind == "symlink":
        target.symlink_to(precious)
    elif kind == "folder_link":
        target.symlink_to(outside, target_is_directory=True)
    elif kind == "fifo":
        os.mkfifo(target)
    elif kind == "hard_link":
        os.link(precious, target)
    elif kind == "socket":
        os.mknod(target, stat.S_IFSOCK | 0o666)
    else:  # the scratch itself became a link
        shutil.rmtree(scratch)
        scratch.symlink_to(outside, target_is_directory=True)
    remove_scratch(str(scratch))
    left = ["outside", "scratch"] if kind == "swap" else ["outside"]
    assert sorted(os.listdir(tmp_path)) == left
    assert precious.read_text() == "x"
    assert (stat.S_IMODE(outside.stat().st_mode), precious.stat().st_mtime_ns) == mode


def test_a_scratch_that_is_there_already_is_not_taken(
    arena: Arena, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without namespaces it has a name on the machine: whatever lies there is foreign."""
    planted = tmp_path / "planted"
    planted.symlink_to(tmp_path)
    monkeypatch.setattr("harness.sandbox.nursery.scratch_path", lambda layers: str(planted))
    nursery = Nursery("pazaak", Layers(namespaces=False), core=None)
    try:
        with pytest.raises(Exception, match="could not be confined: scratch"):
            replace(arena, nursery=nursery, deals=1, lanes=1, _known={}).meet(
                attacker("pass"), QUICK
            )
    finally:
        nursery.close()
    assert planted.is_symlink()
