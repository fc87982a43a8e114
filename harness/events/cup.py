"""The Pazaak Cup: elimination with all places played out, pairings of up to seven sets and more.

The schedule is a function of the results so far, asked anew whenever a set is complete. It yields
the next set of every pairing that can go on, so that all workers have something to do.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal

from harness.events.bracket import Bracket, Encounter
from harness.events.conduct import Conduct
from harness.events.league import League, Round
from harness.events.match import Match, Outcome, Outcomes, pair
from harness.events.sets import SetScore, Verdict, verdict

Lot = Callable[..., int]
"""`lot(*labels)` gives 0 or 1, derived from the secret."""
Draw = Callable[[str], bytes]
"""`draw(name)` gives a bot's number in the random draw, derived from the secret."""


@dataclass(frozen=True)
class Pairing:
    """A pairing of the bracket as far as it is played; numbers in the bracket's order."""

    encounter: Encounter[str]
    sets: tuple[Outcome, ...] = ()
    """Complete sets, drawn ones included, in order."""
    verdict: Verdict | None = None
    how: str = ""
    """'bye', 'sets', 'hands', 'lot', 'disqualified', or '' while it goes on."""
    walkover: str | None = None
    """Who advances because the other is disqualified; of two such, the better seed, on paper."""

    @property
    def winner(self) -> str | None:
        """Who advances, if that is known."""
        if self.encounter.bye:
            return self.encounter.winner
        if self.verdict is not None and self.verdict.winner is not None:
            return (self.encounter.first, self.encounter.second)[self.verdict.winner]
        return self.walkover

    def score(self, number: int) -> SetScore:
        """The set's wins and points, seen in the bracket's order."""
        return _score(self.sets[number], self.encounter.first)


@dataclass
class Standing:
    """The cup as it stands."""

    seeds: list[str] = field(default_factory=list)
    seeding: Round | None = None
    pairings: list[Pairing] = field(default_factory=list)
    places: list[str] | None = None
    disqualified: tuple[str, ...] = ()
    outcomes: list[Outcome] = field(default_factory=list)
    """Of all matches and sets that count, in schedule order."""


class Cup:
    """The cup's schedule; see `matches`."""

    def __init__(
        self,
        entrants: Sequence[str],
        *,
        games: int,
        block_games: int,
        sets_to_win: int,
        draw: Literal["seeded", "random"],
        seeding_games: int,
        lot: Lot,
        number: Draw,
    ) -> None:
        self.entrants = sorted(entrants)
        self._games, self._block_games, self._sets_to_win = games, block_games, sets_to_win
        self._lot, self._number = lot, number
        self._seeding = (
            League(entrants, seeding_games, block_games, "seeding") if draw == "seeded" else None
        )

    def matches(self, outcomes: Outcomes) -> Iterator[Match]:
        """All matches and sets to be played as far as the results tell, in schedule order."""
        yield from self._play(outcomes, Standing())

    def standing(self, outcomes: Outcomes) -> Standing:
        """The cup as it stands."""
        standing = Standing()
        standing.outcomes = [outcomes(match) for match in self._play(outcomes, standing)]
        if standing.seeding is None and self._seeding is not None:
            standing.seeding = self._seeding.standing(outcomes)
        return standing

    @property
    def most_games(self) -> int:
        """Games if every pairing goes over all its sets and no set is drawn."""
        pairings = Bracket(self.entrants).pairings if len(self.entrants) > 1 else 0
        sets = pairings * (2 * self._sets_to_win - 1)
        return sets * self._games + self._seeding_games

    @property
    def least_games(self) -> int:
        """Games if every pairing is won without losing a set."""
        pairings = Bracket(self.entrants).pairings if len(self.entrants) > 1 else 0
        return pairings * self._sets_to_win * self._games + self._seeding_games

    @property
    def _seeding_games(self) -> int:
        return self._seeding.most_games if self._seeding else 0

    def _play(self, outcomes: Outcomes, standing: Standing) -> Iterator[Match]:
        conduct = Conduct()
        if self._seeding is not None:
            complete = True
            for match in self._seeding.matches(outcomes, conduct):
                yield match
                complete = complete and outcomes(match).complete
            if not complete:
                return
            standing.seeding = self._seeding.standing(outcomes)
        standing.seeds = self._seeds(standing.seeding)
        bracket = Bracket(standing.seeds)
        results: dict[str, str] = {}
        # A pairing's sets are known once those of the round before are: go round by round.
        for number in range(1, bracket.rounds + 1):
            for encounter in bracket.encounters(results):
                if encounter.round == number:
                    pairing = yield from self._pairing(encounter, outcomes, conduct, standing.seeds)
                    standing.pairings.append(pairing)
                    winner = pairing.winner
                    if winner is not None and not encounter.bye:
                        results[encounter.id] = winner
        standing.places = bracket.places(results)
        standing.disqualified = tuple(conduct.disqualified)

    def _seeds(self, seeding: Round | None) -> list[str]:
        """The entrants, best first; equal ranks and the random draw by numbers from the secret."""
        if seeding is None:
            return sorted(self.entrants, key=self._number)
        ranks = {row.name: row.rank for row in seeding.table.rows}
        last = len(ranks) + 1  # for those disqualified in the seeding
        return sorted(self.entrants, key=lambda name: (ranks.get(name, last), self._number(name)))

    def _pairing(
        self,
        encounter: Encounter[str],
        outcomes: Outcomes,
        conduct: Conduct,
        seeds: Sequence[str],
    ) -> Generator[Match, None, Pairing]:
        """Yield the sets of a pairing until it is decided or a set is still missing."""
        if encounter.bye:
            return Pairing(encounter, how="bye")
        first, second = encounter.first, encounter.second
        assert first is not None
        assert second is not None
        played: list[Outcome] = []
        while True:
            if conduct.is_out(first) or conduct.is_out(second):
                still = [name for name in (first, second) if not conduct.is_out(name)]
                stays = min(still or (first, second), key=seeds.index)
                return Pairing(encounter, tuple(played), how="disqualified", walkover=stays)
            judged = verdict(
                [_score(outcome, first) for outcome in played],
                lambda n: self._lot(first, second, n),
                self._sets_to_win,
            )
            if judged.decided:
                assert judged.how is not None
                return Pairing(encounter, tuple(played), judged, judged.how)
            stage = f"set {len(played) + 1}"
            match = pair(stage, first, second, self._games, self._block_games)
            yield match
            outcome = outcomes(match)
            if not outcome.complete:
                return Pairing(encounter, tuple(played), judged)
            conduct.note(outcome)
            played.append(outcome)


def _score(outcome: Outcome, first: str | None) -> SetScore:
    record = outcome.record
    if record.first != first:
        record = record.swapped()
    return SetScore(record.wins, record.points)
