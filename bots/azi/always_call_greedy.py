"""Always Call, the second rung of koth's ladder for Azi."""

from harness.games.azi import CALL, NO_CARD, Player, View, lowest, strength


class AlwaysCall(Player):
    """Calls every bet and plays greedily.

    It leads its top trump if it has one, else its highest card, follows with the cheapest card that
    takes the trick, else with its lowest, and lays its lowest card away.
    """

    name = "Always Call"

    def discard(self, view: View) -> int:
        return min(view.legal, key=lambda card: strength(card, card, view.turn_up))

    def bet(self, view: View) -> int:
        return CALL if view.may_call else view.least

    def play(self, view: View) -> int:
        trick = [card for _, card in view.tricks[-1]]
        led = trick[0] if trick else NO_CARD
        if led == NO_CARD:
            return max(view.legal, key=lambda card: strength(card, card, view.turn_up))
        best = max(strength(card, led, view.turn_up) for card in trick)
        winners = [card for card in view.legal if strength(card, led, view.turn_up) > best]
        if winners:
            return min(winners, key=lambda card: strength(card, led, view.turn_up))
        return lowest(view.legal_mask, view.turn_up)
