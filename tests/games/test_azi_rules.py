"""The compiled rules of Azi against the reference engine, and what a seat can get to know.

The reference (`tests.reference.azi`) was written from the rules text alone. Both play the same
cards, made from the same random words twice: by the compiled rules, and by `tests.games.cards`.
"""

from __future__ import annotations

import random
from collections import Counter, deque
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from harness.arena.deals import Deals
from harness.games.azi import CALL, FOLD, NO_CARD, View, card
from harness.games.azi.about import ABOUT, VARIANTS, AziRules
from harness.games.azi.frames import BET, DISCARD, PLAY
from harness.games.azi.game import GAME
from harness.games.contract import STARVED, Question
from harness.games.frames import EXCEPTION, PROTOCOL, UNANSWERED
from harness.games.onelane import OneLane
from tests.games.azi_tables import decks, first_opener, hand, rigged, session_words, theirs
from tests.games.cards import rows_of
from tests.games.lockstep import Decide, Decision, Played, play
from tests.reference import azi as reference
from tests.reference.azi_told import DealOutcome, ReferenceView

TEXT = VARIANTS["text"]
KEY = b"azi".ljust(32)


# Random sessions.


def manners(seed: int, timid: float, wrong: float, bold: float) -> Decide:
    """A random player: chances of folding, of what the rules may forbid, of raising at all.

    Most raises are small, so that sessions last; some are all that the rules allow.
    """
    rng = random.Random(seed)

    def raised(view: View) -> int:
        most = view.most if rng.random() < 0.1 else min(view.most, view.least + 2)
        return rng.randint(view.least, most)

    def decide(seat: int, view: View) -> int:
        if rng.random() < wrong:
            return rng.choice(
                [
                    rng.randint(-3, 30),
                    rng.randint(-(2**15), 2**15 - 1),
                    view.most + 1,
                    view.least - 1,
                    *(UNANSWERED, EXCEPTION, PROTOCOL),
                    *(card + add for card in view.hand for add in (32, 64, 256)),
                    *view.hand,
                ]
            )
        if view.legal_mask:
            return rng.choice(view.legal)
        if view.may_fold and rng.random() < timid:
            return FOLD
        if view.most and (not view.may_call or rng.random() < bold):
            return raised(view)
        return CALL if view.may_call else FOLD

    return decide


@st.composite
def any_rules(draw: st.DrawFn) -> AziRules:
    """Any parameters that can be played, sessions not too long."""
    ante = draw(st.integers(1, 5))
    return AziRules(
        seats=draw(st.integers(2, 6)),
        deal=draw(st.sampled_from([3, 4])),
        stack=draw(st.integers(ante, 60)),
        session_deals=draw(st.integers(1, 25)),
        ante=ante,
        min_bet=draw(st.none() | st.integers(1, 8)),
        opener_may_fold=draw(st.booleans()),
        min_raise=draw(st.integers(1, 4)),
        max_raises=draw(st.integers(1, 3)),
        azi_entry=draw(st.sampled_from(["all", "trick_players", "half_bank"])),
        max_azi=draw(st.integers(1, 4) | st.just(100)),
        payout=draw(st.sampled_from(["scaled", "matched"])),
    )


# The comparison.


def code(ours: Decision) -> object:
    """The reply as the reference takes it."""
    reply = ours.reply
    assert isinstance(reply, int)
    if ours.view.entering:
        return {CALL: 1, FOLD: 0}.get(reply, 99)
    if ours.question == BET:
        return reply
    return theirs(reply) if 0 <= reply < 27 else 99 + reply


def same(ours: Decision, told: ReferenceView) -> None:
    """The view of a question against the reference's."""
    view: View = ours.view
    kinds = {DISCARD: "discard", BET: "enter" if view.entering else "bet", PLAY: "play"}
    assert kinds[ours.question] == told.kind
    assert (view.seat, view.seats) == (told.seat, len(told.stacks))
    assert sorted(map(theirs, view.hand)) == sorted(told.cards)
    assert view.turn_up == NO_CARD if told.turn_up is None else theirs(view.turn_up) == told.turn_up
    assert view.players == tuple(sorted(told.players))
    assert view.stacks == told.stacks
    assert view.bank == told.bank == sum(view.contributions)
    assert view.stakes == told.stakes
    assert view.contributions == told.contributions
    assert view.azi == told.azi_count
    tricks = tuple(tuple((seat, theirs(card)) for seat, card in trick) for trick in view.tricks)
    assert tricks == told.tricks
    _same_bets(view, told)
    if told.kind in ("discard", "play"):
        assert sorted(map(theirs, view.legal)) == sorted(told.legal)
    elif told.kind == "bet":
        assert view.legal == (*sorted(told.legal), *told.amounts)
        assert (view.may_fold, view.may_call) == (FOLD in told.legal, CALL in told.legal)
    else:
        assert view.legal == (FOLD, CALL)
        assert view.cost == (told.bank + 1) // 2


def _same_bets(view: View, told: ReferenceView) -> None:
    """Ours are what was said, theirs what was paid for it."""
    highest = 0
    paid = dict.fromkeys(range(view.seats), 0)
    assert len(view.bets) == len(told.bets)
    for (seat, said), bet in zip(view.bets, told.bets, strict=True):
        assert seat == bet.seat
        action = {FOLD: ("fold",), CALL: ("call", "short")}.get(said, ("bet", "raise"))
        assert bet.action in action
        if said > 0:
            assert bet.action == ("raise" if highest else "bet")
            assert bet.amount == highest + said - paid[seat]
            highest += said
        paid[seat] += bet.amount


def compare(played: Played, rules: AziRules, deal: int) -> list[DealOutcome]:
    """Have the reference play the session with the same replies; everything must agree."""
    made = played.decisions[deal]
    left = deque(_together(made))

    def decide(seat: int, told: ReferenceView) -> object:
        # What is asked of several at once is in the order of the seats here, there in another one.
        decision = left[0].pop(seat)
        if not left[0]:
            left.popleft()
        same(decision, told)
        return code(decision)

    rows = rows_of(played.deals, played.words, deal)
    opener = first_opener(rules, next(rows))
    parameters = rules.model_dump(exclude={"session_deals"})
    outcomes = reference.play_session(
        reference.Rules(**parameters), decks(rules, rows), decide, first_opener=opener
    )
    assert not left
    theirs_made = [decision for outcome in outcomes for decision in outcome.decisions]
    assert sorted(d.legal for d in made) == sorted(d.legal for d in theirs_made)
    final = outcomes[-1].stacks
    scores = played.scores[deal]
    assert scores["points"].tolist() == [stack - rules.stack for stack in final]
    assert scores["won"].tolist() == [
        sorted(final)[-2:] != [stack, stack] and stack == max(final) for stack in final
    ]
    return outcomes


def _together(made: list[Decision]) -> Iterator[dict[int, Decision]]:
    """The decisions one by one, but those that were asked at once, by seat."""

    def when(numbered: tuple[int, Decision]) -> tuple[int, int, bool]:
        number, decision = numbered
        view: View = decision.view
        at_once = decision.question == DISCARD or view.entering
        return view.deal_number, -1 if at_once else number, view.entering

    for _, group in groupby(enumerate(made), when):
        yield {decision.seat: decision for _, decision in group}


def play_and_compare(rules: AziRules, games: int, decide: Decide, key: bytes = KEY) -> Counter[str]:
    """Whole sessions; returns how often things happened, so that a test can want them to."""
    played = play(GAME, rules, key, games, 16, decide)
    seen: Counter[str] = Counter()
    for deal in range(games):
        outcomes = compare(played, rules, deal)
        seen.update(decision.view.kind for o in outcomes for decision in o.decisions)
        seen["deals"] += len(outcomes)
        seen["azi"] += sum(outcome.winner is None for outcome in outcomes)
        seen["folded out"] += sum(outcome.leader is None for outcome in outcomes)
        seen["short"] += sum(
            o.winner is not None and o.paid[o.winner] < sum(o.paid) for o in outcomes
        )
        seen["returned"] += sum(any(outcome.returned) for outcome in outcomes)
        seen["early end"] += len(outcomes) < rules.session_deals
        seen["left out"] += sum(len(outcome.players) < rules.seats for outcome in outcomes)
        seen["illegal"] += sum(not decision.legal for decision in played.decisions[deal])
    return seen


@settings(max_examples=10, suppress_health_check=[HealthCheck.too_slow])
@given(any_rules(), st.integers(0, 2**32), st.binary(min_size=32, max_size=32))
def test_any_rules_play_as_the_reference_does(rules: AziRules, seed: int, key: bytes) -> None:
    play_and_compare(rules, 4, manners(seed, 0.15, 0.1, 0.3), key)


@dataclass(frozen=True)
class Setting:
    """Rules, a way to play them, and what has to happen."""

    rules: AziRules
    wanted: str
    timid: float = 0.1
    bold: float = 0.3

    def check(self, games: int, seed: int) -> None:
        decide = manners(seed, self.timid, 0.05, self.bold)
        seen = play_and_compare(self.rules, games, decide, seed.to_bytes(32, "big"))
        for wanted in self.wanted.split(", "):
            assert seen[wanted] > 0, wanted


SETTINGS = {
    "text": Setting(TEXT, "azi, short, returned, early end, left out, illegal"),
    "two seats": Setting(AziRules(seats=2), "folded out, early end"),
    "three seats": Setting(AziRules(seats=3), "azi, short, early end"),
    "six seats": Setting(AziRules(seats=6), "azi, short, left out"),
    "four cards": Setting(VARIANTS["four-cards"], "discard, azi, short"),
    "six seats, four cards": Setting(AziRules(seats=6, deal=4), "discard, azi"),
    "matched": Setting(AziRules(payout="matched"), "azi, short"),
    "trick players": Setting(AziRules(azi_entry="trick_players"), "azi, left out"),
    "half the bank": Setting(AziRules(azi_entry="half_bank", seats=5), "azi, enter, left out"),
    "an end to Azi": Setting(AziRules(max_azi=1, seats=5), "azi, returned", timid=0.02, bold=0.1),
    "two in a row": Setting(AziRules(max_azi=2, seats=5), "azi, returned", timid=0.02, bold=0.1),
    "opener may fold": Setting(AziRules(opener_may_fold=True), "folded out", timid=0.4),
    "large antes": Setting(AziRules(ante=7, min_bet=10, stack=80), "short, left out, early end"),
    "large raises": Setting(AziRules(min_raise=5, min_bet=2), "azi, short"),
    "one raise": Setting(AziRules(max_raises=1), "azi, short", bold=0.7),
    "long": Setting(AziRules(session_deals=25, stack=2000, seats=3), "azi", bold=0.1),
}


@pytest.mark.parametrize("name", SETTINGS)
def test_sessions_are_those_of_the_reference(name: str) -> None:
    SETTINGS[name].check(10, 1)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("name", SETTINGS)
def test_many_sessions_are_those_of_the_reference(name: str, seed: int) -> None:
    SETTINGS[name].check(30, 2 + seed)


# What a seat can get to know, and chips.


class Wander:
    """A session of random play, one decision at a time, that can be stopped anywhere."""

    def __init__(self, rules: AziRules, seed: int) -> None:
        self.rules = rules
        self.rng = random.Random(seed)
        self.decide = manners(seed, 0.1, 0.1, 0.3)
        self.source = Deals(seed.to_bytes(32, "big"), 1, *ABOUT.words(rules))
        self.words = self.source.first()[0]
        self.game = OneLane(GAME.lane, GAME.rules_record(rules))
        self.game.start(self.words)

    @property
    def chips(self) -> int:
        lane = self.game.lane
        return int(lane["stack"].sum() + lane["contribution"].sum())

    def steps(self) -> Iterator[tuple[int, Question]]:
        """Seats asked and what, before each answers."""
        while state := self.game.proceed(self.words):
            if state == STARVED:
                self.words = self.source.more(0, self.game.refill())
                continue
            seats = [seat for seat in range(self.rules.seats) if state >> seat & 1]
            self.rng.shuffle(seats)
            for seat in seats:
                question = GAME.questions[int(self.game.lane["question"])]
                yield seat, question
                told = self.game.observe(seat, question.observation)
                view = next(iter(question.wire.views(told.tobytes())))
                reply = np.zeros(1, question.reply)
                said = self.decide(seat, view)
                assert isinstance(said, int)
                reply["code"] = said
                self.game.act(seat, reply[0])


@pytest.mark.parametrize("name", SETTINGS)
def test_chips_are_conserved_after_every_action(name: str) -> None:
    rules = SETTINGS[name].rules
    for seed in range(2):
        session = Wander(rules, seed)
        for _ in session.steps():
            assert session.chips == rules.seats * rules.stack
            assert (session.game.lane["stack"] >= 0).all()
        assert session.chips == session.game.lane["stack"].sum() == rules.seats * rules.stack
        points = [session.game.score(seat)[1] for seat in range(rules.seats)]
        assert sum(points) == 0


# Substitutes, and who has left.


def rig(rules: AziRules, opener: int, deals: Any, decide: Decide) -> Played:
    words = session_words(rules, opener, deals)
    return play(GAME, rules, KEY, 1, 1, decide, source=rigged(rules, words))


ONE = AziRules(seats=3, session_deals=1)
HANDS = (["h6 dA sA", "h7 d7 s7", "hA d6 s6"], "hK")


@pytest.mark.parametrize("wrong", [100, -2, -1, 0, EXCEPTION, PROTOCOL, UNANSWERED])
def test_an_illegal_bid_is_a_call_and_for_the_opener_the_least_bet(wrong: int) -> None:
    played = rig(
        replace(ONE, min_bet=4), 1, [HANDS], lambda seat, v: v.legal[0] if v.legal_mask else wrong
    )
    made = played.decisions[0]
    last = made[-1].view
    assert not made[0].legal
    assert made[0].seat == 1
    assert last.bets[0] == (1, 4)
    if wrong not in (-1, 0):
        assert last.bets == ((1, 4), (2, CALL), (0, CALL))
        assert not any(decision.legal for decision in made[:3])


def replace(rules: AziRules, **changes: Any) -> AziRules:
    return AziRules(**{**rules.model_dump(), **changes})


def all_legal_but_cards(seat: int, view: View) -> int:
    if view.legal_mask:
        return 27
    return CALL if view.may_call else view.least


def test_an_illegal_card_is_the_lowest_legal_one() -> None:
    played = rig(ONE, 0, [HANDS], all_legal_but_cards)
    tricks = [decision.view.tricks for decision in played.decisions[0] if decision.question == PLAY]
    assert tricks[1][0] == ((0, card("h6")),)  # hearts are trumps, but 6 is the lowest rank
    assert tricks[2][0] == ((0, card("h6")), (1, card("h7")))  # must follow


def test_an_illegal_discard_is_the_lowest_card_that_is_no_trump() -> None:
    rules = replace(ONE, deal=4)
    hands = ["h6 h8 d7 sA", "h7 h9 h10 hJ", "sK d6 s6 dA"]
    seen = {}

    def decide(seat: int, view: View) -> int:
        if len(view.hand) == 3:
            seen.setdefault(seat, view.hand)
        if view.legal_mask:
            return view.legal[-1] if len(view.hand) < 4 else 99
        return CALL if view.may_call else view.least

    rig(rules, 0, [(hands, "hQ")], decide)
    assert seen[0] == tuple(sorted(hand("h6 h8 sA")))
    assert seen[1] == tuple(sorted(hand("h9 h10 hJ")))
    assert seen[2] == tuple(sorted(hand("s6 sK dA")))


def test_who_has_forfeited_pays_antes_folds_and_cannot_win() -> None:
    session = Wander(AziRules(seats=3, session_deals=6), 3)
    lane = session.game.lane
    lane["out"] = 1  # as the arena's loops have it
    assert not session.game.forfeit(0)
    asked = 0
    while state := session.game.proceed(session.words):
        for seat in range(3):
            if state >> seat & 1:
                opening = lane["question"] == BET and lane["raiser"] < 0
                session.game.substitute(seat)
                if seat == 0 and lane["question"] == BET:
                    asked += 1
                    assert opening or not lane["players"] & 1
        assert session.chips == 300
    assert asked >= 2


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"ante": 200}, "an ante of 200 cannot be paid from a stack of 100"),
        ({"seats": 6, "stack": 6000}, "36000 chips; at most 30000"),
        ({"seats": 7}, "less than or equal to 6"),
        ({"deal": 5}, "3 or 4"),
        ({"azi_entry": "some"}, "trick_players"),
        ({"jokers": 1}, "not permitted"),
    ],
)
def test_rules_that_cannot_be_played_are_refused(wrong: dict[str, Any], message: str) -> None:
    with pytest.raises(ValidationError, match=message):
        AziRules(**wrong)
