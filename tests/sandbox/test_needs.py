"""What an honest bot needs still works inside, at every level and as everybody."""

from __future__ import annotations

import importlib.util
import os
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from harness.sandbox.probe import FULL, WEAK, probe
from tests.sandbox.world import LEVELS, Run, World, new_world


@pytest.fixture
def world() -> Iterator[World]:
    with new_world() as world:
        yield world


@pytest.fixture(scope="module", params=[(u, at) for u in ("root", "user") for at in LEVELS])
def run(request: pytest.FixtureRequest) -> Run:
    user, at = request.param
    level = probe().level
    if user == "root" and os.getuid() != 0:
        pytest.skip("the tests do not run as root")
    if level == WEAK or (at == FULL and level != FULL):
        pytest.skip(f"this machine's level is {level}")
    return Run(user, LEVELS[at])


def imports(names: str) -> Callable[[World], object]:
    """Imports modules afresh, from the disk: what pytest has loaded must not help."""

    def act(world: World) -> object:
        for name in names.split():
            for loaded in [key for key in sys.modules if key.partition(".")[0] == name]:
                del sys.modules[loaded]
            __import__(name)
        return True

    return act


MODULES = (
    "json decimal fractions statistics heapq bisect itertools collections dataclasses enum",
    "random math cmath hashlib hmac secrets zlib bz2 lzma base64 struct array",
    "sqlite3 csv pickle copy re string textwrap unicodedata datetime zoneinfo calendar",
    "ssl socket select selectors asyncio threading multiprocessing subprocess",
    "ctypes tempfile pathlib shutil glob logging traceback inspect typing ast email xml.dom",
    "xml.etree.ElementTree concurrent.futures importlib.metadata urllib.request",
)


@pytest.mark.parametrize("names", MODULES, ids=lambda names: names.split()[0])
def test_imports(names: str, run: Run, world: World) -> None:
    present = []
    for name in names.split():
        try:
            found = importlib.util.find_spec(name)
        except ImportError:
            found = None
        if found is not None:
            present.append(name)
    assert run(imports(" ".join(present)), world).kind == "succeeded"


@pytest.mark.skipif(importlib.util.find_spec("numpy") is None, reason="NumPy is not installed")
def test_imports_and_uses_numpy(run: Run, world: World) -> None:
    def act(_: World) -> object:
        # OpenBLAS starts threads as it is loaded; the zygote's environment says that it must not.
        os.environ["OPENBLAS_NUM_THREADS"] = "1"
        import numpy as np

        generator = np.random.default_rng()
        matrix = generator.random((200, 200))
        np.save("matrix.npy", matrix)
        mapped = np.load("matrix.npy", mmap_mode="r")
        return float(np.linalg.norm(mapped @ np.linalg.inv(matrix)))

    outcome = run(act, world)
    assert outcome.kind == "succeeded", outcome


def test_the_games_are_importable(run: Run, world: World) -> None:
    def act(_: World) -> object:
        for name in [name for name in sys.modules if name.startswith("harness.games.")]:
            del sys.modules[name]
        import harness.games.pazaak

        return harness.games.pazaak.__name__

    import harness.games  # noqa: F401  (the zygote does this too: its parent folder is not readable)

    outcome = run(act, world)
    assert outcome.kind == "succeeded", outcome


def test_the_own_file_is_readable(run: Run, world: World) -> None:
    outcome = run(lambda world: Path(world.bot).read_text(), world)
    assert "SECRET" in outcome.detail


def test_scratch_files(run: Run, world: World) -> None:
    def act(world: World) -> object:
        assert os.getcwd() == world.scratch
        scratch = Path(world.scratch)
        (scratch / "folder" / "inner").mkdir(parents=True)
        (scratch / "a").write_text("hello")
        with open("a", "r+", encoding="ascii") as file:
            file.seek(0, os.SEEK_END)
            file.write(" world")
            file.flush()
            os.fsync(file.fileno())
            file.truncate(8)
        os.rename("a", "folder/b")
        os.replace("folder/b", "folder/inner/c")
        shutil.copyfile("folder/inner/c", "d")
        assert Path("d").read_text() == "hello wo"
        with tempfile.TemporaryFile(dir=world.scratch) as file:
            file.write(b"x")
        with tempfile.NamedTemporaryFile(dir=world.scratch) as file:
            file.write(b"x")
        shutil.rmtree("folder")
        os.unlink("d")
        (scratch / "large").write_bytes(bytes(1 << 20))
        return os.listdir(".")

    outcome = run(act, world)
    assert outcome.detail == "['large']", outcome


def test_a_database_in_memory(run: Run, world: World) -> None:
    def act(_: World) -> object:
        import sqlite3

        return sqlite3.connect(":memory:").execute("select sum(1) from pragma_function_list")

    assert run(act, world).kind == "succeeded"


def test_a_database_file_without_locks(run: Run, world: World) -> None:
    def act(world: World) -> object:
        import sqlite3

        connection = sqlite3.connect(f"file:{world.scratch}/data?vfs=unix-none", uri=True)
        connection.execute("create table opening (hand, reply)")
        connection.execute("insert into opening values (1, 2)")
        connection.commit()
        return connection.execute("select * from opening").fetchall()

    assert run(act, world).detail == "[(1, 2)]"


def test_time_and_random_numbers(run: Run, world: World) -> None:
    def act(_: World) -> object:
        import random

        started = time.monotonic()
        time.sleep(0.01)
        assert 0.01 <= time.monotonic() - started < 5
        assert time.process_time() >= 0
        assert time.thread_time() > 0
        assert time.time() > 1e9
        assert time.perf_counter_ns() > 0
        assert time.localtime().tm_year >= 2025
        assert len(os.urandom(8)) == 8
        assert random.SystemRandom().random() < 1
        with open("/dev/urandom", "rb") as file:
            assert len(file.read(4)) == 4
        with open(os.devnull, "w", encoding="ascii") as file:
            file.write("x")
        return os.getpid(), os.cpu_count(), len(os.sched_getaffinity(0)), os.uname()

    outcome = run(act, world)
    assert outcome.kind == "succeeded", outcome


def test_own_signals(run: Run, world: World) -> None:
    def act(_: World) -> object:
        received: list[int] = []
        signal.signal(signal.SIGALRM, lambda number, frame: received.append(number))
        signal.signal(signal.SIGUSR1, lambda number, frame: received.append(number))
        signal.setitimer(signal.ITIMER_REAL, 0.01)
        signal.pause()
        os.kill(os.getpid(), signal.SIGUSR1)
        signal.raise_signal(signal.SIGUSR1)
        return received

    assert run(act, world).detail == str([int(signal.SIGALRM), *[int(signal.SIGUSR1)] * 2])


def test_own_limits_and_memory(run: Run, world: World) -> None:
    def act(_: World) -> Any:
        import gc
        import resource

        data = bytearray(100 << 20)
        data[::4096] = b"x" * len(data[::4096])
        del data
        gc.collect()
        return resource.getrlimit(resource.RLIMIT_NPROC), os.sysconf("SC_OPEN_MAX")

    assert run(act, world).detail == "((0, 0), 64)"


def test_a_memory_error_can_be_survived(run: Run, world: World) -> None:
    def act(_: World) -> object:
        try:
            bytearray(1 << 32)
        except MemoryError:
            return len(bytearray(1 << 20))
        return 0

    assert run(act, world).detail == str(1 << 20)


def test_a_crash_is_a_crash(run: Run, world: World) -> None:
    assert run(lambda _: os.abort(), world).detail == "SIGABRT"


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSTOP])
def test_cannot_kill_itself_as_if_from_outside(
    number: signal.Signals, run: Run, world: World
) -> None:
    """The arena plays a block again whose process was killed from outside: a way out of losing."""
    assert run(lambda _: os.kill(os.getpid(), number), world).kind == "refused"
    assert run(lambda _: signal.raise_signal(number), world).kind == "refused"
    assert run(lambda _: signal.pthread_kill(_this_thread(), number), world).kind == "refused"


def _this_thread() -> int:
    import threading

    return threading.get_ident()


def test_the_processor_backstop_kills(run: Run, world: World) -> None:
    def act(_: World) -> object:
        signal.signal(signal.SIGXCPU, signal.SIG_IGN)
        while True:
            pass

    assert run(act, world, cpu_seconds=1).detail == "SIGKILL"
