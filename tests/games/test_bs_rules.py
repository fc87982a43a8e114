"""The compiled rules of BS against the reference engine, and their parameters.

The reference (`tests.reference.bs`) was written from the rules text alone. Both play the same
cards and the same draws, made from the same random words twice.
"""

from __future__ import annotations

from collections import Counter, deque

import pytest
from pydantic import ValidationError

from harness.games.bs import CARDS, FACTS, SEATS, Turn, View
from harness.games.bs.about import TURNS_PER_ROW, BsRules
from harness.games.bs.game import GAME
from tests.games.bs_tables import TEXT, Dealer, manners
from tests.games.lockstep import Decision, Played, play
from tests.reference import bs as reference
from tests.sampling import sampled

MANNERS = [
    (0.3, 0.2, 0.05),
    (0.5, 1.0, 0.0),
    (0.02, 0.3, 0.1),
    (0.6, 0.6, 0.2),
    (0.0, 0.5, 0.0),
    (0.15, 0.1, 0.0),
]


# The comparison.


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
    if how[0] >= 0.2 and how[1] < 1:  # where all is believed, or all is called, games are short
        assert any(len(starved) > 0 for starved in played.starved)
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
