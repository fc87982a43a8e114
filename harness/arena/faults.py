"""What can go wrong with a bot, and what it costs.

| kind        | what happened                                   | cost                             |
|-------------|-------------------------------------------------|----------------------------------|
| illegal     | an action the rules forbid here                 | the game's substitute; no limit  |
| protocol    | a reply of the wrong type or shape              | substitute; counts               |
| exception   | the bot raised                                  | substitute; counts               |
| timeout     | a decision over its CPU or wall limit           | that game forfeited; counts      |
| memory      | the memory limit                                | that game forfeited; counts      |
| crash       | death by signal, exit, or a corrupted channel   | that game forfeited; counts      |
| start       | its file does not load, or its process ended    | retired                          |
| slow_start  | it was not ready within its start budget        | retired                          |
| over_budget | average CPU per decision over budget in a block | retired                          |

"Counts": more than `max_faults` in a match and the bot is *retired*: the rest of the match are
walkovers. Retired in three matches of an event, it is *disqualified*. A fault of the harness is
nobody's loss: the block is played again.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

ILLEGAL = "illegal"
PROTOCOL = "protocol"
EXCEPTION = "exception"
TIMEOUT = "timeout"
MEMORY = "memory"
CRASH = "crash"
START = "start"
SLOW_START = "slow_start"
OVER_BUDGET = "over_budget"

KINDS = (ILLEGAL, PROTOCOL, EXCEPTION, TIMEOUT, MEMORY, CRASH, START, SLOW_START, OVER_BUDGET)
COUNTING = (PROTOCOL, EXCEPTION, TIMEOUT, MEMORY, CRASH)
"""The kinds that count towards max_faults."""
RETIRING = (START, SLOW_START, OVER_BUDGET)
"""The kinds that retire a bot at once."""
TIMED = (TIMEOUT, SLOW_START, OVER_BUDGET)
"""Kinds that depend on the clock: a block that has one is exempt from byte-for-byte equality."""

EXAMPLES_PER_KIND = 3
"""How many faults of a kind are kept with all their circumstances, per bot and block."""


def worn_out(counts: Mapping[str, int], most: int) -> str | None:
    """The kind that retires a bot with these faults in a match; None if there are not too many."""
    if sum(counts[kind] for kind in COUNTING) <= most:
        return None
    return next(kind for kind in COUNTING if counts[kind])


class HarnessFault(Exception):
    """Something of ours went wrong (a process of ours died): the block must be played again."""


@dataclass(frozen=True)
class Example:
    """One fault with its circumstances, for the bot's author."""

    kind: str
    leg: int
    deal: int
    saw: dict[str, Any] = field(default_factory=dict)
    answered: int | list[int] | None = None
    traceback: str = ""


@dataclass
class FaultLog:
    """The faults of one player in one block."""

    counts: dict[str, int] = field(default_factory=lambda: dict.fromkeys(KINDS, 0))
    examples: list[Example] = field(default_factory=list)

    def add(self, kind: str, times: int = 1) -> None:
        self.counts[kind] += times

    def wants(self, kind: str) -> bool:
        """Whether another example of this kind is of interest."""
        return sum(e.kind == kind for e in self.examples) < EXAMPLES_PER_KIND

    @property
    def timed(self) -> bool:
        """Whether any of them depends on the clock."""
        return any(self.counts[kind] for kind in TIMED)
