"""Easy, a house bot for Spades: the least that can be called a plan."""

from harness.games.spades import KING, BidView, Player, PlayView, rank


class Easy(Player):
    """Bids its Aces and Kings, one at least, and always plays its lowest legal card."""

    name = "Easy"

    def bid(self, view: BidView) -> int:
        return max(1, sum(rank(card) >= KING for card in view.hand))

    def play(self, view: PlayView) -> int:
        # Cards of equal rank: clubs before diamonds, hearts, spades, as `min` keeps the first.
        return min(view.legal, key=rank)
