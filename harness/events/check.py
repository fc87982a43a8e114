"""A bot tried out before an event does: would it be refused, what does it use, what is it worth?

It plays every other bot of its game, in rounds of growing length as far as the time goes. The first
rounds are short and against one opponent, so that a bot that is all wrong is found out at once.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from harness.arena.faults import COUNTING, KINDS, RETIRING, Example
from harness.arena.job import PlayerResult, Task
from harness.config import Config
from harness.entrants import Entrant, same_name
from harness.events import defaults
from harness.events.duel import Duel, told_apart
from harness.events.executor import Executor
from harness.games.about import About
from harness.sandbox.isolation import Layers
from harness.standings.intervals import share

TRIALS = (2, 200)
"""Games of the first rounds, against one opponent."""
SHORT = 1000
"""Games of the first round against everybody."""
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

    opponent: str
    games: int
    """Of the match it happened in."""
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
        """`found`: all bots of the folder; `config`: of a duel of the most games per opponent."""
        self.config, self.bot, self.secret, self.level = config, bot, secret, level
        self._layers = layers
        mine = os.path.realpath(bot.path)
        others = [e for e in found if os.path.realpath(e.path) != mine]
        self.broken = [e for e in others if e.error is not None]
        self.opponents = [e for e in others if e.error is None] or [bot]
        self.duplicate = self._taken_name(found, others, mine)
        self.duels: list[Duel] = []
        """All that were played at least in part, in order."""
        self._trials: list[Duel] = []

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

        try:
            for games in TRIALS:
                if games != TRIALS[0] and waiting:
                    waiting = False
                    deadline += max(0.0, time.monotonic() - started - _USUAL_TRIAL_SECONDS)
                self._trials = self._round(executor, games, self.opponents[:1], idle, trial=True)
                if self._retired(self._trials):
                    return
            if fixed:
                say(f"{self.config.games:,} games against each of {len(self.opponents)}")
                self._round(executor, self.config.games, self.opponents, idle)
                return
            say(f"{SHORT:,} games against each of {len(self.opponents)}")
            short = self._round(executor, SHORT, self.opponents, idle)
            games = self._affordable(short, deadline, executor.workers)
            if games >= 2 * SHORT and not self._retired(short):
                say(f"{games:,} games against each of {len(self.opponents)}")
                self._round(executor, games, self.opponents, idle)
        except _TimeIsUp:
            return
        finally:
            self.duels = [duel for duel in self.duels if duel.results]

    def _affordable(self, short: list[Duel], deadline: float, workers: int) -> int:
        """Games per opponent for which there should be time; even."""
        left = (deadline - time.monotonic()) * _PART_OF_TIME * workers
        took = sum(result.seconds for duel in short for result in duel.results.values())
        return min(int(SHORT * left / took) // 2 * 2, self.config.block_games)

    def _round(
        self,
        executor: Executor[tuple[int, int]],
        games: int,
        opponents: Sequence[Entrant],
        idle: Callable[[], None],
        trial: bool = False,
    ) -> list[Duel]:
        budgets = self.config.budgets
        if trial:
            budgets = budgets.model_copy(update={"max_faults": _TRIAL_FAULTS})
        config = self.config.model_copy(update={"games": games, "budgets": budgets})
        duels = []
        for opponent in opponents:
            bot, other = told_apart(self.bot, opponent)
            duels.append(Duel(config, (bot, other), self.secret, self._layers, self.level))
        self.duels += duels

        def source(playing: set[tuple[int, int]]) -> tuple[tuple[int, int], Task] | None:
            for number, duel in enumerate(duels):
                following = duel.next({block for n, block in playing if n == number})
                if following is not None:
                    return (number, following[0]), following[1]
            return None

        executor.run(source, lambda at, result: duels[at[0]].take(at[1], result), idle)
        return duels

    def _retired(self, duels: list[Duel]) -> bool:
        return any(duel.sides()[0].retired for duel in duels)

    # -- what came of it -------------------------------------------------------------------

    @property
    def latest(self) -> list[Duel]:
        """The longest match against every opponent."""
        longest = {duel.names[1]: duel for duel in self.duels if duel.outcome.record.games}
        return list(longest.values())

    def own(self) -> Iterator[tuple[Duel, int, PlayerResult]]:
        """(match, block, what the bot did in it) for everything that was played."""
        for duel in self.duels:
            number = duel.match.players.index(duel.names[0])
            for block, result in sorted(duel.results.items()):
                yield duel, block, result.players[number]

    @property
    def games(self) -> int:
        return sum(result.games for duel in self.duels for result in duel.results.values())

    @property
    def faults(self) -> dict[str, int]:
        """By kind, all kinds."""
        logs = [player.log.counts for _, _, player in self.own()]
        return {kind: sum(counts[kind] for counts in logs) for kind in KINDS}

    @property
    def decisions(self) -> int:
        return sum(player.decisions for _, _, player in self.own())

    @property
    def cpu_per_decision(self) -> float:
        """CPU seconds, in the long matches: the first decisions of a process are the slow ones."""
        rows = [player for _, _, player in self.own() if player.decisions]
        most = max((player.decisions for player in rows), default=0)
        long = [player for player in rows if 2 * player.decisions >= most]
        decisions = sum(player.decisions for player in long)
        return sum(player.cpu for player in long) / decisions if decisions else 0.0

    @property
    def cpu_starting(self) -> float:
        """CPU seconds of a start, at most."""
        return max((self._per_start(player) for _, _, player in self.own()), default=0.0)

    @staticmethod
    def _per_start(player: PlayerResult) -> float:
        return player.cpu_starting / max(1, player.starts)

    @property
    def _about(self) -> About:
        return self.config.about

    @property
    def cpu_per_instance(self) -> float:
        """CPU seconds of `__init__`, from starts with few and with many instances."""
        starts = []
        for duel, block, player in self.own():
            if not any(player.log.counts[kind] for kind in (*COUNTING, *RETIRING)):
                most = min(self.config.lanes, self.bot.lanes or self.config.lanes)
                lanes = min(most, duel.results[block].deals)
                starts.append((lanes, self._per_start(player)))
        if len(starts) < 2 or min(starts)[0] == max(starts)[0]:
            return 0.0
        (few, one), (many, two) = min(starts), max(starts)
        return max(0.0, (two - one) / (many - few))

    @property
    def memory_mb(self) -> float:
        return max((player.memory_kb for _, _, player in self.own()), default=0) / 1024

    @property
    def output(self) -> bytes:
        """What it printed in the block in which it printed most."""
        return max((player.output for _, _, player in self.own()), key=len, default=b"")

    def examples(self, per_kind: int = 2) -> list[Fault]:
        """The first faults of each kind."""
        kept: dict[str, list[Fault]] = {}
        for duel, block, player in self.own():
            for example in player.log.examples:
                number = None
                if example.deal >= 0:
                    number = duel.match.game_number(block, example.leg, example.deal)
                faults = kept.setdefault(example.kind, [])
                if len(faults) < per_kind:
                    faults.append(Fault(duel.names[1], duel.match.games, number, example))
        return [fault for kind in KINDS for fault in kept.get(kind, ())]

    def rank(self) -> tuple[int, int, int]:
        """Where it would stand, and the best and the worst place that chance leaves open.

        From its own matches: one behind everybody who beats it.
        """
        shares = [share(duel.outcome.record.seen_from(duel.names[0])) for duel in self.latest]
        return (
            1 + sum(one.value < 0.5 for one in shares),
            1 + sum(one.high < 0.5 for one in shares),
            1 + sum(one.low < 0.5 for one in shares),
        )

    def refusals(self) -> list[str]:
        """Why an event would refuse or retire it; empty if it would not."""
        reasons = [self.duplicate] if self.duplicate else []
        if not self.games:
            reasons.append("no game could be played, so nothing is known of it")
        budgets = self.config.budgets
        for duel in self.duels:
            kind = duel.sides()[0].retired
            # A trial allows fewer faults than an event; those are judged by their rate below.
            if kind in RETIRING or (kind is not None and duel not in self._trials):
                reasons.append(f"retired against {duel.names[1]}: {kind}")
        counting = sum(self.faults[kind] for kind in COUNTING)
        expected = counting * defaults.GAMES / self.games if self.games else 0
        if expected > budgets.max_faults:
            reasons.append(
                f"{counting:,} faults in {self.games:,} games; at that rate it is retired in a "
                f"match of {defaults.GAMES:,}, where {budgets.max_faults} are allowed"
            )
        if self.games:
            decisions = round(self.decisions / self.games * self.config.block_games)
            if self.cpu_per_decision * decisions > budgets.allowed(decisions, 0):
                reasons.append(
                    f"{1000 * self.cpu_per_decision:.3f} ms of CPU a decision on average; "
                    f"{budgets.average_milliseconds:g} ms are allowed"
                )
        return list(dict.fromkeys(reasons))

    def hints(self) -> list[str]:
        """What its author may want to change, although nothing is refused for it."""
        budgets, found = self.config.budgets, []
        if self.cpu_per_instance > 0.001:
            found.append(
                f"__init__ takes {1000 * self.cpu_per_instance:.1f} ms and runs once per lane, "
                f"{self.config.lanes:,} times a leg; heavy tables belong at the top of the file"
            )
        if len(self.output) > 10_000:
            found.append(
                f"it prints a lot ({len(self.output):,} bytes in a block); that costs time, and "
                f"nothing is kept beyond {budgets.output_kb:,} kB"
            )
        if self.bot.lanes is not None and self.bot.lanes < 64:
            found.append(
                f"lanes = {self.bot.lanes}: hardly anything is played side by side, which costs a "
                "round trip (some 10 µs) per decision; needed only by a bot that learns"
            )
        if self.faults["illegal"]:
            found.append("an illegal action is no fault that counts, but the rules' substitute")
        for used, allowed, what in (
            (1000 * self.cpu_per_decision, budgets.average_milliseconds, "CPU per decision"),
            (self.cpu_starting, budgets.start_seconds, "CPU of a start"),
            (self.memory_mb, budgets.memory_mb, "memory"),
        ):
            if used > allowed / 2:
                found.append(f"{what}: more than half of what is allowed")
        return found
