"""The reference engine of BS against the rules text: every expectation was worked out by hand."""

from __future__ import annotations

import random
from collections import Counter
from typing import Literal

import pytest

from tests.reference.bs import Called, Laid, Outcome, ReferenceView, play_game
from tests.reference.bs_script import LOW, RAINBOW, SORTED, Turn, play

# Game: who moves, and what is to be laid.


def test_the_rank_goes_up_every_turn_and_wraps_whatever_is_called() -> None:
    turns = [Turn((turn % 13,)) for turn in range(16)]
    turns[2] = Turn((2,), callers=(3,))  # honest
    turns[3] = Turn((12,), callers=(0,), draws=(("card", 12, 0),))  # a lie
    game = play(*turns, deal=RAINBOW, rounds=4)
    lays = [view for view in game.views if view.kind == "lay"]
    assert [view.rank for view in lays] == [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 0, 1, 2]
    assert [view.seat for view in lays] == [0, 1, 2, 3] * 4
    claims = [event.rank for event in game.outcome.events if isinstance(event, Laid)]
    assert claims == [view.rank for view in lays]


def test_the_three_others_are_asked_in_order_after_the_mover() -> None:
    game = play(Turn((0,)), Turn((3,)), Turn((6,)), Turn((9,)), rounds=1)
    asked = [(view.kind, view.seat) for view in game.views[:8]]
    assert asked == [
        *(("lay", 0), ("call", 1), ("call", 2), ("call", 3)),
        *(("lay", 1), ("call", 2), ("call", 3), ("call", 0)),
    ]
    assert {view.mover for view in game.views[4:8]} == {1}


def test_a_hand_of_thirteen_can_be_laid_at_once() -> None:
    game = play(Turn(LOW))
    assert game.outcome.winner == 0
    assert game.outcome.pile == LOW
    assert game.outcome.events == (Laid(0, 0, 13),)


def test_cards_leave_by_position_and_reach_the_pile_in_the_order_laid() -> None:
    deal = ((5, 0, 5, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3), (3, 3, 3, 4, 4, 4, 4, 0, 0, 5, 5, 6, 6))
    game = play(
        Turn((0, 5, 0)),
        Turn((3, 4), callers=(3,), draws=(("card", 13, 12),)),
        Turn((9,)),
        Turn((9,)),
        deal=(*deal, *SORTED[2:]),
        rounds=1,
    )
    assert game.of("call", 0)[0].hand == (5, 1, 1, 1, 1, 2, 2, 2, 2, 3)
    # Seat 1 laid 3 4 for 1 and takes its own cards too, the oldest first, unsorted.
    expected = (3, 3, 4, 4, 4, 0, 0, 5, 5, 6, 6, 0, 5, 0, 3, 4)
    assert game.of("call", 1)[1].hand == expected
    assert game.outcome.hands[1] == expected


# Game: calls.


def test_nobody_calls_and_the_pile_stays() -> None:
    game = play(Turn((3,)), Turn((6, 6)), Turn((2,)), Turn((10,)), rounds=1)
    assert game.outcome.pile == (3, 6, 6, 6, 10)
    assert game.outcome.winner is None
    assert [len(hand) for hand in game.outcome.hands] == [12, 11, 12, 12]


def test_the_honest_mover_is_called_and_the_caller_takes_the_pile() -> None:
    game = play(Turn((0, 0), callers=(2,)), Turn((3,)), Turn((0,)), Turn((9,)), rounds=1)
    assert game.of("lay", 2)[0].hand == (*SORTED[2], 0, 0)
    assert game.of("lay", 1)[0].pile_size == 0
    assert game.outcome.events[:2] == (Laid(0, 0, 2), Called(2, 0, False, 2, 2))
    assert game.outcome.pile == (3, 0, 9)


def test_the_liar_is_called_takes_the_pile_and_the_callers_card_starts_the_new_one() -> None:
    game = play(
        Turn((0,)),
        Turn((6, 3), callers=(3,), draws=(("card", 13, 0),)),
        Turn((9,)),
        Turn((12,)),
        rounds=1,
    )
    assert game.outcome.hands[1] == (3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 6, 0, 6, 3)
    assert game.of("lay", 3)[0].hand == (10, 10, 10, 10, 11, 11, 11, 11, 12, 12, 12, 12)
    assert game.of("lay", 2)[0].pile_size == 1
    assert game.of("lay", 2)[0].hand_sizes == (12, 14, 13, 12)
    assert game.outcome.events[2] == Called(3, 1, True, 1, 3)
    assert game.outcome.pile == (9, 9, 12)


def test_any_other_rank_among_the_laid_is_a_lie() -> None:
    game = play(
        Turn((0, 0, 0, 0, 1), callers=(1,), draws=(("card", 13, 12),)),
        Turn((3,)),
        Turn((6,)),
        Turn((9,)),
        rounds=1,
    )
    assert game.outcome.events[1] == Called(1, 0, True, 0, 5)
    assert game.outcome.hands[0] == (1, 1, 1, 2, 2, 2, 2, 3, 0, 0, 0, 0, 1)


@pytest.mark.parametrize(("index", "caller", "cards"), [(0, 2, 13), (1, 3, 13), (2, 0, 12)])
def test_one_of_several_callers_is_drawn_and_the_others_lose_nothing(
    index: int, caller: int, cards: int
) -> None:
    game = play(
        Turn((0,)),
        Turn((4,), callers=(0, 2, 3), draws=(("caller", 3, index), ("card", cards, 0))),
        *(Turn((7,)), Turn((10,))),
        rounds=1,
    )
    assert game.outcome.events[2] == Called(caller, 1, True, 1, 2)
    sizes = [12, 14, 13, 13]
    sizes[caller] -= 1
    assert game.of("lay", 2)[0].hand_sizes == tuple(sizes)


def test_several_wrong_callers_one_takes_the_pile() -> None:
    game = play(
        Turn((0,), callers=(1, 3), draws=(("caller", 2, 1),)),
        *(Turn((3,)), Turn((6,)), Turn((9,))),
        rounds=1,
    )
    assert game.outcome.events[1] == Called(3, 0, False, 3, 1)
    assert [len(hand) for hand in game.outcome.hands] == [12, 12, 12, 13]


def test_nobody_sees_what_the_others_call() -> None:
    game = play(
        Turn((0,), callers=(1, 2, 3), draws=(("caller", 3, 0),)),
        *(Turn((3,)), Turn((6,)), Turn((9,))),
        rounds=1,
    )
    first = game.views[1:4]
    assert [view.kind for view in first] == ["call"] * 3
    assert {view.events for view in first} == {(Laid(0, 0, 1),)}
    assert {view.hand_sizes for view in first} == {(12, 13, 13, 13)}
    assert {view.pile_size for view in first} == {1}


# Game: the end.


def test_one_can_go_out_on_a_lie_if_nobody_calls() -> None:
    game = play(Turn((0,)), Turn(SORTED[1]))
    assert game.outcome.winner == 1
    assert game.outcome.turns == 2


def test_going_out_on_a_lie_fails_if_it_is_called() -> None:
    game = play(
        Turn((0,)),
        Turn(SORTED[1], callers=(2,), draws=(("card", 13, 3),)),
        *(Turn((9,)), Turn((9,))),
        rounds=1,
    )
    assert game.outcome.winner is None
    assert game.outcome.hands[1] == (0, *SORTED[1])
    assert game.of("call", 0)[0].hand_sizes == (12, 0, 13, 13)
    assert game.outcome.pile == (7, 9, 9)


def test_going_out_honestly_wins_and_the_caller_takes_the_pile() -> None:
    deal = ((4, *LOW[1:]), (3, 3, 3, 0, 4, 4, 4, 5, 5, 5, 5, 6, 6), *SORTED[2:])
    game = play(
        Turn(LOW[1:]),
        *(Turn((3,)), Turn((6,)), Turn((9,))),
        Turn((4,), callers=(1, 3), draws=(("caller", 2, 0),)),
        deal=deal,
    )
    assert game.outcome.winner == 0
    assert game.outcome.events[-1] == Called(1, 0, False, 1, 16)
    assert len(game.outcome.hands[1]) == 12 + 16
    assert game.outcome.pile == ()


def test_a_right_call_with_one_card_left_wins() -> None:
    game = play(Turn(LOW[:12]), Turn((3,), callers=(0,), draws=(("card", 1, 0),)))
    assert game.outcome.winner == 0
    assert game.outcome.pile == (3,)
    assert game.outcome.hands[1] == (*SORTED[1][1:], *LOW[:12], 3)


def test_a_right_call_with_one_card_left_beats_the_liar_who_is_out() -> None:
    """Two empty hands at once cannot happen: the liar has the pile."""
    game = play(Turn(LOW[:12]), Turn(SORTED[1], callers=(0,), draws=(("card", 1, 0),)))
    assert game.outcome.winner == 0
    assert len(game.outcome.hands[1]) == 25


def test_a_wrong_call_with_one_card_left_does_not_win() -> None:
    deal = ((0, 0, 0, 0, 3, 1, 1, 1, 2, 2, 2, 2, 3), (1, 3, 3, *SORTED[1][3:]), *SORTED[2:])
    turns = (Turn(deal[0][:12]), Turn((1,), callers=(0,)), Turn((6,)), Turn((9,)))
    game = play(*turns, deal=deal, rounds=1)
    assert game.outcome.winner is None
    assert game.outcome.hands[0] == (3, *deal[0][:12], 1)


def test_a_right_caller_with_one_card_left_who_is_not_drawn_does_not_win() -> None:
    game = play(
        Turn(LOW[:12]),
        Turn((3,), callers=(0, 2), draws=(("caller", 2, 0), ("card", 13, 0))),
        *(Turn((6,)), Turn((9,))),
        rounds=1,
    )
    assert game.outcome.winner is None
    assert game.outcome.events[2] == Called(2, 1, True, 1, 13)


def lie_for_ever(seat: int, view: ReferenceView) -> object:
    """One wrong card, and the next player calls: all hands keep their sizes, give or take one."""
    if view.kind == "call":
        return seat == (view.mover + 1) % 4
    return [rank for rank in view.hand if rank != view.rank][:1]


def first(number: int, purpose: str) -> int:
    return 0


@pytest.mark.parametrize("rounds", [1, 2, 7])
def test_no_winner_after_the_last_round(rounds: int) -> None:
    outcome = play_game(RAINBOW, lie_for_ever, first, rounds)
    assert outcome.winner is None
    assert outcome.turns == 4 * rounds


def test_a_thousand_rounds_are_the_limit() -> None:
    outcome = play_game(RAINBOW, lie_for_ever, first)
    assert outcome.winner is None
    assert outcome.turns == 4000
    assert len(outcome.events) == 8000


def test_a_hand_emptied_in_the_last_turn_wins() -> None:
    game = play(Turn((0,)), Turn((3,)), Turn((6,)), Turn(SORTED[3]), rounds=1)
    assert game.outcome.winner == 3
    assert game.outcome.turns == 4


# The whole.


def random_games(number: int, seed: int) -> tuple[list[Outcome], list[int]]:
    """Random play of the text's speed figures; returns the games and their decisions."""
    source = random.Random(seed)
    deck = [rank for rank in range(13) for _ in range(4)]
    outcomes, asked = [], []
    for _ in range(number):
        source.shuffle(deck)
        decisions = 0

        def decide(seat: int, view: ReferenceView) -> object:
            nonlocal decisions
            decisions += 1
            assert sum(view.hand_sizes) + view.pile_size == 52
            if view.kind == "call":
                assert len(view.hand) > 0
                return source.random() < 0.5
            lay = [rank for rank in view.hand if source.random() < 0.5]
            return lay or [source.choice(view.hand)]

        def draw(number: int, purpose: Literal["caller", "card"]) -> int:
            return source.randrange(number)

        hands = [deck[13 * seat : 13 * seat + 13] for seat in range(4)]
        outcomes.append(play_game(hands, decide, draw))
        asked.append(decisions)
    return outcomes, asked


def test_random_games_keep_the_deck_and_end() -> None:
    outcomes, asked = random_games(150, 60917)
    for outcome, decisions in zip(outcomes, asked, strict=True):
        cards = Counter(outcome.pile) + Counter(rank for hand in outcome.hands for rank in hand)
        assert set(cards.values()) == {4}
        assert outcome.winner is not None
        assert outcome.hands[outcome.winner] == ()
        assert decisions == 4 * outcome.turns
        assert not outcome.faults
    turns = sum(outcome.turns for outcome in outcomes) / len(outcomes)
    assert turns == pytest.approx(50, abs=8)  # "about 50 turns", 200 decisions
