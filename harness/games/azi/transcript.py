"""The readable transcript of one session of Azi: what was dealt, bet and played, and who won.

The session is played once more by the compiled rules. Between two questions a deal can end and the
next one be dealt, so they are fed the random words of one deal at a time: they starve after every
deal, with its table still laid.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from harness.games.azi import cards
from harness.games.azi.frames import BET, DISCARD
from harness.games.azi.lane import ENTERING, LANE, NOBODY, RULES
from harness.games.azi.view import CALLED, FOLDED, RAISED
from harness.games.contract import OVER, STARVED
from harness.games.onelane import FAULTS, OneLane

if TYPE_CHECKING:
    from harness.arena.job import Decision
    from harness.games.azi.about import AziRules


def transcript(
    rules: AziRules,
    words: NDArray[np.uint32],
    more: Callable[[int], NDArray[np.uint32]],
    decisions: Iterable[Decision],
    names: tuple[str, ...],
) -> Iterator[str]:
    """Tell one session, a line per step.

    `words`: the deal's random words, uint32, shape (rows, words per row); `more(n)`: the n-th
    continuation, n from 1, of the same shape. `decisions`: everybody's replies in the order of the
    questions; a seat that is asked when it has no more has forfeited, and the others play on.
    `names`: of the bots, by seat.
    """
    table = _Table(rules, names, decisions)
    yield table.opening(words)
    fed = words[:1]
    state = table.proceed(fed)
    while True:
        yield from table.ended()
        if state == OVER:
            break
        if state == STARVED:
            if table.row == len(words):
                words = more(table.refill())
            fed = words[: table.row + 1]
            state = table.proceed(fed)
            continue
        yield from table.dealt()
        for seat in range(rules.seats):
            if state >> seat & 1:
                yield from table.answered(seat)
        state = table.proceed(fed)
    yield table.result()


def _set(mask: int) -> str:
    return " ".join(cards.name(card) for card in range(cards.CARDS) if mask >> card & 1)


def _plural(chips: int) -> str:
    return "1 chip" if chips == 1 else f"{chips} chips"


class _Table:
    """A one-lane table and how it is put in words."""

    def __init__(
        self, rules: AziRules, names: tuple[str, ...], decisions: Iterable[Decision]
    ) -> None:
        self._rules, self._names = rules, names
        self._replies: defaultdict[int, deque[np.void]] = defaultdict(deque)
        for decision in decisions:
            self._replies[decision.seat].append(decision.reply)
        parameters = np.zeros(1, RULES)
        for name in RULES.names or ():
            parameters[name] = getattr(rules, name)
        self._game = OneLane(LANE, parameters[0])
        self._lane = self._game.lane
        self.proceed, self.refill = self._game.proceed, self._game.refill
        self._deals_dealt = 0
        self._deals_told = 0
        self._returned_told = False

    # -- the compiled rules ----------------------------------------------------------------

    @property
    def row(self) -> int:
        return int(self._lane["row"])

    def _value(self, field: str) -> int:
        return int(self._lane[field])

    def _at(self, field: str, seat: int) -> int:
        return int(self._lane[field][seat])

    def _each(self, field: str) -> str:
        """A sum of chips for every seat that has one."""
        amounts = self._lane[field].tolist()[: self._rules.seats]
        told = [
            f"{name} {chips}" for name, chips in zip(self._names, amounts, strict=True) if chips
        ]
        return ", ".join(told)

    # -- the words -------------------------------------------------------------------------

    def opening(self, words: NDArray[np.uint32]) -> str:
        self._game.start(words)
        return (
            f"New session: {', '.join(self._names)}, {_plural(self._rules.stack)} each; "
            f"{self._names[self._value('opener')]} opens."
        )

    def dealt(self) -> Iterator[str]:
        """A deal that has begun since the last question."""
        yield from self._bank_back()
        if self._value("phase") == ENTERING or self._value("deals") < self._deals_dealt:
            return
        self._deals_dealt = self._value("deals") + 1
        turn_up = self._value("turn_up")
        stage = ", six on stage" if turn_up // 3 == cards.ACE else ""
        bank = int(self._lane["contribution"].sum())
        yield (
            f"Deal {self._value('deals') + 1}: {cards.name(turn_up)} is turned up{stage}; "
            f"{_plural(bank)} in the bank."
        )
        for seat, name in enumerate(self._names):
            if self._value("dealt_in") >> seat & 1:
                hand = _set(self._at("hand", seat))
                yield f"{name} has {hand} and {_plural(self._at('stack', seat))}."

    def answered(self, seat: int) -> Iterator[str]:
        """Carry out what the seat has answered and say what it was."""
        hand, trick = self._at("hand", seat), self._value("trick")
        stack, taken = self._at("stack", seat), self._lane["taken"].tolist()
        entering = self._value("phase") == ENTERING
        said = self._reply(seat)
        if self._value("question") != BET:
            card = _set(hand & ~self._at("hand", seat))
            verb = "discards" if self._value("question") == DISCARD else "plays"
            yield f"{said}{verb} {card}."
        elif entering:
            entered = self._value("entrants") >> seat & 1
            yield f"{said}{'buys itself in' if entered else 'stays out'}."
        else:
            yield f"{said}{self._bet(seat, stack)}."
        if self._value("trick") > trick:
            now = self._lane["taken"].tolist()
            winner = next(seat for seat, tricks in enumerate(now) if tricks > taken[seat])
            yield f"{self._names[winner]} takes the trick."

    def _reply(self, seat: int) -> str:
        """Carry out a reply; how the line about it begins."""
        name, replies = self._names[seat], self._replies[seat]
        if self._value("out") >> seat & 1:
            self._game.substitute(seat)
            return f"{name}, who has forfeited, "
        if not replies:
            self._lane["out"] |= np.uint32(1 << seat)
            self._game.forfeit(seat)
            self._game.substitute(seat)
            return f"{name} forfeits, and "
        reply = replies.popleft()
        if self._game.act(seat, reply):
            return f"{name} "
        return f"{name} {self._wrong(int(reply['code']))}, and so "

    def _wrong(self, code: int) -> str:
        if code in FAULTS:
            return FAULTS[code]
        if self._value("question") != BET and 0 <= code < cards.CARDS:
            return f"illegally plays {cards.name(code)}"
        return f"illegally answers {code}"

    def _bet(self, seat: int, stack: int) -> str:
        """What a seat with `stack` chips has just said."""
        kind = self._at("log", self._value("said") - 1) >> 3
        if kind == FOLDED:
            return "folds"
        paid, highest = stack - self._at("stack", seat), self._value("highest")
        if kind == CALLED:
            short = self._at("bet", seat) < max(highest, self._rules.least_bet)
            first = self._value("raiser") == NOBODY
            return f"stays in for {_plural(paid)}" if short or first else f"calls with {paid}"
        assert kind == RAISED
        chips = self._at("raise_chips", self._value("raises") - 1)
        return f"bets {chips}" if chips == highest else f"raises by {chips} to {highest}"

    def ended(self) -> Iterator[str]:
        """The end of a deal, and what became of the bank."""
        if self._value("deals") > self._deals_told:
            self._deals_told = self._value("deals")
            self._returned_told = False
            winner = self._value("winner")
            if winner == NOBODY:
                yield "Three players have a trick each: Azi."
            else:
                yield f"{self._names[winner]} wins the deal. Paid out: {self._each('share')}."
        yield from self._bank_back()

    def _bank_back(self) -> Iterator[str]:
        if self._value("returned") and not self._returned_told:
            self._returned_told = True
            yield f"The bank goes back: {self._each('share')}."

    def result(self) -> str:
        return f"The session is over: {self._each('stack')}."
