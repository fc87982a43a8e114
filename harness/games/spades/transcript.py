"""The readable transcript of one game of Spades: the hands, the bids, every trick, the score.

The game is played once more by the compiled rules. They stop only at questions, and between two of
them a hand can end and the next be dealt, so they are fed the random words of one hand at a time:
they starve after every hand, with its tricks still on the table.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from harness.games.contract import OVER, STARVED
from harness.games.onelane import FAULTS, OneLane
from harness.games.spades import BID, CARDS, cards_of, name, suit
from harness.games.spades.rules import LANE, RULES, SEATS, TEAMS

if TYPE_CHECKING:
    from harness.arena.job import Decision
    from harness.games.spades.about import SpadesRules

_PLACES = ("North", "East", "South", "West")
_TEAMS = ("North-South", "East-West")


def transcript(
    rules: SpadesRules,
    words: NDArray[np.uint32],
    more: Callable[[int], NDArray[np.uint32]],
    decisions: Iterable[Decision],
    names: tuple[str, ...],
) -> Iterator[str]:
    """Tell one game, a line per step.

    `words`: the deal's random words, uint32, shape (rows, words per row); `more(n)`: the n-th
    continuation, n from 1, of the same shape. `decisions`: all answers in the order of the
    questions. Where they end before the game does, so does the transcript, saying so: a game that
    was forfeited. `names`: of the bots, by seat.
    """
    table = _Table(rules)
    answers = iter(decisions)
    table.start(words)
    yield from table.opening(names)
    state = STARVED
    while state == STARVED:
        if table.row == len(words):
            words = more(table.refill())
        fed = words[: table.row + 1]
        state = table.proceed(fed)
        yield from table.dealt()
        while state not in (OVER, STARVED):
            seat = state.bit_length() - 1
            answer = next(answers, None)
            if answer is None:
                yield from table.broken_off()
                return
            yield from table.answered(seat, answer.reply)
            state = table.proceed(fed)
        yield from table.scored()
    yield table.result()


def _named(held: int) -> str:
    """The cards of a set, highest first, spades first."""
    suits: dict[int, list[str]] = {}
    for card in reversed(cards_of(held)):
        suits.setdefault(suit(card), []).append(name(card))
    return ", ".join(" ".join(cards) for cards in suits.values())


class _Table:
    """A one-lane table and how it is put in words."""

    def __init__(self, rules: SpadesRules) -> None:
        self._rules = rules
        parameters = np.zeros(1, RULES)
        for field in RULES.names or ():
            parameters[field] = getattr(rules, field)
        self._game = OneLane(LANE, parameters[0])
        self._lane = self._game.lane
        self.start, self.proceed = self._game.start, self._game.proceed
        self.refill = self._game.refill
        self._trick: list[str] = []
        """What has been said of the trick in progress."""

    # -- the compiled rules ----------------------------------------------------------------

    @property
    def row(self) -> int:
        return int(self._lane["row"])

    def _of_teams(self, field: str) -> tuple[int, int]:
        one, two = self._lane[field].tolist()
        return one, two

    # -- the words -------------------------------------------------------------------------

    def opening(self, names: tuple[str, ...]) -> Iterator[str]:
        north, east, south, west = names
        yield (
            f"New game: {north} (North) and {south} (South) against {east} (East) and "
            f"{west} (West); {self._rules.win_at} points win it."
        )

    def dealt(self) -> Iterator[str]:
        number = int(self._lane["hand_number"]) + 1
        yield f"Hand {number}, dealt by {_PLACES[int(self._lane['dealer'])]}."
        for seat in range(SEATS):
            yield f"{_PLACES[seat]} holds {_named(int(self._lane['held'][seat]))}."

    def answered(self, seat: int, reply: np.void) -> Iterator[str]:
        """Carry out an answer, and say what it was; a trick is told in one line when it ends."""
        bidding = int(self._lane["question"]) == BID
        legal = self._game.act(seat, reply)
        place = _PLACES[seat]
        if bidding:
            bid = int(self._lane["bids"][seat])
            said = "nil" if bid == 0 else str(bid)
            yield f"{place} bids {said}." if legal else f"{place} {_wrong(reply, True)}: 1 counts."
            return
        count = int(self._lane["count"])
        card = name(int(self._lane["cards"][count - 1]))
        if not legal:
            yield f"{place} {_wrong(reply, False)}: the lowest legal card, {card}, is played."
        self._trick.append(f"{place} {card}")
        if count % SEATS == 0:
            winner = _PLACES[int(self._lane["best_seat"])]
            yield f"Trick {count // SEATS}: {', '.join(self._trick)}; {winner} wins it."
            self._trick.clear()

    def broken_off(self) -> Iterator[str]:
        """Somebody forfeits the game; not always the seat that is asked, so none is named."""
        if self._trick:
            number = int(self._lane["count"]) // SEATS + 1
            yield f"Trick {number}: {', '.join(self._trick)}."
        yield "The game breaks off here."

    def scored(self) -> Iterator[str]:
        """The end of a hand: what was bid and taken, and what it has come to."""
        bids, won = self._lane["bids"].tolist(), self._lane["tricks_won"].tolist()
        assert sum(won) == CARDS // SEATS
        score, bags = self._of_teams("score"), self._of_teams("bags")
        for team in range(TEAMS):
            told = [
                f"{_PLACES[seat]} {'made' if won[seat] == 0 else 'failed'} nil"
                for seat in (team, team + 2)
                if bids[seat] == 0
            ]
            nils = f" ({', '.join(told)})" if told else ""
            yield (
                f"{_TEAMS[team]} bid {bids[team] + bids[team + 2]} and took "
                f"{won[team] + won[team + 2]}{nils}: {score[team]} points, bags: {bags[team]}."
            )

    def result(self) -> str:
        one, two = self._of_teams("score")
        if one == two:
            return f"The game is drawn, {one} to {two}."
        winner = 0 if one > two else 1
        return f"{_TEAMS[winner]} win the game, {max(one, two)} to {min(one, two)}."


def _wrong(reply: np.void, bidding: bool) -> str:
    """What is wrong with an illegal answer."""
    code = int(reply["code"])
    if code in FAULTS:
        return FAULTS[code]
    if bidding:
        return f"illegally bids {code}"
    return f"illegally plays {name(code) if 0 <= code < CARDS else code}"
