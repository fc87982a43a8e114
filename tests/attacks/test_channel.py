"""Attacks on the channel between a bot and the arena: bells, frames, notes, the log."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.attacks.conftest import PATIENT, QUICK, Arena, attacker, counts, told
from tests.sampling import sampled


@pytest.mark.parametrize(
    ("act", "kind"),
    sampled(
        [
            # The last game of the frame in which the bell was to ring is lost.
            ("os.close(held()['bell_out'])", {"crash"}),
            # Too early: the other records of the frame are still unanswered, and so they count.
            ("os.write(held()['bell_out'], struct.pack('<I', serial()))", {"protocol", "crash"}),
            (
                "os.write(held()['bell_out'], struct.pack('<I', serial()) * 5000)",
                {"protocol", "crash"},
            ),
            ("os.close(held()['bell_in'])", {"crash"}),
            ("os.dup2(held()['bell_out'], held()['bell_in'])", {"crash"}),
            (
                "os.write(held()['bell_out'], struct.pack('<I', serial() + 1))",
                {"crash", "protocol"},
            ),
            ("os.write(held()['bell_out'], b'x')", {"crash", "protocol"}),
            ("os.write(held()['bell_out'], bytes(1 << 20))", {"crash", "protocol"}),
            ("os.dup2(held()['notes'], held()['bell_out'])", {"crash"}),
            # Never rung, after all answers were given.
            ("os.write = lambda fd, data: len(data)", {"timeout"}),
            # It takes the next question away from itself.
            ("os.read(held()['bell_in'], 9)", {"timeout"}),
        ],
        1,
    ),
)
def test_a_bell_closed_flooded_rung_early_or_never(arena: Arena, act: str, kind: set[str]) -> None:
    few = replace(arena, deals=4, lanes=1)  # each time costs the arena half a second
    result = few.meet(attacker(f"if view.game_number == 2 and once(): {act}"), PATIENT)
    few.check(result)
    assert counts(result)
    assert set(counts(result)) <= kind


def test_a_bell_rung_late(arena: Arena) -> None:
    """Within the limits it is slow, and its time is counted, however it is spent."""
    result = arena.meet(attacker("if view.game_number == 1 and once(): time.sleep(0.3)"))
    arena.check(result)
    assert counts(result) == {}
    assert result.players[0].wall >= 2 * 0.2


def test_every_bell_rung_a_frame_ahead(arena: Arena) -> None:
    """It answers nothing itself and rings at once, again and again; the substitute plays."""
    ahead = "for k in range(100_000): os.write(held()['bell_out'], struct.pack('<I', serial() + k))"
    few = replace(arena, deals=8, lanes=2)
    result = few.meet(attacker(f"if once():\n    {ahead}"), PATIENT)
    few.check(result)
    assert set(counts(result)) <= {"protocol", "crash", "timeout"}
    assert counts(result)


def test_no_frame_can_be_shrunk_grown_rewritten_or_unsealed(arena: Arena) -> None:
    """All of it is refused, so that nothing else happens: the match is as if it were honest."""
    acts = {
        "shrink_request": "os.ftruncate(held()['request'], 0)",
        "shrink_reply": "os.ftruncate(held()['reply'], 0)",
        "shrink_log": "os.ftruncate(held()['log'], 0)",
        "grow_reply": "os.ftruncate(held()['reply'], 1 << 24)",
        "grow_log": "os.posix_fallocate(held()['log'], 0, 1 << 24)",
        "write_request": "os.pwrite(held()['request'], bytes(64), 0)",
        "write_request_at_its_offset": "os.write(held()['request'], bytes(64))",
        "punch_request": "fail(libc.fallocate(held()['request'], 3, 0, ctypes.c_long(4096)))",
        "map_request": "mmap.mmap(held()['request'], 64)",
        "protect_request": "fail(libc.mprotect(address(), 4096, 3))",
        "remove_request": "fail(libc.madvise(address(), 4096, 9))",
        "unseal_reply": "fcntl.fcntl(held()['reply'], 1033, 0)",
        "seal_reply": "fcntl.fcntl(held()['reply'], 1033, 8)",
        "mode_of_request": "os.fchmod(held()['request'], 0o777)",
        "block_bell": "os.set_blocking(held()['notes'], True)",
        "async_log": "fcntl.ioctl(held()['bell_in'], 0x5452, struct.pack('i', 1))",
        "lock_log": "fcntl.flock(held()['log'], fcntl.LOCK_EX)",
        "steal_signals": "fcntl.fcntl(held()['bell_in'], fcntl.F_SETOWN, os.getppid())",
    }
    before = """
libc = ctypes.CDLL(None, use_errno=True)

def fail(result):
    if result:
        raise OSError(ctypes.get_errno(), "refused")

def address():
    # Where the request frame is mapped: a memoryview of it gives its buffer away.
    view = (ctypes.c_char * 0).from_buffer_copy(b"")
    class Buffer(ctypes.Structure):
        _fields_ = [("buf", ctypes.c_void_p), ("rest", ctypes.c_byte * 128)]
    held_buffer = Buffer()
    get = ctypes.pythonapi.PyObject_GetBuffer
    get.argtypes = [ctypes.py_object, ctypes.c_void_p, ctypes.c_int]
    get(frame_of("bell_in")["request"], ctypes.addressof(held_buffer), 0)
    return ctypes.c_void_p(held_buffer.buf)
"""
    lines = [f"tell({name!r}, lambda: {act})" for name, act in acts.items()]
    result = arena.meet(attacker("if once():\n    " + "\n    ".join(lines), before))
    arena.check(result)
    assert counts(result) == {}
    found = told(result)
    assert set(found) == set(acts)
    for name, outcomes in found.items():
        assert all(outcome.startswith("refused") for outcome in outcomes), (name, outcomes)


def test_the_request_frame_holds_nothing_but_what_it_was_asked(arena: Arena) -> None:
    """All records of the frame, stale ones included, are this process's own questions."""
    act = """
here = frame_of("bell_in")
size, layout = here["size"], here["layout"]
n, raw = here["n"], bytes(here["request"])[here["layout"].records_at:]
records = [raw[k * size : (k + 1) * size] for k in range(layout.capacity)]
ASKED.update(records[:n])
foreign = [r for r in records if any(r) and r not in ASKED]
LOOKED.append(len(records))
if foreign: print("foreign", len(foreign))
if len(LOOKED) == 100: print("looked", "at enough")"""
    result = arena.meet(attacker(act.strip(), "ASKED, LOOKED = set(), []"), PATIENT)
    arena.check(result)
    assert counts(result) == {}
    assert told(result) == {"looked": {"at enough"}}


@pytest.mark.slow
def test_replies_rewritten_after_the_bell(arena: Arena) -> None:
    """It rings, then goes on writing; what the arena has copied stays what it was."""
    act = (
        "if view.hand_number == 2 and once():\n"
        "    reply = mmap.mmap(held()['reply'], 16)\n"
        "    reply[:] = struct.pack('8h', *[0] * 8)\n"
        "    os.write(held()['bell_out'], struct.pack('<I', serial()))\n"
        "    end = time.perf_counter() + 0.05\n"
        "    while time.perf_counter() < end:\n"
        "        reply[:] = struct.pack('8h', *[9] * 8)\n"
        "        reply[:] = struct.pack('8h', *[-32768] * 8)"
    )
    result = replace(arena, deals=8).meet(attacker(act), PATIENT)
    # The second bell, the runner's own, is one too many.
    assert set(counts(result)) <= {"crash", "illegal", "protocol"}
    assert sum(player.wins for player in result.players) == result.games
    honest = result.players[1]
    assert honest.retired is None
    assert not any(honest.log.counts.values())


def test_replies_rewritten_all_the_time_by_a_timer(arena: Arena) -> None:
    """At any moment, between the bell and the copy too: a reply is whatever was copied, judged."""
    before = """
def rewrite(number, frame):
    REPLY[0][:] = os.urandom(len(REPLY[0]))

REPLY = []
signal.signal(signal.SIGALRM, rewrite)
"""
    act = (
        "if once():\n"
        "    REPLY.append(mmap.mmap(held()['reply'], 16))\n"
        "    signal.setitimer(signal.ITIMER_REAL, 0.0002, 0.0002)"
    )
    result = arena.meet(attacker(act, before), PATIENT)
    assert counts(result)
    assert set(counts(result)) <= {"illegal", "protocol", "exception"}
    honest = result.players[1]
    assert honest.retired is None
    assert not any(honest.log.counts.values())
    assert sum(player.wins for player in result.players) == result.games


def test_codes_written_past_the_runner(arena: Arena) -> None:
    """The verdicts that the runner writes for its bot may be written by the bot as well."""
    codes = [-32768, -32767, -32766, -32765, -1000, 11, 255, 32767]
    act = (
        "if view.game_number % 2:\n"
        "    CODES.append(CODES.pop(0))\n"
        "    frame_of('codes')['codes'].obj  # the very memory\n"
        "    class Code(int): pass\n"
        "    here = frame_of('codes')\n"
        "    here['replies'].cast('h')[here['record']] = CODES[0]\n"
        "    raise KeyboardInterrupt"
    )
    result = arena.meet(attacker(act, f"CODES = {codes}"), PATIENT)
    assert set(counts(result)) == {"exception"}
    assert result.players[1].retired is None


def test_notes_flooded_and_malformed(arena: Arena) -> None:
    """Notes are a stranger's input: dropped, cut or believed, they change no verdict."""
    before = r"""
NOTES = [
    b'[' * 3000, b'{"a":' * 900, b'\xff\xfe\x00', b'{"note": 7}', b'null', b'"note"',
    b'{"note": "fault", "serial": 1e999, "record": true, "traceback": []}',
    b'{"note": "fault", "serial": 1, "record": -5, "traceback": {"a": NaN}}',
    b'{"note": "fault", "serial": 1, "record": ' + b'9' * 3000 + b', "traceback": "x"}',
    b'{"note": "loaded", "name": "somebody else", "lanes": -1}',
    b'{"note": "failed", "kind": "isolation", "reason": "no"}',
    b'{"note": "ready"}', b'9' * 4500, b'x' * 100_000,
]
"""
    act = (
        "for note in NOTES:\n"
        "    try: os.write(held()['notes'], note + b'\\n')\n"
        "    except BlockingIOError: pass"
    )
    result = arena.meet(attacker(act, before), PATIENT)
    arena.check(result)
    assert counts(result) == {}


def test_a_hundred_megabytes_printed_past_every_limit(arena: Arena) -> None:
    """Through `print`, `os.write`, `pwrite` and a mapping of the log, and by seeking in it."""
    act = """
if once():
    log = held()["log"]
    for _ in range(100): print("x" * 1_000_000)
    sys.__stdout__ and sys.__stdout__.write("y" * 1000)
    for fd in (0, 1, 2):
        tell("standard", lambda: os.write(fd, b"z" * 1000))
    os.lseek(log, 0, os.SEEK_SET)
    for _ in range(20):
        try: os.write(log, b"w" * 65536)
        except OSError: break
    tell("beyond", lambda: os.pwrite(log, b"v", 1 << 30))
    mmap.mmap(log, 4096)[:] = b"u" * 4096"""
    budgets = QUICK.model_copy(
        update={"output_kb": 64, "slack_seconds": 30.0, "decision_seconds": 9}
    )
    result = arena.meet(attacker(act.strip()), budgets)
    arena.check(result)
    assert counts(result) == {}
    output = result.players[0].output
    assert output.startswith(b"u" * 4096)
    assert len(output) <= 64 * 1024
