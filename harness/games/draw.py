"""Unbiased draws from the random words of a deal."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit


@njit(cache=True)
def draw(words: Any, at: int, choices: int) -> tuple[int, int]:
    """A number in 0..choices-1 from `words` (uint32) at position `at`, and the next position.

    Lemire's multiply-and-shift with rejection: exactly uniform. A draw among n is rejected with
    probability below n / 2**32; a row of words has six more than draws for that. When even they
    are used up (below 2**-100 for a deck of cards), the last word is taken without the test.

    Source: D. Lemire, Fast Random Integer Generation in an Interval, ACM TOMACS 29 (2019).
    """
    n = np.uint64(choices)
    low_half = np.uint64(0xFFFFFFFF)
    product = np.uint64(words[at]) * n
    if (product & low_half) < n:
        threshold = np.uint64(0x100000000) % n
        while (product & low_half) < threshold and at + 1 < len(words):
            at += 1
            product = np.uint64(words[at]) * n
    return int(product >> np.uint64(32)), min(at + 1, len(words) - 1)
