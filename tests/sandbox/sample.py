"""The attempts without pytest: `python -m tests.sandbox.sample` prints what succeeded, as JSON.

For interpreters that have nothing installed; `test_pythons` runs it.
"""

from __future__ import annotations

import json
import sys

from harness.sandbox.probe import probe
from tests.sandbox.attempts import ATTEMPTS, Act
from tests.sandbox.world import LEVELS, Run, World, new_world


def _imports(_: World) -> object:
    names = ("json", "decimal", "hashlib", "random", "datetime", "re", "ctypes", "csv", "socket")
    for name in names:
        for loaded in [key for key in sys.modules if key.partition(".")[0] == name]:
            del sys.modules[loaded]
        __import__(name)
    return names


def main() -> None:
    report = probe()
    acts: dict[str, Act] = {name: attempt.act for name, attempt in ATTEMPTS.items()}
    acts["_imports"] = _imports
    with new_world() as world:
        outcomes = Run(layers=LEVELS[report.level]).all(acts, world)
    needed = outcomes.pop("_imports")
    result = {
        "level": report.level,
        "imports": needed.kind == "succeeded" or needed.detail,
        "succeeded": [name for name, outcome in outcomes.items() if outcome.kind == "succeeded"],
        "broken": [name for name, outcome in outcomes.items() if outcome.kind == "broken"],
        "attempts": len(outcomes),
    }
    print(json.dumps(result))


if __name__ == "__main__":
    main()
