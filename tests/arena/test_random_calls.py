"""However much a bot draws from its generators, everybody is dealt the same, in every game."""

from __future__ import annotations

import re
from contextlib import closing
from pathlib import Path

import pytest

from harness import games
from harness.arena.block import Result, play_block
from harness.arena.budgets import Budgets
from harness.arena.job import Job, Player
from harness.sandbox.nursery import Nursery
from harness.sandbox.probe import probe
from tests.arena.conftest import Play
from tests.sampling import sampled

BOTS = Path(__file__).parents[2] / "bots"
PATIENT = Budgets(average_milliseconds=100, slack_seconds=60, start_seconds=60)
# House bots that decide by what they see alone.
FIELDS = {
    "pazaak": ("dumb_cautious", "nestor"),
    "spades": ("novice", "easy", "normal", "novice"),
    "bs": ("memoryless", "player_1", "hoarder", "player_3", "lie_player"),
    "azi": ("simple", "always_call_greedy", "simple", "always_call_greedy"),
}
# From time to time a thousand more draws of all three generators.
NOISE = """
import random as _random
import numpy as _numpy

def _noisy(answer):
    def respond(self, view):
        self.asked = getattr(self, "asked", -1) + 1
        if self.asked % 10 == 0:
            for _ in range(1000):
                _random.random(), _numpy.random.random(), self.rng.random()
            print("drawn")
        return answer(self, view)
    return respond

for _name in {methods}:
    setattr({cls}, _name, _noisy(getattr({cls}, _name)))
"""


def noisy(game: str, source: str) -> str:
    """The same bot, which draws without need."""
    (cls,) = re.findall(r"^class (\w+)\(Player\)", source, flags=re.MULTILINE)
    methods = [question.wire.method for question in games.load(game).questions]
    return source + NOISE.format(methods=methods, cls=cls)


def played(nursery: Nursery, game: str, files: list[Path], *, tables: bool) -> Result:
    """A small block; player 0 is the one that may be noisy."""
    loaded = games.load(game)
    players = tuple(
        Player(str(number), str(path), False, "numpy" in path.read_text("utf-8"), None)
        for number, path in enumerate(files)
    )
    rules = loaded.about.variants[loaded.about.default_rules]
    job = Job(game, rules, players, bytes(32), 10 if game == "pazaak" else 5, 4, PATIENT, tables)
    return play_block(job, loaded, nursery)


@pytest.mark.parametrize(
    ("game", "tables"),
    sampled(
        [("pazaak", False), ("bs", True), ("spades", False), ("spades", True), ("azi", True)], 2
    ),
)
def test_a_thousand_more_draws_change_no_deal(tmp_path: Path, game: str, tables: bool) -> None:
    names = FIELDS[game] if tables else FIELDS[game][:2]
    files = [BOTS / game / f"{name}.py" for name in names]
    loud = tmp_path / "loud.py"
    loud.write_text(noisy(game, files[0].read_text("utf-8")), "utf-8")
    with closing(Nursery(game, probe().layers, core=None)) as nursery:
        plain = played(nursery, game, files, tables=tables)
        drawn = played(nursery, game, [loud, *files[1:]], tables=tables)
    assert drawn.players[0].output.count(b"drawn") > 1
    assert plain.players[0].output == b""
    for result in (plain, drawn):
        assert not any(any(player.log.counts.values()) for player in result.players)
    for what in ("seated", "won", "points"):
        assert (getattr(plain, what) == getattr(drawn, what)).all(), what
    assert [p.decisions for p in plain.players] == [p.decisions for p in drawn.players]


def test_every_game_with_decisions_is_looked_at() -> None:
    assert set(FIELDS) == {name for name in games.names() if not games.describe(name).hunted}


def test_a_bot_that_throws_dice_throws_them_again_the_same(play: Play) -> None:
    source = """
import random
import numpy
class Bad(Player):
    def respond(self, view):
        {extra}
        return END if view.total < 15 else STAND
"""
    dice = ("random.random()", "numpy.random.random()", "self.rng.random()")
    rolls = " or ".join(f"{die} < .2" for die in dice)
    plain = play(source.format(extra="pass"))
    once, again = (play(source.format(extra=f"if {rolls}: return STAND")) for _ in range(2))
    assert (once.points == again.points).all()
    assert (once.points != plain.points).any()
