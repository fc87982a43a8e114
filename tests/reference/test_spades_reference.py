"""The Spades reference engine against the rules text: every expectation was worked out by hand."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import FrozenInstanceError, fields

import pytest

from tests.reference.spades import (
    BID,
    PLAY,
    TEXT,
    CardPlayed,
    Decision,
    HandRecord,
    Outcome,
    ReferenceView,
    Rules,
    hand_score,
    is_over,
    lowest,
    play_game,
    trick_winner,
)

RANKS = "23456789TJQKA"
SUITS = "CDHS"
ONE_HAND = Rules(max_hands=1)


def card(name: str) -> int:
    """Return the number of a card named like TH, the ten of hearts."""
    return SUITS.index(name[1]) * 13 + RANKS.index(name[0])


def cards(names: str) -> tuple[int, ...]:
    """Return the numbers of cards named with spaces between them."""
    return tuple(map(card, names.split()))


def trick(names: str, leader: int = 0) -> tuple[CardPlayed, ...]:
    """Return the trick of these cards, clockwise from the leader."""
    return tuple(
        CardPlayed((leader + turn) % 4, number) for turn, number in enumerate(cards(names))
    )


def suits_of_one_hand(spades: int) -> list[int]:
    """Return the deal that gives each seat a whole suit, and spades to the seat named.

    That seat takes all thirteen tricks, whatever anybody plays.
    """
    suits = [(seat - spades - 1) % 4 for seat in range(4)]
    return [suit * 13 + rank for suit in suits for rank in range(13)]


SHORT_SUITS = [
    *cards("AC KC QC JC TC 9C AD KD QD AH KH AS KS"),
    *cards("8C 7C 6C 5C 4C 3C 2C QH JH TH 9H 8H 7H"),
    *cards("JD TD 9D 8D 7D 6D 5D 4D 3D 2D QS JS TS"),
    *cards("6H 5H 4H 3H 2H 9S 8S 7S 6S 5S 4S 3S 2S"),
]
"""Seats 1 to 3 hold two suits each; with dealer 3, seat 0 leads."""

Bids = tuple[object, object, object, object]


def play(
    deals: Sequence[Sequence[int]],
    bids: Sequence[Bids],
    plays: Sequence[Sequence[str]] = ((), (), (), ()),
    first_dealer: int = 3,
    rules: Rules = TEXT,
) -> Outcome:
    """Play a game of exactly these deals, with bids by hand and seat.

    `plays` are the cards that each seat answers first in the last hand; the other answers are the
    first legal card.
    """
    answers = [[card(name) for name in names] for names in plays]
    begun: list[Sequence[int]] = []

    def source() -> Iterator[Sequence[int]]:
        for deal in deals:
            begun.append(deal)
            yield deal

    def decide(seat: int, view: ReferenceView) -> int:
        if view.kind == BID:
            return bids[len(begun) - 1][seat]  # type: ignore[return-value]
        scripted = answers[seat] if len(begun) == len(deals) else []
        return scripted.pop(0) if scripted else view.legal[0]

    game = play_game(source(), decide, first_dealer, rules)
    assert not any(answers), "an answer nobody asked for"
    assert game.hands == len(game.records) == len(begun) == len(deals)
    return game


def views(game: Outcome, seat: int, kind: str = PLAY) -> list[ReferenceView]:
    """Return what one player was told, question by question."""
    return [
        decision.view
        for decision in game.decisions
        if decision.seat == seat and decision.view.kind == kind
    ]


# Score: the examples of the text, then its other sentences.


@pytest.mark.parametrize(
    ("bids", "tricks", "before", "after"),
    [
        ((3, 2), (4, 3), (248, 8), (200, 0)),
        ((5, 4), (4, 4), (300, 9), (210, 9)),
        ((0, 5), (0, 6), (150, 3), (301, 4)),
        ((0, 4), (2, 5), (200, 8), (43, 1)),
        ((0, 7), (1, 4), (-50, 2), (-220, 2)),
        ((0, 0), (0, 0), (390, 5), (590, 5)),
        ((7, 7), (6, 6), (100, 0), (-40, 0)),
        ((3, 2), (5, 3), (450, 8), (403, 1)),
    ],
)
def test_the_examples_of_the_text(
    bids: tuple[int, int], tricks: tuple[int, int], before: tuple[int, int], after: tuple[int, int]
) -> None:
    assert hand_score(bids, tricks, *before) == after
    assert hand_score(bids[::-1], tricks[::-1], *before) == after


@pytest.mark.parametrize(
    ("bids", "tricks", "before", "after"),
    [
        ((3, 4), (5, 2), (0, 9), (70, 9)),  # just made: no bag
        ((3, 4), (5, 1), (0, 0), (-70, 0)),  # one short
        ((1, 1), (2, 1), (0, 8), (21, 9)),  # nine bags are no penalty
        ((1, 1), (2, 1), (0, 9), (-79, 0)),  # the tenth bag's own point stays
        ((0, 0), (7, 6), (500, 9), (113, 2)),  # two nils failed, 13 bags, two roll-overs
        ((0, 0), (7, 0), (500, 0), (507, 7)),  # one nil of two failed: 7 - 100 + 100
        ((0, 3), (3, 0), (0, 0), (-70, 0)),  # a nil bidder's tricks make the contract: 30 - 100
        ((0, 13), (0, 13), (0, 0), (230, 0)),
        ((13, 13), (7, 6), (0, 5), (-260, 5)),  # no cap on the sum
        ((0, 5), (0, 4), (0, 9), (50, 9)),  # nil made, contract not
        ((1, 0), (0, 0), (-100, 0), (-10, 0)),
        ((2, 2), (4, 4), (-150, 9), (-206, 3)),  # penalties of a negative score
    ],
)
def test_scores_of_single_hands(
    bids: tuple[int, int], tricks: tuple[int, int], before: tuple[int, int], after: tuple[int, int]
) -> None:
    assert hand_score(bids, tricks, *before) == after


def test_the_last_digit_of_the_score_is_not_the_bag_count() -> None:
    assert hand_score((2, 2), (3, 2), 109, 0) == (150, 1)
    assert hand_score((2, 2), (3, 2), 100, 9) == (41, 0)


# End.


@pytest.mark.parametrize(
    ("totals", "over"),
    [
        ([(505, 540)], True),
        ([(500, 500)], False),
        ([(500, 500), (440, 560)], True),
        ([(-200, 35)], True),
        ([(-199, 35)], False),
        ([(403, 320)], False),
        ([(-220, 35)], True),
        ([(499, 320)], False),
        ([(320, 500)], True),
        ([(320, -200)], True),
        ([(500, -200)], True),
        ([(-210, -210)], False),
        ([(320, 320)], False),
        ([(500, 500), (510, 510)], False),
        ([(500, 500), (480, 480)], False),  # still equal, though below the limit
        ([(500, 500), (480, 480), (470, 490)], True),
        ([(500, 500), (430, 420)], True),  # different, though below the limit
    ],
)
def test_when_a_game_is_over(totals: list[tuple[int, int]], over: bool) -> None:
    assert is_over(totals) is over


def test_two_hundred_hands_end_the_game() -> None:
    assert not is_over([(10, 0)] * 199)
    assert is_over([(10, 0)] * 200)
    assert is_over([(0, 0)] * 200)


def test_the_higher_total_wins_with_both_at_the_limit() -> None:
    # Team 0 makes two nils a hand, team 1 bids 13 and nil.
    game = play([suits_of_one_hand(spades=3)] * 3, [(0, 0, 0, 13)] * 3)
    assert [record.scores for record in game.records] == [(200, 230), (400, 460), (600, 690)]
    assert (game.winner, game.scores, game.bags) == (1, (600, 690), (0, 0))


def test_the_lower_limit_ends_the_game() -> None:
    game = play([suits_of_one_hand(spades=3)], [(13, 1, 7, 3)])
    assert (game.winner, game.scores, game.bags) == (1, (-200, 49), (0, 9))


def test_above_the_lower_limit_another_hand_is_dealt() -> None:
    with pytest.raises(ValueError, match="no deal left after 1 hands"):
        play([suits_of_one_hand(spades=3)], [(13, 1, 6, 3)])


TIED = [suits_of_one_hand(spades=3), suits_of_one_hand(spades=0)]
TIED_BIDS: list[Bids] = [(0, 0, 0, 13), (13, 0, 0, 0)]
"""200 to 230 and the other way round."""


def test_equal_totals_at_the_end_ask_for_another_hand() -> None:
    # In it, team 1 takes eleven bags on a contract of 2, 31 - 100, and team 0 loses 20.
    third = suits_of_one_hand(spades=3)
    game = play([*TIED, third], [*TIED_BIDS, (1, 1, 1, 1)], rules=Rules(win_at=430))
    assert [record.scores for record in game.records] == [(200, 230), (430, 430), (410, 361)]
    assert (game.winner, game.bags) == (0, (0, 1))


@pytest.mark.parametrize("win_at", [430, 500])
def test_equal_totals_after_the_last_hand_are_a_draw(win_at: int) -> None:
    game = play(TIED, TIED_BIDS, rules=Rules(win_at=win_at, max_hands=2))
    assert (game.winner, game.scores, game.hands) == (None, (430, 430), 2)


@pytest.mark.parametrize(("spades", "winner"), [(0, 0), (1, 1), (2, 0), (3, 1)])
def test_the_higher_total_wins_after_the_last_hand(spades: int, winner: int) -> None:
    game = play([suits_of_one_hand(spades)], [(4, 4, 4, 4)], rules=ONE_HAND)
    assert game.winner == winner
    assert game.scores[winner] == 85
    assert game.scores[1 - winner] == -80
    assert game.bags[winner] == 5


# Rules: the order of bids and plays.


def test_the_deal_goes_one_seat_on_after_every_hand() -> None:
    deals = [suits_of_one_hand(spades) for spades in (0, 1, 2, 3, 0)]
    game = play(deals, [(1, 1, 1, 1)] * 5, first_dealer=2, rules=Rules(max_hands=5))
    assert [record.dealer for record in game.records] == [2, 3, 0, 1, 2]
    bidders = [decision.seat for decision in game.decisions if decision.view.kind == BID]
    assert bidders == [3, 0, 1, 2, 0, 1, 2, 3, 1, 2, 3, 0, 2, 3, 0, 1, 3, 0, 1, 2]
    leaders = [record.tricks[0][0].seat for record in game.records]
    assert leaders == [3, 0, 1, 2, 3]


def test_bids_are_public_at_once_and_come_before_any_card() -> None:
    game = play([SHORT_SUITS], [(5, 1, 0, 3)], first_dealer=0, rules=ONE_HAND)
    told = [decision.view.bids for decision in game.decisions]
    assert told[:4] == [
        (None, None, None, None),
        (None, 1, None, None),
        (None, 1, 0, None),
        (None, 1, 0, 3),
    ]
    assert told[4:] == [(5, 1, 0, 3)] * 52
    assert [decision.view.kind for decision in game.decisions] == [BID] * 4 + [PLAY] * 52


def test_the_winner_leads_and_the_others_follow_clockwise() -> None:
    plays = [("AC",), ("2C",), ("TS", "JD"), ("2S",)]
    game = play([SHORT_SUITS], [(1, 1, 1, 1)], plays, rules=ONE_HAND)
    first, second = game.records[0].tricks[:2]
    assert first == trick("AC 2C TS 2S")
    assert [played.seat for played in second] == [2, 3, 0, 1]


@pytest.mark.parametrize(
    ("names", "leader", "winner"),
    [
        ("2H 9H TH 3H", 0, 2),
        ("2H AC AD 3H", 0, 3),  # higher cards of other suits do not count
        ("AH 2S KH QH", 0, 1),  # the lowest spade beats the highest card
        ("AH 2S 9S TS", 1, 0),  # the highest spade wins
        ("9S AH TS 2S", 2, 0),  # spades led
        ("2C AD AH KD", 3, 3),  # nobody follows
    ],
)
def test_who_wins_a_trick(names: str, leader: int, winner: int) -> None:
    assert trick_winner(trick(names, leader)) == winner


# Rules: what may be played.


def test_a_spade_may_not_be_led_before_spades_are_broken() -> None:
    game = play([SHORT_SUITS], [(1, 1, 1, 1)], [("AC",), (), ("2D",), ("2H",)], rules=ONE_HAND)
    first, second = views(game, 0)[:2]
    assert first.legal == cards("9C TC JC QC KC AC QD KD AD KH AH")
    assert second.legal == cards("9C TC JC QC KC QD KD AD KH AH")
    assert not second.spades_broken


def test_whoever_holds_the_suit_led_follows_and_others_play_anything() -> None:
    game = play([SHORT_SUITS], [(1, 1, 1, 1)], [("AC",), (), (), ()], rules=ONE_HAND)
    assert views(game, 1)[0].legal == cards("2C 3C 4C 5C 6C 7C 8C")
    assert views(game, 2)[0].legal == cards("2D 3D 4D 5D 6D 7D 8D 9D TD JD TS JS QS")
    assert views(game, 3)[0].legal == views(game, 3)[0].hand


def test_a_spade_on_any_trick_breaks_spades_at_once() -> None:
    game = play([SHORT_SUITS], [(1, 1, 1, 1)], [("AC",), (), ("TS",), ()], rules=ONE_HAND)
    assert not views(game, 1)[0].spades_broken
    assert not views(game, 2)[0].spades_broken
    assert views(game, 3)[0].spades_broken
    leads = views(game, 2)[1]
    assert leads.trick == ()
    assert leads.legal == leads.hand == cards("2D 3D 4D 5D 6D 7D 8D 9D TD JD JS QS")


def test_a_hand_of_spades_may_lead_one_and_breaks_them() -> None:
    game = play([suits_of_one_hand(spades=3)], [(1, 1, 1, 1)], first_dealer=2, rules=ONE_HAND)
    lead = views(game, 3)[0]
    assert not lead.spades_broken
    assert lead.legal == lead.hand == tuple(range(39, 52))
    assert views(game, 0)[0].spades_broken


def test_a_new_hand_starts_with_spades_unbroken() -> None:
    game = play([SHORT_SUITS] * 2, [(1, 1, 1, 1)] * 2, rules=Rules(max_hands=2))
    assert views(game, 0)[12].spades_broken
    assert not any(view.spades_broken for view in views(game, 0, BID))
    # Seat 1 leads a club; seat 2 is the first that may break them.
    assert not views(game, 2)[13].spades_broken


# End: illegal answers.


@pytest.mark.parametrize("reply", [-1, 14, 100, None, "3", 2.5])
def test_an_illegal_bid_is_a_one(reply: object) -> None:
    game = play([suits_of_one_hand(spades=3)], [(3, 13, reply, 0)], rules=ONE_HAND)
    assert game.records[0].bids == (3, 13, 1, 0)
    assert [decision.legal for decision in game.decisions[:4]] == [True, True, False, True]
    assert game.decisions[2].reply == reply
    assert views(game, 3, BID)[0].bids == (3, 13, 1, None)
    assert game.scores[0] == -40


ILLEGAL_CARDS = [
    (0, "AS", "9C"),  # a spade led, but none is broken
    (0, "2C", "9C"),  # another's card
    (1, "QH", "2C"),  # holds clubs, and does not follow
    (2, "2C", "2D"),  # cannot follow: the lowest card of all
    (3, "AD", "2H"),  # hearts before spades
]


@pytest.mark.parametrize(("seat", "reply", "played"), ILLEGAL_CARDS)
def test_an_illegal_card_is_the_lowest_legal_one(seat: int, reply: str, played: str) -> None:
    plays: list[tuple[str, ...]] = [("AC",), ("8C",), ("JD",), ("6H",)]
    plays[seat] = (reply,)
    game = play([SHORT_SUITS], [(1, 1, 1, 1)], plays, rules=ONE_HAND)
    assert game.records[0].tricks[0][seat] == (seat, card(played))
    assert [decision.legal for decision in game.decisions].count(False) == 1
    illegal = next(decision for decision in game.decisions if not decision.legal)
    assert (illegal.seat, illegal.reply) == (seat, card(reply))


def test_a_card_played_before_is_illegal() -> None:
    plays = [("AC", "AC"), (), ("2D",), ("2H",)]
    game = play([SHORT_SUITS], [(1, 1, 1, 1)], plays, rules=ONE_HAND)
    assert game.records[0].tricks[1][0] == (0, card("9C"))


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        ("2S 2H 2D 2C", "2C"),
        ("2S 2H 2D", "2D"),
        ("2S 2H 3C", "2H"),
        ("AC 3D 2S", "2S"),
        ("AC KS", "KS"),
    ],
)
def test_the_lowest_of_some_cards(names: str, expected: str) -> None:
    assert lowest(cards(names)) == card(expected)


# What a bot is told.


def test_everything_told_in_the_middle_of_a_game() -> None:
    # Seat 1 takes all of the first hand: 85 for its team with five bags, -40 for the other.
    deals = [suits_of_one_hand(spades=1), SHORT_SUITS]
    bids: list[Bids] = [(2, 4, 2, 4), (5, 0, 4, 3)]
    plays = [("KH", "AS", "AH"), ("7H", "QH", "JH"), ("TS", "JS", "2D"), ("2H", "9S", "6H")]
    game = play(deals, bids, plays, rules=Rules(max_hands=2))
    assert views(game, 2, BID)[1] == ReferenceView(
        kind=BID,
        seat=2,
        hand=cards("2D 3D 4D 5D 6D 7D 8D 9D TD JD TS JS QS"),
        dealer=0,
        bids=(None, 0, None, None),
        trick=(),
        tricks=(),
        tricks_won=(0, 0, 0, 0),
        scores=(-40, 85),
        bags=(0, 5),
        spades_broken=False,
        legal=(),
    )
    assert views(game, 3)[13 + 2] == ReferenceView(
        kind=PLAY,
        seat=3,
        hand=cards("3H 4H 5H 6H 2S 3S 4S 5S 6S 7S 8S"),
        dealer=0,
        bids=(5, 0, 4, 3),
        trick=trick("AH JH 2D", leader=0),
        tricks=(trick("7H TS 2H KH", leader=1), trick("JS 9S AS QH", leader=2)),
        tricks_won=(1, 0, 1, 0),
        scores=(-40, 85),
        bags=(0, 5),
        spades_broken=True,
        legal=cards("3H 4H 5H 6H"),
    )


def test_a_view_cannot_be_changed() -> None:
    game = play([SHORT_SUITS], [(1, 1, 1, 1)], rules=ONE_HAND)
    view = game.decisions[0].view
    hash(view)  # so no list in it
    for told in fields(view):
        with pytest.raises(FrozenInstanceError):
            setattr(view, told.name, None)


# The whole.


@pytest.mark.parametrize("deal", [list(range(51)), [*range(51), 50], list(range(1, 53)), []])
def test_a_deal_of_other_cards_is_refused(deal: list[int]) -> None:
    with pytest.raises(ValueError, match="shuffle"):
        play([deal], [(1, 1, 1, 1)])


@pytest.mark.parametrize("dealer", [-1, 4])
def test_a_dealer_from_elsewhere_is_refused(dealer: int) -> None:
    with pytest.raises(ValueError, match="not a seat"):
        play([SHORT_SUITS], [(1, 1, 1, 1)], first_dealer=dealer)


def random_decide(source: random.Random) -> Callable[[int, ReferenceView], int]:
    """Return answers of all kinds: legal, held but illegal, and meaningless."""

    def decide(seat: int, view: ReferenceView) -> int:
        if view.kind == BID:
            return source.choice((0, 1, 2, 3, 3, 4, 5, 14))
        return source.choice((*view.hand, *view.legal, 52))

    return decide


def check_hand(record: HandRecord) -> None:
    """Replay a recorded hand card by card, by rules spelled out once more."""
    held = [set(hand) for hand in record.hands]
    assert sorted(number for hand in held for number in hand) == list(range(52))
    assert len(record.tricks) == 13
    leader = (record.dealer + 1) % 4
    won = [0, 0, 0, 0]
    broken = False
    for played in record.tricks:
        assert [seat for seat, _ in played] == [(leader + turn) % 4 for turn in range(4)]
        led = played[0].card // 13
        best = played[0]
        for seat, number in played:
            suit = number // 13
            assert number in held[seat]
            if seat == leader and suit == 3 and not broken:
                assert min(held[seat]) >= 39
            if suit != led:
                assert all(other // 13 != led for other in held[seat])
            held[seat].remove(number)
            broken = broken or suit == 3
            if suit == best.card // 13:
                best = max(best, CardPlayed(seat, number), key=lambda one: one.card)
            elif suit == 3:
                best = CardPlayed(seat, number)
        leader = best.seat
        won[leader] += 1
    assert tuple(won) == record.tricks_won


def check_answer(decision: Decision) -> None:
    """Check what was told against itself, and the answer against what was told."""
    view = decision.view
    assert view.seat == decision.seat
    assert sum(view.tricks_won) == len(view.tricks)
    on_table = [number for played in (*view.tricks, view.trick) for _, number in played]
    assert view.spades_broken == any(number >= 39 for number in on_table)
    assert not set(view.hand) & set(on_table)
    assert view.hand == tuple(sorted(view.hand))
    if view.kind == BID:
        assert decision.legal == (0 <= decision.reply <= 13)
        assert len(view.hand) == 13
        assert view.legal == ()
    else:
        assert decision.legal == (decision.reply in view.legal)
        assert view.legal == tuple(sorted(set(view.legal) & set(view.hand)))
        assert len(view.hand) == 13 - len(view.tricks)


@pytest.mark.parametrize("seed", range(12))
def test_random_games_add_up(seed: int) -> None:
    source = random.Random(seed)
    deck = list(range(52))
    deals = [source.sample(deck, 52) for _ in range(30)]
    rules = Rules(max_hands=30)
    game = play_game(deals, random_decide(source), seed % 4, rules)
    scores = bags = (0, 0)
    for hand, record in enumerate(game.records):
        check_hand(record)
        assert record.dealer == (seed + hand) % 4
        after = [
            hand_score(record.bids[team::2], record.tricks_won[team::2], scores[team], bags[team])
            for team in (0, 1)
        ]
        scores, bags = zip(*after, strict=True)
        assert (scores, bags) == (record.scores, record.bags)
        assert all(0 <= count <= 9 for count in bags)
    for decision in game.decisions:
        check_answer(decision)
    totals = [record.scores for record in game.records]
    assert [is_over(totals[: hand + 1], rules) for hand in range(game.hands)] == [
        *[False] * (game.hands - 1),
        True,
    ]
    assert (game.scores, game.bags) == (scores, bags)
    assert game.winner is None or game.scores[game.winner] > game.scores[1 - game.winner]
    assert (game.winner is None) == (scores[0] == scores[1])
