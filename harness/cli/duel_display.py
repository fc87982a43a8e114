"""What `koth duel` shows: a live line while it plays, and who won."""

from __future__ import annotations

import shlex
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from rich.live import Live
from rich.text import Text

from harness.cli.screen import console, faults, percent, say
from harness.cli.words import number, table
from harness.events.duel import Duel, Side
from harness.reports.text import visible

_REFRESH_SECONDS = 0.1
_LINE_SECONDS = 2.0


class Progress:
    """Told of every block, and called at least ten times a second."""

    def __init__(self, duel: Duel, live: Live | None) -> None:
        self._duel, self._live = duel, live
        self._began = self._shown = time.monotonic()

    def block(self) -> None:
        """A block was played."""
        if self._live is None and self._is_due(_LINE_SECONDS):
            say(self._line())

    def idle(self) -> None:
        """Nothing in particular happened."""
        if self._live is not None and self._is_due(_REFRESH_SECONDS):
            self._live.update(Text(self._line()), refresh=True)

    def _is_due(self, interval: float) -> bool:
        now = time.monotonic()
        due = now >= self._shown + interval
        if due:
            self._shown = now
        return due

    def _line(self) -> str:
        """Games done, speed, and the share of the first bot so far."""
        done, total = self._duel.games_done, self._duel.match.games
        seconds = time.monotonic() - self._began
        rate = done / max(seconds, 1e-3)
        line = f"{number(done)} of {number(total)} games"
        line += f", {number(round(rate))} games/s" if done else f", {seconds:.0f} s"
        if self._duel.outcome.record.games:
            first = self._duel.sides()[0]
            line += f", {visible(first.name)} {percent(first.share)} so far"
        return line


@contextmanager
def progress(duel: Duel) -> Iterator[Progress]:
    """Says what is played, and shows how it goes: on one line, or plainly where that cannot be."""
    config = duel.event.config
    one, two = (visible(bot) for bot in duel.names)
    say(
        f"{config.about.title}: {one} against {two}, {number(config.games)} games; "
        f"rules {duel.event.rules_name}, sandbox {duel.event.level}"
    )
    if not console().is_terminal:
        yield Progress(duel, None)
        return
    with Live(console=console(), auto_refresh=False, transient=True) as live:
        yield Progress(duel, live)


def result(duel: Duel, seconds: float, replay: Sequence[str]) -> None:
    """Who won and by how much. `replay`: the command that shows a game of this match."""
    sides, record = duel.sides(), duel.outcome.record
    say(verdict(sides), "bold")
    say("")
    # A column each, so that it fits into eighty.
    made = table("", *(f">{visible(side.name)}" for side in sides))
    for what, values in (
        ("games won", [number(side.wins) for side in sides]),
        ("share of games (95 %)", [percent(side.share) for side in sides]),
        (duel.event.config.about.points, [number(side.points) for side in sides]),
        ("CPU a decision", [f"{1e6 * side.cpu_per_decision:.2f} µs" for side in sides]),
        ("faults", [faults(side.faults) for side in sides]),
    ):
        made.add_row(what, *values)
    console().print(made)
    if record.draws:
        say(f"{number(record.draws)} games had no winner")
    for side in sides:
        if side.retired:
            walkovers = number(duel.outcome.walkovers)
            text = f"retired ({side.retired}); walkovers: {walkovers} games"
            say(f"{visible(side.name)} was {text}", "red")
    rate = number(round(duel.games_done / seconds))
    say("")
    say(f"{number(duel.games_done)} games in {seconds:.1f} s, {rate} games/s")
    say(f"Secret: {duel.event.secret.hex()}")
    say(f"A game of it, move by move: {shlex.join(replay)}")


def verdict(sides: tuple[Side, Side]) -> str:
    """The result in a sentence."""
    one, two = sides
    if one.wins == two.wins:
        both = f"{visible(one.name)} and {visible(two.name)}"
        return f"Drawn: {both} won {number(one.wins)} games each."
    winner, loser = (one, two) if one.wins > two.wins else (two, one)
    sentence = (
        f"{visible(winner.name)} beats {visible(loser.name)}, "
        f"{number(winner.wins)} games to {number(loser.wins)}"
    )
    # The lead itself is a fact; whether it means anything is the interval's to say.
    return sentence + ("." if winner.share.low > 0.5 else ", which may well be chance.")
