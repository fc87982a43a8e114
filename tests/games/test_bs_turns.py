"""Single turns of the compiled rules of BS, laid out card by card."""

from __future__ import annotations

import pytest

from harness.games.bs import SEATS, Turn
from harness.games.bs.about import CALLER, CARD
from tests.games.bs_tables import Game, dealt


def test_a_liar_takes_the_pile_and_the_caller_begins_a_new_one() -> None:
    hands = dealt([0, 0, 12], [5, 3], [2], [9])
    game = Game(hands, {(1, CARD): 0})  # the first card of the caller's hand
    game.turn([0, 0])
    game.turn((3, 5), 3)
    assert game.hand(1) == (*hands[1][2:], 0, 0, 3, 5)  # oldest first
    assert game.hand(3) == tuple(hands[3][1:])
    assert game.pile == [9]
    assert game.view(3).given == 9
    assert [game.view(seat).given for seat in (0, 1, 2)] == [None] * 3
    assert game.view(2).last == Turn(1, 1, 2, 3, True, 1, 4)
    assert game.view(2).rank == 2
    assert game.view(2).sizes == (11, 15, 13, 12)


def test_one_wrong_card_among_right_ones_is_a_lie() -> None:
    game = Game(dealt([0, 0, 12]))
    game.turn([0, 12, 0], 1)
    assert game.hand(0)[-3:] == (0, 12, 0)
    assert len(game.hand(0)) == 13


def test_who_calls_the_truth_takes_the_pile() -> None:
    hands = dealt([0, 0, 12])
    game = Game(hands)
    game.turn([0, 0], 2)
    assert game.hand(2) == (*hands[2], 0, 0)
    assert game.pile == []
    assert game.view(1).last == Turn(0, 0, 2, 2, False, 2, 2)
    assert game.view(1).rank == 1  # goes up, challenged or not
    assert game.view(2).given is None


@pytest.mark.parametrize(("word", "drawn"), [(1, 1), (2**31, 2), (2**32 - 1, 3)])
def test_one_of_several_callers_is_drawn_and_the_others_lose_nothing(word: int, drawn: int) -> None:
    hands = dealt([0, 12])
    game = Game(hands, {(0, CALLER): word})
    game.turn([0], 1, 2, 3)
    assert game.view(1).last == Turn(0, 0, 1, drawn, False, drawn, 1)
    for seat in (1, 2, 3):
        assert game.hand(seat) == (*hands[seat], *([0] if seat == drawn else []))


@pytest.mark.parametrize(("word", "place"), [(1, 0), (2**31, 6), (2**32 - 1, 12)])
def test_any_card_of_the_caller_can_be_drawn(word: int, place: int) -> None:
    hands = dealt([5], [*range(1, 13), 1])
    game = Game(hands, {(0, CARD): word})
    game.turn([5], 1)
    assert game.pile == [hands[1][place]]
    assert game.hand(1) == (*hands[1][:place], *hands[1][place + 1 :])


def test_the_first_of_equal_cards_leave_the_hand() -> None:
    hands = dealt([3, 0, 3, 7, 3])
    game = Game(hands)
    game.turn([7, 3, 3])
    assert game.hand(0) == (0, 3, *hands[0][5:])
    assert game.pile == [7, 3, 3]


def test_after_the_last_rank_comes_the_first() -> None:
    game = Game(dealt())
    ranks = []
    for _ in range(15):
        mover = int(game.lane["turn"]) % SEATS
        ranks.append(game.view(mover).rank)
        game.turn(game.hand(mover)[:1])
    assert ranks == [*range(13), 0, 1]


def test_nobody_who_lies_with_the_last_cards_wins_if_called() -> None:
    game = Game(dealt())
    game.turn(game.hand(0), 2)
    assert game.asked == 2
    assert len(game.hand(0)) == 13
    assert game.score() == [(0, 39), (0, 39), (0, 40), (0, 39)]


def test_a_lie_with_the_last_cards_wins_if_nobody_calls() -> None:
    game = Game(dealt())
    game.turn(game.hand(0))
    assert game.asked == 0
    assert game.score() == [(1, 52), (0, 39), (0, 39), (0, 39)]


def test_the_truth_with_the_last_card_wins_though_called() -> None:
    game = Game(dealt([4, 0, 1]))
    game.turn([card for card in game.hand(0) if card != 4])
    for seat in (1, 2, 3):
        game.turn(game.hand(seat)[:1])
    game.turn([4], 2)
    assert game.asked == 0
    assert [won for won, _ in game.score()] == [1, 0, 0, 0]
    assert len(game.hand(2)) == 12 + 12 + 3 + 1


def test_a_right_call_with_the_last_card_wins() -> None:
    game = Game(dealt())
    game.turn(game.hand(0)[:12])
    game.turn([12] if 12 in game.hand(1) else game.hand(1)[:2], 0)
    assert game.asked == 0
    assert [won for won, _ in game.score()] == [1, 0, 0, 0]
