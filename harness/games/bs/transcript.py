"""The readable transcript of one game of BS: what was dealt, laid and called, and who won."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from harness.games.bs import NOBODY, SEATS
from harness.games.bs.rules import LANE, RULES
from harness.games.contract import OVER, STARVED
from harness.games.onelane import FAULTS, OneLane

if TYPE_CHECKING:
    from harness.arena.job import Decision
    from harness.games.bs.about import BsRules

_SEATS = range(SEATS)


def transcript(
    rules: BsRules,
    words: NDArray[np.uint32],
    more: Callable[[int], NDArray[np.uint32]],
    decisions: Iterable[Decision],
    names: tuple[str, ...],
) -> Iterator[str]:
    """Tell one game, a line per step.

    `words`: the deal's random words, uint32, shape (rows, words per row); `more(n)`: the n-th
    continuation, n from 1, of the same shape. `decisions`: in the order made. Who is asked and
    has none left has forfeited the game. `names`: of the bots, by seat.
    """
    table = _Table(rules, decisions, names)
    table.start(words)
    yield from table.opening()
    while True:
        state = table.proceed(words)
        yield from table.settled()
        if state == OVER:
            yield table.result()
            return
        if state == STARVED:
            words = more(table.refill())
            continue
        for step in _SEATS:  # the mover, or those after it
            seat = (table.mover + step) % SEATS
            if state >> seat & 1:
                yield from table.answered(seat)


def _cards(cards: Iterable[int]) -> str:
    return " ".join(map(str, cards))


def _number(cards: int) -> str:
    return "1 card" if cards == 1 else f"{cards} cards"


class _Table:
    """A one-lane table and how it is put in words."""

    def __init__(
        self, rules: BsRules, decisions: Iterable[Decision], names: tuple[str, ...]
    ) -> None:
        self._names = names
        self._max_rounds = rules.max_rounds
        parameters = np.zeros(1, RULES)
        for name in RULES.names or ():
            parameters[name] = getattr(rules, name)
        self._game = OneLane(LANE, parameters[0])
        self._lane = self._game.lane
        self.start, self.proceed = self._game.start, self._game.proceed
        self.refill = self._game.refill
        self._left: list[deque[Decision]] = [deque() for _ in _SEATS]
        for decision in decisions:
            self._left[decision.seat].append(decision)
        self._forfeited = [False] * SEATS
        self._told = 0
        """Turns whose end has been told."""

    @property
    def mover(self) -> int:
        """Whose turn it is, or would be if the game were not over."""
        return int(self._lane["turn"]) % SEATS

    def opening(self) -> Iterator[str]:
        yield f"New game: {', '.join(self._names)}, in this order."
        for seat in _SEATS:
            yield f"{self._names[seat]} is dealt {_cards(self._hand(seat))}."

    def answered(self, seat: int) -> Iterator[str]:
        """Carry out the seat's next decision and say what needs saying now."""
        name = self._names[seat]
        laying = self._lane["question"] == 0
        held = self._hand(seat)
        if laying:
            yield f"Turn {self._told + 1}: {name} is to lay rank {self._lane['rank']}."
        if not self._left[seat]:
            if not self._forfeited[seat]:
                self._forfeited[seat] = True
                self._game.forfeit(seat)
                yield f"{name} forfeits the game: it cannot win, and the rules play for it."
            self._game.substitute(seat)
        else:
            reply = self._left[seat].popleft().reply
            if not self._game.act(seat, reply):
                instead = "it lays its lowest card instead" if laying else "so no call"
                yield f"{name} {_illegal(reply, laying)}; {instead}."
        if laying:
            yield self._laid(name, held)

    def _laid(self, name: str, held: list[int]) -> str:
        number, pile = int(self._lane["number"]), int(self._lane["pile_size"])
        cards = self._pile()[pile - number :]
        lie = ", a lie" if self._lane["lied"] else ""
        return f"{name} holds {_cards(held)} and lays {_cards(cards)}{lie}. Pile: {pile}."

    def settled(self) -> Iterator[str]:
        """How the turn ended, if one has since this was asked last."""
        lane = self._lane
        if int(lane["turn"]) == self._told:
            return
        mover = self._names[self._told % SEATS]
        after = [(self._told + step) % SEATS for step in range(1, SEATS)]
        self._told += 1
        callers = [self._names[seat] for seat in after if int(lane["calls"]) >> seat & 1]
        if not callers:
            yield "Nobody calls."
            return
        caller = self._names[int(lane["last_caller"])]
        if len(callers) == 1:
            yield f"{caller} calls."
        else:
            yield f"{', '.join(callers)} call; {caller} is drawn."
        taken = _number(int(lane["last_taken"]))
        if lane["last_given"] == NOBODY:
            yield f"It was the truth: {caller} takes the pile of {taken}."
        else:
            yield f"It was a lie: {mover} takes the pile of {taken}."
            yield f"{caller}'s {lane['last_given']} is drawn to begin a new one."

    def result(self) -> str:
        for seat in _SEATS:
            if self._lane["sizes"][seat] == 0:
                none = ", but has forfeited: nobody wins" if self._forfeited[seat] else " and wins"
                return f"{self._names[seat]} has no card left{none}."
        return f"Nobody has won after {self._max_rounds} rounds."

    def _hand(self, seat: int) -> list[int]:
        cards: list[int] = self._lane["hand"][seat].tolist()
        return cards[: int(self._lane["sizes"][seat])]

    def _pile(self) -> list[int]:
        cards: list[int] = self._lane["pile"].tolist()
        return cards[: int(self._lane["pile_size"])]


def _illegal(reply: np.void, laying: bool) -> str:
    code = int(reply["code"])
    if code in FAULTS:
        return FAULTS[code]
    if not laying:
        return f"illegally answers {code}"
    if code == 0:
        return "illegally lays nothing"
    if not 0 < code <= len(reply["cards"]):
        return "illegally lays what are no cards"
    return f"illegally lays {_cards(reply['cards'][:code].tolist())}"
