from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from harness.events.run import Event
from tests.reports.synthetic import Rule, reported

Report = Callable[..., Path]


@pytest.fixture
def report(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Report:
    """Plays an event by a rule, writes its reports, and returns the event's folder."""
    monkeypatch.setattr("harness.reports.document.__version__", "0.0.0")

    def run(event: Event, rule: Rule, *, place: str = ".", backwards: bool = False) -> Path:
        root = tmp_path / place
        root.mkdir(exist_ok=True)
        # Pages name the folder of the results as it was given.
        monkeypatch.chdir(root)
        return root / reported(Path("results"), event, rule, backwards)

    return run
