"""The contract of games, kept by a game with four seats and two kinds of question."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from itertools import permutations
from typing import Any

import numpy as np
import pytest

from harness.arena import lanes as loops
from harness.arena.seating import chairs, lineups
from harness.games.about import rotation
from harness.games.contract import SCORE, implement
from harness.games.frames import EXCEPTION, PROTOCOL, UNANSWERED
from tests.games.cards import rows_of, shuffled
from tests.games.dummy import MOST_BID, SEATS, BidView, DiscardView
from tests.games.dummy.about import DummyRules
from tests.games.dummy.frames import encode_discard
from tests.games.dummy.game import GAME
from tests.games.lockstep import Played, deals_of, play

RULES = DummyRules()
KEY = b"dummy".ljust(32)
BID, DISCARD = 0, 1
EVERYBODY = set(range(SEATS))


def sensible(seat: int, view: Any) -> object:
    """Bid the best card; discard all but the best."""
    return max(view.hand) if isinstance(view, BidView) else sorted(view.hand)[:-1]


def erratic(seed: int) -> Callable[[int, Any], object]:
    """Bids and discards of every kind, a third of them wrong somehow."""
    rng = random.Random(seed)

    def decide(seat: int, view: Any) -> object:
        if isinstance(view, BidView):
            return rng.choice([rng.randint(0, MOST_BID), rng.randint(0, 20), rng.randint(-9, 99)])
        held = rng.sample(view.hand, rng.randint(0, 3))
        wrong = rng.choice([[*held, 13], held + held[:1], list(range(9)), "junk", EXCEPTION])
        return rng.choice([held, held, wrong])

    return decide


def expected(played: Played, rules: DummyRules, deal: int) -> list[int]:
    """The points of a game by the text of the rules; checks every view and verdict on the way."""
    made = iter(played.decisions[deal])
    rows = rows_of(played.deals, played.words, deal)
    points = [0] * SEATS
    for number in range(rules.rounds):
        deck = shuffled(list(range(1, 13)), next(rows), 12)
        hands = [tuple(deck[3 * seat : 3 * seat + 3]) for seat in range(SEATS)]
        bids: list[int] = []
        for seat in range(SEATS):
            bid = next(made)
            game = bid.view.game_number
            assert (bid.seat, bid.question) == (seat, BID)
            assert bid.view == BidView(seat, hands[seat], tuple(bids), number, game)
            assert isinstance(bid.reply, int)
            assert bid.legal == (0 <= bid.reply <= MOST_BID)
            bids.append(bid.reply if bid.legal else 0)
        bidder = bids.index(max(bids))
        total = 0
        discards = [next(made) for _ in range(SEATS - 1)]
        assert {discard.seat for discard in discards} == EVERYBODY - {bidder}
        for discard in discards:
            hand = hands[discard.seat]
            assert discard.view == DiscardView(
                discard.seat, hand, bidder, bids[bidder], number, game
            )
            cards = discard.reply
            assert discard.legal == (
                isinstance(cards, list) and len(set(cards)) == len(cards) and set(cards) <= {*hand}
            )
            if discard.legal:
                assert isinstance(cards, list)
                total += sum(cards)
        for seat in range(SEATS):
            if seat == bidder:
                points[seat] += bids[bidder] if total >= bids[bidder] else 0
            elif total < bids[bidder]:
                points[seat] += 1
    assert next(made, None) is None
    return points


@pytest.mark.parametrize("decide", [sensible, erratic(1)], ids=["sensible", "erratic"])
@pytest.mark.parametrize("lanes", [1, 7, 64])
def test_games_go_by_their_rules(decide: Callable[[int, Any], object], lanes: int) -> None:
    played = play(GAME, RULES, KEY, 100, lanes, decide)
    for deal in range(100):
        points = expected(played, RULES, deal)
        assert played.scores["points"][deal].tolist() == points
        best = [seat for seat in EVERYBODY if points[seat] == max(points)]
        assert played.winner(deal) == (best[0] if len(best) == 1 else None)


@pytest.mark.parametrize(("rounds", "refills"), [(1, 0), (2, 0), (3, 1), (4, 1), (5, 2), (9, 4)])
def test_a_game_longer_than_its_words_is_given_more(rounds: int, refills: int) -> None:
    rules = DummyRules(rounds=rounds)
    played = play(GAME, rules, KEY, 20, 6, erratic(2))
    for deal in range(20):
        assert len(played.starved[deal]) == refills
        assert played.scores["points"][deal].tolist() == expected(played, rules, deal)


class OneLane:
    """A single game, stepped through by hand."""

    def __init__(self) -> None:
        source = deals_of(GAME, RULES, KEY, 2)
        self.lanes = np.zeros(1, GAME.lane)
        self.scores = np.zeros((2, SEATS), SCORE)
        self.done = np.zeros(2, np.uint8)
        more = np.zeros((1, source.rows, source.words), np.uint32)
        rules = GAME.rules_record(RULES)
        self.state = (
            *(self.lanes, rules, source.first(), more, np.zeros(2, np.uint32)),
            *(np.zeros(1, np.int64), self.scores, self.done),
        )
        self.index = np.zeros((SEATS, 2), np.int32)
        self.opened = np.zeros(SEATS, np.uint8)
        self.seating = lineups(2, SEATS)
        self.fared = np.zeros(SEATS, loops.FARED)
        loops.open_lanes(*self.state)

    @property
    def asked(self) -> set[int]:
        return {seat for seat in range(32) if int(self.lanes["asked"][0]) >> seat & 1}

    def see(self, seat: int, number: int) -> Any:
        """What the seat is asked, None if it is not."""
        question = GAME.questions[number]
        frame = np.zeros(SEATS, question.observation)
        n = loops.gather(
            *(self.lanes, self.state[1], self.seating, seat, number),
            *(self.index, self.opened, frame),
        )
        assert n <= 1
        return next(iter(question.wire.views(frame[:1].tobytes()))) if n else None

    def answer(self, seat: int, number: int, code: int, cards: tuple[int, ...] = ()) -> int:
        """Returns how the reply fared."""
        assert self.see(seat, number) is not None
        replies = np.zeros(1, GAME.questions[number].reply)
        replies["code"] = code
        if cards:
            replies["cards"][0, : len(cards)] = cards
        loops.scatter(*self.state, self.index, 1, replies, self.fared)
        return int(self.fared["how"][0])

    def bid(self, *bids: int) -> None:
        for seat, bid in enumerate(bids):
            assert self.asked == {seat}
            assert self.see(seat, DISCARD) is None
            assert self.answer(seat, BID, bid) == loops.LEGAL


def test_three_seats_are_asked_at_once_and_answer_in_any_order() -> None:
    points = []
    for order in permutations([0, 1, 3]):
        lane = OneLane()
        lane.bid(3, 2, 9, 9)
        assert lane.asked == {0, 1, 3}
        assert all(lane.see(seat, BID) is None for seat in EVERYBODY)
        left = set(order)
        for seat in order:
            assert lane.asked == left
            best = max(lane.see(seat, DISCARD).hand)
            assert lane.answer(seat, DISCARD, 1, (best,)) == loops.LEGAL
            left -= {seat}
        assert lane.asked == {0}  # the next round
        points.append(lane.lanes["points"][0].tolist())
    assert points == [points[0]] * 6


def test_nobody_sees_what_was_answered_to_the_same_question() -> None:
    seen = []
    for code in (0, 1):
        lane = OneLane()
        lane.bid(3, 2, 9, 9)
        before = lane.see(3, DISCARD)
        for seat in (0, 1):
            lane.answer(seat, DISCARD, code, lane.see(seat, DISCARD).hand)
        assert lane.see(3, DISCARD) == before
        seen.append(before)
    assert seen[0] == seen[1]


@pytest.mark.parametrize(
    ("code", "how"),
    [
        (-1, loops.ILLEGAL),
        (MOST_BID + 1, loops.ILLEGAL),
        (UNANSWERED, loops.BROKEN),
        (PROTOCOL, loops.BROKEN),
        (EXCEPTION, loops.RAISED),
    ],
)
def test_an_illegal_bid_counts_as_the_substitute(code: int, how: int) -> None:
    lane = OneLane()
    assert lane.answer(0, BID, code) == how
    assert lane.asked == {1}
    assert lane.see(1, BID).bids == (0,)


@pytest.mark.parametrize("wrong", ["not held", "twice the same", "too many", "negative"])
def test_an_illegal_set_counts_as_the_empty_one(wrong: str) -> None:
    lane = OneLane()
    lane.bid(1, 0, 0, 0)
    held, other = lane.see(1, DISCARD).hand, lane.see(2, DISCARD).hand
    code, cards = {
        "not held": (2, (held[0], other[0])),
        "twice the same": (2, (held[0], held[0])),
        "too many": (4, held),
        "negative": (-3, held),
    }[wrong]
    assert lane.answer(1, DISCARD, code, cards) == loops.ILLEGAL
    for seat in (2, 3):
        assert lane.answer(seat, DISCARD, 0) == loops.LEGAL
    assert lane.lanes["points"][0].tolist() == [0, 1, 1, 1]


def test_who_forfeits_plays_on_by_substitutes_and_cannot_win() -> None:
    lane = OneLane()
    lane.bid(1, 0, 0, 0)
    for seat in (1, 2):
        lane.answer(seat, DISCARD, 1, lane.see(seat, DISCARD).hand)
    loops.lose(*lane.state, 0, 3)  # while it is asked
    lane.bid(5, 0, 0)  # the second round; seat 3 bids nothing, and is not asked
    assert lane.asked == {1, 2}
    for seat in (1, 2):
        assert lane.answer(seat, DISCARD, 0) == loops.LEGAL
    assert int(lane.lanes["out"][0]) == 8
    loops.lose(*lane.state, 0, 0)  # while the lane waits for words
    assert lane.asked == set()
    assert lane.lanes["points"][0].tolist() == [1, 1, 1, 1]


def test_a_forfeit_while_others_are_asked_leaves_their_question_open() -> None:
    lane = OneLane()
    lane.bid(1, 0, 0, 0)
    loops.lose(*lane.state, 0, 0)  # the bidder, who is not asked
    loops.lose(*lane.state, 0, 2)
    assert lane.asked == {1, 3}


def played_out(lane: OneLane, away: set[int]) -> None:
    """Both games, everybody bidding and discarding nothing; `away` must not be asked."""
    source = deals_of(GAME, RULES, KEY, 2)
    while not lane.done.all():
        assert not lane.asked & away
        if not lane.asked:
            record = lane.lanes[0]
            deal, refills = int(record["deal"]), int(record["refills"])
            lane.state[3][0] = source.more(deal, refills + 1)
            loops.resume(*lane.state, 0)
        for seat in lane.asked:
            lane.answer(seat, int(lane.lanes["question"][0]), 0)


@pytest.mark.parametrize("away", [{0, 1, 3}, {0}, set(EVERYBODY)])
def test_a_game_goes_on_without_those_who_are_retired(away: set[int]) -> None:
    lane = OneLane()
    lane.bid(3, 2, 9, 9)
    loops.retire(*lane.state, lane.seating, np.array([s in away for s in range(SEATS)], np.uint8))
    played_out(lane, away)
    assert int(lane.lanes["games"][0]) == 2
    won = lane.scores["won"]
    assert not won[:, list(away)].any()
    left = list(EVERYBODY - away)
    if len(left) == 1:  # the only one who can win does
        assert won[:, left].all()


def test_over_four_legs_every_player_sits_everywhere_with_the_same_cards() -> None:
    legs = [play(GAME, RULES, KEY, 10, 4, sensible, leg=leg) for leg in range(4)]
    for deal in range(10):
        for seat in range(SEATS):
            assert {int(leg.seating[deal, seat]) for leg in legs} == EVERYBODY
        for leg in legs:
            assert sorted(leg.seating[deal].tolist()) == sorted(EVERYBODY)
            for decision in leg.decisions[deal]:
                assert decision.player == leg.seating[deal, decision.seat]
        cards = [{(d.seat, d.view.round, d.view.hand) for d in leg.decisions[deal]} for leg in legs]
        assert cards == [cards[0]] * 4
        assert len(cards[0]) == SEATS * RULES.rounds


def test_players_change_seats_from_deal_to_deal() -> None:
    seats = chairs(rotation(SEATS), lineups(4, SEATS), 0, 1)
    assert all({int(seats[deal, seat]) for deal in range(4)} == EVERYBODY for seat in range(4))


@pytest.mark.parametrize(
    ("reply", "code", "payload"),
    [
        ([], 0, (0, 0, 0)),
        ([7, 12], 2, (7, 12, 0)),
        ([1, 2, 3], 3, (1, 2, 3)),
        ([1, 2, 3, 4], PROTOCOL, (0, 0, 0)),
        ([True], PROTOCOL, (0, 0, 0)),
        ([300], PROTOCOL, (0, 0, 0)),
        ("7", PROTOCOL, (0, 0, 0)),
        (None, PROTOCOL, (0, 0, 0)),
    ],
)
def test_a_set_of_cards_travels_as_code_and_payload(
    reply: object, code: int, payload: tuple[int, ...]
) -> None:
    record = np.zeros(1, GAME.questions[DISCARD].reply)
    got = encode_discard(reply, record.view(np.uint8).data[2:])
    assert got == code
    assert tuple(record["cards"][0].tolist()) == payload


def test_records_can_have_one_implementation_only() -> None:
    implement(GAME)  # once more is nothing new
    with pytest.raises(ValueError, match="start"):
        implement(replace(GAME, start=lambda lane, rules, words: None))
