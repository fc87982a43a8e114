"""The reference engine against the rules text: every expectation here was worked out by hand."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from tests.reference.pazaak import END, ORIGINAL_2015, STAND, TEXT, ReferenceView, Rules, play_game
from tests.reference.pazaak_script import (
    ONE_HAND_2015,
    ONE_WINS,
    SIDE_HANDS_2015,
    TIE,
    TWO_WINS,
    Hand,
    play,
    views,
    whole_deck,
)

# A game.


def test_first_to_three_wins_the_game() -> None:
    game = play(TWO_WINS, ONE_WINS, TWO_WINS, ONE_WINS, TWO_WINS, rules=TEXT)
    assert game.winner == 1
    assert game.hands == (2, 3)
    assert game.hand_results == [1, 0, 1, 0, 1]


def test_three_hands_in_a_row_end_the_game() -> None:
    game = play(ONE_WINS, ONE_WINS, ONE_WINS, rules=TEXT)
    assert game.winner == 0
    assert game.hands == (3, 0)


def test_player_one_opens_every_hand_whoever_won_the_last() -> None:
    game = play(TWO_WINS, ONE_WINS, TIE, TWO_WINS, TWO_WINS, rules=TEXT)
    assert [decision.seat for decision in game.decisions] == [0, 1] * 5


# Hand 1 and 2: who acts.


def test_a_stander_is_skipped_and_dealt_nothing() -> None:
    hand = Hand(top=(10, 2, 3, 4), one=(STAND,), two=(END, END, STAND))
    game = play(hand)
    assert game.hand_results == [0]  # 10 against 2 3 4
    assert views(game, 1)[-1].hand == (2, 3, 4)
    assert views(game, 1)[-1].opponent_hand == (10,)


def test_play_adds_the_card_and_stands() -> None:
    hand = Hand(top=(7, 9, 1), one=(4,), two=(END, STAND))
    game = play(hand)
    assert game.hand_results == [0]  # 7 4 against 9 1
    assert views(game, 1)[-1].opponent_hand == (7, 4)


def test_a_new_hand_starts_with_nobody_standing_and_an_empty_table() -> None:
    second = Hand(top=(2, 3, 4, 1), one=(END, STAND), two=(END, STAND))
    game = play(ONE_WINS, second, rules=replace(TEXT, wins_needed=2))
    assert game.hand_results == [0, 0]  # 2 4 against 3 1
    assert views(game, 0)[1].opponent_hand == ()
    assert [view.hand for view in views(game, 0)] == [(10,), (2,), (2, 4)]


# Hand 3: illegal answers.


def test_play_of_a_card_not_held_is_an_illegal_stand() -> None:
    hand = Hand(top=(7, 9, 1), one=(5,), two=(END,))
    game = play(hand)
    assert game.hand_results == [1]  # 7 stands, 9 is active
    assert [decision.legal for decision in game.decisions] == [False, True]
    assert game.decisions[0].reply == 5
    told = views(game, 1)[0]
    assert told.opponent_hand == (7,)
    assert told.opponent_action == STAND
    assert not told.opponent_played
    assert told.opponent_side_cards == 4


def test_play_of_a_card_played_before_is_illegal() -> None:
    plays = Hand(top=(10, 9), one=(4,), two=(STAND,))
    again = Hand(top=(8, 9), one=(4,), two=(STAND,))
    game = play(plays, again, ONE_WINS, rules=replace(TEXT, wins_needed=2))
    assert game.hand_results == [0, 1, 0]  # 8 and no 4 against 9
    assert [decision.legal for decision in game.decisions if decision.reply == 4] == [True, False]


@pytest.mark.parametrize("reply", [-2, -3, 6, 99])
def test_an_answer_that_means_nothing_is_an_illegal_stand(reply: int) -> None:
    hand = Hand(top=(8, 9, 1), one=(STAND,), two=(reply,))
    game = play(hand, TIE, TWO_WINS, rules=replace(TEXT, wins_needed=2))
    assert game.hand_results == [1, None, 1]  # both standing: 8 against 9
    assert [decision.legal for decision in game.decisions[:2]] == [True, False]
    assert views(game, 1)[1].side_hand == (5, 4, 3, 2)


# Hand 4 and Judging 1 and 2: busts.


def test_player_two_still_acts_after_player_one_is_bust() -> None:
    hand = Hand(top=(10, 1, 9, 1, 2, 1), one=(END, END, END), two=(END, END, END))
    game = play(hand)
    assert game.hand_results == [1]
    last = game.decisions[-1]
    assert last.seat == 1
    assert last.view.opponent_total == 21
    assert last.view.total == 3


def test_player_two_busts_alone() -> None:
    hand = Hand(top=(1, 10, 1, 9, 1, 2), one=(END, END, END), two=(END, END, END))
    assert play(hand).hand_results == [0]


@pytest.mark.parametrize("last", [END, STAND])
def test_both_bust_in_one_round_is_a_tie(last: int) -> None:
    hand = Hand(top=(10, 10, 9, 9, 2, 8), one=(END, END, last), two=(END, END, last))
    assert play(hand, ONE_WINS).hand_results == [None, 0]  # 21 against 27


@pytest.mark.parametrize("last", [END, STAND])
def test_a_bust_loses_to_a_lower_stander(last: int) -> None:
    hand = Hand(top=(8, 9, 8, 9, 10), one=(END, END, last), two=(END, STAND))
    assert play(hand).hand_results == [1]  # 26 against 18


def test_a_side_card_can_bust_its_player() -> None:
    hand = Hand(top=(10, 9, 9, 10), one=(END, 3), two=(END, STAND))
    assert play(hand).hand_results == [1]  # 10 9 3 against 9 10


def test_a_bust_player_is_asked_and_its_play_uses_the_card_up() -> None:
    bust = Hand(top=(10, 1, 9, 1, 2, 1), one=(END, END, 3), two=(END, END, END))
    game = play(bust, TWO_WINS, rules=replace(TEXT, wins_needed=2))
    assert game.hand_results == [1, 1]
    assert views(game, 0)[2].total == 21
    assert views(game, 0)[3].side_hand == (1, 2, 4)
    told = views(game, 1)[2]
    assert told.opponent_hand == (10, 9, 2, 3)
    assert told.opponent_played


def test_a_bust_player_can_answer_illegally() -> None:
    bust = Hand(top=(10, 1, 9, 1, 2, 1), one=(END, END, 5), two=(END, END, END))
    game = play(bust)
    assert game.hand_results == [1]
    assert [decision.legal for decision in game.decisions if decision.seat == 0][-1] is False


def test_exactly_the_target_is_asked_and_no_bust() -> None:
    hand = Hand(top=(10, 10, 10, 9), one=(END, STAND), two=(END, STAND))
    game = play(hand)
    assert game.hand_results == [0]
    assert views(game, 0)[-1].total == 20


# Judging 3: both standing.


def test_both_standing_the_higher_total_wins() -> None:
    assert play(ONE_WINS).hand_results == [0]
    assert play(TWO_WINS).hand_results == [1]


def test_both_standing_on_equal_totals_is_a_tie_and_replayed() -> None:
    game = play(TIE, TIE, TWO_WINS)
    assert game.hand_results == [None, None, 1]
    assert game.hands == (0, 1)


def test_a_tie_is_by_total_with_the_side_card() -> None:
    hand = Hand(top=(7, 9), one=(2,), two=(STAND,))
    assert play(hand, ONE_WINS).hand_results == [None, 0]


# Judging 4 and 5: one standing.


def test_active_player_two_above_the_stander_wins_at_once() -> None:
    hand = Hand(top=(5, 9), one=(STAND,), two=(END,))
    assert play(hand).hand_results == [1]


def test_active_player_one_above_the_stander_wins_at_once() -> None:
    hand = Hand(top=(3, 5, 4), one=(END, END), two=(STAND,))
    assert play(hand).hand_results == [0]  # 3 is below 5, 3 4 above


def test_a_lead_decides_nothing_while_both_are_active() -> None:
    hand = Hand(top=(10, 1, 2, 3), one=(END, STAND), two=(END, STAND))
    game = play(hand)
    assert game.hand_results == [0]
    assert len(game.decisions) == 4


def test_active_player_two_level_with_the_stander_plays_on() -> None:
    hand = Hand(top=(5, 5, 1), one=(STAND,), two=(END, END))
    assert play(hand).hand_results == [1]  # 5 5, then 5 against 6


def test_active_player_one_level_with_the_stander_plays_on() -> None:
    hand = Hand(top=(5, 5, 1), one=(END, END), two=(STAND,))
    assert play(hand).hand_results == [0]


def test_level_on_twenty_without_a_stand_is_a_bust_next_round() -> None:
    hand = Hand(top=(10, 10, 10, 10, 1), one=(END, STAND), two=(END, END, END))
    assert play(hand).hand_results == [0]  # 20 against 21


def test_level_with_a_stand_in_that_turn_keeps_the_tie() -> None:
    hand = Hand(top=(10, 10, 10, 10), one=(END, STAND), two=(END, STAND))
    assert play(hand, TWO_WINS).hand_results == [None, 1]


# Hand 5: the 2015 variant.


def test_2015_twenty_stands_unasked_and_is_seen_as_a_stand() -> None:
    hand = Hand(top=(10, 9, 10, 1, 10), one=(END,), two=(END, END))
    game = play(hand, ONE_WINS, rules=ONE_HAND_2015, side_hands=SIDE_HANDS_2015)
    assert game.hand_results == [None, 0]  # both stand on 20
    told = views(game, 1)[1]
    assert told.opponent_total == 20
    assert told.opponent_action == STAND
    assert not told.opponent_played


def test_2015_twenty_unasked_beats_a_stander() -> None:
    hand = Hand(top=(10, 10, 9, 10), one=(END, STAND), two=(END,))
    game = play(hand, rules=ONE_HAND_2015, side_hands=SIDE_HANDS_2015)
    assert game.hand_results == [1]


def test_2015_bust_is_asked_like_anywhere() -> None:
    hand = Hand(top=(10, 10, 9, 10, 2), one=(END, END, STAND), two=(END,))
    game = play(hand, rules=ONE_HAND_2015, side_hands=SIDE_HANDS_2015)
    assert game.hand_results == [1]  # 21 against 20


# The whole.


@pytest.mark.parametrize("rules", [TEXT, ORIGINAL_2015])
def test_random_games_end_and_add_up(rules: Rules) -> None:
    source = random.Random(51731)
    deck = whole_deck(rules)
    pool = [rank for rank in range(1, rules.side_ranks + 1) for _ in range(rules.side_copies)]

    def deck_of_hand(number: int) -> list[int]:
        return source.sample(deck, len(deck))

    def decide(seat: int, view: ReferenceView) -> int:
        return source.choice((END, END, END, STAND, *view.side_hand, 7))

    for _ in range(200):
        side_hands = [source.sample(pool, rules.side_hand) for _ in range(2)]
        game = play_game(rules, side_hands, deck_of_hand, decide)
        assert game.hands == (game.hand_results.count(0), game.hand_results.count(1))
        assert game.hands[game.winner] == rules.wins_needed
        assert game.hands[1 - game.winner] < rules.wins_needed
        assert all(decision.legal == (decision.reply != 7) for decision in game.decisions)
