"""What each layer is worth: `python -m tests.attacks.count` prints the table of the documentation.

Forks and confines, without the zygote, so that layers can be left out one by one.
"""

from __future__ import annotations

import os

from harness.sandbox.confinement import Layers
from tests.attacks.attempts import ATTEMPTS
from tests.sandbox.world import Run, new_world

_NONE = Layers(namespaces=False, landlock=False, seccomp=False)
ROWS: dict[str, Layers | None] = {
    "none: those that succeed at all without harm to the machine": None,
    "limits, descriptors, privileges": _NONE,
    "the same and Landlock": Layers(namespaces=False, seccomp=False),
    "the same and seccomp": Layers(namespaces=False, landlock=False),
    "the same and namespaces": Layers(landlock=False, seccomp=False),
    "Landlock and seccomp: `standard`": Layers(namespaces=False),
    "all: `full`": Layers(),
}


def successes(user: str, layers: Layers | None) -> int:
    """How many attempts succeed; free, of those alone that may be tried then."""
    acts = {
        name: attempt.act
        for name, attempt in ATTEMPTS.items()
        if layers is not None or user in attempt.controls
    }
    with new_world() as world:
        outcomes = Run(user, layers).all(acts, world)
    return sum(outcome.kind == "succeeded" for outcome in outcomes.values())


def main() -> None:
    print(f"of {len(ATTEMPTS)}, on Linux {os.uname().release}")
    print("| layers | as root | as an ordinary user |\n|---|---|---|")
    for row, layers in ROWS.items():
        print(f"| {row} | {' | '.join(str(successes(u, layers)) for u in ('root', 'user'))} |")


if __name__ == "__main__":
    main()
