"""A duel: a bout of two, and what each of them has done.

config = bout_config("pazaak", games=100_000)
duel = Duel(config, entrants, secret, layers, level)
duel.play(executor)
duel.sides()

The games are those of a league of default config.
"""

from __future__ import annotations

from dataclasses import dataclass

from harness.events.bout import Bout
from harness.events.match import Outcome
from harness.standings.intervals import Interval, share


@dataclass(frozen=True)
class Side:
    """What one of the two has done; every number is its own."""

    name: str
    wins: int
    points: int
    share: Interval
    """Of the games, one without a winner counting half."""
    decisions: int
    cpu: float
    """CPU seconds of all decisions."""
    cpu_starting: float
    """CPU seconds of all starts of its process."""
    faults: dict[str, int]
    retired: str | None

    @property
    def cpu_per_decision(self) -> float:
        """CPU seconds; 0.0 if it was never asked."""
        return self.cpu / self.decisions if self.decisions else 0.0


class Duel(Bout):
    """The match being played."""

    @property
    def outcome(self) -> Outcome:
        """The match as it stands, in its own order of names."""
        found: Outcome = self.event.outcomes(self.match)
        return found

    def sides(self) -> tuple[Side, Side]:
        """What both have done, in the order given."""
        one, two = (self._side(name) for name in self.names)
        return one, two

    def _side(self, name: str) -> Side:
        outcome = self.outcome
        number = self.match.players.index(name)
        record = outcome.record.seen_from(name)
        own = [player for block, player in self.own(name) if block not in outcome.moot]
        return Side(
            name=name,
            wins=record.wins[0],
            points=record.points[0],
            share=share(record),
            decisions=outcome.decisions[number],
            cpu=sum(player.cpu for player in own),
            cpu_starting=sum(player.cpu_starting for player in own),
            faults=dict(outcome.faults[number]),
            retired=outcome.retired[number],
        )
