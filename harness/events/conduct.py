"""Who is disqualified: whoever was retired in three matches, in the order of the schedule."""

from __future__ import annotations

from collections import Counter

from harness.events.match import Outcome

RETIREMENTS = 3


class Conduct:
    """Counts retirements, noted in schedule order: who finished first does not matter."""

    def __init__(self) -> None:
        self._retired: Counter[str] = Counter()

    def note(self, outcome: Outcome) -> None:
        """Take a match into account once it is complete."""
        if outcome.complete:
            for name, kind in zip(outcome.match.players, outcome.retired, strict=True):
                self._retired[name] += kind is not None

    def is_out(self, name: str) -> bool:
        """Whether the bot is disqualified."""
        return self._retired[name] >= RETIREMENTS

    @property
    def disqualified(self) -> list[str]:
        """Their names, sorted."""
        return sorted(name for name in self._retired if self.is_out(name))
