"""What a bot can find out from inside: its opponent, the secret, the arena, in its whole memory."""

from __future__ import annotations

import hashlib
import os
from dataclasses import replace
from pathlib import Path

import pytest

from harness.arena.deals import Deals, derive
from harness.sandbox.nursery import Nursery
from tests.attacks.conftest import PATIENT, Arena, attacker, counts, told

KEY = hashlib.sha256(b"a key that lies nowhere by chance").digest()
CANARY = "koth-canary-of-the-environment"

# All memory around all objects, arenas and buffers it can reach, written to the log, through which
# the test reads it. Unmapped pages are refused by `write`.
DUMP = """
import gc
libc = ctypes.CDLL(None)
libc.write.argtypes = [ctypes.c_int, ctypes.c_void_p, ctypes.c_size_t]

def dump():
    near = [id(thing) for thing in gc.get_objects()] + [id(name) for name in list(sys.modules)]
    near += [id(value) for thing in gc.get_objects() for value in gc.get_referents(thing)]
    near += [ctypes.addressof(ctypes.create_string_buffer(n)) for n in (64, 600, 5000, 70000)]
    near += [ctypes.cast(libc.write, ctypes.c_void_p).value]
    environ = ctypes.POINTER(ctypes.c_char_p).in_dll(libc, "environ")
    near += [ctypes.cast(environ, ctypes.c_void_p).value]
    near += [ctypes.cast(environ[0], ctypes.c_void_p).value if environ[0] else near[0]]
    log = held()["log"]
    os.write(log, b"memory:")  # a log that begins with a zero counts as empty
    for part in sorted({(address >> 18) + k for address in near for k in (-1, 0, 1)}):
        for page in range(64):
            libc.write(log, (part << 18) + page * 4096, 4096)
"""


def test_nothing_of_the_opponent_or_the_arena_lies_in_its_memory(
    arena: Arena, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KOTH_CANARY", CANARY)
    nursery = Nursery("pazaak", arena.nursery._layers, core=None)  # one that starts from here
    budgets = PATIENT.model_copy(
        update={"output_kb": 65_536, "decision_seconds": 20.0, "decision_wall_seconds": 30.0}
    )
    try:
        here = replace(arena, nursery=nursery, key=KEY, deals=4, lanes=4, _known={})
        act = "if view.hand_number == 2 and once(): dump()"
        result = here.meet(attacker(act, DUMP), budgets, name="spy_number_seven")
        assert counts(result) == {}
    finally:
        nursery.close()
    memory = result.players[0].output
    assert len(memory) > 4 << 20
    own_seed = derive(KEY, "bot", 0, 0, 0).hex().encode()
    # It can read memory: what is its own is there.
    for own in (b"spy_number_seven", own_seed):
        assert own in memory, own
    words = Deals(KEY, 4, *_words()).first()
    for foreign in (
        KEY,
        KEY.hex().encode(),
        b"honest",
        CANARY.encode(),
        derive(KEY, "bot", 1, 0, 0).hex().encode(),
        words[0].tobytes()[:32],
        words[3].tobytes()[:32],
        b"conftest",  # modules of the controller
    ):
        assert (foreign in memory) is False, foreign


def _words() -> tuple[int, int]:
    from harness import games

    about = games.describe("pazaak")
    return about.words(about.variants["text"])


LOOK = """
import inspect, gc

def everything():
    seen, texts = set(), []
    stack = list(gc.get_objects()) + [sys.modules, os.environ, sys.argv, sys.orig_argv]
    frame = sys._getframe()
    while frame:
        stack += [frame.f_locals, frame.f_globals]
        frame = frame.f_back
    while stack:
        thing = stack.pop()
        if id(thing) in seen: continue
        seen.add(id(thing))
        if isinstance(thing, (str, bytes)): texts.append(repr(thing)[:300])
        stack += gc.get_referents(thing)
    return texts

def report():
    print("environment", dict(os.environ))
    print("arguments", sys.argv, sys.orig_argv)
    print("cwd", os.getcwd())
    print("texts", len(everything()))
    # Longer than the word that is looked for, which is there as well by now.
    word = bytes.fromhex("686f6e657374").decode()
    print("names", [t for t in everything() if word in t.lower() and len(t) > 12])
    print("files", sorted({f.filename for f in inspect.stack()}))
"""


@pytest.mark.slow
def test_frames_objects_and_environment_name_nobody(arena: Arena) -> None:
    few = replace(arena, deals=2, lanes=2, key=KEY, _known={})
    result = few.meet(
        attacker("if once(): report()", LOOK),
        PATIENT.model_copy(update={"decision_seconds": 20.0}),
    )
    assert counts(result) == {}
    found = told(result)
    (environment,) = found["environment"]
    assert set(eval(environment)) <= {
        *("PATH", "PYTHONPATH", "LANG", "PYTHONHASHSEED", "PYTHONDONTWRITEBYTECODE"),
        *("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "OPENBLAS_CORETYPE", "LC_CTYPE"),
    }
    assert found["names"] == {"[]"}
    (arguments,) = found["arguments"]
    assert "pytest" not in arguments
    assert int(next(iter(found["texts"]))) > 1000
    assert KEY.hex() not in result.players[0].output.decode()


def test_neither_opponent_nor_results_nor_config_can_be_opened(
    arena: Arena, level: tuple[str, Nursery], tmp_path: Path
) -> None:
    """By their true paths, which it is told here: it would have to guess them."""
    paths = {}
    for name in ("ledger.sqlite", "config.yaml"):
        path = tmp_path / name
        path.write_text("x")
        paths[name] = str(path)
    paths["rival"] = str(arena.write("", "honest"))
    paths["harness"] = os.path.abspath("harness/arena/deals.py")
    lines = [f"tell({name!r}, lambda: open({path!r}).read())" for name, path in paths.items()]
    here = replace(arena, nursery=level[1], deals=2, lanes=2, _known={})
    result = here.meet(attacker("if once():\n    " + "\n    ".join(lines)))
    assert counts(result) == {}
    found = told(result)
    assert set(found) == set(paths)
    for outcomes in found.values():
        assert all(outcome.startswith("refused") for outcome in outcomes), found


# What succeeds at `full`, and nobody minds; docs/explanation/sandbox.md says why of each.
HARMLESS = {
    "read_the_kernels_version": "os.uname()",
    "read_the_size_of_memory": "os.sysconf('SC_PHYS_PAGES')",
    "ask_how_full_the_librarys_disk_is": "os.statvfs(os.__file__).f_bavail",
    "list_the_library": "os.listdir(os.path.dirname(os.__file__))",
    "read_the_games": "open(sys.modules['harness.games'].__file__).read()",
    "learn_its_parents_number": "os.getppid()",
    "read_its_own_memory": "ctypes.string_at(id(sys), 100)",
    "read_its_whole_frame": "bytes(frame_of('bell_in')['request'])",
    "map_its_replies_for_writing": "mmap.mmap(held()['reply'], 0)[:0]",
    "rewrite_its_log": "os.pwrite(held()['log'], b'x', 100)",
    "make_a_pipe": "[os.close(fd) for fd in os.pipe()]",
    "share_memory_with_nobody": "len(mmap.mmap(-1, 4096))",
    "make_memory_executable": "len(mmap.mmap(-1, 4096, prot=7, flags=0x22))",
    "handle_its_own_signals": "signal.signal(signal.SIGTERM, signal.SIG_IGN)",
    "set_itself_a_timer": "signal.setitimer(signal.ITIMER_REAL, 0)",
    "change_the_runner": "setattr(sys.modules['harness.sandbox.runner'], 'tail', str)",
}


def test_what_is_harmless_succeeds(arena: Arena) -> None:
    lines = [f"tell({name!r}, lambda: {act})" for name, act in HARMLESS.items()]
    few = replace(arena, deals=2, lanes=2, _known={})
    result = few.meet(attacker("if once():\n    " + "\n    ".join(lines)), PATIENT)
    few.check(result)
    assert counts(result) == {}
    found = told(result)
    for name in HARMLESS:
        assert found[name], name
        assert all(outcome.startswith("succeeded") for outcome in found[name]), (name, found[name])
