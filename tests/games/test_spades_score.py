"""What a hand of Spades is worth, and when a game is over: the examples of the rules text."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.games.contract import OVER
from harness.games.onelane import OneLane
from harness.games.spades import CARDS, hand_score
from harness.games.spades.about import SpadesRules
from harness.games.spades.game import GAME
from tests.games.lockstep import play
from tests.games.spades_tables import counted, erratic, words_of
from tests.reference import spades as reference

HANDS = [
    ((3, 2), (4, 3), (248, 8), (200, 0)),
    ((5, 4), (4, 4), (300, 9), (210, 9)),
    ((0, 5), (0, 6), (150, 3), (301, 4)),
    ((0, 4), (2, 5), (200, 8), (43, 1)),
    ((0, 7), (1, 4), (-50, 2), (-220, 2)),
    ((0, 0), (0, 0), (390, 5), (590, 5)),
    ((7, 7), (6, 6), (100, 0), (-40, 0)),
    ((3, 2), (5, 3), (450, 8), (403, 1)),
    # Beyond the text: a contract of 0 is made, both nils fail, two roll-overs in one hand.
    ((0, 0), (6, 7), (0, 9), (-387, 2)),
    ((0, 1), (0, 1), (-110, 9), (0, 9)),
]


@pytest.mark.parametrize(("bids", "tricks", "before", "after"), HANDS)
def test_a_hand_is_worth_what_the_text_says(
    bids: tuple[int, int], tricks: tuple[int, int], before: tuple[int, int], after: tuple[int, int]
) -> None:
    assert hand_score(bids, tricks, *before) == after
    assert hand_score(bids[::-1], tricks[::-1], *before) == after


@given(
    st.tuples(st.integers(0, 13), st.integers(0, 13)),
    st.integers(0, 13).flatmap(lambda n: st.integers(0, n).map(lambda one: (one, n - one))),
    st.integers(-199, 499),
    st.integers(0, 9),
)
def test_the_score_agrees_with_the_reference_and_bags_stay_small(
    bids: tuple[int, int], tricks: tuple[int, int], score: int, bags: int
) -> None:
    after = hand_score(bids, tricks, score, bags)
    assert after == reference.hand_score(bids, tricks, score, bags)
    assert 0 <= after[1] <= 9


def test_the_parameters_of_the_score_are_used() -> None:
    assert hand_score((0, 3), (0, 6), 0, 2, 50, 4, 25) == (50 + 33 - 25, 1)
    rules = SpadesRules(nil_points=30, bag_limit=2, bag_penalty=7, max_hands=6, win_at=9_999)
    played = play(GAME, rules, bytes(32), 20, 20, erratic(1, nils=0.4))
    for deal in range(20):
        made = played.decisions[deal]
        totals = [(0, 0), (0, 0)]
        for first in range(0, len(made), 56):
            bids, won = counted(made[first : first + 56])
            for team in (0, 1):
                pairs = (bids[team], bids[team + 2]), (won[team], won[team + 2])
                totals[team] = hand_score(*pairs, *totals[team], 30, 2, 7)
        assert played.scores["points"][deal].tolist() == [total for total, _ in totals] * 2


# Totals of both teams after each hand, and who has won then: a team, None for nobody yet.
ENDS: list[tuple[list[tuple[int, int]], int | None]] = [
    ([(505, 540)], 1),
    ([(500, 500)], None),
    ([(500, 500), (440, 560)], 1),
    ([(-200, 35)], 1),
    ([(-199, 35)], None),
    ([(499, 498)], None),
    ([(499, 498), (500, 498)], 0),
    ([(500, 500), (120, 110)], 0),  # below the limits
    ([(500, 500), (120, 120)], None),
    ([(-250, -250)], None),
    ([(-250, -250), (-250, -260)], 0),
]


@pytest.mark.parametrize(("totals", "winner"), ENDS)
def test_a_game_ends_when_the_text_says(totals: list[tuple[int, int]], winner: int | None) -> None:
    game, words = lane_after(totals, SpadesRules(nil_points=0))
    over = game.proceed(words) == OVER
    assert over == (winner is not None)
    if over:
        assert [game.score(seat) for seat in range(4)] == [
            (int(winner == seat % 2), totals[-1][seat % 2]) for seat in range(4)
        ]


def test_equal_totals_after_the_last_hand_are_a_draw() -> None:
    game, words = lane_after([(30, 20), (35, 35)], SpadesRules(nil_points=0, max_hands=2))
    assert game.proceed(words) == OVER
    assert [game.score(seat) for seat in range(4)] == [(0, 35)] * 4


def lane_after(totals: list[tuple[int, int]], rules: SpadesRules) -> tuple[OneLane, Any]:
    """A lane at the end of a hand with these totals; what was bid and taken changes nothing."""
    words = words_of([range(CARDS)] * (len(totals) + 1))
    game = OneLane(GAME.lane, GAME.rules_record(rules))
    game.start(words)
    for each in totals:
        state = game.proceed(words)
        assert state > 0
        game.lane["score"], game.lane["bids"], game.lane["count"] = each, 0, CARDS
    return game, words
