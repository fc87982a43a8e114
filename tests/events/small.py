"""A small event through the real command, for tests that interrupt and compare."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from harness.ledger import Ledger

SECRET = "5a" * 32

_LEAGUE = """
event: small
game: pazaak
format: league
games: 600
block_games: 100
lanes: 50
"""
_CUP = """
event: small
game: pazaak
format: cup
games: 200
block_games: 100
seeding_games: 100
sets_to_win: 2
min_entrants: 4
lanes: 50
"""

_TABLES = """
event: small
game: bs
format: tables
games: 200
block_games: 60
lanes: 10
budgets: {max_faults: 3}
"""
_CONFIGS = {"league": _LEAGUE, "cup": _CUP, "tables": _TABLES}

_LAY = "    def lay(self, view):\n        return [view.hand[0]]\n"
_BOTS_AT_TABLES = {
    "first": "class First(Player):\n"
    f"{_LAY}"
    "    def call(self, view):\n"
    "        return view.number > 1\n",
    "dice": "class Dice(Player):\n"
    "    def lay(self, view):\n"
    "        return [self.rng.choice(view.hand)]\n"
    "    def call(self, view):\n"
    "        return self.rng.random() < 0.2\n",
    "memory": "class Memory(Player):\n"
    "    asked = 0\n"
    f"{_LAY}"
    "    def call(self, view):\n"
    "        self.asked += 1\n"
    "        return self.asked % 7 == 0\n",
    # Crashes about once in a hundred games: it is retired in the second or third block.
    "clumsy": "import os\n"
    "class Clumsy(Player):\n"
    "    def lay(self, view):\n"
    "        if view.rank == 5 and view.pile > 15:\n"
    "            os._exit(1)\n"
    "        return view.hand[:1] if view.rank else view.hand[:1] * 9\n"
    "    def call(self, view):\n"
    "        if view.rank == 12 and view.pile > 13:\n"
    "            raise ValueError(view.pile)\n"
    "        return False\n",
    "silent": "class Silent(Player):\n"
    "    def lay(self, view):\n"
    "        return tuple(sorted(view.hand)[-1:])\n"
    "    def call(self, view):\n"
    "        return None if view.number > 2 else False\n",
}

_BOTS = {
    "cautious": "class Cautious(Player):\n"
    "    def respond(self, view):\n"
    "        return END if view.total < 15 else STAND\n",
    "bold": "class Bold(Player):\n"
    "    def respond(self, view):\n"
    "        return END if view.total < 18 else STAND\n",
    # Leaves something lying about, at full in a folder that goes with its process.
    "dice": "class Dice(Player):\n"
    "    def __init__(self):\n"
    "        open(self.scratch / 'left', 'w').close()\n"
    "    def respond(self, view):\n"
    "        return END if view.total < 13 + self.rng.randrange(6) else STAND\n",
    "memory": "import random\n"
    "class Memory(Player):\n"
    "    seen = 0\n"
    "    def respond(self, view):\n"
    "        self.seen += view.total\n"
    "        if view.side_hand and random.random() < 0.1:\n"
    "            return play(view.side_hand[0])\n"
    "        return END if view.total < 14 + self.seen % 3 else STAND\n",
    "clumsy": "class Clumsy(Player):\n"
    "    def respond(self, view):\n"
    "        if view.hand_number == 3 and len(view.hand) == 2:\n"
    "            return [1 / 0, None, play(9)][view.total % 3] if view.total % 2 else 1.5\n"
    "        return END if view.total < 16 else STAND\n",
}


@dataclass(frozen=True)
class Small:
    """Bots, a config, and the command that plays them."""

    folder: Path
    format: str

    @classmethod
    def make(cls, folder: Path, format_: str) -> Small:
        """Write the bots and the config."""
        game, names = "pazaak", "END, STAND, Player, play"
        sources = _BOTS
        if format_ == "tables":
            game, names, sources = "bs", "Player", _BOTS_AT_TABLES
        bots = folder / "bots" / game
        bots.mkdir(parents=True)
        for name, source in sources.items():
            text = f"from harness.games.{game} import {names}\n{source}"
            (bots / f"{name}.py").write_text(text)
        (folder / "small.yaml").write_text(_CONFIGS[format_])
        return cls(folder, format_)

    def command(self, results: str, *more: str) -> list[str]:
        """The command line."""
        return [
            *(sys.executable, "-m", "harness", self.format, str(self.folder / "small.yaml")),
            *("--bots", str(self.folder / "bots"), "--results", str(self.folder / results)),
            *("--quiet", *more),
        ]

    def start(self, results: str, *more: str) -> subprocess.Popen[str]:
        """The event in a process group of its own."""
        return subprocess.Popen(
            self.command(results, "--secret", SECRET, *more),
            start_new_session=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd=Path(__file__).parents[2],
            env=os.environ | {"COLUMNS": "100"},
        )

    def play(self, results: str, *more: str) -> subprocess.CompletedProcess[str]:
        """Play it to its end."""
        process = self.start(results, *more)
        out, err = process.communicate(timeout=240)
        return subprocess.CompletedProcess(process.args, process.returncode, out, err)

    def ledger(self, results: str) -> Path:
        """Where the ledger of a run is."""
        return self.folder / results / "small" / "ledger.sqlite"

    def outcome(self, results: str) -> Outcome:
        """All that a run came to, but for what may vary.

        The pages name the folder they lie in; here all lie in `results`.
        """
        with Ledger(self.ledger(results), read_only=True) as ledger:
            dump = ledger.dump()
        files = ("leaderboard.md", "leaderboard.json", "faults.md")
        folder = self.ledger(results).parent
        page, board, faults = (
            (folder / name).read_bytes().replace(str(folder.parent).encode(), b"results")
            for name in files
        )
        return Outcome(dump, page, board, faults)


@dataclass(frozen=True)
class Outcome:
    """The result tables' dump, and the reports."""

    dump: str
    page: bytes
    board: bytes
    faults: bytes

    @property
    def blocks(self) -> int:
        """How many were played and count."""
        return self.dump.count('["blocks"')
