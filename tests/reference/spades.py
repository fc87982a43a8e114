"""Spades played by the letter: the rules text as a plain, slow program.

The fast engine is judged against this one, so nothing here comes from it, or imports from the
harness at all. Citations: "Rules", "Score", "End", "Told" are the sections of the rules text.

A game is a function of the deals and the answers: nothing here is random. Who calls `play_game`
shuffles, draws the first dealer, and says through `decide` what a player answers.

A card is a number 0..51, suit * 13 + rank: suits 0..3 for clubs, diamonds, hearts, spades, ranks
0..12 for 2 to Ace. Seats are 0..3 clockwise. Seat s is in team s % 2: seats 0 and 2 are team 0,
seats 1 and 3 team 1.

Readings, where the text leaves a gap:

- "Left of the dealer" is the next seat clockwise, so the one after the dealer's own number.
- "One more hand, until a hand leaves them different": once totals were equal at the end, the limits
  are no longer asked for, and the next hand with different totals ends the game. `max_hands` counts
  these hands too, and ends them.
- "Legal plays" are cards, so while bids are asked for there are none to tell.
- Both nil bidders of one team are settled each for itself, whatever the other did.
- An answer that is no whole number is as illegal as a number out of place.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

SEATS = 4
SUITS = 4
RANKS = 13
"""As many cards to a suit as to a hand, and as many tricks to a hand."""
SPADES = 3

BID = "bid"
PLAY = "play"

ILLEGAL_BID = 1
"""End: what an illegal bid is taken for."""


@dataclass(frozen=True)
class Rules:
    """The limits of End."""

    win_at: int = 500
    """A total of this or more ends the game."""
    lose_at: int = -200
    """A total of this or less ends the game."""
    max_hands: int = 200
    """Then the higher total wins, and equal totals are a draw."""


TEXT = Rules()


class CardPlayed(NamedTuple):
    """A card of a trick, and who played it."""

    seat: int
    card: int


Trick = tuple[CardPlayed, ...]
"""In the order played: whoever led comes first."""


@dataclass(frozen=True)
class ReferenceView:
    """Told: what a player knows when it is asked."""

    kind: str
    """BID or PLAY."""
    seat: int
    hand: tuple[int, ...]
    """The cards still held, lowest number first."""
    dealer: int
    bids: tuple[int | None, ...]
    """By seat; None for who has not bid yet."""
    trick: Trick
    """The trick in progress: empty for who leads, and while bids are asked for."""
    tricks: tuple[Trick, ...]
    """All earlier tricks of this hand, the first one first."""
    tricks_won: tuple[int, ...]
    """By seat, in this hand."""
    scores: tuple[int, int]
    """By team, before this hand."""
    bags: tuple[int, int]
    """By team, before this hand."""
    spades_broken: bool
    legal: tuple[int, ...]
    """The cards that may be played, lowest number first; empty while bids are asked for."""


class Decision(NamedTuple):
    """One question and its answer, as it was given."""

    seat: int
    view: ReferenceView
    reply: int
    legal: bool


@dataclass(frozen=True)
class HandRecord:
    """A finished hand."""

    dealer: int
    hands: tuple[tuple[int, ...], ...]
    """By seat, as dealt, lowest number first."""
    bids: tuple[int, ...]
    """By seat, as they counted: 1 for an illegal one."""
    tricks: tuple[Trick, ...]
    tricks_won: tuple[int, ...]
    """By seat."""
    scores: tuple[int, int]
    """By team, after this hand and its penalties."""
    bags: tuple[int, int]
    """By team, after this hand and its penalties."""


@dataclass(frozen=True)
class Outcome:
    """A finished game."""

    winner: int | None
    """The team, None for a draw."""
    scores: tuple[int, int]
    bags: tuple[int, int]
    hands: int
    """Hands played."""
    records: list[HandRecord]
    decisions: list[Decision]


Decide = Callable[[int, ReferenceView], int]


@dataclass
class _Hand:
    """A hand in progress; everything in lists of four is by seat."""

    dealer: int
    cards: list[list[int]]
    """Still held, lowest number first."""
    scores: tuple[int, int]
    bags: tuple[int, int]
    bids: list[int | None] = field(default_factory=lambda: [None] * SEATS)
    trick: list[CardPlayed] = field(default_factory=list)
    tricks: list[Trick] = field(default_factory=list)
    tricks_won: list[int] = field(default_factory=lambda: [0] * SEATS)
    spades_broken: bool = False

    def view(self, seat: int, kind: str) -> ReferenceView:
        """Told: what the player in `seat` knows when it is asked."""
        return ReferenceView(
            kind=kind,
            seat=seat,
            hand=tuple(self.cards[seat]),
            dealer=self.dealer,
            bids=tuple(self.bids),
            trick=tuple(self.trick),
            tricks=tuple(self.tricks),
            tricks_won=tuple(self.tricks_won),
            scores=self.scores,
            bags=self.bags,
            spades_broken=self.spades_broken,
            legal=tuple(self.legal_plays(seat)) if kind == PLAY else (),
        )

    def legal_plays(self, seat: int) -> list[int]:
        """Rules, Play: the cards that `seat` may play now, lowest number first."""
        held = self.cards[seat]
        if self.trick:
            led = suit_of(self.trick[0].card)
            # Follow the suit led; otherwise any card.
            return [card for card in held if suit_of(card) == led] or list(held)
        if self.spades_broken:
            return list(held)
        # A spade may not be led before spades are broken, unless the hand holds only spades.
        return [card for card in held if suit_of(card) != SPADES] or list(held)

    def play(self, seat: int, card: int) -> None:
        """Move a card from the hand to the trick."""
        self.cards[seat].remove(card)
        self.trick.append(CardPlayed(seat, card))
        # Broken from the moment any spade is played to any trick, a forced lead included.
        if suit_of(card) == SPADES:
            self.spades_broken = True

    def end_trick(self) -> int:
        """Put the full trick aside; return its winner, who leads the next one."""
        winner = trick_winner(self.trick)
        self.tricks_won[winner] += 1
        self.tricks.append(tuple(self.trick))
        self.trick.clear()
        return winner


def suit_of(card: int) -> int:
    """The suit of a card, 0..3."""
    return card // RANKS


def rank_of(card: int) -> int:
    """The rank of a card, 0 for a 2 to 12 for an Ace."""
    return card % RANKS


def lowest(cards: Iterable[int]) -> int:
    """End: the lowest card; of equal ranks clubs before diamonds, hearts, spades."""
    return min(cards, key=lambda card: (rank_of(card), suit_of(card)))


def trick_winner(trick: Sequence[CardPlayed]) -> int:
    """Rules, Play: the seat with the highest spade, else with the highest card of the suit led."""
    spades = [played for played in trick if suit_of(played.card) == SPADES]
    led = [played for played in trick if suit_of(played.card) == suit_of(trick[0].card)]
    return max(spades or led, key=lambda played: rank_of(played.card)).seat


def hand_score(
    bids: Sequence[int], tricks: Sequence[int], score: int, bags: int
) -> tuple[int, int]:
    """Score: a team's score and bags after a hand.

    `bids` and `tricks` are those of its two players, in the same order; `score` and `bags` what
    the team had before the hand.
    """
    contract = sum(bids)
    taken = sum(tricks)
    if taken >= contract:
        extra = taken - contract
        score += 10 * contract + extra
        bags += extra
    else:
        score -= 10 * contract
    for bid, own in zip(bids, tricks, strict=True):
        if bid == 0:  # nil, for this player alone
            score += 100 if own == 0 else -100
    while bags >= 10:
        score -= 100
        bags -= 10
    return score, bags


def is_over(totals: Sequence[tuple[int, int]], rules: Rules = TEXT) -> bool:
    """End: whether the game is over after these hands.

    `totals` are both teams' scores after each hand so far, penalties applied, first hand first.
    """
    if len(totals) >= rules.max_hands:
        return True
    # Equal totals at the end ask for another hand, which may well leave both below the limits:
    # so one team at a limit after any hand will do.
    limit_reached = any(
        score >= rules.win_at or score <= rules.lose_at for total in totals for score in total
    )
    one, two = totals[-1]
    return limit_reached and one != two


def play_game(
    deals: Iterable[Sequence[int]], decide: Decide, first_dealer: int, rules: Rules = TEXT
) -> Outcome:
    """Play hands until a team has won, or `rules.max_hands` are played.

    Each deal is the numbers 0..51 shuffled, 13 in a row for each seat: seat s holds
    deal[13 * s : 13 * s + 13]. One is asked for at the start of every hand, and no more.
    `first_dealer` is the seat that deals the first hand. `decide(seat, view)` answers 0..13 to a
    view of kind BID, and a card to one of kind PLAY.

    Raises ValueError for a deal that is none, for a dealer who is none, and when the deals run out.
    """
    if first_dealer not in range(SEATS):
        raise ValueError(f"not a seat: {first_dealer}")
    source = iter(deals)
    decisions: list[Decision] = []
    records: list[HandRecord] = []
    scores = bags = (0, 0)
    while not records or not is_over([record.scores for record in records], rules):
        deal = next(source, None)
        if deal is None:
            raise ValueError(f"no deal left after {len(records)} hands")
        # Rules: one seat clockwise every hand.
        dealer = (first_dealer + len(records)) % SEATS
        hand = _Hand(dealer, _dealt(deal), scores, bags)
        record = _play_hand(hand, decide, decisions)
        scores, bags = record.scores, record.bags
        records.append(record)
    winner = None if scores[0] == scores[1] else scores.index(max(scores))
    return Outcome(winner, scores, bags, len(records), records, decisions)


def _play_hand(hand: _Hand, decide: Decide, decisions: list[Decision]) -> HandRecord:
    """Rules: four bids, then thirteen tricks; then Score."""
    hands = tuple(map(tuple, hand.cards))
    left_of_dealer = (hand.dealer + 1) % SEATS
    bids = {
        seat: _ask_bid(hand, seat, decide, decisions) for seat in _clockwise_from(left_of_dealer)
    }
    leader = left_of_dealer
    for _ in range(RANKS):
        for seat in _clockwise_from(leader):
            _ask_play(hand, seat, decide, decisions)
        leader = hand.end_trick()
    scored = [
        hand_score(
            bids=(bids[team], bids[team + 2]),
            tricks=(hand.tricks_won[team], hand.tricks_won[team + 2]),
            score=hand.scores[team],
            bags=hand.bags[team],
        )
        for team in (0, 1)
    ]
    return HandRecord(
        dealer=hand.dealer,
        hands=hands,
        bids=tuple(bids[seat] for seat in range(SEATS)),
        tricks=tuple(hand.tricks),
        tricks_won=tuple(hand.tricks_won),
        scores=(scored[0][0], scored[1][0]),
        bags=(scored[0][1], scored[1][1]),
    )


def _ask_bid(hand: _Hand, seat: int, decide: Decide, decisions: list[Decision]) -> int:
    """Rules: one bid 0..13, public at once."""
    view = hand.view(seat, BID)
    reply = decide(seat, view)
    legal = reply in range(RANKS + 1)
    decisions.append(Decision(seat, view, reply, legal))
    bid = int(reply) if legal else ILLEGAL_BID
    hand.bids[seat] = bid
    return bid


def _ask_play(hand: _Hand, seat: int, decide: Decide, decisions: list[Decision]) -> None:
    """Rules, Play: one card to the trick."""
    view = hand.view(seat, PLAY)
    reply = decide(seat, view)
    legal = reply in view.legal
    decisions.append(Decision(seat, view, reply, legal))
    hand.play(seat, int(reply) if legal else lowest(view.legal))


def _clockwise_from(first: int) -> list[int]:
    """All seats in turn."""
    return [(first + step) % SEATS for step in range(SEATS)]


def _dealt(deal: Sequence[int]) -> list[list[int]]:
    """Rules: 13 cards each, by seat."""
    cards = [int(card) for card in deal]
    if sorted(cards) != list(range(SUITS * RANKS)):
        raise ValueError(f"not a shuffle of the 52 cards: {cards}")
    return [sorted(cards[RANKS * seat : RANKS * (seat + 1)]) for seat in range(SEATS)]
