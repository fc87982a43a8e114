"""Normal, a house bot for Spades: bids by a fitted sum, plays by the rules of thumb of the books.

Sets of cards are ints with a bit per card, `suit * 13 + rank`; see `harness.games.spades`.
"""

from harness.games.spades import DECK, NIL, SPADES, SUIT, BidView, Player, PlayView

SIDE_SUITS = (0, 1, 2)
HIGH_SPADES = 0b111 << 10  # A, K, Q
ABOVE_TEN, ABOVE_NINE = -(1 << 9), -(1 << 8)  # ranks, in the bits of a suit
SEVEN = 5
CLOSE = 12  # with this many tricks bid, somebody is likely to be set


class Normal(Player):
    """Counts honours, length and shortness for its bid, and minds bags and a partner's nil.

    Plays masters while tricks are needed; second hand low; third hand wins cheaply if the partner
    is not winning; fourth hand takes the cheapest winner; ruffs cheaply if a trick is needed, else
    shortens a suit. With the contract made it gives tricks away, unless the opponents can be set.
    """

    name = "Normal"

    def bid(self, view: BidView) -> int:
        hand = view.hand_set
        if view.bids[view.partner] != NIL and is_nil(hand):
            return NIL
        return max(1, int(expected_tricks(hand) + 0.3))

    def play(self, view: PlayView) -> int:
        legal = view.legal_set
        if legal & (legal - 1) == 0:
            return legal.bit_length() - 1
        best, winner = winning(view)
        if view.bids[view.seat] == NIL and view.tricks_won[view.seat] == 0:
            return self.stay_nil(legal, best)
        partner = view.partner
        covering = view.bids[partner] == NIL and view.tricks_won[partner] == 0
        if best is None:
            return self.lead(view, covering)
        beating = legal & above(best)
        if covering and winner == partner:
            # Take the nil's trick, or at least throw what cannot take another.
            return cheapest(beating) if beating else dearest(legal)
        if covering and len(view.trick) == 1:
            return dearest(beating) if beating else cheapest(legal)  # the partner is still to play
        if self.wanted(view):
            return self.take(view, beating, best, winner)
        ducking = legal & ~beating
        return dearest_side(ducking) if ducking else last_or_cheapest(view, legal)

    def stay_nil(self, legal: int, best: int | None) -> int:
        """The highest card that loses, or the lowest that may."""
        if best is None:
            return cheapest(legal)
        losing = legal & ~above(best)
        return dearest(losing) if losing else cheapest(legal)

    def wanted(self, view: PlayView) -> bool:
        """Whether this team wants the trick: for its contract, or to set the opponents."""
        bids, won, me, other = view.bids, view.tricks_won, view.seat, view.seat ^ 1
        needed = bids[me] + bids[me ^ 2] - won[me] - won[me ^ 2]
        theirs = bids[other] + bids[other ^ 2] - won[other] - won[other ^ 2]
        if needed > 0:
            return True
        return theirs > 0 and sum(bids) >= CLOSE

    def lead(self, view: PlayView, covering: bool) -> int:
        legal = view.legal_set
        if not self.wanted(view):
            return cheapest(legal)
        if covering:
            return dearest(legal)
        masters = legal & masters_of(view)
        side = masters & ~SUIT[SPADES]
        if side or masters:
            return dearest(side or masters)
        return cheapest(legal & ~SUIT[SPADES] or legal)

    def take(self, view: PlayView, beating: int, best: int, winner: int) -> int:
        """Win the trick if that makes sense in this place of it."""
        legal, place = view.legal_set, len(view.trick)
        if not beating or winner == view.partner:
            return self.throw(legal)
        if place == 1:
            masters = beating & masters_of(view)
            ruffs = beating if best < 39 and legal & SUIT[best // 13] == 0 else 0
            return cheapest(masters or ruffs) if masters or ruffs else self.throw(legal)
        return cheapest(beating)

    def throw(self, legal: int) -> int:
        """A loser: the lowest card of the shortest side suit."""
        side = legal & ~SUIT[SPADES]
        if not side:
            return cheapest(legal)
        suits = [side & SUIT[suit] for suit in SIDE_SUITS if side & SUIT[suit]]
        return cheapest(min(suits, key=int.bit_count))


def expected_tricks(hand: int) -> float:
    """A fit to the tricks that hands took: honours, spades, short suits to ruff."""
    spades = hand >> 39
    tricks = -0.64 + 0.55 * spades.bit_count() + 0.68 * (spades & HIGH_SPADES).bit_count()
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


def is_nil(hand: int) -> bool:
    """Few and low spades, and no side suit that is forced to win: low, or long with low cards."""
    spades = hand >> 39
    if spades.bit_count() > 3 or spades & ABOVE_TEN:
        return False
    for suit in SIDE_SUITS:
        bits = hand >> 13 * suit & 8191
        low = (bits & ((2 << SEVEN) - 1)).bit_count()
        if bits & ABOVE_NINE and low < 3:
            return False
    return True


def winning(view: PlayView) -> tuple[int | None, int]:
    """The card that wins the trick so far and whose it is; None for who leads."""
    best, winner = None, -1
    for seat, card in view.trick:
        if best is None or above(best) >> card & 1:
            best, winner = card, seat
    return best, winner


def above(best: int) -> int:
    """The cards that beat `best`: higher ones of its suit, and spades."""
    higher = SUIT[best // 13] & -(2 << best)
    return higher if best >= 39 else higher | SUIT[SPADES]


def masters_of(view: PlayView) -> int:
    """The own cards that no higher card of their suit is out against."""
    out, masters = DECK & ~view.played_set & ~view.hand_set, 0
    for suit in SUIT:
        masters |= view.hand_set & suit & -(1 << (out & suit).bit_length())
    return masters


def cheapest(cards: int) -> int:
    """The lowest card of a set; a spade only among spades."""
    side = cards & ~SUIT[SPADES]
    if not side:
        return (cards & -cards).bit_length() - 1
    return min([lowest(side & SUIT[suit]) for suit in SIDE_SUITS if side & SUIT[suit]], key=rank)


def dearest(cards: int) -> int:
    """The highest card of a set; spades last of all."""
    if cards >= 1 << 39:
        return cards.bit_length() - 1
    return dearest_side(cards)


def dearest_side(cards: int) -> int:
    """The highest card of a set by its rank, a side card if there is one."""
    side = cards & ~SUIT[SPADES]
    if not side:
        return cards.bit_length() - 1
    tops = [(side & SUIT[suit]).bit_length() - 1 for suit in SIDE_SUITS if side & SUIT[suit]]
    return max(tops, key=rank)


def last_or_cheapest(view: PlayView, legal: int) -> int:
    """A trick that must be won is won with the highest card if nobody plays after."""
    return dearest(legal) if len(view.trick) == 3 else cheapest(legal)


def lowest(cards: int) -> int:
    return (cards & -cards).bit_length() - 1


def rank(card: int) -> int:
    return card % 13
