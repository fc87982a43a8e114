"""The compiled rules of Pazaak against the reference engine, and what a seat can get to know.

The reference (`tests.reference.pazaak`) was written from the rules text alone. Both play the same
cards, made from the same random words twice: by the compiled rules, and by `tests.games.cards`.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, replace
from operator import attrgetter
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from numba import njit
from numpy.typing import NDArray
from pydantic import ValidationError

from harness.arena import lanes as loops
from harness.arena.deals import Deals
from harness.arena.seating import lineups
from harness.games.contract import SCORE, forfeit, observe, score
from harness.games.frames import EXCEPTION, PROTOCOL, UNANSWERED
from harness.games.pazaak import END, FACTS, NO_ACTION, STAND, View, cards
from harness.games.pazaak.about import VARIANTS, PazaakRules
from harness.games.pazaak.frames import OBSERVATION, views
from harness.games.pazaak.game import GAME
from tests.games.cards import Rigged, pazaak_deal, pazaak_words, rows_of
from tests.games.lockstep import Decide, Played, deals_of, play
from tests.reference import pazaak as reference
from tests.reference.pazaak import ReferenceView

TEXT, ORIGINAL = VARIANTS["text"], VARIANTS["original-2015"]

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


# Deals.


def alternating(seat: int, view: View) -> int:
    return END if view.total < 12 + 5 * (view.hand_number % 2) else STAND


def careless(seat: int, view: View) -> int:
    return END if view.total < 19 or not view.side_hand else view.side_hand[-1]


def first_cards(played: Played) -> dict[tuple[object, ...], object]:
    """The first card either seat was seen to get in every hand, and its side hand at the start."""
    seen: dict[tuple[object, ...], object] = {}
    for deal, made in enumerate(played.decisions):
        for decision in made:
            view = decision.view
            seen.setdefault((deal, decision.seat, view.hand_number), view.hand[0])
            seen.setdefault((deal, decision.seat, "side"), view.side_hand)
    return seen


def test_other_replies_are_dealt_the_same_cards() -> None:
    """Other replies use up other numbers of cards and hands, in this game and in those before it
    on the lane; deals, hands and side hands stay what they are."""
    rules = PazaakRules(wins_needed=12)
    legs = [
        play(GAME, rules, b"legs".ljust(32), 60, lanes, decide, leg=leg)
        for leg, lanes, decide in [(0, 7, alternating), (1, 7, careless), (1, 60, careless)]
    ]
    alike = 0
    seen = [first_cards(leg) for leg in legs]
    for key in seen[0].keys() & seen[1].keys():
        assert seen[0][key] == seen[1][key]
        alike += 1
    assert alike > 60 * 2 * 12
    assert any(leg.starved[deal] for leg in legs[:2] for deal in range(60))
    assert seen[1] == seen[2]


def test_results_do_not_depend_on_the_number_of_lanes() -> None:
    played = [play(GAME, TEXT, b"lanes".ljust(32), 90, lanes, careless) for lanes in (1, 8, 90)]
    for other in played[1:]:
        assert (other.scores == played[0].scores).all()
        for one, two in zip(played[0].decisions, other.decisions, strict=True):
            assert [(d.seat, d.view[:-1], d.reply) for d in one] == [
                (d.seat, d.view[:-1], d.reply) for d in two
            ]


def test_another_key_is_another_deal() -> None:
    hands = {
        play(GAME, TEXT, bytes([k]) * 32, 1, 1, careless).decisions[0][0].view.side_hand
        + play(GAME, TEXT, bytes([k]) * 32, 1, 1, careless).decisions[0][0].view.hand
        for k in range(40)
    }
    assert len(hands) > 30


def test_over_two_legs_both_players_sit_in_both_seats_of_a_deal() -> None:
    one, two = (play(GAME, TEXT, bytes(32), 20, 5, careless, leg=leg) for leg in (0, 1))
    assert (one.seating == two.seating[:, ::-1]).all()
    assert {tuple(seats) for seats in one.seating.tolist()} == {(0, 1), (1, 0)}
    for made in one.decisions:
        assert all(decision.view.first == (decision.seat == 0) for decision in made)


def test_games_are_numbered_on_their_lane() -> None:
    played = play(GAME, TEXT, b"numbers".ljust(32), 50, 8, careless)
    games: dict[int, list[int]] = {}
    for made in played.decisions:  # a lane takes deals in rising order
        assert len({(decision.lane, decision.view.game_number) for decision in made}) == 1
        games.setdefault(made[0].lane, []).append(made[0].view.game_number)
    assert sum(map(len, games.values())) == 50
    assert all(numbers == list(range(len(numbers))) for numbers in games.values())


# What is told.


@settings(max_examples=50)
@given(st.integers(0, 2**32), st.integers(0, 60))
def test_views_say_what_the_records_say(seed: int, n: int) -> None:
    rng = np.random.default_rng(seed)
    frame = np.frombuffer(rng.bytes(n * OBSERVATION.size), GAME.questions[0].observation).copy()
    for name in ("first", "opponent_played"):
        frame[name] &= 1
    frame["opponent_action"] = rng.choice([END, STAND, NO_ACTION], n)
    for name in ("hand", "opponent_hand", "side_hand"):
        lengths = rng.integers(0, 17, n)
        for k in range(n):
            hand = rng.integers(1, 16, lengths[k]).tolist()
            frame[name][k] = sum(card << 4 * place for place, card in enumerate(hand))
    decoded = list(views(frame.tobytes()))
    assert len(decoded) == n
    unpacked = {name: cards(frame[name]) for name in ("hand", "opponent_hand", "side_hand")}
    for k, view in enumerate(decoded):
        assert type(view) is View
        assert View(**view._asdict()) == view
        for name, value in view._asdict().items():
            told = frame[name][k].item()
            if name in unpacked:
                assert value == tuple(card for card in unpacked[name][k].tolist() if card)
                assert all(type(card) is int for card in value)
            elif name == "opponent_action":
                assert value == {END: END, STAND: STAND, NO_ACTION: None}[told]
            elif name in ("first", "opponent_played"):
                assert value is bool(told)
            else:
                assert type(value) is int
                assert value == told


@njit(cache=True)
def _observe(lanes, rules, seat, frame):  # type: ignore[no-untyped-def]
    for k in range(len(lanes)):
        observe(lanes[k], rules, seat, frame[k])


def observations(lanes: NDArray[np.void], seat: int) -> bytes:
    frame = np.zeros(len(lanes), GAME.questions[0].observation)
    _observe(lanes, GAME.rules_record(TEXT), seat, frame)
    return frame.tobytes()


SEATED = lineups(4000, 2)


def games_in_play() -> tuple[Any, ...]:
    """What the loops work on, in the middle of games, side cards already played in many."""
    source = deals_of(GAME, TEXT, b"resample".ljust(32), 4000)
    table = np.zeros(300, GAME.lane)
    state: tuple[Any, ...] = (
        *(table, GAME.rules_record(TEXT), source.first(), np.zeros((300, 13, 28), np.uint32)),
        *(np.zeros(4000, np.uint32), np.zeros(1, np.int64)),
        *(np.zeros((4000, 2), SCORE), np.zeros(4000, np.uint8)),
    )
    index, opened = np.zeros((300, 2), np.int32), np.zeros(300, np.uint8)
    fared = np.zeros(300, loops.FARED)
    frame, replies = (
        np.zeros(300, dtype) for dtype in (GAME.questions[0].observation, GAME.questions[0].reply)
    )
    loops.open_lanes(*state)
    rng = np.random.default_rng(5)
    for _ in range(20):
        for player in (0, 1):
            n = loops.gather(table, state[1], SEATED, player, 0, index, opened, frame)
            replies["code"][:n] = rng.choice([END, END, END, STAND, 1, 2, 3, 4, 5], n)
            loops.scatter(*state, index, n, replies, fared)
    assert (table["asked"] != 0).all()
    assert len({*map(tuple, table["side_cards"].tolist())}) > 8
    return state


def lanes_in_play() -> NDArray[np.void]:
    table: NDArray[np.void] = games_in_play()[0]
    return table


@pytest.mark.parametrize("seat", [0, 1])
def test_what_a_seat_is_told_follows_from_what_it_may_know(seat: int) -> None:
    """Everything in the lane's record is overwritten at random, except the facts of the rules."""
    table = lanes_in_play()
    other = 1 - seat
    rng = np.random.default_rng(seat)
    noise = np.frombuffer(rng.bytes(table.nbytes), table.dtype).copy()
    public = ["hand", "total", "wins", "side_cards", "hand_number", "games"]
    for name in public:
        noise[name] = table[name]
    noise["side"][:, seat] = table["side"][:, seat]
    noise["action"][:, other] = table["action"][:, other]
    noise["played"][:, other] = table["played"][:, other]
    assert observations(noise, seat) == observations(table, seat)


# The end of a game.


@njit(cache=True)
def _forfeit_and_score(lanes, rules, seat, scores):  # type: ignore[no-untyped-def]
    for k in range(len(lanes)):
        forfeit(lanes[k], rules, seat)
        for each in range(2):
            score(lanes[k], rules, each, scores[k, each])


@pytest.mark.parametrize("seat", [0, 1])
def test_a_forfeit_gives_the_game_away_and_leaves_the_hands_won(seat: int) -> None:
    table = lanes_in_play()
    wins = table["wins"].copy()
    assert {*wins.ravel().tolist()} == {0, 1, 2}
    scores = np.zeros((len(table), 2), SCORE)
    _forfeit_and_score(table, GAME.rules_record(TEXT), seat, scores)
    assert (scores["won"][:, seat] == 0).all()
    assert (scores["won"][:, 1 - seat] == 1).all()
    assert (scores["points"][:, seat] == wins[:, seat]).all()
    assert (scores["points"][:, 1 - seat] == TEXT.wins_needed).all()


@pytest.mark.parametrize(
    ("retired", "won", "points"),
    [
        ((True, False), [0, 1], [0, 3]),
        ((False, True), [1, 0], [3, 0]),
        ((True, True), [0, 0], [0, 0]),
    ],
)
def test_a_walkover_is_won_with_all_hands_and_finished_games_stay(
    retired: tuple[bool, bool], won: list[int], points: list[int]
) -> None:
    state = games_in_play()
    scores, done = state[-2:]
    finished, before = done == 1, scores[done == 1].copy()
    begun = np.zeros(len(done), np.bool_)
    begun[state[0]["deal"]] = True
    assert finished.any()
    loops.retire(*state, SEATED, np.array(retired, np.uint8))
    assert done.all()
    assert (scores[finished] == before).all()
    assert (scores["points"][~finished & ~begun] == points).all()
    assert (scores["won"][~finished] == won).all()


def test_a_finished_game_has_one_winner_with_the_hands_it_needs() -> None:
    played = play(GAME, ORIGINAL, b"score".ljust(32), 200, 50, alternating)
    won, points = played.scores["won"], played.scores["points"]
    assert (won.sum(axis=1) == 1).all()
    assert (points[won == 1] == ORIGINAL.wins_needed).all()
    assert (points[won == 0] < ORIGINAL.wins_needed).all()
