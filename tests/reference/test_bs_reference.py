"""The reference engine of BS against the rules text: every expectation was worked out by hand."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import pytest

from tests.reference.bs import (
    Called,
    Fault,
    Laid,
    Outcome,
    ReferenceView,
    play_game,
)

LOW = (0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3)
"""The first of four hands that deal the ranks from the bottom."""
SORTED = (
    LOW,
    (3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 6, 6),
    (6, 6, 7, 7, 7, 7, 8, 8, 8, 8, 9, 9, 9),
    (9, 10, 10, 10, 10, 11, 11, 11, 11, 12, 12, 12, 12),
)
RAINBOW = (tuple(range(13)),) * 4
"""Everybody holds one of each rank."""


@dataclass(frozen=True)
class Turn:
    """One turn: what the mover lays, who calls, and the draws that must be asked for."""

    lay: object
    callers: tuple[int, ...] = ()
    draws: tuple[tuple[str, int, int], ...] = ()
    """Purpose, how many there are to choose from, which one it is."""


@dataclass(frozen=True)
class Played:
    """A scripted game and all views of its decisions."""

    outcome: Outcome
    views: list[ReferenceView]

    def of(self, kind: str, seat: int) -> list[ReferenceView]:
        return [view for view in self.views if (view.kind, view.seat) == (kind, seat)]


def play(*turns: Turn, deal: Sequence[Sequence[int]] = SORTED, rounds: int = 1000) -> Played:
    """Play a game of exactly these turns, in which nobody is asked more or less than it answers."""
    views: list[ReferenceView] = []
    draws = [(purpose, number, index) for turn in turns for purpose, number, index in turn.draws]

    def decide(seat: int, view: ReferenceView) -> object:
        assert seat == view.seat
        turn = sum(isinstance(event, Laid) for event in view.events) - (view.kind == "call")
        assert turn < len(turns), "a turn too many"
        views.append(view)
        return turns[turn].lay if view.kind == "lay" else seat in turns[turn].callers

    def draw(number: int, purpose: str) -> int:
        assert draws, "a draw too many"
        expected, size, index = draws.pop(0)
        assert (purpose, number) == (expected, size)
        return index

    outcome = play_game(deal, decide, draw, rounds)
    assert not draws, "a draw nobody asked for"
    assert outcome.turns == len(turns)
    return Played(outcome, views)


def never_drawn(number: int, purpose: str) -> int:
    raise AssertionError(f"nothing to draw here: {purpose} of {number}")


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


# Told.


def test_everything_told_in_the_middle_of_a_game() -> None:
    game = play(
        Turn((0, 3)),
        Turn((6, 3), callers=(3,), draws=(("card", 13, 0),)),
        Turn((9, 9)),
        Turn((12,)),
        rounds=1,
    )
    events = (
        Laid(0, 0, 2),
        Laid(1, 1, 2),
        Called(3, 1, True, 1, 4),
        Laid(2, 2, 2),
    )
    assert game.of("call", 0)[1] == ReferenceView(
        kind="call",
        seat=0,
        hand=(0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2),
        hand_sizes=(11, 15, 11, 12),
        pile_size=3,
        mover=2,
        rank=2,
        laid=2,
        events=events,
    )
    assert game.of("lay", 3)[0] == ReferenceView(
        kind="lay",
        seat=3,
        hand=(10, 10, 10, 10, 11, 11, 11, 11, 12, 12, 12, 12),
        hand_sizes=(11, 15, 11, 12),
        pile_size=3,
        mover=3,
        rank=3,
        laid=0,
        events=events,
    )


def test_the_start_and_the_end_of_every_round_are_told() -> None:
    told: list[ReferenceView] = []

    def decide(seat: int, view: ReferenceView) -> object:
        return (view.rank,) if view.kind == "lay" else False

    def tell(seat: int, view: ReferenceView) -> None:
        assert seat == view.seat
        told.append(view)

    play_game(RAINBOW, decide, never_drawn, 2, tell)
    kinds = [(view.kind, view.seat) for view in told]
    assert kinds == [(kind, seat) for kind in ("start", "round", "round") for seat in range(4)]
    assert [view.hand for view in told[:4]] == list(RAINBOW)
    assert {view.events for view in told[:4]} == {()}
    assert {(view.mover, view.rank, view.pile_size) for view in told[:4]} == {(0, 0, 0)}
    assert {(view.mover, view.rank, view.pile_size) for view in told[4:8]} == {(0, 4, 4)}
    assert {(view.mover, view.rank, view.pile_size) for view in told[8:]} == {(0, 8, 8)}


def test_a_round_whose_fourth_turn_wins_is_not_told() -> None:
    told = []

    def decide(seat: int, view: ReferenceView) -> object:
        return (view.hand if seat == 3 else view.hand[:1]) if view.kind == "lay" else False

    play_game(SORTED, decide, never_drawn, tell=lambda seat, view: told.append(view.kind))
    assert told == ["start"] * 4


# Faults.


@pytest.mark.parametrize(
    "reply",
    [
        *((), [], None, 0, "0", b"\x00", {0}, (0, 7), (0, 0, 0), (4, 4, 4, 4, 4), (13,), (-1,)),
        *((0.0,), ("0",), (False,), (None,), ((0,),), (0, True)),
    ],
)
def test_an_illegal_play_lays_the_lowest_card(reply: object) -> None:
    deal = ((4, 1, 0, 4, 1, 0, 4, 1, 4, 2, 2, 2, 2), (3, 3, 3, 3, 0, 0, 1, 5, 5, 5, 5, 6, 6))
    turns = (Turn(reply, callers=(1,)), Turn((3,)), Turn((6,)), Turn((9,)))
    game = play(*turns, deal=(*deal, *SORTED[2:]), rounds=1)
    assert game.outcome.faults == (Fault(0, 0, "lay", reply),)
    assert game.outcome.events[:2] == (Laid(0, 0, 1), Called(1, 0, False, 1, 1))
    assert game.outcome.hands[0] == (4, 1, 4, 1, 0, 4, 1, 4, 2, 2, 2, 2)


def test_a_list_is_as_good_as_a_tuple() -> None:
    game = play(Turn([0, 0]), Turn((3,)), Turn((6,)), Turn((9,)), rounds=1)
    assert game.outcome.faults == ()
    assert game.outcome.pile == (0, 0, 3, 6, 9)


def test_a_card_that_left_the_hand_cannot_be_laid_again() -> None:
    quiet = (Turn((3,)), Turn((6,)), Turn((10,)))
    game = play(Turn((0, 0, 0, 0)), *quiet, Turn((0,)), *quiet, rounds=2)
    assert game.outcome.faults == (Fault(4, 0, "lay", (0,)),)
    assert game.outcome.pile == (0, 0, 0, 0, 3, 6, 10, 1, 3, 6, 10)


def test_an_illegal_last_card_is_laid_and_can_win() -> None:
    game = play(Turn(LOW[:12]), Turn((3,)), Turn((6,)), Turn((9,)), Turn(()))
    assert game.outcome.winner == 0
    assert game.outcome.faults == (Fault(4, 0, "lay", ()),)


@pytest.mark.parametrize("reply", [1, "yes", None, (True,), 0])
def test_a_call_that_is_not_true_or_false_is_no_call(reply: object) -> None:
    def decide(seat: int, view: ReferenceView) -> object:
        if view.kind == "lay":
            return view.hand[:1]
        return reply if seat == 2 else False

    outcome = play_game(SORTED, decide, never_drawn, 1)
    assert outcome.pile == (0, 3, 6, 9)
    assert outcome.faults == tuple(Fault(turn, 2, "call", reply) for turn in (0, 1, 3))


# What play_game refuses.


@pytest.mark.parametrize(
    "deal",
    [
        SORTED[:3],
        (*SORTED, ()),
        (LOW[:12], (*SORTED[1], 3), *SORTED[2:]),
        ((13, *LOW[1:]), *SORTED[1:]),
        ((1, *LOW[1:]), *SORTED[1:]),
    ],
)
def test_a_deal_that_is_not_the_deck_is_refused(deal: Sequence[Sequence[int]]) -> None:
    with pytest.raises(ValueError, match="a deal is"):
        play_game(deal, lambda seat, view: False, never_drawn)


@pytest.mark.parametrize("index", [-1, 3])
def test_a_draw_out_of_range_is_refused(index: int) -> None:
    def decide(seat: int, view: ReferenceView) -> object:
        return view.hand[:1] if view.kind == "lay" else True

    with pytest.raises(ValueError, match="draw of a caller"):
        play_game(SORTED, decide, lambda number, purpose: index)


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
