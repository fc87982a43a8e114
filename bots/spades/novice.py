"""Novice, a house bot for Spades: what one is told in the first five minutes at the table."""

from harness.games.spades import ACE, KING, SPADES, BidView, Player, PlayView, rank, suit


class Novice(Player):
    """Bids Aces, guarded Kings and every spade after the third; never nil.

    Until its team has made the contract it leads its highest card and wins as cheaply as it can,
    unless the trick is the partner's already. After that it plays low.
    """

    name = "Novice"

    def bid(self, view: BidView) -> int:
        suits = [suit(card) for card in view.hand]
        aces = sum(rank(card) == ACE for card in view.hand)
        kings = sum(rank(card) == KING and suits.count(suit(card)) > 1 for card in view.hand)
        return max(1, aces + kings + max(0, suits.count(SPADES) - 3))

    def play(self, view: PlayView) -> int:
        team = (view.seat, view.partner)
        needed = sum(view.bids[seat] - view.tricks_won[seat] for seat in team)
        if not view.trick:
            return max(view.legal, key=rank) if needed > 0 else min(view.legal, key=rank)
        led = suit(view.trick[0][1])

        def strength(card: int) -> tuple[bool, bool, int]:
            return suit(card) == SPADES, suit(card) == led, rank(card)

        low = min(view.legal, key=strength)
        winner, best = max(view.trick, key=lambda played: strength(played[1]))
        if needed <= 0 or winner == view.partner:
            return low
        winners = [card for card in view.legal if strength(card) > strength(best)]
        return min(winners, key=strength, default=low)
