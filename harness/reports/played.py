"""An event's matches as the reports see them: everything that was played and counts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from harness.arena.faults import KINDS, TIMED
from harness.events.cup import Standing
from harness.events.league import Round
from harness.events.match import BlockRow, Match, Outcome
from harness.events.run import Event
from harness.events.tables import TablesOutcome, TablesStanding
from harness.ledger import Ledger


@dataclass(frozen=True)
class Played:
    """An event and its ledger, read together; `standing` and `outcomes` ask only the ledger."""

    event: Event
    ledger: Ledger

    @cached_property
    def standing(self) -> Round | Standing | TablesStanding:
        """The league, cup or tables as they stand."""
        return self.event.standing(self.outcome)

    @cached_property
    def outcomes(self) -> Sequence[Outcome | TablesOutcome]:
        """All matches that count, in schedule order."""
        return tuple(self.standing.outcomes)

    @cached_property
    def _learned(self) -> set[str]:
        return set()

    def outcome(self, match: Match) -> Any:
        """A match as the ledger has it now."""
        if match.id not in self._learned:
            self._learned.add(match.id)
            self.event.learn(match, self.ledger.rows(match))
        return self.event.outcomes(match)

    def blocks(self, outcome: Outcome | TablesOutcome) -> list[BlockRow]:
        """The blocks of a match that count, in order."""
        rows = self.ledger.rows(outcome.match)
        return [rows[number] for number in sorted(rows) if number not in outcome.moot]

    def faults(self, name: str) -> dict[str, int]:
        """A bot's faults in the event by kind, see `fault_sums`."""
        return fault_sums(
            outcome.faults[number]
            for outcome in self.outcomes
            for number, player in enumerate(outcome.match.players)
            if player == name
        )

    def retirements(self, name: str) -> list[dict[str, str]]:
        """The matches in which a bot was retired, in order, and for what."""
        return [
            {"match": outcome.match.label, "kind": kind}
            for outcome in self.outcomes
            for player, kind in zip(outcome.match.players, outcome.retired, strict=True)
            if player == name and kind is not None
        ]


def fault_sums(counts: Iterable[Any]) -> dict[str, int]:
    """Faults by kind, added up; only kinds that occurred, in the order of `KINDS`."""
    sums = dict.fromkeys(KINDS, 0)
    for faults in counts:
        for kind, times in faults.items():
            sums[kind] += times
    return {kind: times for kind, times in sums.items() if times}


def is_timed(row: BlockRow) -> bool:
    """Whether a block has a timing fault."""
    return any(player.faults.get(kind) for player in row.players for kind in TIMED)


def block(row: BlockRow, **statistics: Any) -> dict[str, Any]:
    """A block in plain data; lists are in the order of the match's players.

    `statistics`: what the format needs of it beside sums.
    """
    return {
        "number": row.number,
        "games": row.games,
        "deals": row.deals,
        "wins": [player.wins for player in row.players],
        "points": [player.points for player in row.players],
        **statistics,
        "decisions": [player.decisions for player in row.players],
        "faults": [fault_sums([player.faults]) for player in row.players],
        "retired": [player.retired for player in row.players],
        "timed": is_timed(row),
    }
