"""The placement bracket of a cup: every entrant gets exactly one place by play.

The field is padded with phantoms to a power of two, S. In round 1 all S play for the places 1-S;
the winners of a group that plays for places a-b go on for the upper half of those places, its
losers for the lower half, until every group is one contestant at one place. So there are log2(S)
rounds of S/2 encounters, and nobody is ever out before the last round.

Seeding is the standard recursive one (1 v 16, 8 v 9, 4 v 13, ...): while the better seed always
wins, the best two meet last, and the places come out as the seeds. A phantom loses to everybody,
and the phantoms hold the worst seeds, so they end on the places behind the last entrant and a bye
is an encounter that is decided before it is played. The top seeds get the byes.

Source: rules/pazaak.md, "Ranking and formats" ("losers stay in to play for the remaining ranks",
"a bye is a phantom that loses every pairing, down to the last place").
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

T = TypeVar("T", bound=Hashable)

MIN_ENTRANTS = 2
MAX_ENTRANTS = 64

_KNOCKOUT_NAMES = {2: "final", 4: "semi-final", 8: "quarter-final"}


@dataclass(frozen=True, slots=True)
class Encounter(Generic[T]):
    """One meeting of two contestants, at most one of them a phantom (None)."""

    id: str
    """`r<round>-<number>`, both from 1; the numbers of a round begin with the best places."""
    round: int
    name: str
    """For readers: "final", "semi-final", "round of 16", "for places 5-8"."""
    places: tuple[int, int]
    """Best and worst place this encounter leaves open to its two contestants; the final: (1, 2)."""
    first: T | None
    second: T | None
    winner: T | None
    """None until it is played; a bye is won from the start."""

    @property
    def bye(self) -> bool:
        """Whether one contestant is a phantom, so that nothing is played."""
        return self.first is None or self.second is None

    @property
    def loser(self) -> T | None:
        """The entrant who lost; None while undecided, and for a bye."""
        if self.winner is None:
            return None
        return self.second if self.winner == self.first else self.first


class Bracket(Generic[T]):
    """The bracket of one cup, a pure function of the seeds and of the results so far.

    `seeds` are the entrants, best first: 2 to 64 different hashable ids, none of them None.
    Raises ValueError otherwise.

    `results`, wherever it is asked for, maps the ids of encounters to the ids of their winners.
    Its order means nothing. A result whose contestants are not known yet waits until they are.
    ValueError if it names an encounter this bracket does not have, or a winner who was not in it.
    """

    def __init__(self, seeds: Sequence[T]) -> None:
        if not MIN_ENTRANTS <= len(seeds) <= MAX_ENTRANTS:
            raise ValueError(
                f"a bracket takes {MIN_ENTRANTS} to {MAX_ENTRANTS} entrants, not {len(seeds)}"
            )
        if None in seeds or len(set(seeds)) != len(seeds):
            raise ValueError("the entrants of a bracket must be different, and none of them None")
        self.seeds = tuple(seeds)
        self.rounds = (len(seeds) - 1).bit_length()
        self._size = 1 << self.rounds
        self._ids = frozenset(
            f"r{round_}-{number}"
            for round_ in range(1, self.rounds + 1)
            for number in range(1, self._size // 2 + 1)
        )

    @property
    def pairings(self) -> int:
        """How many encounters have to be played: the same number however they end."""
        return sum(1 for e in self._walk(lambda _, better, worse: better)[0] if not e.bye)

    def encounters(self, results: Mapping[str, T]) -> list[Encounter[T]]:
        """All encounters whose two contestants are known, round by round, byes included.

        Phantom against phantom is nobody's encounter and is left out.
        """
        return self._walk(self._judge(results))[0]

    def ready(self, results: Mapping[str, T]) -> list[Encounter[T]]:
        """The encounters that can be played now."""
        return [e for e in self.encounters(results) if e.winner is None]

    def places(self, results: Mapping[str, T]) -> list[T] | None:
        """The entrants from place 1 to the last, or None while anything is still to be played."""
        _, slots = self._walk(self._judge(results))
        final = [slot for slot in slots[: len(self.seeds)] if slot is not None]
        return [self.seeds[seed] for seed in final] if len(final) == len(self.seeds) else None

    # Inside, a contestant is its seed from 0; seeds from len(self.seeds) on are the phantoms, and
    # None is "not known yet".

    def _walk(
        self, judge: Callable[[str, int, int], int | None]
    ) -> tuple[list[Encounter[T]], list[int | None]]:
        """Play as far as `judge(id, better seed, worse seed)` names winners.

        Returns the known encounters and the S slots after the last round, in order of places.
        """
        encounters: list[Encounter[T]] = []
        slots: list[int | None] = list(_seeding(self._size))
        for round_ in range(1, self.rounds + 1):
            following: list[int | None] = [None] * self._size
            for number, group, up, down in _pairs(self._size, round_):
                one, two = slots[2 * number - 2], slots[2 * number - 1]
                if one is None or two is None:
                    continue
                id_ = f"r{round_}-{number}"
                winner = judge(id_, min(one, two), max(one, two))
                if winner is not None:
                    following[up], following[down] = winner, one + two - winner
                if min(one, two) < len(self.seeds):
                    encounters.append(self._encounter(id_, round_, group, (one, two), winner))
            slots = following
        return encounters, slots

    def _judge(self, results: Mapping[str, T]) -> Callable[[str, int, int], int | None]:
        for id_ in results:
            if id_ not in self._ids:
                raise ValueError(f"no encounter {id_!r} in a bracket of {len(self.seeds)}")

        def judge(id_: str, better: int, worse: int) -> int | None:
            bye = worse >= len(self.seeds)
            if id_ not in results:
                return better if bye else None
            for seed in (better,) if bye else (better, worse):
                if self._entrant(seed) == results[id_]:
                    return seed
            raise ValueError(f"{results[id_]!r} cannot have won encounter {id_}")

        return judge

    def _entrant(self, seed: int) -> T | None:
        return self.seeds[seed] if seed < len(self.seeds) else None

    def _encounter(
        self, id_: str, round_: int, best: int, pair: tuple[int, int], winner: int | None
    ) -> Encounter[T]:
        span = self._size >> (round_ - 1)
        places = best, min(best + span - 1, len(self.seeds))
        return Encounter(
            id=id_,
            round=round_,
            name=_name(span, places),
            places=places,
            first=self._entrant(pair[0]),
            second=self._entrant(pair[1]),
            winner=None if winner is None else self._entrant(winner),
        )


def _seeding(size: int) -> list[int]:
    """Seeds from 0 in the order of the bracket's lines; neighbours meet in round 1.

    Doubling a bracket puts beside every seed the one that complements it: 1; 1 2; 1 4 2 3;
    1 8 4 5 2 7 3 6 (counted from 1).
    """
    order = [0]
    while len(order) < size:
        last = 2 * len(order) - 1
        order = [seed for better in order for seed in (better, last - better)]
    return order


def _pairs(size: int, round_: int) -> Iterator[tuple[int, int, int, int]]:
    """Every encounter of a round: number, best place of its group, slots of winner and loser.

    A group of `span` contestants for the places a..a+span-1 sits in the slots a-1..a+span-2; its
    winners move into the upper half of these slots, its losers into the lower half.
    """
    span = size >> (round_ - 1)
    for number in range(1, size // 2 + 1):
        start = (2 * number - 2) // span * span
        up = start + (2 * number - 2 - start) // 2
        yield number, start + 1, up, up + span // 2


def _name(span: int, places: tuple[int, int]) -> str:
    best, worst = places
    if best == 1:
        return _KNOCKOUT_NAMES.get(span, f"round of {span}")
    return f"for place {best}" if best == worst else f"for places {best}-{worst}"
