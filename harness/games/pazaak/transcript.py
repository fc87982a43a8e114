"""The readable transcript of one game of Pazaak: what was dealt, what was chosen, who won.

The game is played once more by the compiled rules. They stop only at questions, and between two of
them a hand can end and its table be cleared, so they are fed the random words of one hand at a
time: they starve after every hand, with its cards still on the table.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from harness.games.contract import OVER, STARVED
from harness.games.onelane import FAULTS, OneLane
from harness.games.pazaak import END, STAND
from harness.games.pazaak.rules import LANE, RULES

if TYPE_CHECKING:
    from harness.arena.job import Decision
    from harness.games.pazaak.about import PazaakRules

_SEATS = (0, 1)


def transcript(
    rules: PazaakRules,
    words: NDArray[np.uint32],
    more: Callable[[int], NDArray[np.uint32]],
    decisions: Iterable[Decision],
    names: tuple[str, str],
) -> Iterator[str]:
    """Tell one game, a line per step.

    `words`: the deal's random words, uint32, shape (rows, words per row); `more(n)`: the n-th
    continuation, n from 1, of the same shape. `decisions`: both bots' replies in the order of
    the questions. Where they end before the game does, so does the transcript, saying so:
    a game that was forfeited. `names`: of the bots, by seat.
    """
    table = _Table(rules, names)
    replies = iter(decisions)
    table.start(words)
    yield from table.opening()
    state = STARVED
    while state == STARVED:
        if table.row == len(words):
            words = more(table.refill())
        fed = words[: table.row + 1]
        yield table.standings()
        table.clear()
        while True:
            first = table.turn
            state = table.proceed(fed)
            yield from table.dealt(first)
            if state in (OVER, STARVED):
                break
            decision = next(replies, None)
            if decision is None:
                yield "The game breaks off here."
                return
            yield table.choice(state.bit_length() - 1, decision.reply)
        yield from table.verdict()
    yield table.result()


def _cards(packed: int) -> list[int]:
    return [packed >> shift & 15 for shift in range(0, packed.bit_length(), 4)]


def _named(cards: list[int]) -> str:
    return " ".join(map(str, cards)) or "none"


def _totalled(cards: list[int]) -> str:
    return f"{_named(cards)} ({sum(cards)})" if cards else "nothing"


class _Table:
    """A one-lane table and how it is put in words."""

    def __init__(self, rules: PazaakRules, names: tuple[str, str]) -> None:
        self._rules, self._names = rules, names
        parameters = np.zeros(1, RULES)
        for name in RULES.names or ():
            parameters[name] = getattr(rules, name)
        self._game = OneLane(LANE, parameters[0])
        self._lane = self._game.lane
        self.start, self.proceed = self._game.start, self._game.proceed
        self.refill = self._game.refill
        self._told = [0, 0]
        """How many cards of either hand have been mentioned."""
        self._wins = [0, 0]
        """Hand wins before the hand that is being played."""

    # -- the compiled rules ----------------------------------------------------------------

    @property
    def row(self) -> int:
        return int(self._lane["row"])

    @property
    def turn(self) -> int:
        return int(self._lane["turn"])

    # -- the words -------------------------------------------------------------------------

    def opening(self) -> Iterator[str]:
        one, two = self._names
        yield (
            f"New game: {one} is player one, {two} player two; "
            f"{self._rules.wins_needed} hands win it."
        )
        for seat in _SEATS:
            yield f"{self._names[seat]} draws the side cards {_named(self._side(seat))}."

    def standings(self) -> str:
        one, two = self._names
        wins = self._wins
        number = int(self._lane["hand_number"]) + 1
        return f"Hand {number}; standings: {one} {wins[0]}, {two} {wins[1]}."

    def clear(self) -> None:
        """The rules clear the table only when they deal the next hand."""
        self._told = [0, 0]

    def dealt(self, first: int) -> Iterator[str]:
        """The cards dealt since the last question, at most one a seat; turn `first` came first."""
        for seat in (1, 0) if first == 1 else (0, 1):
            hand, told = self._hand(seat), self._told[seat]
            if len(hand) == told:
                continue
            self._told[seat] = len(hand)
            name, before, after = self._names[seat], _totalled(hand[:told]), _totalled(hand)
            yield f"{name} has {before} and is dealt {hand[-1]}: {after}."
            # Nobody has been asked since, so who stands does so unasked.
            if self._lane["standing"][seat]:
                yield f"{name} stands on {sum(hand)} unasked."

    def choice(self, seat: int, reply: np.void) -> str:
        """Carry out a reply and say what it was."""
        code, legal = int(reply["code"]), self._game.act(seat, reply)
        name = self._names[seat]
        if not legal:
            return f"{name} {self._illegal(seat, code)}, and so stands."
        if code == END:
            return f"{name} ends its turn."
        if code == STAND:
            return f"{name} stands."
        hand = self._hand(seat)
        self._told[seat] = len(hand)
        return f"{name} plays {code} and stands: {_totalled(hand)}."

    def _illegal(self, seat: int, code: int) -> str:
        if code in FAULTS:
            return FAULTS[code]
        if code > 0:
            held = _named(self._side(seat))
            return f"illegally plays {code} (side cards held: {held})"
        return f"illegally answers {code}"

    def verdict(self) -> Iterator[str]:
        """The end of a hand, and into the standings with it."""
        totals = [sum(self._hand(seat)) for seat in _SEATS]
        bust = [seat for seat in _SEATS if totals[seat] > self._rules.target]
        for seat in bust:
            yield f"{self._names[seat]} bombs out with {totals[seat]}."
        wins = self._lane["wins"].tolist()
        if wins == self._wins:
            yield f"The hand is tied, {totals[0]} to {totals[1]}."
        else:
            winner = 0 if wins[0] > self._wins[0] else 1
            name, won, lost = self._names[winner], totals[winner], totals[1 - winner]
            yield f"{name} wins the hand{f' with {won}' if bust else f', {won} to {lost}'}."
        self._wins = wins

    def result(self) -> str:
        winner = 0 if self._wins[0] >= self._rules.wins_needed else 1
        score = f"{self._wins[winner]} to {self._wins[1 - winner]}"
        return f"{self._names[winner]} wins the game, {score}."

    def _hand(self, seat: int) -> list[int]:
        return _cards(int(self._lane["hand"][seat]))

    def _side(self, seat: int) -> list[int]:
        return _cards(int(self._lane["side"][seat]))
