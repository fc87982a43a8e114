"""What a hand is worth: plain Python that anyone can check a case with, and the arena compiles.

>>> hand_score((3, 2), (4, 3), 248, 8)
(200, 0)
"""

from __future__ import annotations

from typing import Any

NIL_POINTS = 100
BAG_LIMIT = 10
BAG_PENALTY = 100


def hand_score(
    bids: Any,
    tricks: Any,
    score: int,
    bags: int,
    nil_points: int = NIL_POINTS,
    bag_limit: int = BAG_LIMIT,
    bag_penalty: int = BAG_PENALTY,
) -> tuple[int, int]:
    """A team's score and bags after a hand; docs/games/spades.md, "The score of a hand".

    `bids` and `tricks` are those of its two players, in the same order, two ints each; `score` and
    `bags` are what the team had before the hand. The rest are parameters of the rules.
    """
    contract = bids[0] + bids[1]
    extra = tricks[0] + tricks[1] - contract
    if extra >= 0:
        score += 10 * contract + extra
        bags += extra
    else:
        score -= 10 * contract
    for player in range(2):
        if bids[player] == 0:
            score += nil_points if tricks[player] == 0 else -nil_points
    while bags >= bag_limit:
        score -= bag_penalty
        bags -= bag_limit
    return score, bags
