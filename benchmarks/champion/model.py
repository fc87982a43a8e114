"""The opponent, as the champion sees it: chances of its replies, and of the next card.

The rivals' side hands are hidden and which rival it is, is not said. Both are averaged away: a
chance here is how often something happened in games with all of them.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

PRIOR_REPLIES = 10.0
"""A chance from few observations is drawn to that of the next coarser situation, as if that had
been observed this many times."""

PRIOR_CARDS = 20.0


def reply_chances(replies: NDArray[np.int32]) -> NDArray[np.float64]:
    """Chances of each reply, in the layout of `game.REPLIES_SHAPE`.

    Three grains. Fine: everything. Medium: of the score only who leads, of the rival's last two
    totals only the new one. Coarse: not the score, and of its side cards only whether it has any.
    """
    seats, scores, _, held, standing, totals, befores, ranks, kinds = replies.shape
    leads = np.array([[np.sign(j - i) + 1 for j in range(scores)] for i in range(scores)])

    medium = np.zeros((seats, 3, held, standing, totals, befores + ranks, kinds))
    for mine in range(scores):
        for theirs in range(scores):
            for before in range(befores):
                for rank in range(ranks):
                    medium[:, leads[mine, theirs], ..., before + rank + 1, :] += replies[
                        :, mine, theirs, ..., before, rank, :
                    ]
    by_any_lead = medium.sum(axis=1, keepdims=True)
    coarse = np.repeat(by_any_lead[:, :, 1:].sum(axis=2, keepdims=True), held, axis=2)
    coarse[:, :, :1] = by_any_lead[:, :, :1]

    # Where nothing at all was seen: a player who stands on seventeen.
    guess = np.zeros((befores + ranks, kinds))
    guess[:17, 1] = guess[17:, 0] = 1.0
    coarse = _blend(coarse, guess, 0.5)
    medium = _blend(medium, coarse, PRIOR_REPLIES)

    chances = np.empty(replies.shape)
    for mine in range(scores):
        for theirs in range(scores):
            for before in range(befores):
                for rank in range(ranks):
                    chances[:, mine, theirs, ..., before, rank, :] = _blend(
                        replies[:, mine, theirs, ..., before, rank, :],
                        medium[:, leads[mine, theirs], ..., before + rank + 1, :],
                        PRIOR_REPLIES,
                    )
    return chances


def card_chances(dealt: NDArray[np.int64]) -> NDArray[np.float64]:
    """Chances of the next card, in the layout of `game.CARDS_SHAPE`.

    Not one in ten each: a high total tends to be made of high cards, which are gone.
    """
    return _blend(dealt, np.full(dealt.shape[-1], 1 / dealt.shape[-1]), PRIOR_CARDS)


def _blend(
    counts: NDArray[np.generic], prior: NDArray[np.float64], weight: float
) -> NDArray[np.float64]:
    blended: NDArray[np.float64] = (counts + weight * prior) / (
        counts.sum(axis=-1, keepdims=True) + weight
    )
    return blended
