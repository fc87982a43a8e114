"""The compiled rules of Pazaak against the reference engine.

The reference (`tests.reference.pazaak`) was written from the rules text alone. Both play the same
cards, made from the same random words twice: by the compiled rules, and by `tests.games.cards`.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, replace
from operator import attrgetter

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from pydantic import ValidationError

from harness.arena.deals import Deals
from harness.games.frames import EXCEPTION, PROTOCOL, UNANSWERED
from harness.games.pazaak import END, FACTS, STAND, View
from harness.games.pazaak.about import VARIANTS, PazaakRules
from harness.games.pazaak.game import GAME
from tests.games.cards import Rigged, pazaak_deal, pazaak_words, rows_of
from tests.games.lockstep import Decide, Played, deals_of, play
from tests.games.pazaak_tables import ORIGINAL, TEXT
from tests.reference import pazaak as reference
from tests.reference.pazaak import ReferenceView

# Random games.


@dataclass(frozen=True)
class Manners:
    """How a random player plays: chances of each kind of reply, the rest by a threshold."""

    side: float
    """That it plays a side card it holds."""
    wrong: float
    """That it replies something the rules may forbid."""
    whim: float
    """That it ends or stands without looking."""
    threshold: float
    """Of its target, from where on it stands."""

    def decide(self, rules: PazaakRules, seed: int) -> Decide:
        rng = random.Random(seed)
        chance, choice = rng.random, rng.choice
        stand_at = self.threshold * rules.target

        def decide(seat: int, view: View) -> int:
            at = chance()
            if at < self.side and view.side_hand:
                return choice(view.side_hand)
            if at > 1 - self.wrong:
                return choice(
                    [
                        rng.randint(-3, 20),
                        rng.randint(-(2**15), 2**15 - 1),
                        *(UNANSWERED, EXCEPTION, PROTOCOL),
                        # What would be another card, were it packed or cut to a byte.
                        *(card + add for card in view.side_hand for add in (16, 256)),
                    ]
                )
            if chance() < self.whim:
                return END if chance() < 0.7 else STAND
            return END if view.total < stand_at else STAND

        return decide


chances = st.sampled_from([0.0, 0.05, 0.3])
# Some whim always: players of one mind can tie for ever, with ones only in the deck.
manners = st.builds(
    Manners, chances, chances, st.sampled_from([0.05, 0.2, 0.5]), st.sampled_from([0.5, 0.75, 1.1])
)


@st.composite
def any_rules(draw: st.DrawFn) -> PazaakRules:
    """Any parameters that can be played, games not too long."""
    ranks = draw(st.integers(1, 15))
    copies = draw(st.integers(1, min(12, 120 // ranks)))
    side_copies, side_ranks = draw(st.integers(1, 8)), draw(st.integers(1, 15))
    fixed = {
        "main_ranks": ranks,
        "main_copies": copies,
        "side_copies": side_copies,
        "side_ranks": side_ranks,
        "side_hand": draw(st.integers(0, min(16, side_copies * side_ranks))),
        "wins_needed": draw(st.integers(1, 5)),
        "auto_stand": draw(st.booleans()),
    }
    # Which targets the deck is large enough for depends on it in a ragged way: the highest first.
    target = draw(st.integers(2, 100))
    while target >= 2:
        try:
            return PazaakRules(**fixed, target=target)
        except ValidationError:
            target -= 1
    return PazaakRules(**{**fixed, "main_ranks": 10, "main_copies": 4}, target=20)


# The comparison.


facts_of = attrgetter(*FACTS[:-1])  # the reference knows no game number


def compare(played: Played, rules: PazaakRules, deal: int) -> reference.Game:
    """Have the reference play the deal with the same replies; everything must agree."""
    made = played.decisions[deal]
    replies = iter(made)

    def decide(seat: int, told: ReferenceView) -> int:
        decision = next(replies)
        assert decision.seat == seat
        assert facts_of(decision.view) == facts_of(told)
        return decision.reply  # type: ignore[return-value]

    rows = rows_of(played.deals, played.words, deal)
    game = reference.play_game(
        reference.Rules(**rules.model_dump()), *pazaak_deal(rules, rows), decide
    )
    assert next(replies, None) is None
    assert [decision.legal for decision in made] == [told.legal for told in game.decisions]
    scores = played.scores[deal]
    assert scores["points"].tolist() == list(game.hands)
    assert scores["won"].tolist() == [game.winner == 0, game.winner == 1]
    return game


def test_both_views_have_the_same_fields() -> None:
    assert (*ReferenceView.__annotations__, "game_number") == FACTS


BATCH, BATCHES = 350, 20
compared = settings(
    max_examples=BATCHES,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
seeds = st.integers(0, 2**64 - 1)


def batch(rules: PazaakRules, how: Manners, seed: int, lanes: int) -> None:
    key = seed.to_bytes(32, "big")
    played = play(GAME, rules, key, BATCH, lanes, how.decide(rules, seed))
    for deal in range(BATCH):
        compare(played, rules, deal)


# 3 x 20 x 350 games in all.


@compared
@given(manners, seeds, st.integers(1, BATCH))
def test_games_by_the_text_agree_with_the_reference(how: Manners, seed: int, lanes: int) -> None:
    batch(TEXT, how, seed, lanes)


@compared
@given(manners, seeds, st.integers(1, BATCH))
def test_games_of_2015_agree_with_the_reference(how: Manners, seed: int, lanes: int) -> None:
    batch(ORIGINAL, how, seed, lanes)


@compared
@given(any_rules(), manners, seeds, st.integers(1, BATCH))
def test_games_by_any_rules_agree_with_the_reference(
    rules: PazaakRules, how: Manners, seed: int, lanes: int
) -> None:
    batch(rules, how, seed, lanes)


@settings(compared, max_examples=10)
@given(st.sampled_from([TEXT, ORIGINAL]) | any_rules(), manners, seeds)
def test_every_hand_has_the_result_of_the_reference(
    rules: PazaakRules, how: Manners, seed: int
) -> None:
    """Given the words of one hand at a time, a lane starves after every hand and can be read."""
    key = seed.to_bytes(32, "big")
    one_row = replace(deals_of(GAME, rules, key, 60), rows=1)
    played = play(GAME, rules, key, 60, 16, how.decide(rules, seed), source=one_row)
    for deal in range(60):
        game = compare(played, rules, deal)
        # Starved for the first hand, and before every later one.
        starved = [lane["wins"].tolist() for lane in played.starved[deal]]
        wins, expected = [0, 0], []
        for number, result in enumerate(game.hand_results):
            expected.append(wins.copy())
            assert int(played.starved[deal][number]["hand_number"]) == number
            if result is not None:
                wins[result] += 1
        assert starved == expected
        assert tuple(wins) == game.hands


class Stacked(Deals):
    """Words that deal low cards first, most of the time, and need as many rejections as they may:
    hands get as long as they can, decks as empty."""

    def first(self) -> NDArray[np.uint32]:
        return np.stack([self.more(deal, 0) for deal in range(self.deals)])

    def more(self, deal: int, refill: int) -> NDArray[np.uint32]:
        rng = np.random.default_rng([*self.key, deal, refill])
        words = rng.integers(1, 2**32, (self.rows, self.words), np.uint32)
        words[rng.random(words.shape) < rng.choice([0.5, 0.9, 0.98])] = 1  # the next card in order
        for row in words:
            row[rng.choice(self.words, 6, replace=False)] = 0  # rejected, but for powers of two
        return words


def stacked(rules: PazaakRules, seed: int, deals: int) -> Deals:
    return Stacked(seed.to_bytes(32, "big"), deals, *GAME.about.words(rules))


@compared
@given(st.sampled_from([TEXT, ORIGINAL]) | any_rules(), manners, seeds)
def test_games_with_stacked_decks_agree_with_the_reference(
    rules: PazaakRules, how: Manners, seed: int
) -> None:
    source = stacked(rules, seed, 60)
    played = play(GAME, rules, source.key, 60, 20, how.decide(rules, seed), source=source)
    for deal in range(60):
        compare(played, rules, deal)


def test_the_longest_hand_and_the_largest_side_hand_fit() -> None:
    """Twelve ones and three twos bust over 17 at the fifteenth card; a side card is one more."""
    rules = PazaakRules(main_copies=12, target=17, side_ranks=15, side_hand=16, wins_needed=2)
    assert rules.most_dealt == 15
    side = [1, *range(1, 16)]
    ones_and_twos = [1, 10, 1, 7, *[1] * 10, *[2] * 3]
    words = pazaak_words(rules, [side, side], [ones_and_twos, [2, 9], []])

    def decide(seat: int, view: View) -> int:
        """Player one plays its last card when it is bust, and its first one in hand two."""
        if seat == 1:
            return STAND if view.total in (9, 17) else END
        if view.hand_number == 1:
            return view.side_hand[0]
        return view.side_hand[-1] if view.total > rules.target else END

    # Two rows at a time: the lane is out of words, and can be looked at, after the first hand.
    source = Rigged(bytes(32), 1, 2, words.shape[1], words)
    played = play(GAME, rules, source.key, 1, 1, decide, source=source)
    compare(played, rules, 0)
    (lane,) = played.starved[0]
    assert f"{int(lane['hand'][0]):x}" == "f222111111111111"
    assert [d.view.side_hand for d in played.decisions[0] if d.seat == 0][-1] == (*side[:-1],)
    assert played.scores["points"][0].tolist() == [0, 2]


@pytest.mark.parametrize("place", [*range(16)])
def test_a_side_card_is_played_from_any_place_of_the_largest_hand(place: int) -> None:
    rules = PazaakRules(side_ranks=15, side_hand=16)
    # Fifteen ranks for sixteen places: the two equal cards lie at the end that is not played from.
    side = [*range(1, 16), 15] if place < 8 else [1, *range(1, 16)]
    words = pazaak_words(rules, [side, side], [[2, 1]] * 4)

    def decide(seat: int, view: View) -> int:
        return side[place] if seat == 0 and view.hand_number == 0 else STAND

    source = Rigged(bytes(32), 1, *words.shape, words)
    played = play(GAME, rules, source.key, 1, 1, decide, source=source)
    compare(played, rules, 0)
    later = [d.view for d in played.decisions[0] if d.seat == 0 and d.view.hand_number == 1]
    assert later[0].side_hand == (*side[:place], *side[place + 1 :])


@pytest.mark.parametrize("variant", [TEXT, ORIGINAL], ids=VARIANTS)
def test_games_far_longer_than_their_words_agree_with_the_reference(variant: PazaakRules) -> None:
    rules = variant.model_copy(update={"wins_needed": 60})
    how = Manners(side=0.01, wrong=0.01, whim=0.1, threshold=0.8)
    played = play(GAME, rules, b"long".ljust(32), 40, 16, how.decide(rules, 1))
    for deal in range(40):
        game = compare(played, rules, deal)
        rows = 1 + len(game.hand_results)
        assert len(played.starved[deal]) == (rows - 1) // played.deals.rows >= 4
