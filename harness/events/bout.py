"""A bout: one match of given bots without a ledger.

Of two bots where the game is played between two, else at tables.

config = bout_config("bs", games=1_000)
bout = Bout(config, told_apart(entrants), secret, layers, level)
bout.play(executor)
bout.outcome
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from pydantic import ValidationError

from harness import games as known
from harness.arena.job import PlayerResult, Result, Task
from harness.config import Config
from harness.entrants import Entrant, same_name
from harness.errors import UserError
from harness.events import defaults
from harness.events.executor import Executor
from harness.events.match import BlockRow, Match
from harness.events.run import Event
from harness.events.secret import Salt
from harness.events.tables import Tables
from harness.sandbox.isolation import Layers


def bout_config(game: str, games: int | None, rules: str | None = None) -> Config:
    """An event of one match, everything else as in a config that does not say. Raises UserError.

    `games`: at tables, of every bot.
    """
    values: dict[str, Any] = {"event": "bout", "game": game, "rules": rules}
    values["games"] = defaults.GAMES if games is None else games
    values["format"] = "league"
    if known.describe(game).pairs is None:
        # There is only this match: several blocks, or all cores but one would be idle.
        values |= {"format": "tables", "block_games": defaults.BOUT_BLOCK_GAMES}
    try:
        return Config.model_validate(values)
    except ValidationError as error:
        raise UserError(error.errors()[0]["msg"].removeprefix("Value error, ")) from None


def told_apart(entrants: Sequence[Entrant]) -> list[Entrant]:
    """The same under names that differ: a bot may play against itself or a namesake."""
    taken: set[str] = set()
    apart = []
    for entrant in entrants:
        name, number = entrant.name, 1
        while same_name(name) in taken:
            number += 1
            name = f"{entrant.name} ({number})"
        taken.add(same_name(name))
        apart.append(replace(entrant, name=name))
    return apart


class Bout:
    """The match being played."""

    def __init__(
        self,
        config: Config,
        entrants: Sequence[Entrant],
        secret: bytes,
        layers: Layers,
        level: str,
        salt: Salt | None = None,
    ) -> None:
        self.entrants = list(entrants)
        """In the order given; the match has an order of its own."""
        self.event = Event(config, entrants, secret, layers, level, salt)
        self.match: Match = next(iter(self.event.schedule.matches(self.event.outcomes)))
        self.results: dict[int, Result] = {}

    @property
    def names(self) -> list[str]:
        """In the order given."""
        return [entrant.name for entrant in self.entrants]

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
    def outcome(self) -> Any:
        """The match as it stands: an `Outcome`, or at tables a `TablesOutcome`."""
        return self.event.outcomes(self.match)

    @property
    def games_each(self) -> int:
        """Games that every bot is to play: at tables the config's are rounded up."""
        schedule = self.event.schedule
        return schedule.games_each if isinstance(schedule, Tables) else self.match.games

    @property
    def games_done(self) -> int:
        """Games played so far, whatever block they belong to."""
        return sum(result.games for result in self.results.values())

    def games_of(self, name: str) -> int:
        """Those of them that a bot sat at."""
        number = self.match.players.index(name)
        tallies = (tally for result in self.results.values() for tally in result.tallies)
        return sum(tally.games for tally in tallies if number in tally.lineup)

    def own(self, name: str) -> Iterator[tuple[int, PlayerResult]]:
        """(block, what a bot did in it) for everything that was played."""
        number = self.match.players.index(name)
        for block, result in sorted(self.results.items()):
            yield block, result.players[number]

    def retired(self, name: str) -> str | None:
        """The kind of fault that retired a bot, if it was."""
        kinds: Sequence[str | None] = self.outcome.retired
        return kinds[self.match.players.index(name)]
