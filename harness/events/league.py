"""The league: every pair of entrants plays one match."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from harness.events.conduct import Conduct
from harness.events.match import Match, Outcome, Outcomes, pair
from harness.standings.rating import Rating, fit
from harness.standings.table import LeagueTable, league_table


@dataclass(frozen=True)
class Round:
    """A round robin as it stands."""

    outcomes: tuple[Outcome, ...]
    """In schedule order; of all matches that count."""
    table: LeagueTable
    ratings: dict[str, Rating]
    disqualified: tuple[str, ...]


class League:
    """A schedule: yields matches, and reads results to know who is disqualified."""

    def __init__(
        self, entrants: Sequence[str], games: int, block_games: int, stage: str = "match"
    ) -> None:
        self.entrants = sorted(entrants)
        self._games, self._block_games, self._stage = games, block_games, stage
        self._last: tuple[object, Round] | None = None

    def matches(self, outcomes: Outcomes, conduct: Conduct | None = None) -> Iterator[Match]:
        """All matches to be played, in schedule order, as far as the results tell.

        Without the results of a match nobody is disqualified for it yet; a match that turns out
        not to count is no longer among the matches once the results are there.
        """
        conduct = Conduct() if conduct is None else conduct
        for one, other in combinations(self.entrants, 2):
            if conduct.is_out(one) or conduct.is_out(other):
                continue
            match = pair(self._stage, one, other, self._games, self._block_games)
            yield match
            conduct.note(outcomes(match))

    def standing(
        self, outcomes: Outcomes, conduct: Conduct | None = None, without: Sequence[str] = ()
    ) -> Round:
        """The standings as they are; `without` leaves bots out as if they had not played."""
        conduct = Conduct() if conduct is None else conduct
        found = tuple(outcomes(match) for match in self.matches(outcomes, conduct))
        out = conduct.disqualified
        # Bands of a large field take a second, and a cup asks for its seeding after every set.
        asked = found, tuple(out), tuple(without)
        if self._last is not None and self._last[0] == asked:
            return self._last[1]
        table = league_table(
            [outcome.record for outcome in found if outcome.record.games],
            entrants=self.entrants,
            without=[*out, *without],
        )
        standing = Round(found, table, fit(table.records), tuple(out))
        self._last = asked, standing
        return standing

    @property
    def most_games(self) -> int:
        """Games of the whole schedule."""
        return self._games * len(self.entrants) * (len(self.entrants) - 1) // 2
