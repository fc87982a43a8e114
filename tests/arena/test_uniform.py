"""Cards of all games are dealt uniformly, by statistics with enough deals to see a bias of 1 %.

All seeds are fixed, so these pass or fail for good. The limits are those that an honest dealer
passes with probability 1 - 1e-6 or more; that a dishonest one does not is shown beside.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pytest
from numba import njit
from numpy.typing import NDArray

from harness.arena.deals import derive, keystream
from harness.games.draw import draw
from tests.arena.uniform import DEALT, LIMIT, SECRET, Dealt, Labels, chi_square, counts, tables
from tests.sampling import sampled

DEALS = 200_000
SECOND = 40_000

every_game = pytest.mark.parametrize("dealt", DEALT, ids=lambda dealt: dealt.game)


@cache
def first(dealt: Dealt) -> Labels:
    return np.concatenate([dealt.labels(table.lanes) for table in tables(dealt, DEALS)])


def places(dealt: Dealt, labels: Labels) -> tuple[float, float]:
    """Chi-square of the whole table, and the largest of any place."""
    number, sizes = labels.shape[1], np.array(dealt.sizes)
    chances = np.tile(sizes / number**2, (number, 1))
    cells = chi_square(counts(labels, labels=len(sizes)), chances)
    return float(cells.sum()) * (number - 1) / number, float(cells.sum(axis=1).max())


def limits(dealt: Dealt) -> tuple[float, float]:
    """Of the two. There are 52 places at most, so a single one gets the stricter limit."""
    one = len(dealt.sizes) - 1
    return LIMIT[(sum(dealt.sizes) - 1) * one][0], LIMIT[one][1]


@every_game
def test_every_card_goes_everywhere_equally_often(dealt: Dealt) -> None:
    labels = first(dealt)
    assert len(labels) == DEALS
    for label, size in enumerate(dealt.sizes):
        assert ((labels[:1000] == label).sum(axis=1) == size).all()
    whole, worst = places(dealt, labels)
    assert whole < limits(dealt)[0]
    assert worst < limits(dealt)[1]


@every_game
def test_a_dealer_who_cheats_once_in_a_hundred_deals_is_seen(dealt: Dealt) -> None:
    """Who then gives the first seat, or place, the card it likes best, in exchange."""
    labels, rng = first(dealt).copy(), np.random.default_rng(1)
    for deal in np.flatnonzero(rng.random(DEALS) < 0.01).tolist():
        holders = np.flatnonzero(labels[deal] == 0)
        labels[deal, rng.choice(holders)] = labels[deal, 0]
        labels[deal, 0] = 0
    assert places(dealt, labels)[1] > limits(dealt)[1]


@pytest.mark.parametrize("dealt", sampled(DEALT, 1))
def test_deals_tell_nothing_of_the_next(dealt: Dealt) -> None:
    """Neither one deal of the deal after it, nor one hand of a game of the second."""
    following = [(first(dealt)[:SECOND:2], first(dealt)[1:SECOND:2])]
    if dealt.second is not None:
        pairs = [
            (dealt.labels(table.lanes), dealt.labels(table.until(dealt.second)))
            for table in tables(dealt, SECOND, rows=3)
        ]
        following.append(tuple(np.concatenate(part) for part in zip(*pairs, strict=True)))
    for one, other in following:
        assert joint(dealt, one, other) < limit_of_two(dealt)


def joint(dealt: Dealt, one: Labels, other: Labels) -> float:
    number, sizes = one.shape[1], np.array(dealt.sizes)
    cells = chi_square(counts(one, other, len(sizes)), np.outer(sizes, sizes) / number**2)
    return float(cells.sum()) * (number - 1) / number


def limit_of_two(dealt: Dealt) -> float:
    return LIMIT[(len(dealt.sizes) - 1) ** 2][0]


@every_game
def test_a_dealer_who_shuffles_badly_once_in_a_hundred_deals_is_seen(dealt: Dealt) -> None:
    """Who then leaves the cards as they were."""
    one, other = first(dealt)[:DEALS:2], first(dealt)[1:DEALS:2].copy()
    assert joint(dealt, one, other) < limit_of_two(dealt)
    other[::100] = one[::100]
    assert joint(dealt, one, other) > limit_of_two(dealt)


@pytest.mark.parametrize(("game", "field"), sampled([("spades", "dealer"), ("azi", "opener")], 1))
def test_every_seat_begins_equally_often(game: str, field: str) -> None:
    dealt = next(dealt for dealt in DEALT if dealt.game == game)
    begins = np.concatenate([table.lanes[field] for table in tables(dealt, DEALS)])
    found = np.bincount(begins, minlength=4)
    assert chi_square(found, np.full(4, 0.25)).sum() < LIMIT[3][0]
    # A seat that begins 26 times in a hundred, where it should 25 times.
    found[0] += DEALS // 100
    assert chi_square(found, np.full(4, 0.25)).sum() > LIMIT[3][0]


# Draws.

DRAWS = 1_000_000


@njit(cache=True)
def _draws(words: Any, choices: int, drawn: Any) -> None:
    at = 0
    for k in range(len(drawn)):
        drawn[k], at = draw(words, at, choices)


def drawn(choices: int) -> NDArray[np.int64]:
    words = np.frombuffer(keystream(derive(SECRET, "draws", choices), 4 * DRAWS + 400), "<u4")
    found = np.zeros(DRAWS, np.int64)
    _draws(words, choices, found)
    return found


def of_draws(found: NDArray[np.int64], choices: int) -> float:
    expected = np.full(choices, 1 / choices)
    return float(chi_square(np.bincount(found, minlength=choices), expected).sum())


SIZES = (4, 10, 13, 40, 52)


@pytest.mark.parametrize("choices", SIZES)
def test_draws_are_uniform(choices: int) -> None:
    assert of_draws(drawn(choices), choices) < LIMIT[choices - 1][0]


def now_and_then(found: NDArray[np.int64], choices: int) -> NDArray[np.int64]:
    """Every fiftieth draw is one of the lower half: one draw in a hundred is misplaced."""
    found[::50] //= 2
    return found


def without_rejection(found: NDArray[np.int64], choices: int) -> NDArray[np.int64]:
    """Multiply and shift words of 8 bits: those too many of a number are not skipped."""
    words = np.random.default_rng(2).integers(0, 1 << 8, DRAWS)
    return words * choices >> 8


def by_remainder(found: NDArray[np.int64], choices: int) -> NDArray[np.int64]:
    return np.random.default_rng(3).integers(0, 1 << 8, DRAWS) % choices


BIASED = [
    *((now_and_then, choices) for choices in SIZES),
    # A power of two divides 2**8, and there is no bias.
    *((bad, choices) for bad in (without_rejection, by_remainder) for choices in SIZES[1:]),
]


@pytest.mark.parametrize(("biased", "choices"), BIASED)
def test_biased_draws_are_seen(
    biased: Callable[[NDArray[np.int64], int], NDArray[np.int64]], choices: int
) -> None:
    assert of_draws(biased(drawn(choices), choices), choices) > LIMIT[choices - 1][0]
