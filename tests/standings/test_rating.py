"""The joint Bradley-Terry fit."""

from __future__ import annotations

import itertools
import math
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.standings.intervals import Z, share_variance
from harness.standings.pairs import PairRecord
from harness.standings.rating import ELO, VIRTUAL_GAMES, fit
from tests.standings.records import leagues, of_deals, records


def expected(league: list[tuple[str, str, float]], deals: int = 50_000) -> list[PairRecord]:
    """Records in which Elo differences (first - second) come out as the model expects them."""
    made = []
    for first, second, elo in league:
        p = 1 / (1 + 10 ** (-elo / 400))
        won, lost = round(deals * p * p), round(deals * (1 - p) ** 2)
        made.append(of_deals(first, second, won, deals - won - lost, lost))
    return made


def test_no_games() -> None:
    assert fit([]) == {}
    assert fit([of_deals("a", "b", 0, 0, 0)]) == {}


def test_two_bots_by_hand() -> None:
    """Odds of 3:1 are 400 log10(3) = 190.8 points, half up and half down from the mean of 0."""
    record = of_deals("a", "b", 28_125, 18_750, 3_125)
    assert record.wins == (75_000, 25_000)
    ratings = fit([record])
    odds = (75_000 + VIRTUAL_GAMES / 2) / (25_000 + VIRTUAL_GAMES / 2)
    assert ratings["a"].elo == round(200 * math.log10(odds), 1) == 95.4
    assert ratings["b"].elo == -95.4
    # Delta method for the log-odds, d ln(p / (1 - p)) = dp / (p (1 - p)); half of it for each.
    error = math.sqrt(share_variance(record)) / (0.75 * 0.25)
    assert ratings["a"].margin == ratings["b"].margin == round(ELO * Z * error / 2, 1)


def test_known_strengths_are_recovered() -> None:
    truth = {"a": 120.0, "b": 30.0, "c": -10.0, "d": -140.0}
    pairs = [(a, b, truth[a] - truth[b]) for a, b in itertools.combinations(truth, 2)]
    ratings = fit(expected(pairs))
    assert {name: rating.elo for name, rating in ratings.items()} == pytest.approx(truth, abs=0.3)


def test_a_known_order_is_recovered_through_common_rivals() -> None:
    """A chain in which only neighbours met."""
    names = [f"{n:02}" for n in range(12)]
    ratings = fit(expected([(a, b, 50.0) for a, b in itertools.pairwise(names)]))
    assert sorted(names, key=lambda name: -ratings[name].elo) == names
    assert ratings["00"].elo - ratings["11"].elo == pytest.approx(550, abs=3)


def test_agrees_with_the_slow_textbook_iteration() -> None:
    """Zermelo's fixed point w_i = W_i / sum(n_ij / (w_i + w_j)), virtual games included."""
    rng = random.Random(5)
    names = "abcdef"
    league = [
        of_deals(a, b, rng.randrange(500), rng.randrange(500), rng.randrange(500))
        for a, b in itertools.combinations(names, 2)
    ]
    strength = dict.fromkeys(names, 1.0)
    for _ in range(2000):
        new = {}
        for name in names:
            own = [r.seen_from(name) for r in league if name in (r.first, r.second)]
            won = sum(r.wins[0] + VIRTUAL_GAMES / 2 for r in own)
            played = sum(
                (r.games + VIRTUAL_GAMES) / (strength[name] + strength[r.second]) for r in own
            )
            new[name] = won / played
        strength = new
    logs = {name: ELO * math.log(w) for name, w in strength.items()}
    mean = sum(logs.values()) / len(logs)
    ratings = {name: rating.elo for name, rating in fit(league).items()}
    assert ratings == pytest.approx({name: e - mean for name, e in logs.items()}, abs=0.051)


def test_equal_bots_have_equal_ratings() -> None:
    """Twins with the same results against everybody, and a draw against each other."""
    league = [of_deals("twin 1", "twin 2", 7, 86, 7)]
    for n, rival in enumerate("abcdefg"):
        league += [of_deals(twin, rival, 10 * n, 90 - 13 * n, 10) for twin in ("twin 1", "twin 2")]
    ratings = fit(league)
    assert ratings["twin 1"] == ratings["twin 2"]


def test_deterministic_equals_have_no_error() -> None:
    rating = fit([of_deals("a", "b", 0, 50_000, 0)])
    assert {(r.elo, r.margin) for r in rating.values()} == {(0.0, 0.0)}
    assert not any(math.copysign(1, r.elo) < 0 for r in rating.values())


def test_one_hundred_percent_is_finite_and_uncertain() -> None:
    ratings = fit([of_deals("a", "b", 50_000, 0, 0)])
    assert 1000 < ratings["a"].elo < 2000
    assert ratings["a"].margin > 400


@pytest.mark.parametrize("size", [3, 9, 64])
def test_a_field_in_which_the_better_wins_every_game(size: int) -> None:
    names = [f"{n:02}" for n in range(size)]
    league = [of_deals(a, b, 50_000, 0, 0) for a, b in itertools.combinations(names, 2)]
    ratings = fit(league)
    assert sorted(names, key=lambda name: -ratings[name].elo) == names
    assert all(math.isfinite(r.elo) and math.isfinite(r.margin) for r in ratings.values())


def test_parts_that_never_met() -> None:
    """Nothing compares the parts; the margins say so."""
    apart = fit([of_deals("a", "b", 200, 600, 200), of_deals("c", "d", 200, 600, 200)])
    joined = fit([of_deals(*pair, 200, 600, 200) for pair in itertools.combinations("abcd", 2)])
    assert apart["a"].margin > 20 * joined["a"].margin


@settings(deadline=None)
@given(leagues(), st.randoms())
def test_finite_and_independent_of_order(league: list[PairRecord], rng: random.Random) -> None:
    ratings = fit(league)
    assert all(math.isfinite(r.elo) and 0 <= r.margin < math.inf for r in ratings.values())
    assert list(ratings) == sorted(ratings)
    shuffled = [r.swapped() if rng.random() < 0.5 else r for r in league]
    rng.shuffle(shuffled)
    assert fit(shuffled) == ratings


@settings(deadline=None)
@given(records(least=1))
def test_swapped_records_are_mirrored(record: PairRecord) -> None:
    one, two = fit([record]), fit([record.swapped()])
    assert one == two
    assert one["a"].elo == -one["b"].elo
    assert one["a"].margin == one["b"].margin
