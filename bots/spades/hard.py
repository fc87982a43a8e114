"""Hard, a house bot for Spades: counts what is out, who is void, and what the four bids add up to.

Its chance of a nil is a logistic fit to 37,000 nils of its own, held and broken; the other numbers
were tried out in thousands of games against itself and against Normal. Sets of cards are ints with
a bit per card, `suit * 13 + rank`; see `harness.games.spades`.
"""

from math import exp

from harness.games.spades import DECK, NIL, SPADES, SUIT, BidView, Player, PlayView

SIDE_SUITS = (0, 1, 2)
SPADE_SET = SUIT[SPADES]
NO_CARD = NO_ONE = -1
WIN_AT = 500
TIGHT = 1  # tricks that nobody has bid: with more of them, the opponents are not to be set


class Hard(Player):
    """Bids nil when a fit says that it holds, sooner when behind; attacks the nils of others.

    Otherwise it bids what honours, spades and short suits are worth, corrected in the last place by
    what the other bids leave. In play it wants tricks while its team's contract is open, and after
    that only if the opponents can be set: the tricks left are hardly more than both sides need, or
    the opponents are about to win the game. All other tricks are bags, and it ducks them.
    """

    name = "Hard"

    def bid(self, view: BidView) -> int:
        hand, partner = view.hand_set, view.bids[view.partner]
        ahead = max(-1.0, min(1.0, (view.score - view.opponent_score) / 400))
        if partner != NIL and nil_chance(hand, partner) > 0.43 + 0.2 * ahead:
            return NIL
        tricks = expected_tricks(hand)
        made = [bid for bid in view.bids if bid is not None]
        if len(made) == 3:
            tricks += 0.3 * (13 - sum(made) - tricks)
        # Who covers a nil plays high, and tricks come with that.
        return max(1, int(tricks + (0.55 if partner == NIL else 0.15)))

    def play(self, view: PlayView) -> int:
        legal = view.legal_set
        if legal & (legal - 1) == 0:
            return legal.bit_length() - 1
        return Position(view).choice()


class Position:
    """A question for a card, with what follows from the cards and bids seen."""

    def __init__(self, view: PlayView) -> None:
        self.view = view
        self.legal = view.legal_set
        self.out = DECK & ~view.played_set & ~view.hand_set
        me, self.partner = view.seat, view.partner
        self.opponents = left, right = me ^ 1, me ^ 3
        self.voids = view.voids
        self.trick = view.trick
        self.best, self.winner = NO_CARD, NO_ONE
        for seat, card in self.trick:
            if self.best == NO_CARD or above(self.best) >> card & 1:
                self.best, self.winner = card, seat
        bids, won = view.bids, view.tricks_won
        self.nils = [seat for seat in range(4) if bids[seat] == NIL and won[seat] == 0]
        self.needed = bids[me] + bids[self.partner] - won[me] - won[self.partner]
        self.theirs = bids[left] + bids[right] - won[left] - won[right]
        self.slack = 13 - sum(won) - max(0, self.needed) - max(0, self.theirs)

    def choice(self) -> int:
        """The card to play."""
        if self.view.seat in self.nils:
            return self.stay_nil()
        if any(seat in self.nils for seat in self.opponents):
            card = self.attack()
            if card != NO_CARD:
                return card
        covering = self.partner in self.nils
        if not self.trick:
            return self.cover_lead() if covering else self.lead()
        beating = self.legal & above(self.best)
        if covering and self.winner == self.partner:
            return cheapest(beating) if beating else dearest(self.legal)
        if covering and len(self.trick) == 1:  # the partner comes last: leave it as much room
            return dearest(beating) if beating else cheapest(self.legal)
        return self.take(beating) if self.wanted() else self.duck(beating)

    # -- nils ------------------------------------------------------------------------------

    def stay_nil(self) -> int:
        """The highest card that loses, or the lowest that may."""
        if not self.trick:
            return cheapest(self.legal)
        losing = self.legal & ~above(self.best)
        if not losing:
            return cheapest(self.legal)
        if losing & SPADE_SET or losing & SUIT[self.trick[0][1] // 13]:
            return dearest(losing)
        return top(max((losing & suit for suit in SUIT if losing & suit), key=self.danger))

    def danger(self, held: int) -> float:
        """How hard it is to stay below with these cards of a suit; the lowest counts most."""
        (suit,) = (suit for suit in SUIT if held & suit)
        danger, weight = 0.0, 1.0
        while held:
            low = held & -held
            danger += weight * (self.out & suit & (low - 1)).bit_count()
            weight /= 2
            held ^= low
        return danger

    def cover_lead(self) -> int:
        """Lead what the partner can stay below: masters, else the highest side card."""
        return dearest(self.masters()) if self.masters() else dearest_side(self.legal)

    def attack(self) -> int:
        """Stay below an opponent who has bid nil; NO_CARD where that makes no sense."""
        nils = [seat for seat in self.opponents if seat in self.nils]
        if not self.trick:
            follows = 0
            for suit, cards in enumerate(SUIT):
                if not any(self.voids[seat] >> suit & 1 for seat in nils):
                    follows |= cards
            return cheapest(self.legal & follows) if self.legal & follows else NO_CARD
        losing = self.legal & ~above(self.best)
        if self.winner in nils:
            return dearest(losing) if losing else NO_CARD
        if self.winner == self.partner and not any(seat in nils for seat, _ in self.trick):
            return cheapest(losing) if losing else NO_CARD  # let the partner's low card stand
        return NO_CARD

    # -- tricks ----------------------------------------------------------------------------

    def wanted(self) -> bool:
        """Whether this team wants the trick: for its contract, or to set the opponents."""
        if self.needed > 0:
            return True
        if self.theirs <= 0:
            return False
        return self.slack <= TIGHT or self.losing_the_game()

    def losing_the_game(self) -> bool:
        """Whether the opponents win the game if both contracts are made."""
        view, (left, right) = self.view, self.opponents
        bids = view.bids
        theirs = view.opponent_score + 10 * (bids[left] + bids[right])
        ours = view.score + 10 * (bids[view.seat] + bids[self.partner])
        return theirs >= WIN_AT and theirs > ours

    def lead(self) -> int:
        """Masters that nobody ruffs, or a low card of a short suit; the lowest to lose."""
        if not self.wanted():
            return cheapest(self.legal)
        ruffed = 0
        for suit in SIDE_SUITS:
            if any(self.voids[seat] >> suit & 1 for seat in self.opponents):
                ruffed |= SUIT[suit]
        spades_out = self.out & SPADE_SET
        masters = self.masters()
        side = masters & ~SPADE_SET & ~(ruffed if spades_out else 0)
        if side or masters & SPADE_SET:
            return dearest(side or masters & SPADE_SET)
        side = self.legal & ~SPADE_SET
        return shortest(side & ~ruffed or side) if side else cheapest(self.legal)

    def take(self, beating: int) -> int:
        """Win the trick if that makes sense in this place of it, else throw a loser."""
        place = len(self.trick)
        if not beating:
            return shortest(self.legal)
        if self.winner == self.partner and (place == 3 or self.is_master(self.best)):
            return shortest(self.legal)
        if place == 3:
            return cheapest(beating)
        if beating & self.masters():
            return cheapest(beating & self.masters())
        ruffing = not self.legal & SUIT[self.trick[0][1] // 13]
        return cheapest(beating) if ruffing or place == 2 else shortest(self.legal)

    def duck(self, beating: int) -> int:
        """Leave the trick to others, with the highest card that does."""
        ducking = self.legal & ~beating
        if ducking:
            return dearest_side(ducking)
        return dearest(self.legal) if len(self.trick) == 3 else cheapest(self.legal)

    def is_master(self, card: int) -> bool:
        """Whether no higher card of the suit is out."""
        return not SUIT[card // 13] & -(2 << card) & self.out

    def masters(self) -> int:
        """The legal cards that no higher card of their suit is out against."""
        masters = 0
        for suit in SUIT:
            masters |= self.legal & suit & -(1 << (self.out & suit).bit_length())
        return masters


# Bidding.


def expected_tricks(hand: int) -> float:
    """A fit to the tricks that hands took: honours, spades, short suits to ruff."""
    spades = hand >> 39
    tricks = -0.64 + 0.55 * spades.bit_count() + 0.68 * (spades >> 10).bit_count()
    for suit in SIDE_SUITS:
        bits = hand >> 13 * suit & 8191
        length = bits.bit_count()
        if bits >> 12:
            tricks += 1.0
        if bits >> 11 & 1:
            tricks += 0.71 if length > 1 else 0.06
        if bits >> 10 & 1 and length > 2:
            tricks += 0.23
        if spades and length < 2:
            tricks += 0.51 if length else 0.86
    return tricks


def nil_chance(hand: int, partner: int | None) -> float:
    """How likely a nil holds against opponents who attack it; `partner`: its bid, if made.

    The fit looks at the highest three spades and at the lowest four cards of every side suit, each
    by its height from 0 (a two) to 1 (an Ace).
    """
    spades = hand >> 39
    count = spades.bit_count()
    if count > 4 or spades >> 12:
        return 0.0
    one, two, three = [(each - 1) / 12 for each in highest(spades, 3)]
    fit = 2.57 + (0.0, -0.29, -0.21, 0.04, -0.53)[count]
    fit += 0.51 * one - 2.56 * one**3 - 2.07 * two**2 - 3.07 * three**2
    fit += 0.11 * (3.3 if partner is None else partner)
    for suit in SIDE_SUITS:
        bits = hand >> 13 * suit & 8191
        if not bits:
            continue
        fit -= 0.32 * ((bits.bit_length() - 1) / 12) ** 2
        for weight in (2.61, 2.04, 0.68, 0.11):
            low = bits & -bits
            fit -= weight * (max(0, low.bit_length() - 1) / 12) ** 2
            bits ^= low
    return 1 / (1 + exp(-fit))


def highest(bits: int, count: int) -> list[int]:
    """The highest cards of a suit, counted from 1 for a two; 1 also where there are no more."""
    found = []
    for _ in range(count):
        found.append(max(1, bits.bit_length()))
        bits &= ~(1 << found[-1] - 1)
    return found


# Sets of cards.


def above(best: int) -> int:
    """The cards that beat `best`: higher ones of its suit, and spades."""
    higher = SUIT[best // 13] & -(2 << best)
    return higher if best >= 39 else higher | SPADE_SET


def top(cards: int) -> int:
    """The highest card of a suit."""
    return cards.bit_length() - 1


def bottom(cards: int) -> int:
    """The lowest card of a suit."""
    return (cards & -cards).bit_length() - 1


def cheapest(cards: int) -> int:
    """The card of the lowest rank, a spade only among spades."""
    if not cards & ~SPADE_SET:
        return bottom(cards)
    return min([bottom(cards & SUIT[suit]) for suit in SIDE_SUITS if cards & SUIT[suit]], key=rank)


def dearest(cards: int) -> int:
    """The highest spade, else the card of the highest rank."""
    return top(cards) if cards & SPADE_SET else dearest_side(cards)


def dearest_side(cards: int) -> int:
    """The side card of the highest rank, else the highest spade."""
    if not cards & ~SPADE_SET:
        return top(cards)
    return max([top(cards & SUIT[suit]) for suit in SIDE_SUITS if cards & SUIT[suit]], key=rank)


def shortest(cards: int) -> int:
    """The lowest card of the shortest side suit, or the lowest spade."""
    side = [cards & SUIT[suit] for suit in SIDE_SUITS if cards & SUIT[suit]]
    return bottom(min(side, key=int.bit_count)) if side else bottom(cards)


def rank(card: int) -> int:
    return card % 13
