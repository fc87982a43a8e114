"""A duel: one match of two bots, without a ledger; the same games as in a league of default config.

config = duel_config("pazaak", games=100_000)
duel = Duel(config, entrants, secret, layers, level)
duel.play(executor)
duel.sides()
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from pydantic import ValidationError

from harness.arena.job import Result, Task
from harness.config import Config
from harness.entrants import Entrant, same_name
from harness.errors import UserError
from harness.events import defaults
from harness.events.executor import Executor
from harness.events.match import BlockRow, Match, Outcome
from harness.events.run import Event
from harness.sandbox.isolation import Layers
from harness.standings.intervals import Interval, share


def duel_config(game: str, games: int | None, rules: str | None = None) -> Config:
    """An event of one match, everything else as in a config that does not say. Raises UserError."""
    games = defaults.GAMES if games is None else games
    try:
        return Config(event="duel", game=game, format="league", games=games, rules=rules)
    except ValidationError as error:
        raise UserError(error.errors()[0]["msg"].removeprefix("Value error, ")) from None


def told_apart(one: Entrant, two: Entrant) -> tuple[Entrant, Entrant]:
    """The two under names that differ: a bot may play against itself or a namesake."""
    if same_name(one.name) == same_name(two.name):
        two = replace(two, name=f"{two.name} (2)")
    return one, two


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


class Duel:
    """The match being played."""

    def __init__(
        self,
        config: Config,
        entrants: Sequence[Entrant],
        secret: bytes,
        layers: Layers,
        level: str,
    ) -> None:
        self.names = [entrant.name for entrant in entrants]
        """In the order given; the match has an order of its own."""
        self.event = Event(config, entrants, secret, layers, level)
        self.match: Match = next(iter(self.event.schedule.matches(self.event.outcomes)))
        self.results: dict[int, Result] = {}

    def play(
        self,
        executor: Executor[int],
        on_block: Callable[[], None] = lambda: None,
        idle: Callable[[], None] = lambda: None,
    ) -> None:
        """Play all that is to be played; `on_block` after every block."""

        def sink(block: int, result: Result) -> None:
            self.take(block, result)
            on_block()

        executor.run(self.next, sink, idle)

    def next(self, playing: set[int]) -> tuple[int, Task] | None:
        """A block to be played, apart from those that are being played; or None."""
        deals = dict(self.match.blocks())
        for block in self.outcome.missing:
            if block not in playing:
                return block, self.event.task(self.match, block, deals[block])
        return None

    def take(self, block: int, result: Result) -> None:
        """A block was played."""
        self.results[block] = result.without_games()
        self.event.learn_block(self.match, BlockRow.of(block, result))

    @property
    def outcome(self) -> Outcome:
        """The match as it stands, in its own order of names."""
        found: Outcome = self.event.outcomes(self.match)
        return found

    @property
    def games_done(self) -> int:
        """Games played so far, whatever block they belong to."""
        return sum(result.games for result in self.results.values())

    def sides(self) -> tuple[Side, Side]:
        """What both have done, in the order given."""
        one, two = (self._side(name) for name in self.names)
        return one, two

    def _side(self, name: str) -> Side:
        outcome = self.outcome
        number = self.match.players.index(name)
        record = outcome.record.seen_from(name)
        own = [r.players[number] for b, r in self.results.items() if b not in outcome.moot]
        return Side(
            name=name,
            wins=record.wins[0],
            points=record.hands[0],
            share=share(record),
            decisions=outcome.decisions[number],
            cpu=sum(player.cpu for player in own),
            cpu_starting=sum(player.cpu_starting for player in own),
            faults=dict(outcome.faults[number]),
            retired=outcome.retired[number],
        )
