"""Shares as pages write them."""

from __future__ import annotations

import pytest

from harness.reports.markdown import margin, percent


def share(value: float, low: float, high: float) -> dict[str, float]:
    return {"value": value, "low": low, "high": high}


@pytest.mark.parametrize(
    ("value", "low", "high", "long", "short"),
    [
        (0.592, 0.581, 0.604, "59.2 % (58.1-60.4)", "59.2 ± 1.2"),
        (0.97, 0.931, 0.989, "97.0 % (93.1-98.9)", "97.0 (93.1-98.9)"),
        (0.59201, 0.59199, 0.59203, "59.2 % (59.2-59.2)", "59.2 ± 0.0"),
        (0.59201, 0.5918, 0.5922, "59.2 % (59.2-59.2)", "59.2 ± 0.02"),
        (1.0, 0.963, 1.0, "100.0 % (96.3-100.0)", "100.0 (96.3-100.0)"),
        (0.9997, 0.999, 0.9999, "99.97 % (99.9-99.99)", "99.97 ± 0.1"),
        (0.00005, 0.000009, 0.0003, "0.01 % (0.001-0.03)", "0.01 ± 0.02"),
    ],
)
def test_a_share_is_all_or_nothing_only_if_it_is(
    value: float, low: float, high: float, long: str, short: str
) -> None:
    assert percent(share(value, low, high)) == long
    assert margin(share(value, low, high)) == short
