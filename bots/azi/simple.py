"""Simple, the third rung of koth's ladder for Azi."""

from harness.games.azi import ACE, CALL, FOLD, SIX, Player, View, lowest, strength

KING = ACE - 1

WINS = {
    2: (0.26, 0.49, 0.86, 0.995),
    3: (0.08, 0.24, 0.66, 0.96),
    4: (0.03, 0.12, 0.51, 0.92),
    5: (0.018, 0.08, 0.4, 0.875),
    6: (0.006, 0.04, 0.29, 0.83),
}
"""How often a hand with 0 to 3 trumps wins, by the number of players; five by interpolation."""


class Simple(Player):
    """Counts trumps: calls what they are worth, and raises once with two of them.

    The top trump and a side Ace are as good for a raise, which is as large as the bank. It leads
    its top trump when it has two or has won a trick, else its highest side card, and follows with
    the cheapest card that takes the trick, else with its lowest.
    """

    name = "Simple"

    def discard(self, view: View) -> int:
        return min(view.legal, key=lambda card: (worth(card, view), card))

    def bet(self, view: View) -> int:
        if view.entering:
            return FOLD
        if not view.may_call:
            return view.least
        trumps, top = count_trumps(view)
        side_ace = any(card // 3 == ACE and card % 3 != view.turn_up % 3 for card in view.hand)
        raised = any(seat == view.seat and said > 0 for seat, said in view.bets[1:])
        if view.most and not raised and (trumps >= 2 or (top and side_ace)):
            return min(max(view.bank, view.least), view.most)
        chance = WINS[max(2, len(view.players))][trumps]
        return CALL if chance * view.bank >= view.cost or not view.may_fold else FOLD

    def play(self, view: View) -> int:
        turn_up = view.turn_up
        trick = [card for _, card in view.tricks[-1]]
        if not trick:
            trumps = [card for card in view.hand if card % 3 == turn_up % 3]
            side = [card for card in view.hand if card % 3 != turn_up % 3]
            use_trumps = not side or len(trumps) >= 2 or (trumps and won_a_trick(view))
            return max(trumps if use_trumps else side, key=lambda c: strength(c, c, turn_up))
        best = max(strength(card, trick[0], turn_up) for card in trick)
        winners = [card for card in view.legal if strength(card, trick[0], turn_up) > best]
        if winners:
            return min(winners, key=lambda card: strength(card, trick[0], turn_up))
        return lowest(view.legal_mask, turn_up)


def is_top(card: int, turn_up: int) -> bool:
    """The Ace of trumps, or the 6 if the Ace has been turned up."""
    return card % 3 == turn_up % 3 and card // 3 == (SIX if turn_up // 3 == ACE else ACE)


def count_trumps(view: View) -> tuple[int, bool]:
    """How many trumps are held, and whether the top one is."""
    trumps = [card for card in view.hand if card % 3 == view.turn_up % 3]
    return len(trumps), any(is_top(card, view.turn_up) for card in trumps)


def worth(card: int, view: View) -> float:
    """What a card adds to the strength of a hand."""
    if card % 3 == view.turn_up % 3:
        return 1.0 if is_top(card, view.turn_up) else 0.6
    return {ACE: 0.35, KING: 0.15}.get(card // 3, 0.0)


def won_a_trick(view: View) -> bool:
    """Whether the seat has taken one of the tricks that are over."""
    for trick in view.tricks[:-1]:
        led = trick[0][1]
        if max(trick, key=lambda played: strength(played[1], led, view.turn_up))[0] == view.seat:
            return True
    return False
