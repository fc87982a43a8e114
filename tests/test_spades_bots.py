"""The Spades house bots against their words, situation by situation, and against each other."""

from __future__ import annotations

import importlib.util
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from benchmarks.spades import play_match
from harness.games.spades import BidView, PlayView, card, cards_of, legal_set, set_of, suit

BOTS = Path(__file__).parents[1] / "bots" / "spades"


@cache
def module(name: str) -> Any:
    spec = importlib.util.spec_from_file_location(f"spades_{name}", BOTS / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    loaded = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(loaded)
    return loaded


def bot(name: str) -> type[Any]:
    made: type[Any] = getattr(module(name), name.capitalize())
    return made


def cards(names: str) -> tuple[int, ...]:
    return tuple(sorted(card(each) for each in names.split()))


def bidding(
    hand: str,
    bids: tuple[int | None, ...] = (None,) * 4,
    score: tuple[int, int] = (0, 0),
) -> BidView:
    """Seat 0 is asked for its bid."""
    return BidView(
        seat=0,
        dealer=3,
        hand=cards(hand),
        bids=bids,
        score=score[0],
        opponent_score=score[1],
        bags=0,
        opponent_bags=0,
        hand_number=0,
        game_number=0,
    )


class Seen(NamedTuple):
    """What seat 0 has seen of a hand; `trick` ends before it, `earlier` are tricks with leaders."""

    hand: str
    trick: str = ""
    bids: tuple[int, int, int, int] = (3, 3, 3, 3)
    won: tuple[int, int, int, int] = (0, 0, 0, 0)
    earlier: tuple[tuple[int, str], ...] = ()
    score: tuple[int, int] = (0, 0)

    @property
    def view(self) -> PlayView:
        trick = laid(self.trick, (4 - len(self.trick.split())) % 4)
        tricks = tuple(laid(names, leader) for leader, names in self.earlier)
        hand = cards(self.hand)
        played = [each for one in (*tricks, trick) for _, each in one]
        broken = any(suit(each) == 3 for each in played)
        led = suit(trick[0][1]) if trick else None
        assert not set(hand) & set(played)
        return PlayView(
            seat=0,
            dealer=3,
            hand=hand,
            bids=self.bids,
            trick=trick,
            tricks=tricks,
            tricks_won=self.won,
            score=self.score[0],
            opponent_score=self.score[1],
            bags=0,
            opponent_bags=0,
            spades_broken=broken,
            legal=cards_of(legal_set(set_of(hand), led, broken)),
            hand_number=0,
            game_number=0,
        )


def laid(names: str, leader: int) -> tuple[tuple[int, int], ...]:
    return tuple(((leader + turn) % 4, card(each)) for turn, each in enumerate(names.split()))


BIDS: Sequence[tuple[str, str, tuple[int, ...], str]] = [
    # bot, hand, bids it may make, why
    ("easy", "AC KC AS 2D 3D 4D 5D 6D 7D 2H 3H 4H 5H", (3,), "Aces and Kings"),
    ("easy", "QC JC QS 2D 3D 4D 5D 6D 7D 2H 3H 4H 5H", (1,), "one at least"),
    ("novice", "AC KC KD QS JS TS 9S 8S 2H 3H 4H 5H 6H", (4,), "a bare King does not count"),
    ("novice", "2C 3C 4C 5C 2D 3D 4D 5D 2H 3H 4H 5H 6H", (1,), "never nil"),
    # -0.64 + 1.00 (AC) + 0.71 (KC) + 0.23 (QD third) + 4 * 0.55 + 2 * 0.68 (A, K) = 4.86, + 0.3
    ("normal", "AC KC 2C QD 3D 2D AS KS 3S 2S 4H 3H 2H", (5,), "the fitted sum, side by side"),
    # -0.64 + 0.06 (bare King) + 0.51 (it is a singleton) + 3 * 0.55 + 0.86 (void) = 2.44, + 0.3
    ("normal", "KC 9S 8S 7S JD TD 8D 6D 5D 4D 9D 7D 2D", (2,), "short suits are ruffed"),
    ("normal", "2C 3C 4C 9D 5D 2D 8H 6H 4H 3H TS 4S 2S", (0,), "low everywhere: nil"),
    ("normal", "2C 3C 4C 9D 5D 2D 8H 6H 4H 3H JS 4S 2S", (1, 2), "a spade above the ten"),
    ("normal", "2C 3C 4C 9D 5D 2D 8H 6H 4H TS 6S 4S 2S", (1, 2), "four spades"),
    ("normal", "2C 3C 4C AD 5D 3D 2D 6H 4H 3H TS 4S 2S", (0,), "long with low cards"),
    ("normal", "2C 3C 4C 6C 4D AD 6H 4H 3H 5H TS 4S 2S", (1, 2), "a short Ace"),
    ("hard", "2C 3C 4C 9D 5D 2D 8H 6H 4H 3H 7S 4S 2S", (0,), "a nil that holds"),
    ("hard", "AC KC 2C QD 3D 2D AS KS 3S 2S 4H 3H 2H", (5,), "no nil with such cards"),
]


@pytest.mark.parametrize(("name", "hand", "bids", "why"), BIDS)
def test_a_bid_is_the_one_of_the_bots_words(
    name: str, hand: str, bids: tuple[int, ...], why: str
) -> None:
    assert bot(name)().bid(bidding(hand)) in bids, why


DOUBTFUL_NIL = "2C 5C 9C JC 3D 6D TD 2H 7H QH 8S 5S 3S"


def test_hard_bids_nil_sooner_when_it_is_behind() -> None:
    chances = [module("hard").nil_chance(set_of(cards(DOUBTFUL_NIL)), 3)]
    assert 0.23 < chances[0] < 0.63
    behind = bot("hard")().bid(bidding(DOUBTFUL_NIL, (None, 3, 3, 3), (0, 400)))
    ahead = bot("hard")().bid(bidding(DOUBTFUL_NIL, (None, 3, 3, 3), (400, 0)))
    assert behind == 0
    assert ahead > 0


@pytest.mark.parametrize("name", ["normal", "hard"])
def test_a_partner_of_a_nil_does_not_bid_one(name: str) -> None:
    hand = "2C 3C 4C 9D 5D 2D 8H 6H 4H 3H 7S 4S 2S"
    assert bot(name)().bid(bidding(hand, (None, 3, 0, 3))) > 0


FULL = (7, 3, 3, 3)  # so many bids that somebody is set
LOW = (2, 2, 2, 2)  # so few that bags are the danger

PLAYS: Sequence[tuple[str, str, Seen, str]] = [
    # bots, the card they play, what they see, why
    ("easy", "2H", Seen("3C 2H 2S"), "clubs, diamonds, hearts, spades; no spade is led here"),
    ("easy", "3C", Seen("3C 9C 2H", "KC"), "follows suit"),
    ("novice", "JC", Seen("2C JC AC", "9C 5C TC"), "wins cheaply"),
    ("novice", "2C", Seen("2C JC AC", "9C 5C"), "the partner has it"),
    ("normal hard", "AH", Seen("AH 3H 9D 5C"), "leads a master while tricks are needed"),
    ("normal hard", "2C", Seen("2C KC JC", "9C"), "second hand low"),
    ("normal hard", "JC", Seen("2C JC KC", "9C 3C 4C"), "fourth hand: cheapest winner"),
    ("normal hard", "2C", Seen("2C KC", "3C QC 5C"), "fourth hand: the partner has it"),
    ("normal hard", "TC", Seen("2C TC", "3C 9C"), "third hand wins cheaply"),
    ("normal", "2C", Seen("2C QC", "TC 9C"), "third hand: the partner is winning"),
    ("normal hard", "3S", Seen("3S 9S 4D 7D", "AC KC 5C"), "void: the cheapest ruff"),
    ("normal hard", "4D", Seen("3S 4D 5H 7H 9H", "5C AC 6C"), "the partner has it: shortens"),
    ("normal hard", "JC", Seen("2C JC KC", "QC", LOW, (2, 1, 2, 1)), "made: gives tricks away"),
    ("normal hard", "KC", Seen("2C KC", "4C 9C TC", FULL, (7, 1, 3, 1)), "sets the opponents"),
    ("normal hard", "AC", Seen("AC 2C", "3C", (3, 3, 0, 3)), "plays high before a nil"),
    ("normal hard", "QC", Seen("QC 2C", "3C JC 4C", (3, 3, 0, 3)), "takes the nil's trick"),
    ("normal hard", "TC", Seen("2C TC KC", "JC", (0, 3, 3, 3)), "a nil: the highest that loses"),
    ("normal hard", "2C", Seen("2C TC 5D", "", (0, 3, 3, 3)), "a nil: leads low"),
    ("hard", "7C", Seen("2C 7C KC", "3C 4C 9C", (3, 3, 3, 0)), "leaves the trick to a nil"),
    ("hard", "2D", Seen("AC 9C 2D 8D", "", (3, 0, 3, 3)), "leads low at a nil"),
    (
        "hard",
        "3C",  # the nil in seat 1 has shown that it has no diamonds
        Seen("AC 3C 2D 8D", "", (3, 0, 3, 3), (1, 0, 0, 0), ((0, "AD 9H 5D 6D"),)),
        "knows who is void",
    ),
    (
        "hard",
        "AH",  # seat 3 ruffs clubs
        Seen("KC AH 4H", "", (4, 3, 3, 3), (1, 0, 0, 0), ((0, "AC 5C 6C 7D"),)),
        "leads masters where they are not ruffed",
    ),
    ("hard", "KC", Seen("2C KC", "4C 9C TC", LOW, (2, 1, 2, 1), (), (100, 490)), "or it is lost"),
    ("hard", "2C", Seen("2C KC", "4C 9C TC", LOW, (2, 1, 2, 1), (), (100, 300)), "bags"),
]


@pytest.mark.parametrize(
    ("name", "expected", "seen", "why"),
    [(name, *rest) for names, *rest in PLAYS for name in names.split()],
)
def test_a_card_is_the_one_of_the_bots_words(
    name: str, expected: str, seen: Seen, why: str
) -> None:
    assert bot(name)().play(seen.view) == card(expected), why


SHARES = [("hard", "normal", 0.6), ("normal", "easy", 0.95), ("normal", "novice", 0.6)]


@pytest.mark.parametrize(("better", "worse", "share"), SHARES)
def test_the_bots_are_as_good_as_their_names(better: str, worse: str, share: float) -> None:
    match = play_match((bot(better), bot(worse)), 20, 1, 20)
    assert match.share >= share


@pytest.mark.slow
@pytest.mark.timeout(1200)
@pytest.mark.parametrize(
    ("better", "worse", "share"), [("normal", "easy", 0.95), ("hard", "normal", 0.6)]
)
def test_the_bars_are_cleared_in_two_thousand_mirrored_games(
    better: str, worse: str, share: float
) -> None:
    assert play_match((bot(better), bot(worse)), 2000, 2026).share >= share


def test_a_match_of_a_bot_with_itself_is_even() -> None:
    match = play_match((bot("easy"), bot("easy")), 10, 1, 10)
    assert match.share == 0.5
    assert (match.margin.sum(axis=1) == 0).all()
