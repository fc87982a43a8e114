"""Half-Truth, the house's best for BS: what it lays is seldom quite true and seldom impossible."""

from collections.abc import Sequence

from harness.games.bs import COPIES, RANKS, SEATS, Player, View, distance

PILE = SEATS
"""The place after the seats. Cards in no place are unknown."""
CAUTIOUS = 5
"""With fewer other cards it stops hiding them: the last ones had better be true."""


class HalfTruth(Player):
    """Memoryless with a memory, and a second card under every lone true one.

    To one card of the rank asked for it adds the one that it will need last: that two is too many
    is known only to who has the other three. It remembers which cards lie where for certain, those
    that it has laid and those that a call has shown to be what they were claimed to be, and doubts
    what these and its own make impossible, and whoever goes out with cards it does not know of.
    """

    name = "Half-Truth"

    def __init__(self) -> None:
        self.known = [[0] * (SEATS + 1) for _ in range(RANKS)]
        self.in_pile: set[int] = set()
        self.claimed = 0

    def lay(self, view: View) -> Sequence[int]:
        self.follow(view)
        self.claimed = 0
        hand = view.hand
        cards = [view.rank] * hand.count(view.rank)
        if not cards or (len(cards) == 1 and len(hand) > CAUTIOUS):
            # The rank asked for has distance 0: never the largest unless there is no other.
            cards.append(max(hand, key=lambda card: distance(view.turn, card, view.seat)))
        for card in cards:
            self.known[card][PILE] += 1
            self.in_pile.add(card)
        return cards

    def call(self, view: View) -> bool:
        self.follow(view)
        mover, number = view.mover, view.number
        known = self.known[view.rank]
        own = view.hand.count(view.rank)
        if (over := own + sum(known) - COPIES) > 0:
            forget(known, over)
        elsewhere = own + sum(known) - known[mover]
        there = min(known[mover], number)
        known[mover] -= there
        known[PILE] += there
        self.in_pile.add(view.rank)
        self.claimed = number - there
        if number > COPIES - elsewhere:
            return True
        return view.sizes[mover] == 0 and number > there

    def follow(self, view: View) -> None:
        """Let known cards go with a pile that was taken."""
        last = view.last
        if last is None or last.taker is None:
            return
        if last.lied is False:
            self.known[last.rank][PILE] += self.claimed
        for rank in self.in_pile:
            known = self.known[rank]
            if last.taker != view.seat:  # the own hand is in the view
                known[last.taker] += known[PILE]
            known[PILE] = 0
        self.in_pile.clear()
        if view.given is not None:
            self.in_pile.add(view.given)
            self.known[view.given][PILE] = 1


def forget(known: list[int], over: int) -> None:
    """Take `over` cards off: what was claimed without a call was not known for certain."""
    for place, cards in enumerate(known):
        if over <= 0:
            return
        known[place] -= min(cards, over)
        over -= cards
