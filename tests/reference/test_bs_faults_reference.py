"""Illegal answers, deals and draws given to the reference engine of BS."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from tests.reference.bs import Called, Fault, Laid, ReferenceView, play_game
from tests.reference.bs_script import LOW, SORTED, Turn, never_drawn, play

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
