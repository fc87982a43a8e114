"""The compiled rules of Spades against the reference engine, and their parameters.

The reference (`tests.reference.spades`) was written from the rules text alone. Both play the same
cards, made from the same random words twice: by the compiled rules, and by `tests.games.cards`.
"""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from harness.games.spades import BID_FACTS, PLAY_FACTS, hand_score
from harness.games.spades.about import SpadesRules
from harness.games.spades.game import GAME
from tests.games.lockstep import play
from tests.games.spades_tables import TEXT, compare, erratic
from tests.reference.spades import ReferenceView
from tests.sampling import sampled

# The comparison with the reference.

VARIETY = [
    (TEXT, 0.0, 0.1),
    (TEXT, 0.1, 0.0),
    (SpadesRules(win_at=150, lose_at=-60), 0.02, 0.2),
    (SpadesRules(win_at=1, lose_at=-1), 0.05, 0.5),
    (SpadesRules(win_at=9_999, lose_at=-9_999, max_hands=4), 0.0, 0.4),
    (SpadesRules(max_hands=1), 0.3, 0.1),
]
CASES = [(*VARIETY[k % len(VARIETY)], k) for k in range(60)]


@pytest.mark.parametrize(("rules", "wrong", "nils", "seed"), sampled(CASES, len(VARIETY)))
def test_games_agree_with_the_reference(
    rules: SpadesRules, wrong: float, nils: float, seed: int
) -> None:
    deals = 50
    key = seed.to_bytes(32, "big")
    played = play(GAME, rules, key, deals, 1 + seed % 50, erratic(seed, wrong, nils))
    for deal in range(deals):
        compare(played, rules, deal)


def test_both_views_have_the_facts_of_the_reference() -> None:
    own = {"score", "opponent_score", "opponent_bags", "hand_number", "game_number"}
    assert {*PLAY_FACTS} - own == {*ReferenceView.__annotations__} - {"kind", "scores"}
    assert {*BID_FACTS} < {*PLAY_FACTS}


# Parameters.


@pytest.mark.parametrize(
    "wrong",
    [
        {"win_at": 0},
        {"lose_at": 0},
        {"max_hands": 0},
        {"bag_limit": 0},
        {"bag_penalty": -1},
        {"nil_points": -5},
        {"jokers": 2},
    ],
)
def test_parameters_that_make_no_game_are_refused(wrong: dict[str, int]) -> None:
    with pytest.raises(ValidationError, match=next(iter(wrong))):
        SpadesRules(**wrong)


def test_totals_beyond_every_limit_fit() -> None:
    """The most that the parameters allow, for and against."""
    rules = SpadesRules(bag_limit=1, bag_penalty=1000, nil_points=1000, max_hands=10_000)
    hands = rules.max_hands
    worst = hand_score((0, 0), (6, 7), 0, 0, 1000, 1, 1000)[0]
    assert abs(worst) * hands < 2**31
    assert hands < 2**16
