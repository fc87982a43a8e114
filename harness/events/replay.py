"""Games of a match shown again: found by what happened in them, and told."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from harness.arena import replay
from harness.arena.job import Result, Watch
from harness.events.executor import Executor, play_one
from harness.events.match import BlockRow, Match
from harness.events.run import Event


class Replay:
    """A match of which blocks are played again. Games are counted from 1.

    `rows`: the blocks as they were recorded, or None if there is no record. With one, only what
    was played and counts is shown.
    """

    def __init__(
        self,
        event: Event,
        match: Match,
        executor: Executor[Any],
        rows: Mapping[int, BlockRow] | None,
    ) -> None:
        self._event, self._match, self._executor, self._rows = event, match, executor, rows
        self._deals = dict(match.blocks())
        if rows is not None:
            event.learn(match, dict(rows))

    def find(self, first: int, lost_by: str | None, faulty: bool) -> int | None:
        """The first game from `first` on that a bot lost, or with a fault, or both."""
        loser = None if lost_by is None else self._match.players.index(lost_by)
        start, watch = self._match.place(first)
        at = watch.deal * self._match.legs + watch.leg
        for block in self._deals:
            if block < start or self._unplayed(block):
                continue
            found = replay.find_game(self._play(block), at if block == start else 0, loser, faulty)
            if found is not None:
                return block * self._match.block_games + found + 1
        return None

    def tell(self, game: int, shown: Callable[[str], str]) -> Iterator[str]:
        """The transcript of a game."""
        block, watch = self._match.place(game)
        if reason := self._unplayed(block):
            yield reason
            return
        result = self._play(block, watch)
        job = self._event.task(self._match, block, self._deals[block]).job
        yield from replay.tell(job, watch, result, shown)
        if self._rows is not None and BlockRow.of(block, result) != self._rows[block]:
            yield (
                f"Block {block} came out differently than recorded; "
                f"{'the clock decided something in it' if timed(result) else 'try koth verify'}."
            )

    def _unplayed(self, block: int) -> str:
        """Why a block has no games, or nothing."""
        if self._rows is None:
            return ""
        outcome = self._event.outcomes(self._match)
        if block in outcome.missing:
            return "This game has not been played yet."
        if block in outcome.moot or block not in self._rows:
            pairs = zip(self._match.players, outcome.retired, strict=True)
            who = " and ".join(f"{name} ({kind})" for name, kind in pairs if kind)
            return f"This game was not played: {who} had been retired in an earlier block."
        return ""

    def _play(self, block: int, watch: Watch | None = None) -> Result:
        if self._rows is None and self._event.config.format == "tables":
            # Who was retired is absent from all later blocks: play those before, to know.
            for before in range(block):
                if before in self._event.outcomes(self._match).missing:
                    self._event.learn_block(self._match, BlockRow.of(before, self._play(before)))
        return play_one(
            self._executor, self._event.task(self._match, block, self._deals[block], watch)
        )


def timed(result: Result) -> bool:
    """Whether the clock decided something in a block: another run may differ."""
    return any(player.log.timed for player in result.players)
