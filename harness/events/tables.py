"""Tables: every deal is played by a line-up drawn from all entrants, who are ranked together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from harness.arena.faults import KINDS, worn_out
from harness.arena.seating import even_deals
from harness.arena.tally import Tally, among
from harness.events.match import BlockRow, Match
from harness.games.about import Seating
from harness.standings import choice, seats
from harness.standings.rating import Rating


@dataclass(frozen=True)
class TablesOutcome:
    """The tables as far as they are played. Tuples by player are in the order of the match."""

    match: Match
    complete: bool
    missing: tuple[int, ...]
    """Blocks still to be played."""
    moot: tuple[int, ...]
    """Blocks that were played with a bot that an earlier block retires: they do not count."""
    absent: Mapping[int, tuple[int, ...]]
    """Of each missing block, the players retired before it, as far as that is known."""
    tallies: tuple[Tally, ...]
    """One per line-up, sorted."""
    games: int
    faults: tuple[Mapping[str, int], ...]
    retired: tuple[str | None, ...]
    """The kind of fault that retired each player, if it was."""
    decisions: tuple[int, ...]
    walkovers: int = 0
    """None: the seat of a retired bot plays on by substitutes, and cannot win."""


def outcome(match: Match, rows: Mapping[int, BlockRow], max_faults: int) -> TablesOutcome:
    """Judge the tables in block order: who is retired in a block is absent from all later ones."""
    players = range(len(match.players))
    faults: list[Counter[str]] = [Counter(dict.fromkeys(KINDS, 0)) for _ in players]
    decisions = [0 for _ in players]
    retired: list[str | None] = [None for _ in players]
    tallies: dict[tuple[int, ...], Tally] = {}
    missing: list[int] = []
    moot: list[int] = []
    absent: dict[int, tuple[int, ...]] = {}
    games = 0
    for number, _ in match.blocks():
        away = tuple(player for player in players if retired[player])
        row = rows.get(number)
        if row is None or row.absent != away:
            missing.append(number)
            absent[number] = away
            if row is not None:
                moot.append(number)
            continue
        games += row.games
        for tally in row.tallies:
            known = tallies.get(tally.lineup)
            tallies[tally.lineup] = tally if known is None else known + tally
        for player, one in enumerate(row.players):
            faults[player].update(one.faults)
            decisions[player] += one.decisions
            kind = retired[player] or one.retired
            retired[player] = kind or worn_out(faults[player], max_faults)
    return TablesOutcome(
        match=match,
        complete=not missing,
        missing=tuple(missing),
        moot=tuple(moot),
        absent=absent,
        tallies=tuple(tallies[lineup] for lineup in sorted(tallies)),
        games=games,
        faults=tuple(faults),
        retired=tuple(retired),
        decisions=tuple(decisions),
    )


@dataclass(frozen=True)
class TablesStanding:
    """The tables as they stand."""

    outcomes: tuple[TablesOutcome, ...]
    """The only one."""
    rows: tuple[seats.Row, ...]
    """Best first; retired bots last."""
    ratings: Mapping[str, Rating]
    games: int
    """That the rows are made of."""

    @property
    def complete(self) -> bool:
        return self.outcomes[0].complete

    @property
    def retired(self) -> dict[str, str]:
        """The retired bots, and the kind of fault that retired them."""
        outcome = self.outcomes[0]
        pairs = zip(outcome.match.players, outcome.retired, strict=True)
        return {name: kind for name, kind in pairs if kind}


class Tables:
    """A schedule of one match, in which all entrants play."""

    def __init__(
        self,
        entrants: Sequence[str],
        games: int,
        block_games: int,
        seating: Seating,
        *,
        by_points: bool,
        units: int,
    ) -> None:
        """`games`: per entrant, rounded up until everybody can play the same number of deals."""
        self.entrants = sorted(entrants)
        self._seating, self._by_points, self._units = seating, by_points, units
        legs, players = len(seating.legs), len(self.entrants)
        step = even_deals(seating.places, players)
        # Where there are fewer than places, everybody plays every deal, at several seats.
        playing = min(seating.places, players)
        deals = -(-games * players // (playing * legs))
        deals = -(-deals // step) * step
        block = max(step, block_games // legs // step * step)
        self.match = Match("tables", tuple(self.entrants), deals * legs, block * legs, legs)
        self.games_each = deals * legs * playing // players
        """Games that every entrant plays."""
        self._last: tuple[object, TablesStanding] | None = None

    def matches(self, outcomes: Callable[[Match], TablesOutcome]) -> Iterator[Match]:
        """All there is to play."""
        yield self.match

    def standing(
        self, outcomes: Callable[[Match], TablesOutcome], without: Sequence[str] = ()
    ) -> TablesStanding:
        """The standings as they are; `without` leaves bots out, and every deal they sat at.

        What is then left are different numbers of games for everybody.
        """
        found = outcomes(self.match)
        if self._last is not None and self._last[0] is found and not without:
            return self._last[1]
        players = [number for number, name in enumerate(self.entrants) if name not in without]
        names = [self.entrants[number] for number in players]
        tallies = among(found.tallies, players)
        rows = seats.standings(
            names,
            tallies,
            by_points=self._by_points,
            units=self._units,
            last=[self.entrants[number] for number in players if found.retired[number]],
            uneven=bool(without),
        )
        ratings = choice.fit(tallies, len(names), self._seating.partners)
        named = dict(zip(names, ratings, strict=bool(ratings)))
        games = sum(tally.games for tally in tallies)
        standing = TablesStanding((found,), tuple(rows), named, games)
        if not without:
            self._last = found, standing
        return standing

    @property
    def most_games(self) -> int:
        """Games of the whole schedule."""
        return self.match.games
