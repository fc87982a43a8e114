"""The table of a league: ranks by the game's rule, and what the numbers can carry."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from harness.standings.bands import bands
from harness.standings.intervals import Interval, overall, share
from harness.standings.pairs import PairRecord, merged


@dataclass(frozen=True, slots=True)
class Row:
    """One bot's line; every number is the bot's own side unless it is a pair."""

    rank: int
    """By games won, then points won; equal bots share a rank and the next one is left out."""
    band: tuple[int, int]
    """Best and worst rank that cannot be told apart from its own at 95 %, see `bands`."""
    name: str
    games: int
    wins: int
    draws: int
    losses: int
    points: tuple[int, int]
    """Won and lost."""
    share: Interval
    """Of all its games, a game without a winner counting half."""


@dataclass(frozen=True, slots=True)
class Cell:
    """Row beats column: the record seen from the row, and the row's share of it."""

    record: PairRecord
    share: Interval


@dataclass(frozen=True, slots=True)
class LeagueTable:
    """A league, best first; equal bots in the order of their names."""

    rows: tuple[Row, ...]
    cross: Mapping[tuple[str, str], Cell]
    """By (row, column), both ways round; pairs without a game are missing."""
    left_out: tuple[str, ...]
    """The bots of `without`, sorted by name."""
    records: tuple[PairRecord, ...]
    """The games that counted, one record per pair: what `rating.fit` should see."""


def league_table(
    records: Iterable[PairRecord],
    entrants: Iterable[str] = (),
    without: Collection[str] = (),
) -> LeagueTable:
    """The table of `records`, in which pairs may come in any order, sense and number of parts.

    `entrants` are shown even if they have not played yet. The bots of `without` (disqualified, or
    left out on request) are listed apart, and none of their games counts for anybody.
    """
    records = list(records)
    counted = [r for r in merged(records) if r.first not in without and r.second not in without]
    played = (name for record in records for name in (record.first, record.second))
    names = sorted({*entrants, *played} - set(without))
    own = {
        name: [r.seen_from(name) for r in counted if name in (r.first, r.second)] for name in names
    }
    ranks = _ranks({name: _score(own[name]) for name in names})
    band = bands(ranks, counted)
    return LeagueTable(
        rows=tuple(
            _row(name, ranks[name], band[name], own[name])
            for name in sorted(names, key=lambda name: (ranks[name], name))
        ),
        cross={
            (record.first, record.second): Cell(record, share(record))
            for name in names
            for record in own[name]
            if record.games
        },
        left_out=tuple(sorted(without)),
        records=tuple(counted),
    )


def _score(own: list[PairRecord]) -> tuple[int, int]:
    """What ranks a bot: games won, then points won."""
    return sum(r.wins[0] for r in own), sum(r.points[0] for r in own)


def _ranks(scores: Mapping[str, tuple[int, int]]) -> dict[str, int]:
    """Competition ranking, 1 2 2 4: one more than the number of bots with a better score."""
    return {name: 1 + sum(s > score for s in scores.values()) for name, score in scores.items()}


def _row(name: str, rank: int, band: tuple[int, int], own: list[PairRecord]) -> Row:
    return Row(
        rank=rank,
        band=band,
        name=name,
        games=sum(r.games for r in own),
        wins=sum(r.wins[0] for r in own),
        draws=sum(r.draws for r in own),
        losses=sum(r.wins[1] for r in own),
        points=(sum(r.points[0] for r in own), sum(r.points[1] for r in own)),
        share=overall(name, own),
    )
