"""Score and end of the Spades reference engine: every expectation was worked out by hand."""

from __future__ import annotations

import pytest

from tests.reference.spades import Rules, hand_score, is_over
from tests.reference.spades_script import ONE_HAND, Bids, play, suits_of_one_hand

# Score: the examples of the text, then its other sentences.


@pytest.mark.parametrize(
    ("bids", "tricks", "before", "after"),
    [
        ((3, 2), (4, 3), (248, 8), (200, 0)),
        ((5, 4), (4, 4), (300, 9), (210, 9)),
        ((0, 5), (0, 6), (150, 3), (301, 4)),
        ((0, 4), (2, 5), (200, 8), (43, 1)),
        ((0, 7), (1, 4), (-50, 2), (-220, 2)),
        ((0, 0), (0, 0), (390, 5), (590, 5)),
        ((7, 7), (6, 6), (100, 0), (-40, 0)),
        ((3, 2), (5, 3), (450, 8), (403, 1)),
    ],
)
def test_the_examples_of_the_text(
    bids: tuple[int, int], tricks: tuple[int, int], before: tuple[int, int], after: tuple[int, int]
) -> None:
    assert hand_score(bids, tricks, *before) == after
    assert hand_score(bids[::-1], tricks[::-1], *before) == after


@pytest.mark.parametrize(
    ("bids", "tricks", "before", "after"),
    [
        ((3, 4), (5, 2), (0, 9), (70, 9)),  # just made: no bag
        ((3, 4), (5, 1), (0, 0), (-70, 0)),  # one short
        ((1, 1), (2, 1), (0, 8), (21, 9)),  # nine bags are no penalty
        ((1, 1), (2, 1), (0, 9), (-79, 0)),  # the tenth bag's own point stays
        ((0, 0), (7, 6), (500, 9), (113, 2)),  # two nils failed, 13 bags, two roll-overs
        ((0, 0), (7, 0), (500, 0), (507, 7)),  # one nil of two failed: 7 - 100 + 100
        ((0, 3), (3, 0), (0, 0), (-70, 0)),  # a nil bidder's tricks make the contract: 30 - 100
        ((0, 13), (0, 13), (0, 0), (230, 0)),
        ((13, 13), (7, 6), (0, 5), (-260, 5)),  # no cap on the sum
        ((0, 5), (0, 4), (0, 9), (50, 9)),  # nil made, contract not
        ((1, 0), (0, 0), (-100, 0), (-10, 0)),
        ((2, 2), (4, 4), (-150, 9), (-206, 3)),  # penalties of a negative score
    ],
)
def test_scores_of_single_hands(
    bids: tuple[int, int], tricks: tuple[int, int], before: tuple[int, int], after: tuple[int, int]
) -> None:
    assert hand_score(bids, tricks, *before) == after


def test_the_last_digit_of_the_score_is_not_the_bag_count() -> None:
    assert hand_score((2, 2), (3, 2), 109, 0) == (150, 1)
    assert hand_score((2, 2), (3, 2), 100, 9) == (41, 0)


# End.


@pytest.mark.parametrize(
    ("totals", "over"),
    [
        ([(505, 540)], True),
        ([(500, 500)], False),
        ([(500, 500), (440, 560)], True),
        ([(-200, 35)], True),
        ([(-199, 35)], False),
        ([(403, 320)], False),
        ([(-220, 35)], True),
        ([(499, 320)], False),
        ([(320, 500)], True),
        ([(320, -200)], True),
        ([(500, -200)], True),
        ([(-210, -210)], False),
        ([(320, 320)], False),
        ([(500, 500), (510, 510)], False),
        ([(500, 500), (480, 480)], False),  # still equal, though below the limit
        ([(500, 500), (480, 480), (470, 490)], True),
        ([(500, 500), (430, 420)], True),  # different, though below the limit
    ],
)
def test_when_a_game_is_over(totals: list[tuple[int, int]], over: bool) -> None:
    assert is_over(totals) is over


def test_two_hundred_hands_end_the_game() -> None:
    assert not is_over([(10, 0)] * 199)
    assert is_over([(10, 0)] * 200)
    assert is_over([(0, 0)] * 200)


def test_the_higher_total_wins_with_both_at_the_limit() -> None:
    # Team 0 makes two nils a hand, team 1 bids 13 and nil.
    game = play([suits_of_one_hand(spades=3)] * 3, [(0, 0, 0, 13)] * 3)
    assert [record.scores for record in game.records] == [(200, 230), (400, 460), (600, 690)]
    assert (game.winner, game.scores, game.bags) == (1, (600, 690), (0, 0))


def test_the_lower_limit_ends_the_game() -> None:
    game = play([suits_of_one_hand(spades=3)], [(13, 1, 7, 3)])
    assert (game.winner, game.scores, game.bags) == (1, (-200, 49), (0, 9))


def test_above_the_lower_limit_another_hand_is_dealt() -> None:
    with pytest.raises(ValueError, match="no deal left after 1 hands"):
        play([suits_of_one_hand(spades=3)], [(13, 1, 6, 3)])


TIED = [suits_of_one_hand(spades=3), suits_of_one_hand(spades=0)]
TIED_BIDS: list[Bids] = [(0, 0, 0, 13), (13, 0, 0, 0)]
"""200 to 230 and the other way round."""


def test_equal_totals_at_the_end_ask_for_another_hand() -> None:
    # In it, team 1 takes eleven bags on a contract of 2, 31 - 100, and team 0 loses 20.
    third = suits_of_one_hand(spades=3)
    game = play([*TIED, third], [*TIED_BIDS, (1, 1, 1, 1)], rules=Rules(win_at=430))
    assert [record.scores for record in game.records] == [(200, 230), (430, 430), (410, 361)]
    assert (game.winner, game.bags) == (0, (0, 1))


@pytest.mark.parametrize("win_at", [430, 500])
def test_equal_totals_after_the_last_hand_are_a_draw(win_at: int) -> None:
    game = play(TIED, TIED_BIDS, rules=Rules(win_at=win_at, max_hands=2))
    assert (game.winner, game.scores, game.hands) == (None, (430, 430), 2)


@pytest.mark.parametrize(("spades", "winner"), [(0, 0), (1, 1), (2, 0), (3, 1)])
def test_the_higher_total_wins_after_the_last_hand(spades: int, winner: int) -> None:
    game = play([suits_of_one_hand(spades)], [(4, 4, 4, 4)], rules=ONE_HAND)
    assert game.winner == winner
    assert game.scores[winner] == 85
    assert game.scores[1 - winner] == -80
    assert game.bags[winner] == 5
