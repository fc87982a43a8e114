"""The decks and side hands of the Pazaak reference engine: expectations worked out by hand."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.reference.pazaak import END, ORIGINAL_2015, STAND, TEXT, DeckExhausted, play_game
from tests.reference.pazaak_script import ONE_WINS, SIDE_HANDS, TIE, Hand, play, views, whole_deck


def test_the_counts_of_the_text_and_of_2015() -> None:
    assert len(whole_deck(TEXT)) == 40
    assert TEXT.side_copies * TEXT.side_ranks == 10
    assert TEXT.side_hand == 4
    assert len(whole_deck(ORIGINAL_2015)) == 50
    assert ORIGINAL_2015.side_copies * ORIGINAL_2015.side_ranks == 15
    assert ORIGINAL_2015.side_hand == 5


def test_every_hand_has_its_own_deck_and_is_counted_from_zero() -> None:
    asked = []

    def deck_of_hand(number: int) -> list[int]:
        asked.append(number)
        return whole_deck(TEXT, (9, 9) if number == 1 else (10, 9))

    game = play_game(TEXT, SIDE_HANDS, deck_of_hand, lambda seat, view: STAND)
    assert asked == [0, 1, 2, 3]
    assert game.hand_results == [0, None, 0, 0]


def test_a_played_card_is_gone_for_the_rest_of_the_game() -> None:
    plays = Hand(top=(10, 9), one=(4,), two=(STAND,))
    game = play(plays, TIE, ONE_WINS, rules=replace(TEXT, wins_needed=2))
    assert [view.side_hand for view in views(game, 0)] == [(1, 2, 3, 4), (1, 2, 3), (1, 2, 3)]
    assert [view.opponent_side_cards for view in views(game, 1)] == [3, 3, 3]
    assert [view.opponent_side_cards for view in views(game, 0)] == [4, 4, 4]


def test_of_two_equal_side_cards_the_first_drawn_is_played() -> None:
    plays = Hand(top=(10, 9), one=(3,), two=(STAND,))
    game = play(
        plays,
        ONE_WINS,
        rules=replace(TEXT, wins_needed=2),
        side_hands=((3, 1, 3, 2), (1, 2, 3, 4)),
    )
    assert views(game, 1)[0].opponent_hand == (10, 3)
    assert views(game, 0)[1].side_hand == (1, 3, 2)


@pytest.mark.parametrize("cards", [(1, 2, 3), (1, 2, 3, 4, 5), (1, 1, 1, 2), (1, 2, 3, 6)])
def test_a_side_hand_the_pool_cannot_give_is_refused(cards: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="side hand"):
        play(ONE_WINS, side_hands=(SIDE_HANDS[0], cards))


@pytest.mark.parametrize("deck", [whole_deck(TEXT)[1:], whole_deck(ORIGINAL_2015)])
def test_a_deck_of_other_cards_is_refused(deck: list[int]) -> None:
    with pytest.raises(ValueError, match="main deck"):
        play_game(TEXT, SIDE_HANDS, lambda number: deck, lambda seat, view: STAND)


def test_a_deck_that_runs_out_is_an_error() -> None:
    endless = replace(TEXT, target=300)
    with pytest.raises(DeckExhausted, match="Player one"):
        play_game(endless, SIDE_HANDS, lambda number: whole_deck(endless), lambda seat, view: END)


def test_the_longest_hand_takes_eighteen_cards() -> None:
    # 1 1 2 2 3 3 4 4 make twenty for either player, and the next five busts it.
    longest = Hand(top=(), one=(END,) * 9, two=(END,) * 9)
    game = play(longest, ONE_WINS)
    assert game.hand_results == [None, 0]
    assert views(game, 1)[8].hand == (1, 1, 2, 2, 3, 3, 4, 4, 5)
    assert views(game, 1)[8].opponent_hand == (1, 1, 2, 2, 3, 3, 4, 4, 5)
