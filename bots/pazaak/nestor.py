"""Nestor, of the 2015 King-of-the-Hill challenge "Simple Pazaak".

Code Golf Stack Exchange, question 51731; written anew from its published strategy.
"""

from functools import lru_cache
from itertools import accumulate

from harness.games.pazaak import END, STAND, Player, View, play


class Nestor(Player):
    """Weighs standing now against drawing once more.

    Against a standing opponent he stands if ahead, else plays the first side card that beats it,
    else one that ties, else draws. Otherwise he plays for an exact twenty, draws when the opponent
    has twenty or he has less than ten, and in between compares how standing and drawing would pay
    over every card that he and the opponent may be dealt next.
    """

    name = "Nestor"

    def respond(self, view: View) -> int:
        me = view.total
        opp = view.opponent_total
        if me >= 20:
            return STAND

        if view.opponent_action == STAND:
            if me > opp:
                return STAND
            for card in view.side_hand:
                if opp < me + card <= 20:
                    return play(card)
            return play(opp - me) if opp <= 20 and opp - me in view.side_hand else END

        if 20 - me in view.side_hand:
            return play(20 - me)
        if opp == 20 or me < 10:
            return END
        visible = tuple(sorted(view.hand + view.opponent_hand))
        return END if drawing_pays_more(me, opp, visible) else STAND


@lru_cache(maxsize=1 << 16)
def drawing_pays_more(me: int, opp: int, visible: tuple[int, ...]) -> bool:
    """Whether one more card is worth strictly more to Nestor than standing on `me`, 10 to 19.

    Standing pays 10 for a win, 1 for a draw, 0 for a loss; drawing 19, 9 and 4. With N cards
    unseen, n_r of rank r, and the share p of them that would bust the opponent:

        standing = p pay(me, opp) + sum_r n_r/N pay(me, opp+r)
        drawing  = sum_s n_s/N (p pay(me+s, opp) + sum_r (n_r - [r=s])/(N-1) pay(me+s, opp+r))

    where his own bust draws with another and loses otherwise, while a bust of the opponent's alone
    counts as the bigger number. `pay` only compares, so the sums over r are read off running
    counts. Both sides are taken N N (N-1) times: whole numbers, an exact comparison.
    """
    unseen = [0] + [max(0, 4 - visible.count(rank)) for rank in range(1, 11)]
    running = list(accumulate(unseen))
    cards = running[10]
    # below[t]: how many of the unseen cards would leave the opponent with less than t
    below = [0] * (opp + 1) + running + [cards] * 10
    opponent_busts = cards - below[21]
    safe = running[20 - me]
    busts = cards - safe

    if me > opp:
        standing_now, drawing_now = 10, 19
    elif me == opp:
        standing_now, drawing_now = 1, 9
    else:
        standing_now, drawing_now = 0, 4
    standing = opponent_busts * standing_now + 9 * below[me] + below[me + 1]

    # Drawing pays 4 in any case, 5 more for a draw and 15 more for a win.
    now = 4 * cards + (5 * busts if opp > 20 else 0)
    later = 4 * cards * cards + 5 * busts * opponent_busts
    for card in range(1, 21 - me):
        total = me + card
        now += unseen[card] * (15 if total > opp else 5 if total == opp else 0)
        later += unseen[card] * (10 * below[total] + 5 * below[total + 1])
    # The card drawn cannot come to the opponent too, which is the [r=s] of the formula: `later`
    # loses the cases where both add the same card, whatever that card would have paid.
    later -= safe * drawing_now + 4 * busts + 5 * min(busts, opponent_busts)
    return now * opponent_busts * (cards - 1) + later * cards > standing * cards * (cards - 1)
