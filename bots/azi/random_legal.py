"""Random Legal, the first rung of koth's ladder for Azi."""

from harness.games.azi import CALL, FOLD, Player, View


class RandomLegal(Player):
    """Answers anything that is legal.

    In the betting each kind of answer is as likely as the others, and so is every size of a raise.
    """

    name = "Random Legal"

    def discard(self, view: View) -> int:
        return self.rng.choice(view.legal)

    def bet(self, view: View) -> int:
        chips = self.rng.randint(view.least, view.most)
        kinds = [FOLD] * view.may_fold + [CALL] * view.may_call + [chips] * (view.most > 0)
        return self.rng.choice(kinds)

    def play(self, view: View) -> int:
        return self.rng.choice(view.legal)
