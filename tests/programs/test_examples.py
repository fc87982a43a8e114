"""The examples decide like the house bot they repeat, on 20,000 views of real games."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from benchmarks.measure import load as load_python
from harness.games.pazaak import END, STAND
from harness.games.pazaak.frames import views
from harness.sandbox.nursery import Nursery
from tests.programs.asked import ask, codes, pazaak_records, seated
from tests.programs.conftest import EXAMPLES, ROOT, needs, summoned
from tests.sampling import sampled

VIEWS = 20_000
FRAME = 2000


@pytest.fixture(scope="module")
def records() -> NDArray[np.void]:
    """Of games between players who do anything, so that all kinds of views come up."""
    rng = random.Random(1)

    def decide(view: Any) -> int:
        if view.side_hand and rng.random() < 0.1:
            return rng.choice(view.side_hand)
        return STAND if rng.random() < 0.15 else END

    return pazaak_records(1200, decide)[:VIEWS]


@pytest.mark.parametrize(
    ("folder", "commands"),
    sampled(
        [
            ("niklos_c", ("gcc",)),
            ("niklos_javascript", ("node",)),
            ("niklos_java", ("java", "javac")),
        ],
        1,
    ),
)
def test_an_example_decides_like_niklos(
    folder: str, commands: tuple[str, ...], records: NDArray[np.void], nursery: Nursery
) -> None:
    needs(*commands)
    niklos = load_python(ROOT / "bots" / "pazaak" / "niklos.py").make("", "")
    expected = [niklos.respond(view) for view in views(records.tobytes())]
    assert len(expected) == VIEWS
    assert {END, STAND, 1, 2, 3, 4, 5} == set(expected)
    found: list[int] = []
    with seated(summoned(EXAMPLES / folder, nursery), nursery, FRAME) as seat:
        for first in range(0, VIEWS, FRAME):
            replies, broken = ask(seat, records[first : first + FRAME])
            assert broken is None
            found += codes(replies)
    assert found == expected
