"""Records made from deals, for tests."""

from __future__ import annotations

from collections.abc import Iterable

from hypothesis import strategies as st

from harness.standings.pairs import PairRecord

WON, SPLIT, LOST = (2, 0), (1, 1), (0, 2)
OUTCOMES = (WON, SPLIT, LOST, (1, 0), (0, 1), (0, 0))
"""Games won by the two bots in the two legs of one deal; (1, 0): one leg had no winner."""


def record(
    first: str,
    second: str,
    deals: Iterable[tuple[tuple[int, int], int]],
    hands: tuple[int, int] = (0, 0),
) -> PairRecord:
    """The record of `deals`: (outcome, how often)."""
    number = squares = ahead = behind = 0
    for (a, b), times in deals:
        number += times
        ahead += a * times
        behind += b * times
        squares += (a - b) ** 2 * times
    return PairRecord(first, second, number, 2 * number, (ahead, behind), hands, squares)


def of_deals(first: str, second: str, won: int, split: int, lost: int) -> PairRecord:
    """A record without draws: deals won in both legs, split, and lost in both."""
    return record(first, second, [(WON, won), (SPLIT, split), (LOST, lost)])


counts = st.one_of(st.just(0), st.integers(0, 5), st.integers(0, 50_000))


@st.composite
def records(draw: st.DrawFn, first: str = "a", second: str = "b", least: int = 0) -> PairRecord:
    """Any possible record, the extremes often."""
    deals = [(outcome, draw(counts)) for outcome in OUTCOMES]
    if sum(times for _, times in deals) < least:
        deals[draw(st.integers(0, len(OUTCOMES) - 1))] = draw(st.sampled_from(OUTCOMES)), least
    return record(first, second, deals, draw(st.tuples(counts, counts)))


@st.composite
def leagues(draw: st.DrawFn, most: int = 6) -> list[PairRecord]:
    """Records of some of the pairs of a field, senses mixed, a pair possibly in two parts."""
    names = [f"bot {n}" for n in range(draw(st.integers(2, most)))]
    pairs = [(a, b) for a in names for b in names if a != b]
    chosen = draw(st.lists(st.sampled_from(pairs), max_size=12))
    return [draw(records(a, b)) for a, b in chosen]
