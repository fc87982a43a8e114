"""Replies that run code of the bot's when they are looked at, or that are no plain data."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from harness import games
from harness.arena.block import play_block
from harness.arena.job import Job, Player
from harness.sandbox.nursery import Nursery
from harness.sandbox.probe import probe
from tests.attacks.conftest import PATIENT, Arena, attacker, counts
from tests.sampling import sampled

HOSTILE = """
class Meta(type):
    def __eq__(cls, other): return True
    def __hash__(cls): raise SystemExit
    def __instancecheck__(cls, other): return True
    def __repr__(cls): raise KeyboardInterrupt

class Liar(metaclass=Meta):
    __class__ = int
    def __index__(self): return 0
    def __int__(self): return 0
    def __eq__(self, other): return True
    def __hash__(self): raise SystemExit
    def __bool__(self): raise SystemExit
    def __len__(self): return 10**18
    def __iter__(self): return self
    def __next__(self): return self

class Quiet(Liar):
    def __repr__(self): return "0"

class Exits(Liar):
    def __repr__(self): os._exit(0)

class Raises(Liar):
    def __repr__(self): raise SystemExit

class Huge(Liar):
    def __repr__(self): return "x" * 1_000_000

class Odd(Liar):
    def __repr__(self): return "\\ud800\\x1b[2J\\u202e" * 50

class Int(int):
    def __new__(cls): return super().__new__(cls, 0)
    def __index__(self): raise SystemExit
    def __repr__(self): return "0"

class Exception_(Exception):
    def __str__(self): raise SystemExit
    def __repr__(self): raise KeyboardInterrupt
    __cause__ = property(lambda self: self)
    __traceback__ = property(lambda self: 1 / 0)

def recur(): return recur()
"""

# What it answers, and the verdict. All of it is the author's own mistake or trick and costs one
# action; only a process that ends costs the game.
CASES = [
    ("return Quiet()", "protocol"),
    ("return Int()", "protocol"),
    ("raise Exception_('x')", "exception"),
    ("return True", "protocol"),
    ("return Odd()", "protocol"),
    ("return Raises()", "exception"),
    ("return Exits()", "crash"),
    ("return Huge()", "protocol"),
    ("return Liar", "exception"),
    ("return 10**30", "protocol"),
    ("return 10**5000", "protocol"),
    ("return 0.0", "protocol"),
    ("return '0'", "protocol"),
    ("return None", "protocol"),
    ("return respond", "exception"),
    ("return (n for n in [0])", "protocol"),
    ("yield 0", "protocol"),
    ("recur()", "exception"),
    ("raise SystemExit", "exception"),
    ("raise KeyboardInterrupt", "exception"),
    ("raise MemoryError", "memory"),
    ("raise BaseExceptionGroup('x', [SystemExit()])", "exception"),
    ("sys.setrecursionlimit(10**6); recur()", "crash"),
]


@pytest.mark.parametrize(("act", "kind"), sampled(CASES, 2))
def test_replies_that_are_no_plain_data(arena: Arena, act: str, kind: str) -> None:
    # A method of its own, for what makes a generator of it.
    before = f"{HOSTILE}\ndef trick():\n    {act}\n"
    result = arena.meet(attacker("if view.game_number == 1 and once(): return trick()", before))
    arena.check(result)
    found = counts(result)
    if "setrecursionlimit" in act:  # how deep it gets before the stack ends differs by Python
        assert set(found) <= {"crash", "exception", "memory", "timeout"}
        assert found
    else:
        assert set(found) == {kind}
    assert result.players[0].retired is None


BATCH = """
import numpy as np

class Attacker(BatchPlayer):
    asked = 0
    def respond(self, frame):
        replies = np.where(frame["total"] < 15, END, STAND).astype(np.int64)
        self.asked += 1
        if self.asked == 3:
            {act}
        return replies
"""

BATCH_CASES = [
    # An array that is not what it says: only genuine numbers of the right shape are copied.
    ("replies = replies.view(type('Sub', (np.ndarray,), {}))", {}),
    ("replies = np.array([END] * len(frame), object)", {"protocol": 2}),
    ("replies = (n for n in replies)", {"protocol": 2}),
    ("class S(np.ndarray):\n"
     "                shape = property(lambda self: 1 / 0)\n"
     "            replies = replies.view(S)", {}),
    ("class S(np.ndarray):\n"
     "                __gt__ = __le__ = __getitem__ = dtype = lambda *_: 1 / 0\n"
     "            replies = replies.view(S)", {}),
    ("replies = type('Fake', (), {'__class__': np.ndarray, 'shape': replies.shape})()",
     {"protocol": 2}),
    ("replies = np.ma.masked_array(replies, replies == 0)", {}),
    ("replies = np.broadcast_to(np.int64(0), len(frame) + 1)", {"protocol": 2}),
    ("replies = np.full(len(frame), 1 + 0j)", {"protocol": 2}),
    ("replies = replies.astype('datetime64[s]')", {"protocol": 2}),
    ("replies = np.rec.array(replies.astype([('code', '<i8')]))", {"protocol": 2}),
    ("replies = replies[::-1][::-1]", {}),
    ("replies = type('Fake', (), {'shape': replies.shape, 'dtype': replies.dtype})()",
     {"protocol": 2}),
    ("replies = frame['total']", None),  # a view of its own question: legal or not, only a number
    ("frame.flags.writeable = True; frame['total'] = 0", {"exception": 2}),
]  # fmt: skip


@pytest.mark.parametrize(("act", "verdict"), sampled(BATCH_CASES, 1))
def test_arrays_that_are_no_plain_arrays(
    arena: Arena, act: str, verdict: dict[str, int] | None
) -> None:
    result = arena.meet(BATCH.format(act=act))
    honest = result.players[1]
    assert not any(honest.log.counts.values())
    assert result.players[0].retired is None
    assert sum(player.wins for player in result.players) == result.games
    if verdict is None:
        assert set(counts(result)) <= {"illegal"}
    else:
        assert counts(result) == verdict
    if verdict == {} and "masked" not in act:
        arena.check(result)


RANDOM_BYTES = """
import mmap, os, signal, sys
from harness.games.{game} import Player

def held():
    frame = sys._getframe()
    while "bell_out" not in frame.f_locals.get("fds", ()):
        frame = frame.f_back
    return frame.f_locals["fds"]

class Attacker(Player):
    def _any(self, view=None):
        frame = sys._getframe(1).f_locals
        if not REPLY:
            REPLY.append(mmap.mmap(held()["reply"], 0))
            signal.signal(signal.SIGALRM, rewrite)
            signal.setitimer(signal.ITIMER_REAL, 0.0002, 0.0002)
        return 0
    respond = lay = call = play = bid = discard = bet = _any

def rewrite(number, frame):
    here = REPLY[0]
    here[:] = (os.urandom(7) * (len(here) // 7 + 1))[: len(here)]

REPLY = []
"""


@pytest.mark.slow
@pytest.mark.parametrize("game", ["bs", "azi", "spades"])
def test_random_bytes_for_replies_break_no_rules(
    game: str, write_bot: Callable[..., Path], tmp_path: Path
) -> None:
    """The compiled rules read what a process has written, bounds and all, without the runner."""
    path = tmp_path / "attacker.py"
    path.write_text(RANDOM_BYTES.format(game=game), encoding="utf-8")
    about = games.describe(game)
    seats = about.seating(about.variants[about.default_rules], tables=True).seats
    players = tuple(Player(f"p{n}", str(path), False, False, None) for n in range(seats))
    rules = about.variants[about.default_rules]
    job = Job(game, rules, players, bytes(32), 24, 8, PATIENT, tables=True)
    nursery = Nursery(game, probe().layers, core=None)
    try:
        result = play_block(job, games.load(game), nursery)
    finally:
        nursery.close()
    kinds = {kind for p in result.players for kind, n in p.log.counts.items() if n}
    assert kinds & {"illegal", "protocol"}
    assert not kinds & {"start", "crash"}
    assert np.isin(result.won, (0, 1)).all()
    assert (np.abs(result.points) < 1_000_000).all()
