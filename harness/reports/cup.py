"""A cup in plain data: places, pairings with their sets, seeds."""

from __future__ import annotations

from itertools import count
from typing import Any

from harness.events.cup import Pairing, Standing
from harness.events.secret import lot
from harness.events.sets import How, SetScore, Verdict, verdict
from harness.reports.league import cross, disqualified, rating, share, standings
from harness.reports.played import Played
from harness.standings.intervals import overall
from harness.standings.pairs import merged
from harness.standings.rating import fit


def cup(played: Played, standing: Standing) -> dict[str, Any]:
    """The cup's part of the document."""
    return {
        "places": _places(played, standing),
        "pairings": [_pairing(played, pairing) for pairing in standing.pairings],
        "disqualified": disqualified(played, standing.disqualified),
        "draw": played.event.config.draw,
        "seeds": standing.seeds,
        "seeding": standing.seeding
        and {
            "standings": standings(played, standing.seeding),
            "cross": cross(standing.seeding.table),
            "disqualified": list(standing.seeding.disqualified),
        },
    }


def _places(played: Played, standing: Standing) -> list[dict[str, Any]]:
    """Every entrant, by place; while nothing is decided by seed, with the place null."""
    authors = {entrant.name: entrant.author for entrant in played.event.entrants}
    names = standing.places or standing.seeds or [e.name for e in played.event.entrants]
    seeds = {name: number for number, name in enumerate(standing.seeds, 1)}
    # One scale for everything that was played, the seeding league included. Disqualified bots'
    # games count for nobody's rating.
    out = standing.disqualified
    records = merged(
        outcome.record
        for outcome in standing.outcomes
        if outcome.record.games and not set(outcome.match.players) & set(out)
    )
    ratings = fit(records)
    places = []
    for place, name in enumerate(names, 1):
        own = [r.seen_from(name) for r in records if name in (r.first, r.second)]
        places.append(
            {
                "place": place if standing.places else None,
                "name": name,
                "author": authors[name],
                "seed": seeds.get(name),
                "pairings": _won_and_lost(standing, name),
                "games": sum(r.games for r in own),
                "wins": sum(r.wins[0] for r in own),
                "draws": sum(r.draws for r in own),
                "losses": sum(r.wins[1] for r in own),
                "points": [sum(r.points[0] for r in own), sum(r.points[1] for r in own)],
                "share": share(overall(name, own)),
                **rating(ratings.get(name)),
                "faults": played.faults(name),
                "retirements": played.retirements(name),
                "disqualified": name in out,
            }
        )
    return places


def _won_and_lost(standing: Standing, name: str) -> list[int]:
    winners = [
        pairing.winner
        for pairing in standing.pairings
        if name in (pairing.encounter.first, pairing.encounter.second) and not pairing.encounter.bye
    ]
    won = sum(winner == name for winner in winners)
    return [won, sum(winner is not None for winner in winners) - won]


def _pairing(played: Played, pairing: Pairing) -> dict[str, Any]:
    encounter = pairing.encounter
    judged = _judged(played, pairing)
    return {
        "id": encounter.id,
        "round": encounter.round,
        "name": encounter.name,
        "places": list(encounter.places),
        "first": encounter.first,
        "second": encounter.second,
        "winner": pairing.winner,
        "how": pairing.how or None,
        "score": list(judged.score) if judged else None,
        "sets": _sets(judged) if judged else [],
    }


def _judged(played: Played, pairing: Pairing) -> Verdict | None:
    """How the pairing stands in sets, also one that a disqualification ended; None for a bye."""
    first, second = pairing.encounter.first, pairing.encounter.second
    if pairing.verdict is not None or first is None or second is None:
        return pairing.verdict
    event = played.event
    return verdict(
        [pairing.score(number) for number in range(len(pairing.sets))],
        lambda number: lot(event.root_key(), first, second, number),
        event.config.sets_to_win,
    )


def _sets(judged: Verdict) -> list[dict[str, Any]]:
    """The sets in order, each with its plays; the last one may be drawn so far."""
    sets: list[tuple[int | None, How | None, tuple[SetScore, ...]]] = [
        (decided.winner, decided.how, decided.plays) for decided in judged.sets
    ]
    if judged.drawn:
        sets.append((None, None, judged.drawn))
    stage = count(1)
    return [
        {
            "winner": winner,
            "how": how,
            "plays": [
                {"stage": f"set {next(stage)}", "wins": list(s.wins), "points": list(s.points)}
                for s in plays
            ],
        }
        for winner, how, plays in sets
    ]
