"""Camicia: deals as text, the plain game, the exact engine and the one in lockstep."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.games.camicia import engine, lockstep, trace
from harness.games.camicia.deals import (
    DealError,
    contest_deal,
    pack,
    pack_deal,
    parse_deal,
    parse_deck,
    unpack,
    unpack_deal,
)
from harness.games.camicia.records import Record, records
from tests.reference import camicia as reference

EXAMPLES = [
    ("2 A 7 8 Q 10", "3 4 5 6 K 9 J", ("finished", 13, 1)),
    ("J 2 3", "4 J 5", ("loop", 8, 3)),
    # Decks come back to where they were, but with the other player to start: no loop.
    ("- J -", "- - J -", ("finished", 13, 3)),
    # Whoever has to lay and has none loses the pile, be it empty.
    ("", "J", ("finished", 0, 1)),
    ("-", "", ("finished", 1, 1)),
    ("J", "", ("finished", 1, 1)),
    # A's last card is a payment card: it is still in, and gets the pile.
    ("J", "- 2", ("finished", 4, 2)),
]
PACK = "-" * 36 + "JQKA" * 4
DECKS = st.text("---JQKA", max_size=12)


def shuffled(rng: random.Random) -> str:
    cards = list(PACK)
    rng.shuffle(cards)
    return "".join(cards[:26]) + "/" + "".join(cards[26:])


@pytest.mark.parametrize(("a", "b", "outcome"), EXAMPLES)
def test_examples(a: str, b: str, outcome: tuple[str, int, int]) -> None:
    decks = parse_deck(a), parse_deck(b)
    assert trace.simulate(*decks) == outcome
    assert engine.simulate(*decks) == outcome


@pytest.mark.parametrize("record", records(), ids=lambda record: str(record.claimed.cards))
def test_records(record: Record) -> None:
    assert record.replay() == record.claimed
    assert engine.simulate(*record.deal.split("/")) == record.claimed


@given(DECKS, DECKS)
def test_small_decks_agree(a: str, b: str) -> None:
    """Small decks loop often, which deals of a whole pack hardly ever do."""
    assert engine.simulate(a, b) == trace.simulate(a, b)


@given(DECKS, DECKS)
def test_a_loop_is_reported_at_its_first_repetition(a: str, b: str) -> None:
    """Against states kept in a set, the plainest loop test there is."""
    outcome = trace.simulate(a, b)
    steps = [step for step in trace.trace(a, b) if step.event.endswith("takes the pile")]
    states = [(a, b, "A"), *((step.a, step.b, step.debtor) for step in steps)]
    assert len(steps) == outcome.tricks
    assert len(set(states[:-1])) == outcome.tricks
    if outcome.status == "loop":
        assert states[-1] in states[:-1]
    else:
        assert not (steps[-1].a and steps[-1].b)


def test_lockstep_agrees_with_the_exact_engine() -> None:
    """20,000 random deals, and more of them than a multiple of the lanes."""
    deals = lockstep.random_deals(1, 0, 20_011)
    assert len(np.unique(deals, axis=0)) == len(deals)
    for row, cards in zip(deals, lockstep.lengths(deals), strict=True):
        status, laid, _ = engine.simulate(*unpack_deal(row).split("/"))
        assert cards == (laid if status == "finished" else 0)


def _agree_with_the_reference(seed: int, deals: int) -> None:
    rng = random.Random(seed)
    for _ in range(deals):
        decks = shuffled(rng).split("/")
        expected = reference.simulate(*decks)
        assert engine.simulate(*decks) == tuple(expected)
        assert trace.simulate(*decks) == tuple(expected)


def test_the_reference_agrees() -> None:
    _agree_with_the_reference(seed=2, deals=500)


@pytest.mark.slow
def test_the_reference_agrees_on_twenty_thousand_deals() -> None:
    _agree_with_the_reference(seed=3, deals=20_000)


@given(DECKS, DECKS)
def test_the_reference_agrees_on_small_decks(a: str, b: str) -> None:
    assert engine.simulate(a, b) == tuple(reference.simulate(a, b))


def test_lockstep_knows_long_games_and_loops() -> None:
    known = records()
    rows = np.array([pack_deal(record.deal) for record in known], np.uint64)
    expected = [r.claimed.cards if r.claimed.status == "finished" else 0 for r in known]
    assert lockstep.lengths(rows).tolist() == expected
    assert lockstep.lengths(rows[:0]).tolist() == []


def test_random_deals_are_a_sequence_of_fair_deals() -> None:
    deals = lockstep.random_deals(9, 0, 30_000)
    assert (lockstep.random_deals(9, 10_000, 500) == deals[10_000:10_500]).all()
    assert (lockstep.random_deals(10, 0, 500) != deals[:500]).any(axis=1).all()
    texts = [unpack_deal(row) for row in deals]
    assert all(contest_deal(text) == text for text in texts[:200])
    # Every card in every place as often as any other: 30,000 / 13 times, give or take six sigma.
    places = np.array([list(text.replace("/", "")) for text in texts])
    for payment in "JQKA":
        found = (places == payment).sum(axis=0)
        assert abs(found - 30_000 / 13).max() < 6 * np.sqrt(30_000 / 13)
    # The prices come in any order: of two that follow each other, 3 in 15 are equal; so are those
    # of the two halves that are drawn apart.
    prices = np.array([list(text.replace("/", "").replace("-", "")) for text in texts])
    equal = (prices[:, 1:] == prices[:, :-1]).mean(axis=0)
    assert equal == pytest.approx(0.2, abs=0.015)
    assert (prices[:, 0] == prices[:, 15]).mean() == pytest.approx(0.2, abs=0.015)
    # And neighbours are independent: payment cards side by side, 51 * (16 * 15) / (52 * 51).
    paid = places != "-"
    pairs = (paid[:, 1:] & paid[:, :-1]).sum() / len(deals)
    assert pairs == pytest.approx(51 * 16 * 15 / (52 * 51), abs=0.05)


def test_engine_limits() -> None:
    assert engine.simulate("-" * 40, "-" * 23) == trace.simulate("-" * 40, "-" * 23)
    with pytest.raises(DealError, match="64 cards"):
        engine.simulate("-" * 40, "-" * 24)
    with pytest.raises(DealError, match="32 of them payment cards"):
        engine.simulate("J" * 32, "-")
    assert trace.simulate("J" * 32, "-").status == "finished"


@given(st.text("-JQKA", max_size=31))
def test_packing(deck: str) -> None:
    assert unpack(*pack(deck)) == deck


def test_decks_as_text() -> None:
    assert parse_deck(" 10, J 2,Q  A ") == "-J-QA"
    assert parse_deck("- J -") == "-J-"
    assert parse_deck("--jq") == "--JQ"
    assert parse_deck("") == ""
    assert parse_deal("J 2 3/4 J 5") == ("J--", "-J-")
    for wrong in ("11", "1", "X", "T", "23", "10J", "--x", "J/Q"):
        with pytest.raises(DealError, match="is no card"):
            parse_deck(wrong)
    for wrong in ("J", "J/Q/K"):
        with pytest.raises(DealError, match="one `/`"):
            parse_deal(wrong)


@pytest.mark.parametrize(
    ("deal", "reason"),
    [
        ("-/-", "deck A has 1 cards instead of 26"),
        ("-" * 26 + "/" + "-" * 27, "deck B has 27 cards instead of 26"),
        ("-" * 26 + "/" + "-" * 26, "0 cards are J; a pack has 4"),
        ("JQKA" * 4 + "A" + "-" * 9 + "/" + "-" * 26, "5 cards are A; a pack has 4"),
        ("", "no deal"),
        ("x" * 10_000 + "/", "no card"),
    ],
)
def test_what_is_no_deal_of_the_contest(deal: str, reason: str) -> None:
    with pytest.raises(DealError, match=reason) as error:
        contest_deal(deal)
    assert len(str(error.value)) < 300
