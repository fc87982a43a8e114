"""Austin Powers, of the 2015 King-of-the-Hill challenge "Simple Pazaak".

Code Golf Stack Exchange, question 51731; written anew from its published strategy.
"""

from harness.games.pazaak import END, STAND, Player, View, play


class AustinPowers(Player):
    """Counts cards, and also likes to live dangerously.

    He stands on a hand that is decided, beats a standing opponent with a side card if he can, and
    never misses an exact twenty. Otherwise he draws while more than a fifth of the unseen cards
    are safe; behind on wins and facing an opponent who may yet pass him, one safe card will do.
    """

    name = "Austin Powers"

    def respond(self, view: View) -> int:
        me = view.total
        opp = view.opponent_total
        opponent_done = view.opponent_action == STAND
        if me >= 20 or opp > 20 or (opponent_done and opp < me):
            return STAND

        need = 20 - me
        if opponent_done:
            for card in view.side_hand:
                if opp < me + card <= 20:
                    return play(card)
        if need in view.side_hand:
            return play(need)
        if me <= 10:
            return END  # every card is safe

        unseen = unseen_cards(view.hand + view.opponent_hand)
        safe = sum(unseen[: need + 1])
        if safe and view.wins < view.opponent_wins and view.opponent_action is not None:
            return END  # dangerous: a standing opponent is not below him here
        return END if 5 * safe > sum(unseen) else STAND


def unseen_cards(visible: tuple[int, ...]) -> list[int]:
    """How many cards of each rank, 1 to 10, are still to come if the deck has four of each."""
    unseen = [0] + [4] * 10
    for card in visible:
        if unseen[card]:
            unseen[card] -= 1
    return unseen
