"""What a Spades bot is told: one kind of view per question.

Views travel as plain numbers and short strings of bytes, which cost next to nothing to make a tuple
of; what bots look at less often is decoded when they do.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from harness.games.spades.cards import DECK, RANKS, SPADES, SUIT, cards_of, set_of

SEATS = 4
NOT_BID = -1
"""In a batch frame, the bid of a seat that has not bid yet."""

Play = tuple[int, int]
"""(seat, card)"""
Trick = tuple[Play, ...]
"""In the order played: whoever led comes first."""


class _BidFacts(NamedTuple):
    """A question for a bid as it travels."""

    hand_set: int
    game_number: int
    score: int
    opponent_score: int
    hand_number: int
    bags: int
    opponent_bags: int
    seat: int
    dealer: int
    packed_bids: bytes


class BidView(_BidFacts):
    """What a bot is told when it is to bid. It cannot be changed.

    - `seat`: its own, 0 to 3 clockwise; `partner` is the one across;
    - `dealer`: the seat that dealt; the next one bids first;
    - `hand`: the own cards, lowest number first (`hand_set`: the same as a set);
    - `bids`: by seat, None for who has not bid yet;
    - `score`, `opponent_score`, `bags`, `opponent_bags`: of both teams before this hand;
    - `hand_number`: hands finished in this game, 0 in the first;
    - `game_number`: games this instance has finished, 0 in its first.
    """

    __slots__ = ()

    def __new__(
        cls,
        *,
        seat: int,
        dealer: int,
        hand: tuple[int, ...],
        bids: tuple[int | None, ...],
        score: int,
        opponent_score: int,
        bags: int,
        opponent_bags: int,
        hand_number: int,
        game_number: int,
    ) -> BidView:
        """A view from its facts, as tests of bots make them."""
        scores = (score, opponent_score)
        more = (hand_number, bags, opponent_bags, seat, dealer, _packed(bids))
        return tuple.__new__(cls, (set_of(hand), game_number, *scores, *more))

    @property
    def hand(self) -> tuple[int, ...]:
        """The own cards, lowest number first."""
        return cards_of(self[0])

    @property
    def partner(self) -> int:
        """The partner's seat."""
        return self[7] ^ 2

    @property
    def bids(self) -> tuple[int | None, ...]:
        """By seat, None for who has not bid yet."""
        return tuple(bid if bid < 128 else None for bid in self[9])

    def _asdict(self) -> dict[str, Any]:
        """All facts by name."""
        return {name: getattr(self, name) for name in BID_FACTS}

    def __repr__(self) -> str:
        return _shown(self)


class _PlayFacts(NamedTuple):
    """A question for a card as it travels."""

    hand_set: int
    legal_set: int
    played_set: int
    game_number: int
    score: int
    opponent_score: int
    packed_leaders: int
    hand_number: int
    bags: int
    opponent_bags: int
    seat: int
    dealer: int
    number_broken: int
    cards_played: int
    packed_bids: bytes
    packed_tricks_won: bytes
    packed_cards: bytes


class PlayView(_PlayFacts):
    """What a bot is told when it is to play a card. It cannot be changed.

    The facts of `BidView` (all `bids` are made now), and:

    - `legal`: the cards it may play, lowest number first (`legal_set`: the same as a set);
    - `trick`: the current trick so far, (seat, card) pairs in the order played;
    - `tricks`: all earlier tricks of the hand in the same form, the first one first;
    - `tricks_won`: by seat, in this hand;
    - `spades_broken`: whether a spade has been played in this hand.

    For convenience, what follows from these: `leader` of the current trick, `played_set`, the set
    of all cards played in this hand, and `voids`.
    """

    __slots__ = ()

    def __new__(
        cls,
        *,
        seat: int,
        dealer: int,
        hand: tuple[int, ...],
        bids: tuple[int, ...],
        trick: Trick,
        tricks: tuple[Trick, ...],
        tricks_won: tuple[int, ...],
        score: int,
        opponent_score: int,
        bags: int,
        opponent_bags: int,
        spades_broken: bool,
        legal: tuple[int, ...],
        hand_number: int,
        game_number: int,
    ) -> PlayView:
        """A view from its facts, as tests of bots make them."""
        sets = (set_of(hand), set_of(legal))
        cards = [card for each in (*tricks, trick) for _, card in each]
        leaders = seat << 2 * len(tricks)  # who is asked for the first card of a trick leads it
        for number, each in enumerate((*tricks, trick)):
            if each:
                leaders = leaders & ~(3 << 2 * number) | each[0][0] << 2 * number
        before = (score, opponent_score, leaders, hand_number, bags, opponent_bags)
        place = (seat, dealer, int(spades_broken), len(cards))
        packed = (_packed(bids), bytes(tricks_won), bytes(cards).ljust(52, b"\0"))
        return tuple.__new__(cls, (*sets, set_of(cards), game_number, *before, *place, *packed))

    @property
    def hand(self) -> tuple[int, ...]:
        """The own cards, lowest number first."""
        return cards_of(self[0])

    @property
    def legal(self) -> tuple[int, ...]:
        """The cards that may be played, lowest number first."""
        return cards_of(self[1])

    @property
    def partner(self) -> int:
        """The partner's seat."""
        return self[10] ^ 2

    @property
    def spades_broken(self) -> bool:
        """Whether a spade has been played in this hand."""
        return self[12] == 1

    @property
    def bids(self) -> tuple[int, ...]:
        """By seat."""
        return tuple(self[14])

    @property
    def tricks_won(self) -> tuple[int, ...]:
        """By seat, in this hand."""
        return tuple(self[15])

    @property
    def leader(self) -> int:
        """The seat that has led the current trick, or is to lead it."""
        return self[6] >> (self[13] >> 2) * 2 & 3

    @property
    def trick(self) -> Trick:
        """The current trick so far: (seat, card) pairs in the order played."""
        return self._trick(self[13] >> 2)

    @property
    def tricks(self) -> tuple[Trick, ...]:
        """All earlier tricks of the hand, the first one first."""
        return tuple(map(self._trick, range(self[13] >> 2)))

    def _trick(self, number: int) -> Trick:
        leader = self[6] >> 2 * number & 3
        cards = self[16][4 * number : min(4 * number + 4, self[13])]
        return tuple((leader + turn & 3, card) for turn, card in enumerate(cards))

    @property
    def voids(self) -> tuple[int, ...]:
        """By seat, a bit for every suit that it has failed to follow (1 << suit)."""
        found = [0] * SEATS
        leaders, cards = self[6], self[16]
        for at in range(self[13]):
            if at & 3 == 0:
                led = cards[at] // RANKS
            elif cards[at] // RANKS != led:
                found[(leaders >> (at >> 2) * 2) + at & 3] |= 1 << led
        return tuple(found)

    def _asdict(self) -> dict[str, Any]:
        """All facts by name."""
        return {name: getattr(self, name) for name in PLAY_FACTS}

    def __repr__(self) -> str:
        return _shown(self)


BID_FACTS = (
    "seat",
    "dealer",
    "hand",
    "bids",
    "score",
    "opponent_score",
    "bags",
    "opponent_bags",
    "hand_number",
    "game_number",
)
"""The attributes of a BidView."""

PLAY_FACTS = (
    *BID_FACTS[:4],
    "trick",
    "tricks",
    "tricks_won",
    *BID_FACTS[4:8],
    "spades_broken",
    "legal",
    *BID_FACTS[8:],
)
"""The attributes of a PlayView."""


def legal_set(hand: int, led: int | None, spades_broken: bool) -> int:
    """The set of legal plays from a set: `led` is the suit led, None for who leads."""
    if led is not None:
        return hand & SUIT[led] or hand
    return hand if spades_broken else hand & (DECK ^ SUIT[SPADES]) or hand


def _packed(bids: tuple[int | None, ...]) -> bytes:
    return bytes(NOT_BID & 0xFF if bid is None else bid for bid in bids)


def _shown(view: BidView | PlayView) -> str:
    facts = ", ".join(f"{name}={value!r}" for name, value in view._asdict().items())
    return f"{type(view).__name__}({facts})"
