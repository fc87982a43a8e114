"""BS for tests: random players, deals from words, and single games laid out card by card."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from harness.games.bs import CARDS, RANKS, SEATS, View
from harness.games.bs.about import CALLER, CARD, TURNS_PER_ROW, BsRules
from harness.games.bs.frames import CALL_REPLY, LAY_REPLY, encode_call, encode_lay, views
from harness.games.bs.game import GAME
from harness.games.frames import EXCEPTION, PROTOCOL, UNANSWERED
from harness.games.onelane import OneLane
from tests.games.cards import Draws, rows_of, shuffled, words_dealing
from tests.games.lockstep import Decide, Played

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


# Deals and draws from random words.


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
