"""The examples of the rules text of Azi, its formulas, and how often there is an Azi at all."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numba import njit

from benchmarks.azi import run
from harness.games.azi import CALL, NO_CARD, card, lowest, payout, playable, strength
from harness.games.azi.about import AziRules
from harness.games.azi.bank import _settle as compiled_settle
from harness.games.azi.payout import PAYOUTS
from tests.games.azi_tables import hand
from tests.reference.azi_cards import payout as reference_payout


def test_payout_examples() -> None:
    assert payout([40, 100, 100], 0) == [120, 60, 60]
    assert payout([35, 100, 100, 20], 0) == [112, 65, 65, 13]
    assert payout([40, 100], 0) == [80, 60]


def test_a_winner_who_has_paid_most_takes_the_bank() -> None:
    for rule in PAYOUTS:
        assert payout([100, 20, 100, 0], 2, rule) == [0, 0, 220, 0]


def test_matched_is_the_main_pot() -> None:
    assert payout([40, 100, 100], 0, "matched") == [120, 60, 60]
    assert payout([35, 100, 100, 20], 0, "matched") == [125, 65, 65, 0]


@pytest.mark.parametrize(
    ("paid", "winner", "rule"), [([1, 2], 2, "scaled"), ([0, 2], 0, "scaled"), ([1, 2], 0, "half")]
)
def test_a_payout_that_cannot_be_is_refused(paid: list[int], winner: int, rule: str) -> None:
    with pytest.raises(ValueError, match=r"winner|pays|payout"):
        payout(paid, winner, rule)


@given(
    st.lists(st.integers(0, 5000), min_size=2, max_size=6),
    st.integers(0, 5),
    st.sampled_from(PAYOUTS),
)
def test_payouts_add_up_and_are_those_of_the_reference(
    paid: list[int], winner: int, rule: Any
) -> None:
    winner %= len(paid)
    paid[winner] += 1
    shares = payout(paid, winner, rule)
    assert shares == reference_payout(paid, winner, rule)
    assert sum(shares) == sum(paid)
    assert paid[winner] <= shares[winner] <= sum(paid)
    assert all(shares[seat] <= paid[seat] for seat in range(len(paid)) if seat != winner)


def test_the_compiled_payout_is_the_public_one() -> None:
    """The same source, compiled as the rules do it."""
    rng = np.random.default_rng(1)
    for _ in range(500):
        paid = rng.integers(1, 60, rng.integers(2, 7)).astype(np.int32)
        winner, rule = int(rng.integers(len(paid))), int(rng.integers(2))
        shares = np.zeros(len(paid), np.int32)
        compiled_settle(paid, len(paid), winner, rule, shares)
        assert shares.tolist() == payout(paid.tolist(), winner, PAYOUTS[rule])


def mask(names: str) -> int:
    return sum(1 << each for each in hand(names))


@pytest.mark.parametrize(
    ("held", "led", "turn_up", "may"),
    [
        ("s6 hA", "s9", "hK", "s6"),  # must follow suit, even with a lower card
        ("h6 dA", "s9", "hK", "h6"),  # must trump
        ("d6 dA", "s9", "hK", "d6 dA"),
        ("h6 sA", "h9", "hA", "h6"),  # the six on stage follows as a trump
        ("h6 sA", "s9", "hA", "sA"),
    ],
)
def test_which_cards_may_be_played(held: str, led: str, turn_up: str, may: str) -> None:
    assert playable(mask(held), card(led), card(turn_up)) == mask(may)
    assert playable(mask(held), NO_CARD, card(turn_up)) == mask(held)


@pytest.mark.parametrize(
    ("better", "worse", "led", "turn_up"),
    [
        ("h6", "hK", "hK", "hA"),  # six on stage
        ("h7", "h6", "h6", "hK"),
        ("d7", "d6", "d6", "hA"),  # side suits are unchanged
        ("h6", "sA", "sA", "hK"),
        ("s7", "s6", "s6", "hK"),
    ],
)
def test_which_card_takes_the_trick(better: str, worse: str, led: str, turn_up: str) -> None:
    turn, lead = card(turn_up), card(led)
    assert strength(card(better), lead, turn) > strength(card(worse), lead, turn) > 0


def test_a_discard_never_wins() -> None:
    assert strength(card("dA"), card("s6"), card("hK")) == 0


def test_the_six_on_stage_is_not_the_lowest() -> None:
    assert lowest(mask("h6 sK"), card("hA")) == card("sK")
    assert lowest(mask("h6 sK"), card("hQ")) == card("h6")
    assert lowest(mask("h6"), card("hA")) == card("h6")


@njit
def greedy(frame: Any, n: int, replies: Any, state: Any) -> None:
    """Nobody folds; the top trump or highest card leads, the cheapest winner or lowest follows."""
    for k in range(n):
        record = frame[k]
        legal, turn_up = np.int64(record.legal), np.int64(record.turn_up)
        if legal == 0:
            replies[k].code = CALL if record.may_call else record.least
            continue
        trick = 0
        while trick < 2 and record.leaders[trick + 1]:
            trick += 1
        led, best = NO_CARD, 0
        if record.played[6 * trick + record.leaders[trick] - 1]:
            led = np.int64(record.played[6 * trick + record.leaders[trick] - 1]) - 1
        for seat in range(6):
            if record.played[6 * trick + seat]:
                best = max(best, _strength(record.played[6 * trick + seat] - 1, led, turn_up))
        chosen, value = NO_CARD, 0
        for each in range(27):
            if legal >> each & 1:
                worth = _strength(each, each if led == NO_CARD else led, turn_up)
                if (led == NO_CARD and worth > value) or (
                    led >= 0 and worth > best and (chosen == NO_CARD or worth < value)
                ):
                    chosen, value = each, worth
        replies[k].code = _lowest(legal, turn_up) if chosen == NO_CARD else chosen


_strength, _lowest = njit(strength), njit(lowest)


@pytest.mark.parametrize(("seats", "chance"), [(3, 0.139), (4, 0.261), (5, 0.358), (6, 0.436)])
def test_how_often_greedy_players_come_to_azi(seats: int, chance: float) -> None:
    rules = AziRules(seats=seats, session_deals=1)
    points = run(rules, 30_000, greedy, bytes([7] * 32)).points  # of one deal: an Azi goes back
    assert abs(float((points == 0).all(axis=1).mean()) - chance) < 0.01
