"""Matches: their blocks, and their outcome once enough blocks are played."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from harness.arena.faults import KINDS, worn_out
from harness.arena.job import Result, Watch
from harness.arena.tally import Tally
from harness.standings.pairs import PairRecord

LEGS = 2
"""Of a match of two."""


@dataclass(frozen=True)
class Match:
    """A number of games of the same bots; a league's match, a cup's set, or all of the tables."""

    stage: str
    """'match', 'seeding', 'set 3': part of the deals' key, so that no two stages share deals."""
    players: tuple[str, ...]
    """The bots' names, sorted: a match is the same whoever is named first."""
    games: int
    block_games: int
    legs: int = LEGS
    """How often each deal is played."""

    @property
    def id(self) -> str:
        """Unique in an event whatever the names hold; for the ledger."""
        return json.dumps([self.stage, *self.players])

    @property
    def label(self) -> str:
        """As people read it."""
        if self.stage == "tables":  # of all, of two as well
            return self.stage
        return f"{self.stage}: {' - '.join(self.players)}"

    def blocks(self) -> Iterator[tuple[int, int]]:
        """(number, deals) of each block."""
        for number, start in enumerate(range(0, self.games, self.block_games)):
            yield number, min(self.block_games, self.games - start) // self.legs

    def place(self, game: int) -> tuple[int, Watch]:
        """The block in which a game (1 is the match's first) is played, and where in it."""
        block, number = divmod(game - 1, self.block_games)
        deal, leg = divmod(number, self.legs)
        return block, Watch(leg, deal)

    def game_number(self, block: int, leg: int, deal: int) -> int:
        """The number of a game, the first being 1: the legs of a deal follow each other."""
        return block * self.block_games + deal * self.legs + leg + 1


def pair(stage: str, one: str, other: str, games: int, block_games: int) -> Match:
    """A match of two bots, in canonical order."""
    first, second = sorted((one, other))
    return Match(stage, (first, second), games, block_games)


@dataclass(frozen=True)
class PlayerRow:
    """What the ledger keeps of one player in one block; integers, so sums are exact."""

    wins: int
    points: int
    decisions: int
    faults: Mapping[str, int]
    retired: str | None


@dataclass(frozen=True)
class BlockRow:
    """What the ledger keeps of one block."""

    number: int
    games: int
    deals: int
    squares: int
    """Of a match of two, see `Result.squares`; 0 at tables, which have tallies."""
    players: tuple[PlayerRow, ...]
    tallies: tuple[Tally, ...] = ()
    """By line-up, sorted; none in a match of two."""
    absent: tuple[int, ...] = ()
    """Players who had been retired before the block."""

    @classmethod
    def of(cls, number: int, result: Result) -> BlockRow:
        """A block that was just played, as the ledger would give it back."""
        players = tuple(
            PlayerRow(
                player.wins,
                player.points,
                player.decisions,
                {kind: count for kind, count in player.log.counts.items() if count},
                player.retired,
            )
            for player in result.players
        )
        if not result.tables:
            return cls(number, result.games, result.deals, result.squares, players)
        tallies = tuple(sorted(result.tallies, key=lambda tally: tally.lineup))
        return cls(number, result.games, result.deals, 0, players, tallies, result.absent)


@dataclass(frozen=True)
class Outcome:
    """A match as far as it is decided."""

    match: Match
    complete: bool
    missing: tuple[int, ...]
    """Blocks still to be played; empty if complete."""
    moot: tuple[int, ...]
    """Blocks that were played but come after a retirement: they do not count."""
    record: PairRecord
    """Walkovers included."""
    walkovers: int
    """Games of the record that were not played because a bot was retired."""
    faults: tuple[Mapping[str, int], Mapping[str, int]]
    retired: tuple[str | None, str | None] = (None, None)
    """The kind of fault that retired each player, if it was."""
    decisions: tuple[int, int] = (0, 0)

    @property
    def games(self) -> int:
        """Games that are decided, walkovers included."""
        return self.record.games


@dataclass
class _Sums:
    games: int = 0
    deals: int = 0
    squares: int = 0
    wins: list[int] = field(default_factory=lambda: [0, 0])
    points: list[int] = field(default_factory=lambda: [0, 0])
    decisions: list[int] = field(default_factory=lambda: [0, 0])
    faults: list[dict[str, int]] = field(
        default_factory=lambda: [dict.fromkeys(KINDS, 0), dict.fromkeys(KINDS, 0)]
    )
    retired: list[str | None] = field(default_factory=lambda: [None, None])

    def add(self, row: BlockRow, max_faults: int) -> None:
        self.games += row.games
        self.deals += row.deals
        self.squares += row.squares
        for number, player in enumerate(row.players):
            self.wins[number] += player.wins
            self.points[number] += player.points
            self.decisions[number] += player.decisions
            faults = self.faults[number]
            for kind, count in player.faults.items():
                faults[kind] += count
            self.retired[number] = player.retired or worn_out(faults, max_faults)

    def walk_over(self, deals: int, game_points: int) -> None:
        """Deals that are not played: each leg goes to whoever is not retired."""
        self.deals += deals
        self.games += LEGS * deals
        if all(self.retired):
            return
        winner = 1 if self.retired[0] else 0
        self.wins[winner] += LEGS * deals
        self.points[winner] += LEGS * deals * game_points
        self.squares += deals * LEGS**2


def outcome(
    match: Match, rows: Mapping[int, BlockRow], max_faults: int, game_points: int
) -> Outcome:
    """Judge a match in block order: after the block that retires a bot come only walkovers.

    `game_points`: what a game won without play is worth in points (hands: three).
    """
    sums = _Sums()
    missing: list[int] = []
    moot: list[int] = []
    walkovers = 0
    for number, deals in match.blocks():
        if any(sums.retired):
            if number in rows:
                moot.append(number)
            sums.walk_over(deals, game_points)
            walkovers += LEGS * deals
        elif number in rows and not missing:
            sums.add(rows[number], max_faults)
        elif number not in rows:
            missing.append(number)
    one, two = match.players
    return Outcome(
        match=match,
        complete=not missing,
        missing=tuple(missing),
        moot=tuple(moot),
        record=PairRecord(
            one,
            two,
            deals=sums.deals,
            games=sums.games,
            wins=(sums.wins[0], sums.wins[1]),
            points=(sums.points[0], sums.points[1]),
            squares=sums.squares,
        ),
        walkovers=walkovers,
        faults=(sums.faults[0], sums.faults[1]),
        retired=(sums.retired[0], sums.retired[1]),
        decisions=(sums.decisions[0], sums.decisions[1]),
    )


Outcomes = Callable[[Match], Outcome]
"""How a format of matches asks for results."""
