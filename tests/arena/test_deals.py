"""Deals: the chain from secret to cards, by known answers and by statistics."""

from __future__ import annotations

import hashlib
import hmac
import math
from itertools import product

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from numpy.typing import NDArray

from harness.arena import deals
from harness.arena.deals import Deals, canonical, commitment, derive, keystream
from harness.games.draw import draw
from harness.games.pazaak.about import VARIANTS, PazaakRules
from harness.games.pazaak.game import GAME
from tests.arena.uniform import Table
from tests.games.cards import Draws

ZERO = bytes(32)
SECRET = bytes(range(32))
WORD = 1 << 32

# The keystream.

# RFC 8439, appendix A.1: key, block counter (nonce zero), keystream of that block.
RFC_8439 = {
    "1": (
        ZERO,
        0,
        "76b8e0ada0f13d90405d6ae55386bd28bdd219b8a08ded1aa836efcc8b770dc7"
        "da41597c5157488d7724e03fb8d84a376a43b8f41518a11cc387b669b2ee6586",
    ),
    "2": (
        ZERO,
        1,
        "9f07e7be5551387a98ba977c732d080dcb0f29a048e3656912c6533e32ee7aed"
        "29b721769ce64e43d57133b074d839d531ed1f28510afb45ace10a1f4b794d6f",
    ),
    "3": (
        bytes(31) + b"\x01",
        1,
        "3aeb5224ecf849929b9d828db1ced4dd832025e8018b8160b82284f3c949aa5a"
        "8eca00bbb4a73bdad192b5c42f73f2fd4e273644c8b36125a64addeb006c13a0",
    ),
    "4": (
        b"\x00\xff" + bytes(30),
        2,
        "72d54dfbf12ec44b362692df94137f328fea8da73990265ec1bbbea1ae9af0ca"
        "13b25aa26cb4a648cb9b9d1be65b2c0924a66c54d545ec1b7374f4872e99f096",
    ),
}


@pytest.mark.parametrize(("key", "block", "expected"), RFC_8439.values(), ids=RFC_8439)
def test_keystream_is_that_of_rfc_8439(key: bytes, block: int, expected: str) -> None:
    assert keystream(key, 64 * (block + 1))[64 * block :].hex() == expected


@given(st.integers(0, 300), st.integers(0, 300))
def test_a_longer_keystream_begins_with_the_shorter(a: int, b: int) -> None:
    a, b = sorted([a, b])
    assert keystream(SECRET, b)[:a] == keystream(SECRET, a)


# Keys and commitments. The values below were made by this very code, once: they must never change
# while `ALGORITHM` is 1, or old results can no longer be verified.


def test_derived_keys_stay_what_they_are() -> None:
    assert deals.ALGORITHM == 1
    assert derive(ZERO, "deals").hex() == (
        "a4ed109a78bb000cc057335fa011052fda71301f70114913131e4d1be8ddfad2"
    )
    assert derive(ZERO, "more", 7, 1).hex() == (
        "c241e302b48c7028e12f8fa2000bc13d11083324ece4c8b9c7e3a067c18aa974"
    )
    assert derive(SECRET, "block", "a b", ["x", 1], 2.5).hex() == (
        "0b00aefb5b6984724906d8d7507f36441a926c4265d20aba055d0aa67ccde13b"
    )


def test_a_commitment_stays_what_it_is() -> None:
    made = commitment(
        SECRET, "pazaak-cup", ["b" * 64, "a" * 64], {"target": 20, "auto_stand": False}
    )
    assert made == "2346b59cf3b5575555cbc842cf2dfcaa26a9a4b562084f39bf2b7b5aaef8148a"


def test_dealt_words_stay_what_they_are() -> None:
    source = Deals(ZERO, deals=3, rows=2, words=5)
    assert source.first()[[0, 2], [0, 1]].tolist() == [
        [2047689029, 1012301156, 725273918, 2489400411, 1014403414],
        [3236308081, 1147944697, 3765656158, 198410175, 2732845506],
    ]
    assert source.more(1, 1)[1].tolist() == [
        2878627251, 388954213, 3547049840, 4169292127, 2836412356,
    ]  # fmt: skip


plain = st.text('1,[]"\\ ', max_size=3) | st.integers(0, 20)
labels = plain | st.lists(plain, max_size=2)


@given(st.lists(labels, max_size=3), st.lists(labels, max_size=3))
def test_different_labels_give_different_keys(one: list[object], two: list[object]) -> None:
    assert (derive(ZERO, *one) == derive(ZERO, *two)) == (one == two)


def test_a_derived_key_is_an_hmac_over_plain_json() -> None:
    expected = hmac.new(SECRET, b'["more",12,1]', hashlib.sha256).digest()
    assert derive(SECRET, "more", 12, 1) == expected


def test_canonical_json_has_one_spelling() -> None:
    assert canonical({"b": [1, 2], "a": "ü"}) == canonical({"a": "ü", "b": [1, 2]})
    assert canonical({"b": [1, 2], "a": "ü"}) == b'{"a":"\\u00fc","b":[1,2]}'


def test_a_commitment_binds_everything_but_the_order_of_entrants() -> None:
    facts = (SECRET, "cup", ["a", "b"], {"target": 20})
    made = commitment(*facts)
    assert commitment(SECRET, "cup", ["b", "a"], {"target": 20}) == made
    others = [
        commitment(ZERO, *facts[1:]),
        commitment(SECRET, "league", *facts[2:]),
        commitment(SECRET, "cup", ["a"], {"target": 20}),
        commitment(SECRET, "cup", ["a", "b", "b"], {"target": 20}),
        commitment(SECRET, "cup", ["a", "b"], {"target": 21}),
    ]
    assert len({made, *others}) == 6


# Rows of words.


def test_words_depend_on_key_deal_and_row_alone() -> None:
    """More deals of the same key begin with the same deals; a continuation is asked at any time."""
    few, many = Deals(SECRET, 3, 4, 7), Deals(SECRET, 9, 4, 7)
    assert (few.first() == many.first()[:3]).all()
    assert (few.more(2, 5) == many.more(2, 5)).all()
    assert few.first().shape == (3, 4, 7)
    assert few.more(0, 1).shape == (4, 7)


def test_no_row_is_dealt_twice() -> None:
    rows: list[tuple[int, ...]] = []
    for key in (ZERO, SECRET):
        source = Deals(key, 20, 4, 7)
        blocks = [source.first().reshape(-1, 7)]
        blocks += [source.more(deal, refill) for deal in range(20) for refill in (1, 2, 3)]
        for block in blocks:
            rows += map(tuple, block.tolist())
    assert len(set(rows)) == len(rows) == 2 * 20 * 4 * 4


# Draws.


def words_of(*values: int) -> NDArray[np.uint32]:
    return np.array(values, np.uint32)


@given(st.integers(1, 1 << 20), st.data())
def test_every_number_has_equally_many_accepted_words(n: int, data: st.DataObject) -> None:
    """The words of a number are consecutive, exactly 2**32 // n of them; those between, if any,
    are rejected. Looked at where it can go wrong: at both ends."""
    value = data.draw(st.integers(0, n - 1))
    rejected = WORD % n
    first = -(-(value * WORD + rejected) // n)
    last = -(-((value + 1) * WORD) // n) - 1
    assert last - first + 1 == WORD // n
    for word in (first, last, data.draw(st.integers(first, last))):
        assert draw(words_of(word, 0, 0), 0, n) == (value, 1)
    if first * n - n >= value * WORD:  # there is one before the first that is too many
        follower = data.draw(st.integers(0, n - 1))
        good = -(-(follower * WORD + rejected) // n)
        assert draw(words_of(first - 1, good, 0), 0, n) == (follower, 2)


@given(st.lists(st.integers(0, WORD - 1), min_size=12, max_size=12), st.integers(1, 200))
def test_draws_agree_with_the_slow_ones(words: list[int], n: int) -> None:
    assume(sum(word * n % WORD < WORD % n for word in words) <= 5)  # one is left after six draws
    slow, at = Draws(words), 0
    for _ in range(6):
        value, at = draw(words_of(*words), at, n)
        assert value == slow.below(n)


@pytest.mark.parametrize("n", [3, 5, 7, 10, 39, 40, 120])
def test_rejected_words_are_skipped(n: int) -> None:
    # Word 0 makes the product 0, whose lower half is below 2**32 mod n unless n divides 2**32.
    words = words_of(0, 0, 0, WORD - 1, 0)
    assert draw(words, 0, n) == ((n - 1, 4) if WORD % n else (0, 1))
    assert draw(words, 3, n) == (n - 1, 4)


@pytest.mark.parametrize("n", [1, 2, 4, 8, 1024])
def test_a_power_of_two_rejects_nothing(n: int) -> None:
    assert draw(words_of(0, WORD - 1), 0, n) == (0, 1)
    assert draw(words_of(WORD - 1, 0), 0, n) == (n - 1, 1)


def test_at_the_end_of_a_row_the_last_word_is_taken_as_it_is() -> None:
    words = words_of(5, 0, 0, 0)
    assert draw(words, 1, 3) == (0, 3)  # three words to reject, and no more
    assert draw(words, 3, 3) == (0, 3)  # and again: never beyond the row
    assert draw(words_of(WORD - 1), 0, 40) == (39, 0)


@pytest.mark.parametrize("rules", VARIANTS.values(), ids=VARIANTS)
def test_a_row_of_pazaak_has_words_to_spare(rules: PazaakRules) -> None:
    """Enough for the longest hand and the side hands, with six rejections."""
    _, words = GAME.about.words(rules)
    assert words >= max(2 * rules.most_dealt, 2 * rules.side_hand) + 6


# Cards. The seed is fixed, so these pass or fail for good; the limits are those that an honest
# shuffle passes with probability 1 - 1e-6.

CHI_SQUARE = {9: 44.81, 24: 72.23, 99: 180.79}
"""Degrees of freedom -> the value that chi-square exceeds with probability 1e-6."""

GAMES = 200_000


def chi_square(counts: NDArray[np.int64], chances: NDArray[np.float64]) -> float:
    assert math.isclose(chances.sum(), 1)
    expected = chances * counts.sum()
    assert expected.min() > 25
    return float((((counts - expected) ** 2) / expected).sum())


@pytest.fixture(scope="module")
def opened() -> NDArray[np.void]:
    """Lanes at their games' beginnings: side hands drawn, and both players dealt one card."""
    table = Table(GAME, VARIANTS["text"], derive(SECRET, "uniform"), GAMES, rows=2)
    table.ask(0, seat=0)
    return table.lanes


def pairs(counted: NDArray[np.int64], other: NDArray[np.int64], ranks: int) -> NDArray[np.int64]:
    return np.bincount((counted - 1) * ranks + (other - 1), minlength=ranks * ranks)


def chances_of_pairs(ranks: int, copies: int) -> NDArray[np.float64]:
    """Of two cards drawn one after the other."""
    cards = ranks * copies
    both = [copies * (copies - (a == b)) for a, b in product(range(ranks), repeat=2)]
    return np.array(both) / (cards * (cards - 1))


def test_first_cards_are_uniform(opened: NDArray[np.void]) -> None:
    for seat in (0, 1):
        counts = np.bincount(opened["hand"][:, seat].astype(np.int64) - 1, minlength=10)
        assert chi_square(counts, np.full(10, 0.1)) < CHI_SQUARE[9]


def test_the_first_two_cards_are_those_of_one_deck(opened: NDArray[np.void]) -> None:
    one, two = opened["hand"].astype(np.int64).T
    assert chi_square(pairs(one, two, 10), chances_of_pairs(10, 4)) < CHI_SQUARE[99]


def side_cards(opened: NDArray[np.void], seat: int) -> NDArray[np.int64]:
    """Shape (games, 4), in the order drawn."""
    return (opened["side"][:, seat, None].astype(np.int64) >> np.arange(0, 16, 4)) & 15


def test_side_cards_are_those_of_one_pool_in_any_order(opened: NDArray[np.void]) -> None:
    for seat in (0, 1):
        cards = side_cards(opened, seat)
        for a, b in [(0, 1), (0, 3), (1, 2), (2, 3)]:
            counts = pairs(cards[:, a], cards[:, b], 5)
            assert chi_square(counts, chances_of_pairs(5, 2)) < CHI_SQUARE[24]


def test_the_players_pools_are_independent(opened: NDArray[np.void]) -> None:
    for k in range(4):
        counts = pairs(side_cards(opened, 0)[:, k], side_cards(opened, 1)[:, k], 5)
        assert chi_square(counts, np.full(25, 1 / 25)) < CHI_SQUARE[24]


def test_a_hand_tells_nothing_of_the_next() -> None:
    table = Table(GAME, VARIANTS["text"], derive(SECRET, "hands"), 40_000, rows=3)
    one = table.lanes["hand"][:, 0].astype(np.int64)
    second = table.until(lambda lanes: lanes["hand_number"] == 1)
    other = second["hand"][:, 0].astype(np.int64)
    assert chi_square(pairs(one, other, 10), np.full(100, 0.01)) < CHI_SQUARE[99]
    other[::50] = one[::50]  # one deck in fifty is not shuffled anew
    assert chi_square(pairs(one, other, 10), np.full(100, 0.01)) > CHI_SQUARE[99]
