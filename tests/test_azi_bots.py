"""The house bots of Azi against the words of the rules text, and their ladder."""

from __future__ import annotations

import random
from functools import cache
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import pytest

from benchmarks.azi_ladder import BOTS, DEALS, LADDER, climb
from benchmarks.measure import load
from harness.games.azi import CALL, FOLD, View, card
from harness.games.azi.about import AziRules
from harness.games.azi.frames import OBSERVATION, views
from harness.games.azi.game import GAME
from harness.games.azi.view import CALLED, FOLDED, RAISED
from harness.games.player import BatchBot
from tests.games.azi_tables import hand
from tests.games.lockstep import play

RECORD = OBSERVATION.dtype()


def ask(
    held: str,
    turn_up: str = "hK",
    *,
    legal: str = "",
    tricks: tuple[str, ...] = (),
    leader: int = 0,
    players: int = 4,
    bets: tuple[tuple[int, int], ...] = (),
    bank: int = 8,
    cost: int = 0,
    least: int = 1,
    most: int = 50,
) -> np.ndarray[Any, Any]:
    """A question to seat 0: bets, or with `legal` cards a card.

    `tricks`: the cards of each trick, in the order of the seats from its leader on; the first is
    led by `leader`, later ones by seat 0. `bets`: (seat, chips or FOLD or CALL) so far.
    """
    record = np.zeros(1, RECORD)
    record["hand"] = sum(1 << c for c in hand(held))
    record["turn_up"] = card(turn_up)
    record["seats"] = players
    record["players"] = (1 << players) - 1
    record["stacks"][0, :players] = 50
    record["bank"] = bank
    record["legal"] = sum(1 << c for c in hand(legal))
    for number, names in enumerate(tricks):
        first = leader if number == 0 else 0
        record["leaders"][0, number] = first + 1
        for step, played in enumerate(hand(names)):
            record["played"][0, 6 * number + (first + step) % players] = played + 1
    if legal:
        return record
    record["cost"], record["least"], record["most"] = cost, least, most
    record["may_fold"] = record["may_call"] = len(bets) > 0
    record["said"] = len(bets)
    raises = [chips for _, chips in bets if chips > 0]
    record["raises"][0, : len(raises)] = raises
    kinds = {FOLD: FOLDED, CALL: CALLED}
    log = [seat | kinds.get(chips, RAISED) << 3 for seat, chips in bets]
    record["log"][0, : len(log)] = log
    return record


def see(*args: Any, **facts: Any) -> View:
    return next(iter(views(ask(*args, **facts).tobytes())))


@cache
def bot(file: str) -> Any:
    return load(BOTS / file).make("seed", "")


class Case(NamedTuple):
    """A sentence of the text, a view to which it applies, and the reply it demands."""

    rule: str
    view: View
    reply: int


OPENED = ((1, 1), (2, CALL), (3, CALL))


def plays(held: str, legal: str, tricks: tuple[str, ...], reply: str, **facts: Any) -> Any:
    return see(held, legal=legal, tricks=tricks, **facts), card(reply)


GREEDY = (
    Case("leads the top trump", *plays("h7 hA sA", "h7 hA sA", ("",), "hA")),
    Case("top trump: six on stage", *plays("h6 hK", "h6 hK", ("",), "h6", turn_up="hA")),
    Case("else the highest side card", *plays("s9 dQ", "s9 dQ", ("",), "dQ")),
    Case("the cheapest winner", *plays("s9 sJ sA", "s9 sJ sA", ("s10",), "sJ", leader=3)),
    Case("the cheapest trump", *plays("h7 hJ d6", "h7 hJ", ("s10",), "h7", leader=3)),
    Case("over a trump", *plays("h7 hJ d6", "h7 hJ", ("s10 h8",), "hJ", leader=2)),
    Case("else the lowest", *plays("s9 sJ", "s9 sJ", ("sK",), "s9", leader=3)),
    Case("lowest of all suits", *plays("d9 dJ s8", "d9 dJ s8", ("hK",), "s8", leader=3)),
)


@pytest.mark.parametrize("case", GREEDY, ids=lambda case: case.rule)
def test_always_call_plays_greedily(case: Case) -> None:
    assert bot("always_call_greedy.py").play(case.view) == case.reply


def test_always_call_always_calls() -> None:
    assert bot("always_call_greedy.py").bet(see("d6 d7 s6", bets=OPENED, cost=40)) == CALL
    assert bot("always_call_greedy.py").bet(see("hA h7 s6", least=3)) == 3


SIMPLE_BETS = (
    Case("opens with the minimum", see("hA hQ sA", least=2), 2),
    Case("two trumps raise", see("h7 h8 s6", bets=OPENED, cost=1, bank=9), 9),
    Case("top trump and a side Ace raise", see("hA sA d6", bets=OPENED, cost=1, bank=9), 9),
    Case("another trump and a side Ace do not", see("hQ sA d6", bets=OPENED, cost=1, bank=9), CALL),
    Case("the top trump alone does not", see("hA sK d6", bets=OPENED, cost=1, bank=9), CALL),
    Case(
        "one raise",
        see("h7 h8 s6", bets=(*OPENED, (0, 3), (1, 3)), cost=3, bank=20),
        CALL,
    ),
    Case("calls when .12 x bank >= call", see("h7 s8 s6", bets=OPENED, cost=1, bank=9), CALL),
    Case("folds when it is less", see("h7 s8 s6", bets=OPENED, cost=1, bank=8), FOLD),
    Case("two players: .26", see("d7 s8 s6", bets=((1, 2),), cost=2, bank=8, players=2), CALL),
    Case("two players: less", see("d7 s8 s6", bets=((1, 2),), cost=3, bank=8, players=2), FOLD),
    Case(
        "five players, interpolated: .08",
        see("h7 s8 s6", bets=OPENED, cost=1, bank=13, players=5),
        CALL,
    ),
    Case("five players: less", see("h7 s8 s6", bets=OPENED, cost=1, bank=12, players=5), FOLD),
)


@pytest.mark.parametrize("case", SIMPLE_BETS, ids=lambda case: case.rule)
def test_simple_bets_as_it_says(case: Case) -> None:
    assert bot("simple.py").bet(case.view) == case.reply


SIMPLE_PLAYS = (
    Case("two trumps: the top one", *plays("h7 hQ sA", "h7 hQ sA", ("",), "hQ")),
    Case("one trump: the highest side card", *plays("hQ sA d6", "hQ sA d6", ("",), "sA")),
    Case(
        "one trick won: the trump",
        *plays("hQ d6", "hQ d6", ("sA s6 s7 s8", ""), "hQ"),
    ),
    Case(
        "no trump left: the highest side card",
        *plays("sQ d6", "sQ d6", ("sA s6 s7 s8", ""), "sQ"),
    ),
    *GREEDY[3:],
)


@pytest.mark.parametrize("case", SIMPLE_PLAYS, ids=lambda case: case.rule)
def test_simple_plays_as_it_says(case: Case) -> None:
    assert bot("simple.py").play(case.view) == case.reply


def test_simple_discards_what_is_worth_least() -> None:
    held = "h7 sA dK d9"
    assert bot("simple.py").discard(see(held, legal=held)) == card("d9")
    held = "h7 sA dK h9"
    assert bot("simple.py").discard(see(held, legal=held)) == card("dK")


def test_random_legal_gives_every_legal_answer() -> None:
    said = {bot("random_legal.py").bet(see("hA", bets=OPENED, cost=1, most=3)) for _ in range(300)}
    assert said == {FOLD, CALL, 1, 2, 3}
    legal = hand("h7 hQ sA")
    view = see("h7 hQ sA", legal="h7 hQ sA", tricks=("",))
    assert {bot("random_legal.py").play(view) for _ in range(100)} == set(legal)


def strong(record: np.ndarray[Any, Any], method: str) -> int:
    return int(getattr(bot("strong.py"), method)(record)[0])


def test_strong_bets_by_its_chances() -> None:
    assert strong(ask("hA hQ hJ", bets=OPENED, cost=1), "bet") > 0
    raised = ((1, 1), (2, 8), (3, 12))
    assert strong(ask("d6 s7 d8", bets=raised, cost=21, bank=40), "bet") == FOLD
    assert strong(ask("d6 s7 d8"), "bet") == 1  # it has to open


def test_strong_finds_the_card_that_wins() -> None:
    # Last to play, a trick is there for the taking; the other cards will hardly make two.
    record = ask("s6 sA h7", legal="s6 sA", tricks=("s9 s10 sJ",), leader=1)
    assert strong(record, "play") == card("sA")
    # The third trick decides, and only one card can take it.
    record = ask("d6 dA", legal="d6 dA", tricks=("sA s6 s7 s8", "d9 d10 dJ"), leader=0)
    record["leaders"][0, 1] = 2  # led by seat 1, who has no trick yet
    record["played"][0, 6:10] = [0, *(each + 1 for each in hand("d9 d10 dJ"))]
    assert strong(record, "play") == card("dA")


@pytest.mark.parametrize(
    "rules",
    [
        AziRules(),
        AziRules(seats=2, stack=9),
        AziRules(seats=6, deal=4, azi_entry="half_bank"),
        AziRules(seats=5, opener_may_fold=True, min_bet=3, min_raise=2),
    ],
)
@pytest.mark.parametrize("file", LADDER)
def test_no_house_bot_does_anything_illegal(file: str, rules: AziRules) -> None:
    """Beside random players, who bring it into every kind of trouble."""
    rng = random.Random(1)
    one, other = load(BOTS / file).make("seed", ""), load(BOTS / "random_legal.py").make("seed", "")

    def decide(seat: int, record: Any) -> int:
        number = 2 if record["leaders"][0] else 0 if record["legal"] else 1
        method = ("discard", "bet", "play")[number]
        if seat == 0 and isinstance(one, BatchBot):
            return int(getattr(one, method)(record.reshape(1))[0])
        player = one if seat == 0 else other
        answer = getattr(player, method)(next(iter(views(record.tobytes()))))
        assert isinstance(answer, int)
        return (
            CALL
            if answer > 3 and number == 1 and record["may_call"] and rng.random() < 0.8
            else answer
        )

    played = play(GAME, rules, b"bots".ljust(32), 3, 3, decide, raw=True)
    assert all(decision.legal for made in played.decisions for decision in made)


@pytest.mark.slow
@pytest.mark.parametrize(("lower", "upper"), list(pairwise(LADDER)))
def test_every_rung_of_the_ladder_is_above_the_one_before(lower: str, upper: str) -> None:
    step = climb(lower, upper, AziRules(), DEALS)
    assert step.deals <= 20_000
    assert step.separated


def test_the_ladder_has_all_house_bots() -> None:
    assert {path.name for path in BOTS.glob("*.py")} == set(LADDER)
