"""Attacks on the clock: hanging in every way, thinking on the opponent's time, lying about it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.attacks.conftest import PATIENT, QUICK, Arena, attacker, counts
from tests.sampling import sampled

_BLOCK_ALL = "signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65))"
_IGNORE_ALL = "[signal.signal(n, signal.SIG_IGN) for n in range(1, 32) if n not in (9, 19)]"

HANGS = [
    f"{_BLOCK_ALL}; {_IGNORE_ALL}\nwhile True: pass",
    "while True: pass",
    "sum(iter(int, 1))",
    "__import__('re').match('(a*)*b', 'a' * 60)",
    "pow(7, 10**9)",
    "time.sleep(60)",
    "signal.pause()",
    f"{_BLOCK_ALL}; signal.sigwait([signal.SIGUSR1])",
    "os.read(os.pipe()[0], 1)",
    "__import__('select').select([], [], [], 60)",
    "int('9' * 4000) ** 100_000",
    "[].sort(key=None) or sorted(iter(int, 1))",
    "while True:\n    try: raise SystemExit\n    except BaseException: pass",
    "while True:\n    os.write(held()['notes'], b'x') if False else time.time()",
    "ctypes.CDLL(None).pause()",
    "ctypes.CDLL(None).sleep(60)",
]  # fmt: skip


@pytest.mark.parametrize("how", sampled(HANGS, 1))
def test_hanging_costs_the_game_and_no_more_than_the_limit(arena: Arena, how: str) -> None:
    few = replace(arena, deals=4, lanes=2)
    indented = how.replace("\n", "\n    ")
    result = few.meet(attacker(f"if view.game_number == 1 and once():\n    {indented}"))
    few.check(result)
    found = counts(result)
    assert set(found) <= {"timeout", "memory"}  # whichever limit ends it first
    assert found
    assert result.seconds < 3 + 2 * sum(found.values())


THINKS = """
def think(number, frame):
    end = time.thread_time() + 0.005
    while time.thread_time() < end: pass
    signal.setitimer(signal.ITIMER_REAL, 0.0005)

signal.signal(signal.SIGALRM, think)
"""


def test_thinking_in_a_signal_handler_on_the_opponents_time_is_paid_for(arena: Arena) -> None:
    """All CPU time of the process is charged, whoever's turn it is."""
    act = "if once(): signal.setitimer(signal.ITIMER_REAL, 0.0005)"
    slack = 0.05
    result = arena.meet(attacker(act, THINKS), QUICK.model_copy(update={"slack_seconds": slack}))
    # It thinks most of the time, until that is more than it may think in all.
    assert counts(result) == {"over_budget": 1}
    arena.check(result)
    patient = arena.meet(attacker(act, THINKS), PATIENT)
    assert counts(patient) == {}
    arena.check(patient)
    assert patient.players[0].cpu > 5 * arena.peace.players[0].cpu


LIES = """
import resource
for name in ("time", "monotonic", "perf_counter", "process_time", "thread_time", "clock_gettime"):
    setattr(time, name, lambda *_: 0.0)
resource.getrusage = lambda *_: (0.0,) * 16
os.times = lambda: (0.0,) * 5
import harness.sandbox.runner as runner
"""


@pytest.mark.parametrize("spends", ["sum(range(200_000))", "time.sleep(0.02)"])
def test_patched_clocks_change_no_verdict(arena: Arena, spends: str) -> None:
    result = arena.meet(attacker(spends, LIES), QUICK.model_copy(update={"slack_seconds": 0.1}))
    assert counts(result) == {"over_budget": 1}
    assert result.players[0].retired == "over_budget"
    assert result.seconds < 10
    arena.check(result)
