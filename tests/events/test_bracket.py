"""The placement bracket for every size of field: one place each, by play, in any order."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.events.bracket import Bracket, Encounter

SIZES = range(2, 65)
sizes = st.integers(2, 64)


def play_out(
    bracket: Bracket[int],
    winner: Callable[[int, int], int],
    shuffle: random.Random | None = None,
) -> dict[str, int]:
    """Play all encounters that are ready until none is; if asked, only some of them at a time."""
    results: dict[str, int] = {}
    while ready := bracket.ready(results):
        assert bracket.places(results) is None
        if shuffle:
            ready = shuffle.sample(ready, shuffle.randint(1, len(ready)))
        for encounter in ready:
            assert encounter.first is not None
            assert encounter.second is not None
            results[encounter.id] = winner(encounter.first, encounter.second)
    return results


def by_coin(seed: int) -> Callable[[int, int], int]:
    """Chance decides, the same way for the same two whenever they are asked."""
    return lambda a, b: random.Random(f"{seed} {min(a, b)} {max(a, b)}").choice(sorted((a, b)))


def pairs(encounters: list[Encounter[int]], round_: int) -> list[tuple[int | None, int | None]]:
    return [(e.first, e.second) for e in encounters if e.round == round_]


def test_standard_seeding_of_sixteen() -> None:
    first_round = Bracket(range(1, 17)).encounters({})
    assert pairs(first_round, 1) == [
        (1, 16), (8, 9), (4, 13), (5, 12), (2, 15), (7, 10), (3, 14), (6, 11),
    ]  # fmt: skip


def test_mock_cup_of_four() -> None:
    """Rules: round one N-B and A-C; round two winner-winner and loser-loser."""
    bracket = Bracket(["N", "A", "C", "B"])
    names = [(e.name, e.first, e.second) for e in bracket.encounters({})]
    assert names == [("semi-final", "N", "B"), ("semi-final", "A", "C")]
    results = {"r1-1": "B", "r1-2": "A"}
    last = [(e.id, e.name, e.places, e.first, e.second) for e in bracket.ready(results)]
    assert last == [
        ("r2-1", "final", (1, 2), "B", "A"),
        ("r2-2", "for places 3-4", (3, 4), "N", "C"),
    ]
    assert bracket.places(results | {"r2-1": "A"}) is None
    assert bracket.places(results | {"r2-1": "A", "r2-2": "C"}) == ["A", "B", "C", "N"]


def test_three_entrants_by_hand() -> None:
    """1 has a bye; the loser of 2 v 3 meets a phantom for place 3."""
    bracket = Bracket([1, 2, 3])
    assert pairs(bracket.encounters({}), 1) == [(1, None), (2, 3)]
    after = bracket.encounters({"r1-2": 3})
    assert [(e.first, e.second, e.winner) for e in after if e.round == 2] == [
        (1, 3, None),
        (None, 2, 2),
    ]
    assert after[-1].name == "for place 3"
    assert bracket.places({"r1-2": 3, "r2-1": 3}) == [3, 1, 2]
    assert bracket.pairings == 2


def test_names_of_rounds() -> None:
    bracket = Bracket(range(64))
    results = play_out(bracket, min)
    names = {(e.round, e.name) for e in bracket.encounters(results)}
    assert {name for round_, name in names if round_ == 1} == {"round of 64"}
    assert {"quarter-final", "for places 9-16", "for places 17-24", "for places 57-64"} <= {
        name for round_, name in names if round_ == 4
    }
    assert {"final", "for places 3-4", "for places 63-64"} <= {
        name for round_, name in names if round_ == 6
    }


def test_places_stop_at_the_last_entrant() -> None:
    bracket = Bracket(range(7))
    encounters = bracket.encounters(play_out(bracket, min))
    assert {e.places for e in encounters} == {
        (1, 7), (1, 4), (5, 7), (1, 2), (3, 4), (5, 6), (7, 7),
    }  # fmt: skip


@pytest.mark.parametrize("size", SIZES)
def test_better_seed_always_wins_gives_the_seeds(size: int) -> None:
    bracket = Bracket(range(size))
    assert bracket.places(play_out(bracket, min)) == list(range(size))


@pytest.mark.parametrize("size", SIZES)
def test_byes_go_to_the_top_seeds(size: int) -> None:
    first_round = [e for e in Bracket(range(size)).encounters({}) if e.round == 1]
    byes = {e.winner for e in first_round if e.bye}
    phantoms = (1 << (size - 1).bit_length()) - size
    assert byes == set(range(phantoms))
    assert all(e.loser is None for e in first_round if e.bye)
    played = {bot for e in first_round if not e.bye for bot in (e.first, e.second)}
    assert played == set(range(phantoms, size))


@settings(deadline=None)
@given(sizes, st.integers(), st.integers())
def test_everybody_gets_exactly_one_place_in_any_order_of_play(
    size: int, coin: int, order: int
) -> None:
    bracket = Bracket(range(size))
    results = play_out(bracket, by_coin(coin))
    shuffled = play_out(bracket, by_coin(coin), random.Random(order))
    places = bracket.places(results)
    assert places is not None
    assert sorted(places) == list(range(size))
    assert shuffled == results
    assert bracket.places(dict(reversed(results.items()))) == places
    assert len(results) == bracket.pairings


@settings(deadline=None)
@given(sizes, st.integers())
def test_every_place_follows_from_play(size: int, coin: int) -> None:
    """An encounter's winner ends in the upper half of its places and its loser in the lower."""
    bracket = Bracket(range(size))
    results = play_out(bracket, by_coin(coin))
    places = bracket.places(results)
    assert places is not None
    for e in bracket.encounters(results):
        assert e.winner is not None
        best, _ = e.places
        half = (1 << (bracket.rounds - e.round + 1)) // 2
        assert best <= 1 + places.index(e.winner) < best + half
        if e.loser is not None:
            assert best + half <= 1 + places.index(e.loser) <= e.places[1]


@settings(deadline=None)
@given(sizes, st.integers())
def test_nobody_plays_twice_in_a_round_or_meets_a_rival_twice(size: int, coin: int) -> None:
    bracket = Bracket(range(size))
    encounters = bracket.encounters(play_out(bracket, by_coin(coin)))
    assert len({e.id for e in encounters}) == len(encounters)
    for round_ in range(1, bracket.rounds + 1):
        here = [bot for pair in pairs(encounters, round_) for bot in pair if bot is not None]
        assert sorted(here) == list(range(size))
    met = [frozenset((e.first, e.second)) for e in encounters if not e.bye]
    assert len(set(met)) == len(met)


@settings(deadline=None)
@given(sizes, st.integers(), st.data())
def test_a_partial_state_only_grows(size: int, coin: int, data: st.DataObject) -> None:
    """What is known from some results stays true with more; early results wait their turn."""
    bracket = Bracket(range(size))
    results = play_out(bracket, by_coin(coin))
    some = data.draw(st.sets(st.sampled_from(sorted(results))))
    partial = {id_: results[id_] for id_ in some}
    final = {e.id: e for e in bracket.encounters(results)}
    for e in bracket.encounters(partial):
        assert (e.first, e.second) == (final[e.id].first, final[e.id].second)
        assert e.winner in (None, final[e.id].winner)
    assert not {e.id for e in bracket.ready(partial)} & some
    assert (bracket.places(partial) is None) == (some != set(results))


def test_falsy_entrants_are_entrants() -> None:
    bracket = Bracket([0, "", ()])
    assert bracket.places({"r1-2": (), "r2-1": 0}) == [0, (), ""]


@pytest.mark.parametrize("seeds", [[], [1], list(range(65)), [1, 2, 1], [1, None]])
def test_impossible_fields(seeds: list[int]) -> None:
    with pytest.raises(ValueError, match=r"entrants"):
        Bracket(seeds)


def test_foreign_results_are_refused() -> None:
    bracket = Bracket([1, 2, 3])
    for foreign in ({"r3-1": 1}, {"final": 1}, {"r01-1": 1}):
        with pytest.raises(ValueError, match="no encounter"):
            bracket.encounters(foreign)
    for wrong in ({"r1-2": 1}, {"r1-1": 3}):
        with pytest.raises(ValueError, match="cannot have won"):
            bracket.encounters(wrong)
    assert bracket.encounters({"r1-1": 1}) == bracket.encounters({})
