"""Atton Rand, champion of the house: every answer was computed beforehand.

Computed for koth by `benchmarks/champion`; the idea is told in `docs/explanation/champion.md`. The
name is that of a smuggler in "Knights of the Old Republic II" who plays pazaak in his head to keep
others out of it.
"""

import zlib
from functools import cache
from itertools import combinations_with_replacement
from pathlib import Path

from harness.games.pazaak import END, STAND, Player, View

# The replies for totals from 11 to 19, one byte each, reply + 1. Axes, the last one fastest: own
# total - 11 (9), opponent standing (2), its total (21), own wins (3), its wins (3), player two (2),
# own side hand (96), its side cards (5).
TABLE = zlib.decompress((Path(__file__).parent / "table.z").read_bytes())

SIDE_HANDS = [
    hand
    for size in range(5)
    for hand in combinations_with_replacement(range(1, 6), size)
    if all(hand.count(card) <= 2 for card in hand)
]


class AttonRand(Player):
    """Knows the best reply to the average of the other house bots.

    A side card may be worth more in a later hand, a tie more to the one who leads, and a rival on
    two wins leaves no later hand to save for: dynamic programming over both totals, the side cards
    and the score weighs all that. What is left to do here is to look it up.
    """

    name = "Atton Rand"

    def respond(self, view: View) -> int:
        me = view.total
        opp = view.opponent_total
        if me <= 10:
            return END  # no card can bust
        if me >= 20 or opp > 20:
            return STAND
        standing = 1 if view.opponent_action == STAND else 0
        at = ((me - 11) * 2 + standing) * 21 + opp
        at = (at * 3 + min(view.wins, 2)) * 3 + min(view.opponent_wins, 2)
        at = (at * 2 + (not view.first)) * 96 + side_hand_number(view.side_hand)
        return TABLE[at * 5 + min(view.opponent_side_cards, 4)] - 1


@cache
def side_hand_number(side_hand: tuple[int, ...]) -> int:
    """The place of a side hand in the table.

    The larger side hands of `original-2015` have none; then it is that of the cards which fit in:
    two of a kind, four in all.
    """
    known: list[int] = []
    for card in sorted(side_hand):
        if known.count(card) < 2 and len(known) < 4:
            known.append(card)
    return SIDE_HANDS.index(tuple(known))
