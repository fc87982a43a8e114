"""How long an event may take: before it is played, and while it is."""

from __future__ import annotations

from dataclasses import dataclass

from harness.arena.budgets import Budgets
from harness.events.bracket import Bracket
from harness.events.cup import Cup, Standing
from harness.games.about import Nominal


@dataclass(frozen=True)
class Estimate:
    """Wall seconds."""

    expected: float
    worst: float


def estimate(
    nominal: Nominal,
    *,
    bots: int,
    starts: int,
    least_games: int,
    most_games: int,
    block_games: int,
    budgets: Budgets,
    workers: int,
) -> Estimate:
    """The time for `least_games` to `most_games` games (not all sets of a cup are needed).

    `bots`: that play a block, in which they start `starts` processes. Expected: the middle of the
    two at the nominal rate. Worst: `most_games`, and in every block every bot takes its whole
    budget of CPU time, stretched by `wall_factor`, and starts as slowly as it may. What bots can
    add to that by crashing, and having to be started again, is left out.
    """
    expected = (least_games + most_games) / 2 / nominal.rate
    blocks = -(-most_games // block_games)
    thinking = most_games * nominal.decisions * budgets.average_milliseconds / 1000
    slack = blocks * bots * budgets.slack_seconds
    starting = blocks * starts * budgets.start_wall_seconds
    worst = (thinking + slack) * budgets.wall_factor + starting
    return Estimate(expected / workers, worst / workers)


def likely_games(cup: Cup, standing: Standing, known: int) -> int:
    """Games of the whole cup as far as one can tell, no less than the `known` ones.

    The pairings still to come are taken to be as long as those that are decided.
    """
    decided = [pairing for pairing in standing.pairings if pairing.how not in ("", "bye")]
    if not decided:
        return max(known, (cup.least_games + cup.most_games) // 2)
    seeding = standing.seeding.outcomes if standing.seeding else ()
    before = sum(outcome.record.games for outcome in seeding)
    played = sum(outcome.record.games for pairing in decided for outcome in pairing.sets)
    pairings = Bracket(cup.entrants).pairings
    return max(known, before + round(played / len(decided) * pairings))
