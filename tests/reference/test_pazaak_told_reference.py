"""What the Pazaak reference engine tells a bot and a reader: expectations worked out by hand."""

from __future__ import annotations

from dataclasses import replace

from tests.reference.pazaak import END, STAND, TEXT, ReferenceView
from tests.reference.pazaak_script import (
    ONE_HAND_2015,
    ONE_WINS,
    SIDE_HANDS_2015,
    TIE,
    TWO_WINS,
    Hand,
    play,
    views,
)

# What a bot is told.


def test_everything_told_in_the_middle_of_a_game() -> None:
    plays = Hand(top=(10, 9), one=(4,), two=(STAND,))
    third = Hand(top=(2, 3, 7, 8), one=(END, 1), two=(END, STAND))
    game = play(plays, TIE, third, TWO_WINS, rules=replace(TEXT, wins_needed=2))
    assert game.hand_results == [0, None, 1, 1]
    assert views(game, 1)[3] == ReferenceView(
        wins=0,
        opponent_wins=1,
        first=False,
        hand=(3, 8),
        opponent_hand=(2, 7, 1),
        side_hand=(5, 4, 3, 2),
        opponent_side_cards=2,
        opponent_action=STAND,
        opponent_played=True,
        total=11,
        opponent_total=10,
        hand_number=2,
    )
    assert views(game, 0)[3] == ReferenceView(
        wins=1,
        opponent_wins=0,
        first=True,
        hand=(2, 7),
        opponent_hand=(3,),
        side_hand=(1, 2, 3),
        opponent_side_cards=4,
        opponent_action=END,
        opponent_played=False,
        total=9,
        opponent_total=3,
        hand_number=2,
    )


def test_the_last_action_is_of_this_hand_only() -> None:
    first = Hand(top=(1, 2, 3, 1), one=(END, STAND), two=(END, 5))
    game = play(first, TWO_WINS, rules=replace(TEXT, wins_needed=2))
    assert [view.opponent_action for view in views(game, 0)] == [None, END, None]
    assert [view.opponent_action for view in views(game, 1)] == [END, STAND, STAND]
    assert [view.opponent_played for view in views(game, 0)] == [False, False, False]


def test_a_played_card_is_told_in_the_same_hand_only() -> None:
    plays = Hand(top=(9, 8, 1), one=(END, STAND), two=(5,))
    game = play(plays, TWO_WINS, rules=replace(TEXT, wins_needed=2))
    assert game.hand_results == [1, 1]
    assert [view.opponent_played for view in views(game, 0)] == [False, True, False]
    assert [view.opponent_action for view in views(game, 0)] == [None, STAND, None]
    assert [view.opponent_side_cards for view in views(game, 0)] == [4, 3, 3]


# The transcript a reader expects.


def test_the_transcript_of_a_short_game() -> None:
    illegal = Hand(top=(7, 10, 9), one=(END, 2), two=(8,))
    bust = Hand(top=(10, 10, 9, 9, 2), one=(END, STAND), two=(END, END, END))
    game = play(illegal, TIE, bust, rules=replace(TEXT, wins_needed=2))
    assert game.transcript == [
        "New game.",
        "Hand 0, standings 0 to 0.",
        "Player one is dealt 7: () = 0, then (7) = 7.",
        "Player one ends its turn.",
        "Player two is dealt 10: () = 0, then (10) = 10.",
        "Player two answers 8, which is illegal, and so stands.",
        "Player one is dealt 9: (7) = 7, then (7 9) = 16.",
        "Player one plays 2 and stands: (7 9) = 16, then (7 9 2) = 18.",
        "Player one wins the hand, 18 to 10.",
        "Hand 1, standings 1 to 0.",
        "Player one is dealt 9: () = 0, then (9) = 9.",
        "Player one stands.",
        "Player two is dealt 9: () = 0, then (9) = 9.",
        "Player two stands.",
        "The hand is tied, 9 to 9.",
        "Hand 2, standings 1 to 0.",
        "Player one is dealt 10: () = 0, then (10) = 10.",
        "Player one ends its turn.",
        "Player two is dealt 10: () = 0, then (10) = 10.",
        "Player two ends its turn.",
        "Player one is dealt 9: (10) = 10, then (10 9) = 19.",
        "Player one stands.",
        "Player two is dealt 9: (10) = 10, then (10 9) = 19.",
        "Player two ends its turn.",
        "Player two is dealt 2: (10 9) = 19, then (10 9 2) = 21.",
        "Player two ends its turn.",
        "Player two bombs out with 21.",
        "Player one wins the hand, 19 to 21.",
        "Player one wins the game, 2 to 0.",
    ]


def test_the_transcript_tells_an_unasked_stand() -> None:
    hand = Hand(top=(10, 9, 10, 1, 10), one=(END,), two=(END, END))
    game = play(hand, ONE_WINS, rules=ONE_HAND_2015, side_hands=SIDE_HANDS_2015)
    assert "Player one stands on 20 unasked." in game.transcript
