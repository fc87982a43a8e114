"""The compiled rules of Azi against the reference engine, and what a seat can get to know.

The reference (`tests.reference.azi`) was written from the rules text alone. Both play the same
cards, made from the same random words twice: by the compiled rules, and by `tests.games.cards`.
"""

from __future__ import annotations

import random
from collections import Counter, deque
from collections.abc import Iterator
from itertools import groupby

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from harness.games.azi import CALL, FOLD, NO_CARD, View
from harness.games.azi.about import VARIANTS, AziRules
from harness.games.azi.frames import BET, DISCARD, PLAY
from harness.games.azi.game import GAME
from harness.games.frames import EXCEPTION, PROTOCOL, UNANSWERED
from tests.games.azi_tables import decks, first_opener, theirs
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


@settings(max_examples=20, suppress_health_check=[HealthCheck.too_slow])
@given(any_rules(), st.integers(0, 2**32), st.binary(min_size=32, max_size=32))
def test_any_rules_play_as_the_reference_does(rules: AziRules, seed: int, key: bytes) -> None:
    play_and_compare(rules, 4, manners(seed, 0.15, 0.1, 0.3), key)


CASES = [
    ({}, (0.1, 0.05, 0.3), "deals azi short illegal early"),
]


def test_text() -> None:
    print(play_and_compare(TEXT, 40, manners(1, 0.1, 0.05, 0.3)))
    print(
        play_and_compare(
            AziRules(azi_entry="half_bank", seats=6, deal=4, ante=2), 40, manners(1, 0.1, 0.05, 0.3)
        )
    )
    assert 0
