"""Whether a bot's process is told anything that its seat may not know, for every game.

Games are played to positions in their middle by random legal answers. Then everything hidden from a
seat is dealt anew, and the frame that its process would receive must be the same to the byte: the
records, which lanes they are of, and whether their games are new.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from harness import games
from harness.arena import lanes as loops
from harness.arena.deals import Deals
from harness.games.about import Rules
from harness.games.azi import CALL, FOLD
from harness.games.azi.frames import DISCARD
from harness.games.azi.lane import ENTERING
from harness.games.bs import NOBODY
from harness.games.contract import SCORE, Game
from harness.games.pazaak import END, STAND
from tests.games.lockstep import replies_of, seating_of

LANES, DEALS = 120, 2_000


@dataclass(frozen=True)
class Case:
    """A game and its rules: how to wander through it, and what of it is hidden."""

    game: str
    variant: str
    answer: Callable[[int, Any, random.Random], object]
    """From question and view to any legal reply."""
    redeal: Callable[[Any, int, Any, random.Random], None]
    """Deal anew what `seat` may not know: from lane, seat and rules record."""
    bit: Callable[[Any, int], Any]
    """A bit that `seat` may not know, from lane and seat; compiled for a game that leaks."""

    def __str__(self) -> str:
        return f"{self.game}-{self.variant}"

    @property
    def loaded(self) -> tuple[Game, Rules]:
        game = games.load(self.game)
        return game, game.about.variants[self.variant]


# Pazaak.


def _answer_pazaak(question: int, view: Any, rng: random.Random) -> object:
    return rng.choice([END, END, END, STAND, *view.side_hand])


def _redeal_pazaak(lane: Any, seat: int, rules: Any, rng: random.Random) -> None:
    """The undealt deck, and other side cards of the same number for the opponent."""
    dealt, whole = int(lane["dealt"]), int(rules["main_copies"]) * int(rules["main_ranks"])
    undealt = lane["deck"][dealt:whole].tolist()
    lane["deck"][dealt:whole] = rng.sample(undealt, len(undealt))
    lane["deck"][whole:] = rng.randrange(256)
    side = rng.sample([1, 1, 2, 2, 3, 3, 4, 4, 5, 5], int(lane["side_cards"][1 - seat]))
    lane["side"][1 - seat] = sum(card << 4 * place for place, card in enumerate(side))
    lane["word"] = rng.randrange(1 << 16)


def _bit_of_pazaak(lane: Any, seat: int) -> Any:
    return np.int64(lane.side[1 - seat]) & 1


# BS.


def _answer_bs(question: int, view: Any, rng: random.Random) -> object:
    if question == 1:
        return rng.random() < 0.15
    return rng.sample(view.hand, rng.randint(1, min(4, len(view.hand))))


def _redeal_bs(lane: Any, seat: int, rules: Any, rng: random.Random) -> None:
    """The others' hands and the pile, with the truth of what is laid; and who has called so far."""
    others = [other for other in range(4) if other != seat]
    places = [*(lane["hand"][other] for other in others), lane["pile"]]
    sizes = [*(int(lane["sizes"][other]) for other in others), int(lane["pile_size"])]
    hidden = [c for place, n in zip(places, sizes, strict=True) for c in place[:n].tolist()]
    rng.shuffle(hidden)
    for place, size in zip(places, sizes, strict=True):
        place[:size] = [hidden.pop() for _ in range(size)]
        place[size:] = rng.randrange(256)
    lane["hand"][seat, int(lane["sizes"][seat]) :] = rng.randrange(256)
    lane["lied"], lane["calls"] = rng.randrange(2), rng.randrange(16)
    lane["phase"] = rng.randrange(3)
    if lane["last_caller"] != seat:
        lane["last_given"] = rng.choice([NOBODY, *range(13)])


def _bit_of_bs(lane: Any, seat: int) -> Any:
    return np.int64(lane.hand[(seat + 1) % 4, 0]) & 1


# Spades.


def _answer_spades(question: int, view: Any, rng: random.Random) -> object:
    return rng.choice([0, 1, 2, 3, 3, 4, 5]) if question == 0 else rng.choice(view.legal)


def _redeal_spades(lane: Any, seat: int, rules: Any, rng: random.Random) -> None:
    """The others' cards, the partner's among them."""
    others = [other for other in range(4) if other != seat]
    held = [int(lane["held"][other]) for other in others]
    unknown = [card for card in range(52) if sum(held) >> card & 1]
    rng.shuffle(unknown)
    for other, cards in zip(others, held, strict=True):
        lane["held"][other] = sum(1 << unknown.pop() for _ in range(cards.bit_count()))


def _bit_of_spades(lane: Any, seat: int) -> Any:
    return np.int64(lane.held[(seat + 2) % 4]) & 1


# Azi.


def _answer_azi(question: int, view: Any, rng: random.Random) -> object:
    if view.legal_mask:
        return rng.choice(view.legal)
    said = [CALL] * 5 * view.may_call + [FOLD] * view.may_fold
    if view.most >= view.least > 0:
        said += [rng.randint(view.least, min(view.most, view.least + 9))] * 2
    return rng.choice(said)


def _redeal_azi(lane: Any, seat: int, rules: Any, rng: random.Random) -> None:
    """The others' cards, how many have discarded by now, the stock, and who has bought in."""
    hands = lane["hand"].tolist()
    seen = {card for card in range(27) if hands[seat] >> card & 1} | {int(lane["turn_up"])}
    seen |= {int(card) - 1 for card in lane["played"] if card}
    hidden = [card for card in range(27) if card not in seen]
    rng.shuffle(hidden)
    for other, held in enumerate(hands):
        if other != seat and held:
            number = held.bit_count()
            if lane["question"] == DISCARD:
                number = rng.choice([int(rules["deal"]), int(rules["deal"]) - 1])
            lane["hand"][other] = sum(1 << hidden.pop() for _ in range(number))
    deck = lane["deck"].tolist()
    rng.shuffle(deck)
    lane["deck"] = deck
    if lane["phase"] == ENTERING:
        lane["entrants"] = rng.randrange(16) & ~(1 << seat)


def _bit_of_azi(lane: Any, seat: int) -> Any:
    """Whether somebody else holds the lowest heart."""
    found = 0
    for other in range(4):
        if other != seat:
            found |= np.int64(lane.hand[other]) & 1
    return found


CASES = (
    Case("pazaak", "text", _answer_pazaak, _redeal_pazaak, _bit_of_pazaak),
    Case("bs", "text", _answer_bs, _redeal_bs, _bit_of_bs),
    Case("spades", "text", _answer_spades, _redeal_spades, _bit_of_spades),
    Case("azi", "four-cards", _answer_azi, _redeal_azi, _bit_of_azi),
    Case("azi", "text", _answer_azi, _redeal_azi, _bit_of_azi),
)


@dataclass(frozen=True)
class Told:
    """What a bot's process receives of one question."""

    lanes: list[int]
    opened: bytes
    records: bytes


class Walk:
    """Games of one case, played on at random; `lanes` are their records at the moment."""

    def __init__(self, case: Case, seed: int) -> None:
        self.case, self.rng = case, random.Random(seed)
        self.game, rules = case.loaded
        self.rules = self.game.rules_record(rules)
        self.seats = seating_of(self.game.about, rules).seats
        self.seating = np.tile(np.arange(self.seats, dtype=np.int16), (DEALS, 1))
        self._source = Deals(seed.to_bytes(32, "big"), DEALS, *self.game.about.words(rules))
        self.lanes = np.zeros(LANES, self.game.lane)
        self._more = np.zeros((LANES, self._source.rows, self._source.words), np.uint32)
        self._state: tuple[Any, ...] = (
            *(self.lanes, self.rules, self._source.first(), self._more),
            *(np.zeros(DEALS, np.uint32), np.zeros(1, np.int64)),
            *(np.zeros((DEALS, self.seats), SCORE), np.zeros(DEALS, np.uint8)),
        )
        self._index, self._opened = np.zeros((LANES, 2), np.int32), np.zeros(LANES, np.uint8)
        self._fared = np.zeros(LANES, loops.FARED)
        loops.open_lanes(*self._state)

    def go(self, ticks: int) -> None:
        """Ask every seat every question that often; one lane in five keeps its game waiting."""
        for _ in range(ticks):
            for number in range(len(self.game.questions)):
                for seat in range(self.seats):
                    self._ask(number, seat)
            which = np.zeros(LANES, np.int32)
            for lane in which[: loops.starved(self.lanes, which)].tolist():
                deal, refills = (int(self.lanes[lane][name]) for name in ("deal", "refills"))
                self._more[lane] = self._source.more(deal, refills + 1)
                loops.resume(*self._state, lane)

    def _ask(self, number: int, seat: int) -> None:
        question = self.game.questions[number]
        frame = np.zeros(LANES, question.observation)
        n = loops.gather(
            *(self.lanes, self.rules, self.seating, seat, number),
            *(self._index, self._opened, frame),
        )
        some = [k for k in range(n) if self.rng.random() < 0.8]
        views = list(question.wire.views(frame[some].tobytes()))
        self._index[: len(some)] = self._index[some]
        replies = replies_of(question, [self.case.answer(number, v, self.rng) for v in views])
        faults = loops.scatter(*self._state, self._index, len(some), replies, self._fared)
        assert faults == 0

    def told(self, lanes: NDArray[np.void], question: int, seat: int, fill: int) -> Told:
        """What the seat's process receives; `fill`: what lay in the frame before."""
        lanes = lanes.copy()  # the loop notes who has been asked
        kind = self.game.questions[question].observation
        frame = np.full(LANES * kind.itemsize, fill, np.uint8).view(kind)
        index, opened = np.zeros((LANES, 2), np.int32), np.zeros(LANES, np.uint8)
        n = loops.gather(lanes, self.rules, self.seating, seat, question, index, opened, frame)
        return Told(index[:n, 0].tolist(), opened[:n].tobytes(), frame[:n].tobytes())

    def redealt(self, lanes: NDArray[np.void], seat: int) -> NDArray[np.void]:
        """The lanes with all that the seat may not know dealt anew, and other words to come."""
        lanes = lanes.copy()
        for lane in lanes:
            if lane["asked"] >> seat & 1:
                self.case.redeal(lane, seat, self.rules, self.rng)
                lane["deal"], lane["row"] = self.rng.randrange(DEALS), self.rng.randrange(9)
                lane["refills"] = self.rng.randrange(3)
                # Which of several that are asked together have answered by now:
                if int(lane["asked"]).bit_count() > 1:
                    lane["asked"] &= self.rng.randrange(1 << self.seats) | 1 << seat
        return lanes

    def differences(self, lanes: NDArray[np.void], times: int) -> dict[tuple[int, int], int]:
        """Of every question and seat, how many records were compared.

        Raises AssertionError if a process is told of what its seat may not know.
        """
        compared = {}
        for question in range(len(self.game.questions)):
            for seat in range(self.seats):
                before = self.told(lanes, question, seat, fill=0)
                compared[question, seat] = len(before.lanes)
                for _ in range(times):
                    after = self.told(self.redealt(lanes, seat), question, seat, fill=0)
                    assert after == before, f"question {question} tells seat {seat} too much"
        return compared
