"""A bot that takes its own process over: the harness's code in it is the bot's to change.

Whatever it does there, the arena's verdicts come from the outside.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from harness.arena.budgets import Budgets
from harness.entrants import discover, load, refuse_duplicates
from harness.sandbox.nursery import Nursery
from tests.attacks.conftest import PATIENT, Arena, attacker, counts
from tests.cli.conftest import Koth, koth, write_bots  # noqa: F401 (a fixture)
from tests.conftest import CAUTIOUS
from tests.sampling import sampled

PATCHES = [
    # Replies and verdicts written by its own version of the runner.
    (
        "import harness.sandbox.runner as runner\n"
        "def answer(self, frame):\n"
        "    frame.replies.cast('h')[:] = frame.replies.cast('h')\n"
        "runner.SingleServer.answer = answer",
        {"protocol"},
    ),
    (
        "import harness.sandbox.runner as runner\n"
        "runner.PROTOCOL = runner.EXCEPTION = 0\n"
        "runner.Notes.fault = lambda *_, **__: None",
        set(),
    ),
    ("import struct\nstruct.pack = struct.unpack = struct.Struct = None", set()),
    # It never says that it is loaded.
    ("json.dumps = json.loads = lambda *_, **__: '{}'", {"slow_start"}),
    ("import random\nrandom.seed = lambda *_: None\nrandom.Random = None", set()),
    ("import harness.games.pazaak as g\ng.END, g.STAND = g.STAND, g.END", set()),
    ("import harness.games.pazaak.frames as f\nf.views = None\nf.QUESTIONS = ()", set()),
    (
        "import gc\n"
        "for thing in gc.get_objects():\n"
        "    if type(thing) is dict and '_fd' in thing: thing.clear()",
        None,
    ),
    ("sys.modules.clear()", None),
    ("sys.settrace(lambda *_: None)\nsys.setprofile(lambda *_: None)", set()),
    ("import builtins\nbuiltins.type = lambda *_: int\nbuiltins.len = lambda *_: 0", None),
    ("import atexit\natexit.register(time.sleep, 60)\nsys.excepthook = time.sleep", set()),
    ("import mmap as m\nm.mmap = None", {"crash"}),
]


@pytest.mark.parametrize(("patch", "kinds"), sampled(PATCHES, 2))
def test_patching_the_harness_in_its_own_process(
    arena: Arena, patch: str, kinds: set[str] | None
) -> None:
    """`kinds`: None where it may not even start; it harms nobody else."""
    budgets = PATIENT.model_copy(update={"max_faults": 50, "start_wall_seconds": 2})
    result = arena.meet(attacker("pass", patch), budgets)
    honest = result.players[1]
    assert not any(honest.log.counts.values())
    assert honest.retired is None
    assert sum(player.wins for player in result.players) == result.games
    if kinds is None:
        assert result.seconds < 30
        return
    assert set(counts(result)) <= kinds
    if not kinds:
        arena.check(result)


FORGES = """
import json
real = json.dumps
def dumps(facts, **more):
    if facts.get("note") == "loaded":
        facts.update({facts!r})
    return real(facts, **more)
json.dumps = dumps
"""


@pytest.mark.parametrize(
    "facts",
    sampled(
        [
            {"name": "Cautious"},
            {"name": "x" * 3000},
            {"name": ["a"]},
            {"name": ""},
            {"name": "cautious\u200b"},
            {"name": "\ud800"},
            {"author": None},
            {"author": {"a": "b"}},
            {"lanes": True},
            {"lanes": -1},
            {"lanes": 0},
            {"lanes": 1.5},
            {"lanes": "1"},
        ],
        3,
    ),
)
def test_forged_facts_are_refused_in_a_line(
    nursery: Nursery, write_bot: Callable[..., Path], facts: dict[str, object]
) -> None:
    """What a file says of itself is said by its process, which may say anything."""
    honest = load("pazaak", write_bot(CAUTIOUS, "honest"), nursery, Budgets())
    source = FORGES.replace("{facts!r}", repr(facts)) + CAUTIOUS
    forger = load("pazaak", write_bot(source, "forger"), nursery, Budgets())
    kept, refused = refuse_duplicates([honest, forger])
    assert kept.error is None
    assert refused.error
    assert "\n" not in refused.error
    assert refused.name == "forger"


def test_enormous_claims_are_cut(nursery: Nursery, write_bot: Callable[..., Path]) -> None:
    forged = {"lanes": 10**30, "batch": [0], "numpy": "yes", "class": 7, "more": "x" * 100}
    source = FORGES.replace("{facts!r}", repr(forged)) + CAUTIOUS
    found = load("pazaak", write_bot(source, "forger"), nursery, Budgets())
    assert found.error is None
    assert found.lanes == 1 << 16
    assert (found.batch, found.numpy) == (True, True)


@pytest.mark.parametrize("claim", [True, False])
def test_a_lie_about_being_a_batch_player_gains_nothing(arena: Arena, claim: bool) -> None:
    """The arena takes a bot for what it said; the wrong server answers as its class is."""
    forged = FORGES.replace("{facts!r}", repr({"batch": claim}))
    path = arena.write(forged + CAUTIOUS, "forger")
    entrant = load("pazaak", path, arena.nursery, Budgets())
    assert entrant.error is None
    result = arena.meet(forged + CAUTIOUS, name="forger")
    arena.check(result)
    assert counts(result) == {}


def test_a_bot_called_like_another_does_not_take_its_place(
    nursery: Nursery, write_bot: Callable[..., Path]
) -> None:
    for name, source in (
        ("a_first", CAUTIOUS),
        ("b_thief", CAUTIOUS.replace("Cautious", "CAUTIOUS")),
    ):
        path = write_bot(source, name)
    first, thief = discover("pazaak", path.parents[1], nursery, Budgets())
    assert first.error is None
    assert thief.error is not None
    assert "taken by a_first" in thief.error
    assert json.dumps(thief.error)


@pytest.mark.slow
def test_a_bot_with_another_name_every_time_does_not_keep_an_event_from_going_on(
    koth: Koth,  # noqa: F811
    tmp_path: Path,
) -> None:
    """The event goes on with the name that it began with."""
    source = f"import time\n{CAUTIOUS}    name = f'Odd {{time.time_ns()}}'\n"
    bots = write_bots(tmp_path / "bots", {"odd": source, "even": CAUTIOUS})
    config = tmp_path / "config.yaml"
    config.write_text("event: tiny\ngame: pazaak\nformat: league\ngames: 8\nlanes: 4\n")
    words = ("league", config, "--bots", bots, "--results", tmp_path, "--workers", 1, "--quiet")
    boards = []
    for _ in range(2):
        answer = koth(*words)
        assert answer.status == 0, answer.err
        boards.append((tmp_path / "tiny" / "leaderboard.json").read_bytes())
    assert boards[0] == boards[1]
    assert b'"Odd ' in boards[0]
    (bots / "pazaak" / "odd.py").write_text((bots / "pazaak" / "odd.py").read_text() + "\n")
    answer = koth(*words)  # another file is another bot, whatever it is called
    assert answer.status == 2
    assert "holds another event's results" in answer.err
