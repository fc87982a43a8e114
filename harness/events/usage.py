"""What a bot has used of its budgets and done wrong, over all blocks it was in."""

from __future__ import annotations

from collections.abc import Sequence

from harness.arena.faults import COUNTING, KINDS, RETIRING
from harness.arena.job import PlayerResult


class Usage:
    """Of one bot."""

    def __init__(self, rows: Sequence[tuple[int, PlayerResult]]) -> None:
        """`rows`: of every block, its instances per process, and what the bot did in it."""
        self._rows = rows
        self._players = [player for _, player in rows]

    @property
    def faults(self) -> dict[str, int]:
        """By kind, all kinds."""
        logs = [player.log.counts for player in self._players]
        return {kind: sum(counts[kind] for counts in logs) for kind in KINDS}

    @property
    def decisions(self) -> int:
        return sum(player.decisions for player in self._players)

    @property
    def cpu_per_decision(self) -> float:
        """CPU seconds, in the long blocks: the first decisions of a process are the slow ones."""
        decisions = sum(player.decisions for player in self._long)
        return sum(player.cpu for player in self._long) / decisions if decisions else 0.0

    @property
    def frames_per_decision(self) -> float:
        """In the same blocks."""
        decisions = sum(player.decisions for player in self._long)
        return sum(player.frames for player in self._long) / decisions if decisions else 0.0

    @property
    def _long(self) -> list[PlayerResult]:
        most = max((player.decisions for player in self._players), default=0)
        return [p for p in self._players if p.decisions and 2 * p.decisions >= most]

    @property
    def cpu_starting(self) -> float:
        """CPU seconds of a start, at most."""
        return max((_per_start(player) for player in self._players), default=0.0)

    @property
    def cpu_per_instance(self) -> float:
        """CPU seconds of `__init__`, from starts with few and with many instances."""
        starts = [
            (lanes, _per_start(player))
            for lanes, player in self._rows
            if player.starts and not any(player.log.counts[k] for k in (*COUNTING, *RETIRING))
        ]
        if len(starts) < 2 or min(starts)[0] == max(starts)[0]:
            return 0.0
        (few, one), (many, two) = min(starts), max(starts)
        return max(0.0, (two - one) / (many - few))

    @property
    def memory_mb(self) -> float:
        """At most."""
        return max((player.memory_kb for player in self._players), default=0) / 1024

    @property
    def output(self) -> bytes:
        """What it printed in the block in which it printed most."""
        return max((player.output for player in self._players), key=len, default=b"")


def _per_start(player: PlayerResult) -> float:
    return player.cpu_starting / max(1, player.starts)
