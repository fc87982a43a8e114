"""A bot tried out before an event does: would it be refused, what does it use, what is it worth?

It plays every other bot of its game, in rounds of growing length as far as the time goes: a match
against each, or where the game is played at tables one match of all. The first rounds are short,
the very first with as few others as can be, so that a bot that is all wrong is found out at once.
"""

from __future__ import annotations

import math
import os
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from harness.arena.faults import COUNTING, KINDS, RETIRING, Example
from harness.arena.job import PlayerResult, Task
from harness.config import Config
from harness.entrants import Entrant, same_name
from harness.events import defaults
from harness.events.bout import Bout, told_apart
from harness.events.duel import Duel
from harness.events.executor import Executor
from harness.events.tables import TablesStanding
from harness.events.usage import Usage
from harness.sandbox.isolation import Layers
from harness.standings.seats import Row
from harness.wording import counted

TRIALS = (2, 200)
"""Games of the first rounds: with as few others as can be, but the second, at tables, with all."""
FEWEST = 20
"""Games of the first round against everybody, at least; at most as many as the last trial's."""
_PART_OF_TIME = 0.6
"""How much of the time left is planned for: blocks take longer than foreseen as often as not."""
_USUAL_TRIAL_SECONDS = 3.0
_TRIAL_FAULTS = 10
"""Faults that end a trial: a hundred that hang would take minutes."""


class _TimeIsUp(Exception):
    pass


@dataclass(frozen=True)
class Fault:
    """A fault with its circumstances."""

    bout: Bout
    number: int | None
    """Of the game, from 1; None if it happened before any game."""
    example: Example


class Check:
    """The trying out. `play`, then ask."""

    def __init__(
        self,
        config: Config,
        bot: Entrant,
        found: Sequence[Entrant],
        secret: bytes,
        layers: Layers,
        level: str,
    ) -> None:
        """`found`: all bots of the folder; `config`: of a bout, with the most games of a round."""
        self.config, self.bot, self.secret, self.level = config, bot, secret, level
        self._layers = layers
        mine = os.path.realpath(bot.path)
        others = [e for e in found if os.path.realpath(e.path) != mine]
        self.broken = [e for e in others if e.error is not None]
        able = [e for e in others if e.error is None]
        # Nobody, or too few for a table: the bot plays against copies of itself.
        able += [bot] * (config.fewest - 1 - len(able))
        self.bot, *self.opponents = told_apart([bot, *able])
        self.duplicate = self._taken_name(found, others, mine)
        self.bouts: list[Bout] = []
        """All that were played at least in part, in order."""
        self._trials: list[Bout] = []

    def _taken_name(
        self, found: Sequence[Entrant], others: Sequence[Entrant], mine: str
    ) -> str | None:
        """Why an event would refuse its name, if it would."""
        for entrant in found:
            if os.path.realpath(entrant.path) == mine:
                return entrant.error
        for entrant in others:
            if entrant.error is None and same_name(entrant.name) == same_name(self.bot.name):
                return f"the name {self.bot.name!r} is taken by {entrant.file}"
        return None

    @property
    def at_tables(self) -> bool:
        """Whether all play in one match; otherwise the bot plays a match with each."""
        return self.config.format == "tables"

    # -- playing ---------------------------------------------------------------------------

    def play(
        self,
        executor: Executor[tuple[int, int]],
        deadline: float,
        fixed: bool,
        say: Callable[[str], None] = lambda text: None,
    ) -> None:
        """Play until `deadline` (of `time.monotonic`); `fixed`: the config's games, no deadline.

        The first trial has no deadline and moves it: on a new machine rules are compiled first.
        """
        started = time.monotonic()
        waiting = True

        def idle() -> None:
            if not fixed and not waiting and time.monotonic() > deadline:
                raise _TimeIsUp

        def everybody(games: int) -> list[Bout]:
            bouts = self._bouts(games, self.opponents)
            number = len(self.opponents)
            how = (
                f"at tables with {_others(number)}"
                if self.at_tables
                else f"against each of {number}"
            )
            say(f"{bouts[0].games_each:,} games {how}")
            return self._round(executor, bouts, idle)

        try:
            for games in TRIALS:
                if games != TRIALS[0] and waiting:
                    waiting = False
                    deadline += max(0.0, time.monotonic() - started - _USUAL_TRIAL_SECONDS)
                all_ = self.at_tables and games != TRIALS[0]
                some = self.opponents if all_ else self.opponents[: self.config.fewest - 1]
                self._trials = self._bouts(games, some, trial=True)
                self._round(executor, self._trials, idle)
                if self._retired(self._trials):
                    return
            if fixed:
                everybody(self.config.games)
                return
            last, met = self._trials, self.at_tables
            while not self._retired(last):
                games = self._affordable(last, deadline, executor.workers)
                if not met:
                    games = max(FEWEST, min(games, TRIALS[-1]))
                elif games < 2 * last[0].games_each:
                    return
                last, met = everybody(games), True
        except _TimeIsUp:
            return
        finally:
            self.bouts = [bout for bout in self.bouts if bout.results]

    def _affordable(self, last: list[Bout], deadline: float, workers: int) -> int:
        """Games of a round for which there should be time, as the last one took its; even."""
        left = (deadline - time.monotonic()) * _PART_OF_TIME
        took = sum(result.seconds for bout in last for result in bout.results.values())
        if not self.at_tables:
            # Against each; what does not go into the workers evenly leaves some of them idle.
            took *= math.ceil(len(self.opponents) / workers) / len(last)
            workers = 1
        games = last[0].games_each * left * workers / took
        return min(int(games) // 2 * 2, self.config.games)

    def _bouts(self, games: int, opponents: Sequence[Entrant], trial: bool = False) -> list[Bout]:
        """A round that is to be played: a match with each, at tables one with all."""
        budgets = self.config.budgets
        if trial:
            budgets = budgets.model_copy(update={"max_faults": _TRIAL_FAULTS})
        config = self.config.model_copy(update={"games": games, "budgets": budgets})
        setting = (self.secret, self._layers, self.level)
        bouts: list[Bout]
        if self.at_tables:
            bouts = [Bout(config, (self.bot, *opponents), *setting)]
        else:
            bouts = [Duel(config, (self.bot, opponent), *setting) for opponent in opponents]
        self.bouts += bouts
        return bouts

    def _round(
        self, executor: Executor[tuple[int, int]], bouts: list[Bout], idle: Callable[[], None]
    ) -> list[Bout]:
        """Play them side by side: whenever the time is up, all have come equally far."""

        def source(playing: set[tuple[int, int]]) -> tuple[tuple[int, int], Task] | None:
            begun = [len(bout.results) for bout in bouts]
            for number, _ in playing:
                begun[number] += 1
            for number in sorted(range(len(bouts)), key=begun.__getitem__):
                following = bouts[number].next({block for n, block in playing if n == number})
                if following is not None:
                    return (number, following[0]), following[1]
            return None

        executor.run(source, lambda at, result: bouts[at[0]].take(at[1], result), idle)
        return bouts

    def _retired(self, bouts: list[Bout]) -> bool:
        return any(bout.retired(self.bot.name) for bout in bouts)

    # -- what came of it -------------------------------------------------------------------

    @property
    def latest(self) -> list[Bout]:
        """The last bout with every opponent; a trial with some of them is none.

        One that the time cut short only if it is as long as what was played before.
        """
        last: dict[frozenset[str], Bout] = {}
        for bout in self.bouts:
            names, games = frozenset(bout.names), bout.outcome.games
            least = last[names].outcome.games if names in last else 1
            if bout.outcome.complete or games >= least:
                last[names] = bout
        return [bout for names, bout in last.items() if not any(names < more for more in last)]

    @property
    def missed(self) -> int:
        """How many of the opponents were not met."""
        met = {name for bout in self.latest for name in bout.names} - {self.bot.name}
        return len(self.opponents) - len(met)

    @property
    def broken_off(self) -> bool:
        """Whether the bot was retired, after which nothing more is played."""
        return self._retired(self.bouts)

    @property
    def earlier(self) -> list[Bout]:
        """The rounds before the latest. Theirs are the first deals of those once more."""
        latest = self.latest
        return [bout for bout in self.bouts if bout not in latest]

    def _own(self, bouts: Sequence[Bout]) -> Iterator[tuple[Bout, int, PlayerResult]]:
        """(bout, block, what the bot did in it)."""
        for bout in bouts:
            for block, player in bout.own(self.bot.name):
                yield bout, block, player

    def games(self, bouts: Sequence[Bout]) -> int:
        """That the bot has played in them."""
        return sum(bout.games_of(self.bot.name) for bout in bouts)

    def usage(self, bouts: Sequence[Bout]) -> Usage:
        """What it used in them, and its faults."""
        most = min(self.config.lanes, self.bot.lanes or self.config.lanes)
        return Usage(
            [(min(most, bout.results[n].deals), player) for bout, n, player in self._own(bouts)]
        )

    @property
    def used(self) -> Usage:
        """What it used in all that was played."""
        return self.usage(self.bouts)

    @property
    def faults(self) -> dict[str, int]:
        """By kind, in the games that are shown: those of the latest bouts."""
        return self.usage(self.latest).faults

    @property
    def faults_before(self) -> dict[str, int]:
        """By kind, in the earlier rounds, as far as they have not come again in the latest."""
        again = self.faults
        return {
            kind: 0 if again[kind] else times
            for kind, times in self.usage(self.earlier).faults.items()
        }

    def examples(self, per_kind: int = 2) -> list[Fault]:
        """The first faults of each kind."""
        kept: dict[str, list[Fault]] = {}
        for bout, block, player in self._own([*self.latest, *self.earlier]):
            for example in player.log.examples:
                number = None
                if example.deal >= 0:
                    number = bout.match.game_number(block, example.leg, example.deal)
                faults = kept.setdefault(example.kind, [])
                if len(faults) < per_kind:
                    faults.append(Fault(bout, number, example))
        return [fault for kind in KINDS for fault in kept.get(kind, ())]

    def standing(self, bout: Bout) -> TablesStanding:
        """Of a bout at tables, the standings."""
        standing = bout.event.standing(bout.event.outcomes)
        assert isinstance(standing, TablesStanding)
        return standing

    def rank(self) -> tuple[int, int, int]:
        """Where it would stand, and the best and the worst place that chance leaves open.

        At tables, its rank and band. From matches of two, which are its own only: one behind
        everybody who beats it.
        """
        if self.at_tables:
            (bout,) = self.latest
            row = self._row(bout)
            return row.rank, *row.band
        shares = [duel.sides()[0].share for duel in self.latest if isinstance(duel, Duel)]
        return (
            1 + sum(one.value < 0.5 for one in shares),
            1 + sum(one.high < 0.5 for one in shares),
            1 + sum(one.low < 0.5 for one in shares),
        )

    def _row(self, bout: Bout) -> Row:
        return next(row for row in self.standing(bout).rows if row.name == self.bot.name)

    def company(self, bout: Bout) -> str:
        """With whom it played a bout, in words."""
        others = [name for name in bout.names if name != self.bot.name]
        if self.at_tables:
            return f"at tables with {_others(len(others))}"
        return f"against {others[0]}"

    def refusals(self) -> list[str]:
        """Why an event would refuse or retire it; empty if it would not."""
        reasons = [self.duplicate] if self.duplicate else []
        if not self.games(self.bouts):
            reasons.append("no game could be played, so nothing is known of it")
        budgets, used = self.config.budgets, self.used
        for bout in self.bouts:
            kind = bout.retired(self.bot.name)
            # A trial allows fewer faults than an event; those are judged by their rate below.
            if kind in RETIRING or (kind is not None and bout not in self._trials):
                reasons.append(f"retired {self.company(bout)}: {kind}")
        counting, games = sum(self.faults[kind] for kind in COUNTING), self.games(self.latest)
        expected = counting * defaults.GAMES / games if games else 0
        if expected > budgets.max_faults:
            reasons.append(
                f"{counted(counting, 'fault')} in {games:,} games; at that rate it is retired in "
                f"a match of {defaults.GAMES:,}, where {budgets.max_faults} are allowed"
            )
        if played := self.games(self.bouts):
            decisions = round(used.decisions / played * defaults.BLOCK_GAMES)
            frames = round(used.frames_per_decision * decisions)
            if used.cpu_per_decision * decisions > budgets.allowed(decisions, frames):
                reasons.append(
                    f"{1000 * used.cpu_per_decision:.3f} ms of CPU a decision on average; "
                    f"{budgets.average_milliseconds:g} ms are allowed"
                )
        return list(dict.fromkeys(reasons))

    def hints(self) -> list[str]:
        """What its author may want to change, although nothing is refused for it."""
        budgets, used, found = self.config.budgets, self.used, []
        if used.cpu_per_instance > 0.001:
            times = f"once per lane, {self.config.lanes:,} times a leg"
            found.append(
                f"__init__ takes {1000 * used.cpu_per_instance:.1f} ms and runs "
                f"{'once a game' if self.at_tables else times}; "
                "heavy tables belong at the top of the file"
            )
        if len(used.output) > 10_000:
            found.append(
                f"it prints a lot ({len(used.output):,} bytes in a block); that costs time, and "
                f"nothing is kept beyond {budgets.output_kb:,} kB"
            )
        if self.bot.lanes is not None and self.bot.lanes < 64:
            found.append(
                f"lanes = {self.bot.lanes}: hardly anything is played side by side, which costs a "
                "round trip (some 10 µs) per decision; needed only by a bot that learns"
            )
        if self.faults["illegal"] or self.faults_before["illegal"]:
            found.append("an illegal action is no fault that counts, but the rules' substitute")
        for spent, allowed, what in (
            (1000 * used.cpu_per_decision, budgets.average_milliseconds, "CPU per decision"),
            (used.cpu_starting, budgets.start_seconds, "CPU of a start"),
            (used.memory_mb, budgets.memory_mb, "memory"),
        ):
            if spent > allowed / 2:
                found.append(f"{what}: more than half of what is allowed")
        return found


def _others(number: int) -> str:
    return counted(number, "other")
