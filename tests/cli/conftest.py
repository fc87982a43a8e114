"""A folder of tiny bots, a small league and a small cup of them, and a way to call `koth`."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import textwrap
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
SECRET = "5e" * 32

GOOD = {
    "cautious": """
        class Cautious(Player):
            name = "Cautious | <b>"
            author = "A. Nonymous"

            def respond(self, view):
                return END if view.total < 15 else STAND
    """,
    "bold": """
        class Bold(Player):
            def respond(self, view):
                return END if view.total < 19 else STAND
    """,
    "coin": """
        class Coin(Player):
            name = "A Coin"

            def respond(self, view):
                return END if view.total < 12 + self.rng.randrange(6) else STAND
    """,
}

BAD = {
    "raises": """
        class Raises(Player):
            def respond(self, view):
                if view.total == 13:
                    raise ValueError("thirteen is bad luck")
                return END if view.total < 15 else STAND
    """,
    "wrong_types": """
        class WrongTypes(Player):
            def respond(self, view):
                return END if view.total < 15 else "STAND"
    """,
    "exits": """
        import os

        class Exits(Player):
            def respond(self, view):
                if view.total == 13:
                    os._exit(3)
                return END if view.total < 15 else STAND
    """,
    "hangs": """
        class Hangs(Player):
            def respond(self, view):
                while view.total > 12:
                    pass
                return END
    """,
    "wasteful": """
        class Wasteful(Player):
            def __init__(self):
                self.sum = sum(n * n for n in range(30_000))

            def respond(self, view):
                print("I have", view.total, "\\x1b[2J")
                return END if view.total < 15 else play(9)
    """,
}

BROKEN = {
    "syntax": ("class Oops(Player:\n", "SyntaxError"),
    "imports": ("import no_such_module\n", "no_such_module"),
    "nothing": ("x = 1\n", "found 0"),
    "two": ("class A(Player):\n    pass\n\n\nclass B(Player):\n    pass\n", "found 2: A, B"),
    "no_method": ("class Idle(Player):\n    pass\n", "respond"),
    "namesake": (
        'class C(Player):\n    name = "a  coin"\n    def respond(self, view):\n        return 0\n',
        "taken by coin",
    ),
}


def write_bots(folder: Path, sources: dict[str, str]) -> Path:
    """Write bots of Pazaak into a folder of bots; returns that folder."""
    home = folder / "pazaak"
    home.mkdir(parents=True, exist_ok=True)
    for name, source in sources.items():
        header = "from harness.games.pazaak import END, STAND, Player, play\n"
        (home / f"{name}.py").write_text(header + textwrap.dedent(source), encoding="utf-8")
    return folder


@dataclass(frozen=True)
class Answer:
    """What a call of `koth` came to."""

    status: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """Standard output, which holds one JSON document."""
        assert self.status in (0, 1), self.err
        return json.loads(self.out)

    def refused(self, *words: str) -> None:
        """Assert wrong usage, explained by one line with these words, and nothing else."""
        assert self.status == 2, (self.out, self.err)
        assert self.out == ""
        assert "Traceback" not in self.err
        assert len(self.err.strip().splitlines()) == 1 or self.err.startswith("Usage:")
        for word in words:
            assert word in self.err


Koth = Callable[..., Answer]


@pytest.fixture(scope="session")
def koth() -> Koth:
    """Calls `koth` as a user would, at the root of the project."""

    def call(*words: object, cwd: Path = ROOT) -> Answer:
        done = subprocess.run(
            [sys.executable, "-m", "harness", *map(str, words)],
            cwd=cwd,
            env=dict(os.environ, PYTHONPATH=str(ROOT)),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
            timeout=120,
        )
        return Answer(done.returncode, done.stdout, done.stderr)

    return call


@pytest.fixture(scope="session")
def good(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of three bots without a fault."""
    return write_bots(tmp_path_factory.mktemp("good"), GOOD)


@pytest.fixture(scope="session")
def bad(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of one good bot and one for every kind of trouble."""
    return write_bots(tmp_path_factory.mktemp("bad"), {"bold": GOOD["bold"], **BAD})


@pytest.fixture(scope="session")
def broken(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of bots that cannot be loaded, and one that can."""
    sources = {name: source for name, (source, _) in BROKEN.items()}
    return write_bots(tmp_path_factory.mktemp("broken"), {"coin": GOOD["coin"], **sources})


def _play(koth: Koth, folder: Path, bots: Path, format_: str, **config: Any) -> Path:
    lines = {"event": "tiny", "game": "pazaak", "format": format_, "lanes": 16, **config}
    path = folder / "config.yaml"
    path.write_text("".join(f"{key}: {value}\n" for key, value in lines.items()))
    words = ["--bots", bots, "--results", folder, "--secret", SECRET, "--quiet", "--workers", 1]
    answer = koth(format_, path, *words)
    assert answer.status == 0, answer.err
    return folder / "tiny"


@pytest.fixture(scope="session")
def league(koth: Koth, good: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The results of a league: three matches of four blocks of 20 games."""
    folder = tmp_path_factory.mktemp("league")
    return _play(koth, folder, good, "league", games=80, block_games=20)


@pytest.fixture(scope="session")
def cup(koth: Koth, good: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The results of a cup of three bots: best of three sets of 10 games, seeded."""
    folder = tmp_path_factory.mktemp("cup")
    config = {"games": 10, "sets_to_win": 2, "min_entrants": 2, "seeding_games": 4}
    return _play(koth, folder, good, "cup", **config)
