"""The compiled rules of BS against the reference engine, and what a seat can get to know.

The reference (`tests.reference.bs`) was written from the rules text alone. Both play the same
cards and the same draws, made from the same random words twice.
"""

from __future__ import annotations

import random
from collections import Counter, deque
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest
from numba import njit
from numpy.typing import NDArray
from pydantic import ValidationError

from harness.arena import lanes as loops
from harness.games.bs import CARDS, FACTS, RANKS, SEATS, Turn, View, distance
from harness.games.bs.about import CALLER, CARD, TURNS_PER_ROW, BsRules
from harness.games.bs.frames import (
    CALL,
    CALL_REPLY,
    ILLEGAL,
    LAY_REPLY,
    NO_CALL,
    OBSERVATION,
    encode_call,
    encode_lay,
    views,
)
from harness.games.bs.game import GAME
from harness.games.contract import SCORE, observe
from harness.games.frames import EXCEPTION, PROTOCOL, UNANSWERED
from harness.games.onelane import OneLane
from tests.games.cards import Draws, rows_of, shuffled, words_dealing
from tests.games.lockstep import Decide, Decision, Played, deals_of, play
from tests.reference import bs as reference
from tests.sampling import sampled

TEXT = BsRules()
DECK = [rank for rank in range(RANKS) for _ in range(4)]
HAND = CARDS // SEATS

# Random games.


def manners(seed: int, calls: float, lies: float, wrong: float) -> Decide:
    """How a random player plays: the chances that it calls, lies, or replies what is illegal."""
    rng = random.Random(seed)
    chance, choice = rng.random, rng.choice

    def lay(view: View) -> object:
        hand = list(view.hand)
        true = [view.rank] * hand.count(view.rank)
        if chance() < wrong:
            surely = [*hand, choice(hand)]
            junk = [[], None, "0", [13], [-1], [1.0], [True], [hand[0]] * 5, surely, 1.5]
            return choice([*junk, [300], [0] * 53, EXCEPTION, PROTOCOL, UNANSWERED])
        if true and chance() > lies:
            return true[: rng.randint(1, len(true))]
        cards = rng.sample(hand, rng.randint(1, min(len(hand), choice([1, 2, 4, 52]))))
        return choice([list, tuple])(cards)

    def decide(seat: int, view: View) -> object:
        if view.number == 0:
            return lay(view)
        if chance() < wrong:
            return choice([None, "True", 0.0, [True], EXCEPTION, PROTOCOL, UNANSWERED])
        return chance() < calls

    return decide


MANNERS = [
    (0.3, 0.2, 0.05),
    (0.5, 1.0, 0.0),
    (0.02, 0.3, 0.1),
    (0.6, 0.6, 0.2),
    (0.0, 0.5, 0.0),
    (0.15, 0.1, 0.0),
]


# The comparison.


class Dealer:
    """Deals and draws for the reference as the compiled rules take them from the words."""

    def __init__(self, played: Played, deal: int) -> None:
        rows = rows_of(played.deals, played.words, deal)
        cards = shuffled(DECK, next(rows), CARDS)
        self.hands = [cards[HAND * seat : HAND * (seat + 1)] for seat in range(SEATS)]
        self._rows, self._known = rows, [next(rows)]
        self.turn = -1

    def draw(self, number: int, purpose: str) -> int:
        row, place = divmod(self.turn, TURNS_PER_ROW)
        while row >= len(self._known):
            self._known.append(next(self._rows))
        at = 2 * place + (CALLER if purpose == "caller" else CARD)
        return Draws(self._known[row][at:]).below(number)


def last_turn(told: reference.ReferenceView) -> Turn | None:
    """The turn before, from the reference's events."""
    events = list(told.events)
    if told.kind == "call":
        now = events.pop()
        assert now == reference.Laid(told.mover, told.rank, told.laid)
    if not events:
        return None
    called = events.pop() if isinstance(events[-1], reference.Called) else None
    laid = events.pop()
    assert isinstance(laid, reference.Laid)
    if called is None:
        return Turn(laid.seat, laid.rank, laid.number, None, None, None, 0)
    return Turn(
        *(laid.seat, laid.rank, laid.number, called.caller),
        *(called.lie, called.taker, called.cards),
    )


def compare(played: Played, rules: BsRules, deal: int) -> reference.Outcome:
    """Have the reference play the deal with the same replies; everything must agree."""
    dealer = Dealer(played, deal)
    made: list[deque[Decision]] = [deque() for _ in range(SEATS)]
    for decision in played.decisions[deal]:
        made[decision.seat].append(decision)
    before: dict[int, tuple[int, ...]] = {}
    faults = []

    def decide(seat: int, told: reference.ReferenceView) -> object:
        dealer.turn += told.kind == "lay"
        decision = made[seat].popleft()
        last = last_turn(told)
        given = None
        if last is not None and last.caller == seat and last.lied:
            (given,) = (Counter(before[seat]) - Counter(told.hand)).elements()
        assert decision.question == ("lay", "call").index(told.kind)
        expected = (
            *(seat, dealer.turn, told.mover, told.rank, told.laid),
            *(told.hand, told.hand_sizes, told.pile_size, last, given),
        )
        assert decision.view._asdict() == dict(zip(FACTS, expected, strict=True))
        before[seat] = told.hand
        if not decision.legal:
            faults.append((dealer.turn, seat, told.kind))
        return decision.reply

    game = reference.play_game(dealer.hands, decide, dealer.draw, rules.max_rounds)
    assert not any(made)
    assert [(fault.turn, fault.seat, fault.kind) for fault in game.faults] == faults
    assert played.winner(deal) == game.winner
    points = [CARDS - len(hand) for hand in game.hands]
    assert played.scores["points"][deal].tolist() == points
    return game


@pytest.mark.parametrize(
    ("how", "seed"), sampled([(how, seed) for seed in range(8) for how in MANNERS], 6)
)
def test_games_agree_with_the_reference(how: tuple[float, float, float], seed: int) -> None:
    key = b"reference" + seed.to_bytes(23, "big")
    played = play(GAME, TEXT, key, 50, 17, manners(seed, *how))
    outcomes = [compare(played, TEXT, deal) for deal in range(50)]
    assert any(len(starved) > 0 for starved in played.starved) or how[0] < 0.2
    assert {game.winner for game in outcomes} == set(range(SEATS))


@pytest.mark.parametrize("rounds", [1, 2, 3, 8])
def test_nobody_wins_when_the_rounds_are_over(rounds: int) -> None:
    rules = BsRules(max_rounds=rounds)
    played = play(GAME, rules, b"rounds".ljust(32), 60, 20, manners(rounds, 0.2, 0.5, 0.02))
    winners = [compare(played, rules, deal).winner for deal in range(60)]
    assert winners.count(None) > 5
    assert all(len(made) <= 4 * SEATS * rounds for made in played.decisions)
    assert rounds < 8 or len(set(winners)) > 1


def test_a_game_of_a_thousand_rounds_comes_to_an_end() -> None:
    """Everybody lies and everybody calls: hands go round, and nobody gets rid of any."""

    def decide(seat: int, view: View) -> object:
        if view.number:
            return len(view.hand) > 5
        return next([card] for card in view.hand if card != view.rank)

    (made,) = (played := play(GAME, TEXT, bytes(32), 1, 1, decide)).decisions
    assert len(made) == 4 * SEATS * 1000
    assert made[-1].view.turn == 3999
    supplied = GAME.about.words(TEXT)[0]
    rows = 1 + -(-4000 // TURNS_PER_ROW)
    assert len(played.starved[0]) == -(-rows // supplied) - 1 > 20
    assert not played.scores["won"].any()


def test_results_do_not_depend_on_the_number_of_lanes() -> None:
    def decide(seat: int, view: View) -> object:
        if view.number:
            return (view.turn + seat + view.number) % 3 == 0
        return [card for card in view.hand if (card + view.turn) % 4 == 0] or view.hand[:1]

    one, other = (play(GAME, TEXT, b"lanes".ljust(32), 40, lanes, decide) for lanes in (1, 40))
    assert (one.scores == other.scores).all()
    for here, there in zip(one.decisions, other.decisions, strict=True):
        assert [(d.seat, d.view, d.reply) for d in here] == [
            (d.seat, d.view, d.reply) for d in there
        ]


# Single games, laid out card by card.


class Game:
    """One game with given hands, seat by seat; `draws`: (turn, CALLER or CARD) -> a word."""

    def __init__(
        self,
        hands: Sequence[Sequence[int]],
        draws: dict[tuple[int, int], int] | None = None,
        rules: BsRules = TEXT,
    ) -> None:
        rows, width = GAME.about.words(rules)
        self.words = np.full((rows, width), 7, np.uint32)
        self.words[0, :CARDS] = words_dealing(DECK, [card for hand in hands for card in hand])
        for (turn, purpose), word in (draws or {}).items():
            row, place = divmod(turn, TURNS_PER_ROW)
            self.words[1 + row, 2 * place + purpose] = word
        self._one = OneLane(GAME.lane, GAME.rules_record(rules))
        self._one.start(self.words)
        self.lane = self._one.lane
        self.asked = self._one.proceed(self.words)

    def view(self, seat: int) -> View:
        (told,) = views(self._one.observe(seat, GAME.questions[0].observation).tobytes())
        return told

    def hand(self, seat: int) -> tuple[int, ...]:
        return self.view(seat).hand

    @property
    def pile(self) -> list[int]:
        return self.lane["pile"].tolist()[: int(self.lane["pile_size"])]

    def turn(self, cards: object, *callers: int) -> None:
        """The mover lays, these seats call, the others do not."""
        mover = int(self.lane["turn"]) % SEATS
        assert self.asked == 1 << mover
        assert self.lane["question"] == 0
        self.answer(mover, cards, LAY_REPLY.dtype(), encode_lay)
        self.asked = self._one.proceed(self.words)
        assert self.asked == 15 - (1 << mover)
        for seat in range(SEATS):
            if seat != mover:
                self.answer(seat, seat in callers, CALL_REPLY.dtype(), encode_call)
        self.asked = self._one.proceed(self.words)

    def answer(
        self,
        seat: int,
        reply: object,
        dtype: np.dtype[Any],
        encode: Callable[[object, memoryview], int],
    ) -> bool:
        record = np.zeros(1, dtype)
        record["code"] = encode(reply, memoryview(record.view(np.uint8))[2:])
        return self._one.act(seat, record[0])

    def score(self) -> list[tuple[int, int]]:
        return [self._one.score(seat) for seat in range(SEATS)]


def dealt(*starts: Sequence[int]) -> list[list[int]]:
    """Four hands that begin with these cards; the rest in rising order."""
    left = Counter(DECK)
    for start in starts:
        left.subtract(start)
    rest = iter(sorted(left.elements()))
    hands = [list(start) for start in starts] + [[] for _ in range(SEATS - len(starts))]
    return [hand + [next(rest) for _ in range(HAND - len(hand))] for hand in hands]


def test_a_liar_takes_the_pile_and_the_caller_begins_a_new_one() -> None:
    hands = dealt([0, 0, 12], [5, 3], [2], [9])
    game = Game(hands, {(1, CARD): 0})  # the first card of the caller's hand
    game.turn([0, 0])
    game.turn((3, 5), 3)
    assert game.hand(1) == (*hands[1][2:], 0, 0, 3, 5)  # oldest first
    assert game.hand(3) == tuple(hands[3][1:])
    assert game.pile == [9]
    assert game.view(3).given == 9
    assert [game.view(seat).given for seat in (0, 1, 2)] == [None] * 3
    assert game.view(2).last == Turn(1, 1, 2, 3, True, 1, 4)
    assert game.view(2).rank == 2
    assert game.view(2).sizes == (11, 15, 13, 12)


def test_one_wrong_card_among_right_ones_is_a_lie() -> None:
    game = Game(dealt([0, 0, 12]))
    game.turn([0, 12, 0], 1)
    assert game.hand(0)[-3:] == (0, 12, 0)
    assert len(game.hand(0)) == 13


def test_who_calls_the_truth_takes_the_pile() -> None:
    hands = dealt([0, 0, 12])
    game = Game(hands)
    game.turn([0, 0], 2)
    assert game.hand(2) == (*hands[2], 0, 0)
    assert game.pile == []
    assert game.view(1).last == Turn(0, 0, 2, 2, False, 2, 2)
    assert game.view(1).rank == 1  # goes up, challenged or not
    assert game.view(2).given is None


@pytest.mark.parametrize(("word", "drawn"), [(1, 1), (2**31, 2), (2**32 - 1, 3)])
def test_one_of_several_callers_is_drawn_and_the_others_lose_nothing(word: int, drawn: int) -> None:
    hands = dealt([0, 12])
    game = Game(hands, {(0, CALLER): word})
    game.turn([0], 1, 2, 3)
    assert game.view(1).last == Turn(0, 0, 1, drawn, False, drawn, 1)
    for seat in (1, 2, 3):
        assert game.hand(seat) == (*hands[seat], *([0] if seat == drawn else []))


@pytest.mark.parametrize(("word", "place"), [(1, 0), (2**31, 6), (2**32 - 1, 12)])
def test_any_card_of_the_caller_can_be_drawn(word: int, place: int) -> None:
    hands = dealt([5], [*range(1, 13), 1])
    game = Game(hands, {(0, CARD): word})
    game.turn([5], 1)
    assert game.pile == [hands[1][place]]
    assert game.hand(1) == (*hands[1][:place], *hands[1][place + 1 :])


def test_the_first_of_equal_cards_leave_the_hand() -> None:
    hands = dealt([3, 0, 3, 7, 3])
    game = Game(hands)
    game.turn([7, 3, 3])
    assert game.hand(0) == (0, 3, *hands[0][5:])
    assert game.pile == [7, 3, 3]


def test_after_the_last_rank_comes_the_first() -> None:
    game = Game(dealt())
    ranks = []
    for _ in range(15):
        mover = int(game.lane["turn"]) % SEATS
        ranks.append(game.view(mover).rank)
        game.turn(game.hand(mover)[:1])
    assert ranks == [*range(13), 0, 1]


def test_nobody_who_lies_with_the_last_cards_wins_if_called() -> None:
    game = Game(dealt())
    game.turn(game.hand(0), 2)
    assert game.asked == 2
    assert len(game.hand(0)) == 13
    assert game.score() == [(0, 39), (0, 39), (0, 40), (0, 39)]


def test_a_lie_with_the_last_cards_wins_if_nobody_calls() -> None:
    game = Game(dealt())
    game.turn(game.hand(0))
    assert game.asked == 0
    assert game.score() == [(1, 52), (0, 39), (0, 39), (0, 39)]


def test_the_truth_with_the_last_card_wins_though_called() -> None:
    game = Game(dealt([4, 0, 1]))
    game.turn([card for card in game.hand(0) if card != 4])
    for seat in (1, 2, 3):
        game.turn(game.hand(seat)[:1])
    game.turn([4], 2)
    assert game.asked == 0
    assert [won for won, _ in game.score()] == [1, 0, 0, 0]
    assert len(game.hand(2)) == 12 + 12 + 3 + 1


def test_a_right_call_with_the_last_card_wins() -> None:
    game = Game(dealt())
    game.turn(game.hand(0)[:12])
    game.turn([12] if 12 in game.hand(1) else game.hand(1)[:2], 0)
    assert game.asked == 0
    assert [won for won, _ in game.score()] == [1, 0, 0, 0]


# Illegal answers.


@pytest.mark.parametrize(
    "reply", [[], [12], [0] * 5, [13], [-1], [256], [0] * 60, None, "0", 0, [True], [0.0], {0}]
)
def test_an_illegal_lay_is_the_first_of_the_lowest_cards(reply: object) -> None:
    hands = dealt([9, 3, 0, 5, 0], [12] * 4, [1] * 4)
    game = Game(hands)
    assert not game.answer(0, reply, LAY_REPLY.dtype(), encode_lay)
    assert game.pile == [0]
    assert game.hand(0) == (9, 3, 5, 0, *hands[0][5:])


@pytest.mark.parametrize("reply", [1, 0, None, "True", 1.0, [True], np.bool_(True)])
def test_what_is_not_true_or_false_is_no_call(reply: object) -> None:
    game = Game(dealt([5]))
    game.answer(0, [5], LAY_REPLY.dtype(), encode_lay)
    game.asked = game._one.proceed(game.words)
    for seat in (1, 2, 3):
        assert not game.answer(seat, reply, CALL_REPLY.dtype(), encode_call)
    game._one.proceed(game.words)
    assert game.view(1).last == Turn(0, 0, 1, None, None, None, 0)


@pytest.mark.parametrize(
    ("reply", "code"),
    [
        ([], 0),
        ([7, 12], 2),
        ((1, 1, 1), 3),
        ([0] * 52, 52),
        ([0] * 53, ILLEGAL),
        ([13], ILLEGAL),
        ([-1], ILLEGAL),
        ([10**30], ILLEGAL),
        ([True], PROTOCOL),
        ("7", PROTOCOL),
        (b"7", PROTOCOL),
        (7, PROTOCOL),
        (None, PROTOCOL),
    ],
)
def test_cards_travel_as_code_and_payload(reply: Any, code: int) -> None:
    record = np.zeros(1, LAY_REPLY.dtype())
    assert encode_lay(reply, memoryview(record.view(np.uint8))[2:]) == code
    if code > 0:
        assert record["cards"][0][:code].tolist() == list(reply)


def test_calls_travel_as_codes() -> None:
    nothing = memoryview(bytearray())
    assert encode_call(True, nothing) == CALL
    assert encode_call(False, nothing) == NO_CALL
    assert encode_call(1, nothing) == encode_call(None, nothing) == PROTOCOL


# What is told.


def test_views_say_what_they_were_made_of() -> None:
    last = Turn(1, 7, 2, 3, True, 1, 9)
    told = View(3, 2, 8, 1, [4, 4, 0], [9, 8, 7, 3], 5, last, 4)
    facts = (3, 2, 2, 8, 1, (4, 4, 0), (9, 8, 7, 3), 5, last, 4)
    assert told._asdict() == dict(zip(FACTS, facts, strict=True))
    assert repr(told).startswith("View(seat=3, turn=2, mover=2")
    quiet = View(0, 5, 5, 0, [], [0, 1, 2, 3], 0, Turn(0, 4, 1, None, None, None, 0))
    assert quiet.last == Turn(0, 4, 1, None, None, None, 0)
    assert View(0, 0, 0, 0, [1], [1, 1, 1, 1], 0).last is None


@pytest.mark.parametrize("turn", [*range(12), 51, 1000])
def test_a_distance_is_in_own_turns(turn: int) -> None:
    for seat in range(SEATS):
        own = [t for t in range(turn, turn + 4 * RANKS) if t % SEATS == seat]
        assert [distance(turn, t % RANKS, seat) for t in own] == [*range(RANKS)]


def in_play() -> NDArray[np.void]:
    """Lanes in the middle of games, some asking one question, some the other."""
    deals, lanes = 1500, 120
    source = deals_of(GAME, TEXT, b"resample".ljust(32), deals)
    table, seating = np.zeros(lanes, GAME.lane), np.tile(np.arange(4, dtype=np.int16), (deals, 1))
    rules = GAME.rules_record(TEXT)
    more = np.zeros((lanes, source.rows, source.words), np.uint32)
    state = (
        *(table, rules, source.first(), more, np.zeros(deals, np.uint32)),
        *(np.zeros(1, np.int64), np.zeros((deals, SEATS), SCORE), np.zeros(deals, np.uint8)),
    )
    index, opened = np.zeros((lanes * 4, 2), np.int32), np.zeros(lanes * 4, np.uint8)
    fared, frame = np.zeros(lanes * 4, loops.FARED), np.zeros(lanes * 4, OBSERVATION.dtype())
    decide = manners(8, 0.2, 0.4, 0.05)
    rng = np.random.default_rng(2)
    loops.open_lanes(*state)
    for tick in range(240):
        number, seat = tick // 4 % 2, tick % 4
        n = loops.gather(table, rules, seating, seat, number, index, opened, frame)
        some = np.flatnonzero(rng.random(n) < 0.8)  # the others keep their game waiting
        n, index[: len(some)], frame[: len(some)] = len(some), index[some], frame[some]
        replies = np.zeros(n, GAME.questions[number].reply)
        for k, view in enumerate(views(frame[:n].tobytes())):
            reply, payload = decide(seat, view), memoryview(replies[k : k + 1].view(np.uint8))[2:]
            code = GAME.questions[number].wire.encode(reply, payload)
            replies["code"][k] = reply if type(reply) is int else code
        loops.scatter(*state, index, n, replies, fared)
    asked = table[table["asked"] != 0]
    assert len(set(asked["turn"].tolist())) > 10
    assert set(asked["question"].tolist()) == {0, 1}
    return asked


@njit(cache=True)
def _observe(lanes, rules, seat, frame):  # type: ignore[no-untyped-def]
    for k in range(len(lanes)):
        observe(lanes[k], rules, seat, frame[k])


def observations(lanes: NDArray[np.void], seat: int) -> bytes:
    frame = np.zeros(len(lanes), OBSERVATION.dtype())
    _observe(lanes, GAME.rules_record(TEXT), seat, frame)
    return frame.tobytes()


@pytest.mark.parametrize("seat", range(SEATS))
def test_what_a_seat_is_told_follows_from_what_it_may_know(seat: int) -> None:
    """Everything in the lane's record is overwritten at random, except the facts of the rules."""
    table = in_play()
    noise = np.frombuffer(random.Random(seat).randbytes(table.nbytes), table.dtype).copy()
    last = ["last_rank", "last_number", "last_caller", "last_lied", "last_taken"]
    for name in ["turn", "rank", "number", "sizes", "pile_size", *last]:
        noise[name] = table[name]
    mine = table["last_caller"] == seat
    noise["last_given"][mine] = table["last_given"][mine]
    noise["hand"][:, seat] = table["hand"][:, seat]
    assert observations(noise, seat) == observations(table, seat)


def test_no_card_is_lost_or_made() -> None:
    for lane in in_play():
        cards = lane["pile"][: lane["pile_size"]].tolist()
        for seat in range(SEATS):
            cards += lane["hand"][seat][: lane["sizes"][seat]].tolist()
        assert sorted(cards) == DECK


# Parameters.


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"copies": 5}, "65 cards; at most 52"),
        ({"ranks": 5, "copies": 3}, "15 cards cannot be dealt evenly"),
        ({"ranks": 14}, "less than or equal to 13"),
        ({"max_rounds": 0}, "greater than or equal to 1"),
        ({"jokers": 2}, "Extra inputs"),
    ],
)
def test_parameters_that_cannot_be_played_are_refused(
    changes: dict[str, int], message: str
) -> None:
    with pytest.raises(ValidationError, match=message):
        BsRules(**changes)


@pytest.mark.parametrize(("ranks", "copies"), [(2, 2), (4, 13), (13, 1 * 4), (8, 1), (12, 3)])
def test_other_decks_are_dealt_and_played(ranks: int, copies: int) -> None:
    rules = BsRules(ranks=ranks, copies=copies)
    played = play(GAME, rules, b"decks".ljust(32), 40, 10, manners(3, 0.1, 0.5, 0.05))
    for made in played.decisions:
        first = {d.seat: d.view for d in made if d.view.turn == 0 and d.view.number}
        own = next(d.view for d in made if d.view.number == 0)
        hands = [own.hand, *(view.hand for view in first.values())]
        whole = [rank for rank in range(ranks) for _ in range(copies)]
        assert sorted(card for hand in hands for card in hand) == whole
        assert all(d.view.rank == d.view.turn % ranks for d in made)
    assert (played.scores["won"].sum(axis=1) == 1).all()
