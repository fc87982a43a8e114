"""Spades for tests: random players, words for decks, hands by name, and the comparison."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from harness.games.frames import EXCEPTION, PROTOCOL, UNANSWERED
from harness.games.onelane import OneLane
from harness.games.spades import CARDS, BidView, PlayView, card
from harness.games.spades.about import ABOUT, SpadesRules
from harness.games.spades.game import GAME
from tests.games.cards import Draws, Rigged, rows_of, shuffled, words_dealing
from tests.games.lockstep import Decide, Played, deals_of, play
from tests.reference import spades as reference
from tests.reference.spades import ReferenceView

TEXT = SpadesRules()
BIDS, PLAYS = 0, 1
WRONG = [*range(-3, 60), 255, 256, 16384, EXCEPTION, PROTOCOL, UNANSWERED]


def erratic(seed: int, wrong: float = 0.0, nils: float = 0.1) -> Decide:
    """Random legal answers with chances of wrong ones, and of a nil; bids near what is made."""
    rng = random.Random(seed)

    def decide(seat: int, view: Any) -> int:
        if rng.random() < wrong:
            return rng.choice(WRONG)
        if isinstance(view, PlayView):
            return rng.choice(view.legal)
        return 0 if rng.random() < nils else rng.choice([1, 2, 2, 3, 3, 4, 5, 13])

    return decide


# Cards and random words.


def words_of(hands: Sequence[Sequence[int]], first_dealer: int = 0) -> NDArray[np.uint32]:
    """The rows that draw this first dealer and deal these decks, hand by hand."""
    words = np.ones((1 + len(hands), ABOUT.words(TEXT)[1]), np.uint32)
    words[0, 0] = first_dealer << 30
    for k, deck in enumerate(hands):
        words[1 + k, :CARDS] = words_dealing(list(range(CARDS)), deck)
    return words


def dealt(rows: Iterator[list[int]]) -> tuple[int, Iterator[list[int]]]:
    """The first dealer and the decks of all hands from rows of random words."""
    dealer = Draws(next(rows)).below(4)
    return dealer, (shuffled(list(range(CARDS)), row, CARDS) for row in rows)


# The comparison with the reference.


def facts_of(view: BidView | PlayView) -> dict[str, Any]:
    """A view in the words of the reference."""
    facts = view._asdict()
    del facts["hand_number"], facts["game_number"]
    mine, theirs = facts.pop("score"), facts.pop("opponent_score")
    own_bags, their_bags = facts.pop("bags"), facts.pop("opponent_bags")
    turn = 1 if view.seat % 2 == 0 else -1
    facts["scores"], facts["bags"] = (mine, theirs)[::turn], (own_bags, their_bags)[::turn]
    return facts


def compare(played: Played, rules: SpadesRules, deal: int) -> reference.Outcome:
    """Have the reference play the deal with the same replies; everything must agree."""
    made = played.decisions[deal]
    replies = iter(made)

    def decide(seat: int, told: ReferenceView) -> int:
        decision = next(replies)
        assert decision.seat == seat
        assert isinstance(decision.view, PlayView if told.kind == reference.PLAY else BidView)
        facts = facts_of(decision.view)
        assert facts == {name: getattr(told, name) for name in facts}
        return decision.reply  # type: ignore[return-value]

    dealer, decks = dealt(rows_of(played.deals, played.words, deal))
    limits = reference.Rules(rules.win_at, rules.lose_at, rules.max_hands)
    game = reference.play_game(decks, decide, dealer, limits)
    assert next(replies, None) is None
    assert [decision.legal for decision in made] == [told.legal for told in game.decisions]
    numbers = [decision.view.hand_number for decision in made]
    assert numbers == [hand for hand in range(game.hands) for _ in range(56)]
    scores = played.scores[deal]
    assert scores["points"].tolist() == list(game.scores) * 2
    assert scores["won"].tolist() == [game.winner == seat % 2 for seat in range(4)]
    return game


def counted(made: Sequence[Any]) -> tuple[tuple[int, ...], list[int]]:
    """Bids and tricks of a hand, from its 56 decisions, all legal."""
    last = made[-1]
    won = list(last.view.tricks_won)
    trick = [reference.CardPlayed(*each) for each in last.view.trick]
    trick.append(reference.CardPlayed(last.seat, last.reply))
    won[reference.trick_winner(trick)] += 1
    return last.view.bids, won


# Hands by the names of their cards.


def first_hand(hands: Sequence[str], bids: Sequence[int], plays: Sequence[str]) -> Played:
    """One hand that dealer 3 deals; each seat answers its plays, and then its lowest legal card."""
    deck = [card(each) for names in hands for each in names.split()]
    words = words_of([deck, deck], first_dealer=3)
    wanted = [iter(names.split()) for names in plays]

    def decide(seat: int, view: Any) -> int:
        if isinstance(view, BidView):
            return bids[seat]
        chosen = next(wanted[seat], None)
        return (
            min(view.legal, key=lambda each: (each % 13, each)) if chosen is None else card(chosen)
        )

    source = Rigged(bytes(32), 1, *words.shape, words)
    return play(GAME, SpadesRules(max_hands=1), source.key, 1, 1, decide, source=source)


SHORT = [
    "AC KC QC JC TC 9C AD KD QD AH KH AS KS",
    "8C 7C 6C 5C 4C 3C 2C QH JH TH 9H 8H 7H",
    "JD TD 9D 8D 7D 6D 5D 4D 3D 2D QS JS TS",
    "6H 5H 4H 3H 2H 9S 8S 7S 6S 5S 4S 3S 2S",
]


# Lanes in the middle of games.

ENDLESS = SpadesRules(win_at=9_999, lose_at=-9_999)


def lanes_in_play(count: int = 120) -> NDArray[np.void]:
    """Lanes in the middle of games, each somewhere else."""
    source = deals_of(GAME, TEXT, b"resample".ljust(32), count)
    table, rng = np.zeros(count, GAME.lane), random.Random(7)
    for k in range(count):
        game = OneLane(GAME.lane, GAME.rules_record(ENDLESS))
        words = source.first()[k]
        game.start(words)
        state = game.proceed(words)
        decide = erratic(k)
        for _ in range(rng.randrange(170)):
            seat = state.bit_length() - 1
            question = GAME.questions[int(game.lane["question"])]
            raw = game.observe(seat, question.observation).tobytes()
            reply = np.zeros(1, question.reply)
            (reply["code"],) = [decide(seat, view) for view in question.wire.views(raw)]
            assert game.act(seat, reply[0])
            state = game.proceed(words)
        assert state > 0
        table[k] = game.lane
    assert set(table["question"].tolist()) == {BIDS, PLAYS}
    assert len(set(table["count"].tolist())) > 40
    return table
