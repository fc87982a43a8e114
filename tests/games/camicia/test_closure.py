"""Backward closure: rounds undone, checked by playing them again."""

from __future__ import annotations

import numpy as np
import pytest

from harness.games.camicia import closure, engine, lockstep
from harness.games.camicia.deals import pack_deal
from harness.games.camicia.records import records

_26 = np.uint64(26)


def _row(deal: str) -> np.ndarray:
    return np.array(pack_deal(deal), np.uint64)


def _predecessors(state: np.ndarray) -> np.ndarray:
    stack = np.zeros((100, 6), np.uint64)
    return stack[: closure._predecessors(state, stack, 0)]


def _after(state: np.ndarray) -> tuple[np.ndarray, int]:
    """The state after one round, and the cards laid in it."""
    xm, xq, xn, ym, yq = state[:5]
    new = engine.play_round(xm, xq, xn, ym, yq, np.uint64(52) - xn)
    return np.array([new[0], new[1], new[2], new[3], new[4], 0], np.uint64), int(new[7])


def test_every_round_can_be_undone_and_nothing_else() -> None:
    """Along random games: the state before is among the predecessors, and all lead back."""
    seen = 0
    for am, aq, bm, bq in lockstep.random_deals(3, 0, 40):
        state = np.array([am, aq, 26, bm, bq, 0], np.uint64)
        while True:
            after, _ = _after(state)
            if after[2] == 52:
                break
            before = _predecessors(after)
            assert (before[:, :5] == state[:5]).all(axis=1).sum() == 1
            for one in before:
                again, laid = _after(one)
                assert (again[:5] == after[:5]).all()
                assert one[5] == laid  # `after` counts no cards to the end
            assert len(np.unique(before, axis=0)) == len(before)
            seen += len(before)
            state = after
    assert seen > 2000


@pytest.mark.parametrize("ahead", [0, 30])
def test_closure_of_the_longest_game(ahead: int) -> None:
    record = max(records(), key=lambda record: record.claimed.cards)
    deal = _row(record.deal)
    deals, cards = closure.closure(deal, ahead=ahead)
    assert (deals == deal).all(axis=1).sum() == 1
    assert (lockstep.lengths(deals) == cards).all()
    assert len(np.unique(deals, axis=0)) == len(deals)
    few, longest = closure.closure(deal, ahead=ahead, at_least=record.claimed.cards)
    assert (longest >= record.claimed.cards).all()
    assert len(few) == (cards >= record.claimed.cards).sum()


def test_closure_finds_a_longer_game_than_it_began_with() -> None:
    """The record of 2006, closed after ten rounds, leads to games of over 7,500 cards."""
    record = next(record for record in records() if record.year == 2006)
    deals, cards = closure.closure(_row(record.deal), ahead=10)
    best = deals[cards.argmax()]
    assert cards.max() > 7500
    assert lockstep.lengths(best[None]).tolist() == [cards.max()]


def test_a_large_closure_is_complete() -> None:
    """Ahead of the end of the game there are more deals than the first guess has room for."""
    deal = _row(records()[0].deal)
    deals, cards = closure.closure(deal, ahead=760)
    assert len(deals) > 1024
    assert (lockstep.lengths(deals) == cards).all()
    fewer, _ = closure.closure(deal, ahead=120)
    assert {row.tobytes() for row in fewer} <= {row.tobytes() for row in deals}


def test_a_loop_has_none() -> None:
    loop = next(record for record in records() if record.claimed.status == "loop")
    with pytest.raises(ValueError, match="does not end"):
        closure.closure(_row(loop.deal))
