"""What is shown while an event is played: a live table, a plain line now and then, or nothing."""

from __future__ import annotations

import time

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from harness.arena.job import Result
from harness.cli.words import bot, duration, number, standings
from harness.events.cup import Cup
from harness.events.estimate import likely_games
from harness.events.match import Match, Outcome
from harness.events.run import Event, Run

_REFRESH_SECONDS = 0.2
_MOST_CPU = 0.01
"""The part of a core that drawing may take: the bots need all of them."""
_LINE_SECONDS = 10.0
_BAR_WIDTH = 40


class Display:
    """Told of every block, and called at least ten times a second. This one shows nothing."""

    def __enter__(self) -> Display:
        return self

    def __exit__(self, *error: object) -> None:
        """Leave the terminal as it was."""

    def block(self, match: Match, block: int, result: Result) -> None:
        """A block was played and is stored."""

    def idle(self) -> None:
        """Nothing in particular happened."""


class _Measured(Display):
    def __init__(self, console: Console, event: Event, run: Run) -> None:
        self._console, self._event, self._run = console, event, run
        self._began = time.monotonic()
        self._games = 0
        """Played since then: a resumed event's first games took another run's time."""

    def block(self, match: Match, block: int, result: Result) -> None:
        self._games += result.games

    def _likely(self) -> int:
        """Games of the whole event; of a cup, as far as one can tell."""
        event = self._event
        if not isinstance(event.schedule, Cup):
            return event.schedule.most_games
        standing = event.schedule.standing(event.outcomes)
        return likely_games(event.schedule, standing, self._run.games_known)

    def _line(self, likely: int) -> str:
        """Games, speed and time left."""
        done = self._run.games_done
        about = "about " if likely > self._run.games_known else ""
        line = f"{number(done)} of {about}{number(likely)} games"
        if not self._games:
            return line
        rate = self._games / max(time.monotonic() - self._began, 1e-3)
        left = f", about {duration((likely - done) / rate)} left" if likely > done else ""
        return f"{line}, {number(round(rate))} games/s{left}"


class LiveDisplay(_Measured):
    """For a terminal: a bar and the standings, drawn as often as that costs next to nothing."""

    def __init__(self, console: Console, event: Event, run: Run) -> None:
        super().__init__(console, event, run)
        # No thread of its own: all drawing happens in `idle`, where it can be measured.
        self._live = Live(console=console, auto_refresh=False, transient=True)
        self._due = 0.0

    def __enter__(self) -> Display:
        self._live.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._live.stop()

    def idle(self) -> None:
        if time.monotonic() < self._due:
            return
        began = time.thread_time()
        self._live.update(self._picture(), refresh=True)
        cost = time.thread_time() - began
        self._due = time.monotonic() + max(_REFRESH_SECONDS, cost / _MOST_CPU)

    def _picture(self) -> RenderableType:
        likely = self._likely()
        bar = ProgressBar(total=max(likely, 1), completed=self._run.games_done, width=_BAR_WIDTH)
        # Beside each other: a bar of its own would not end its line.
        head = Table.grid(padding=(0, 2))
        head.add_row(bar, Text(self._line(likely)))
        standing = self._event.standing(self._event.outcomes)
        return Group(head, standings(standing, self._event.config.about))


class PlainDisplay(_Measured):
    """For a file or a pipe: a line for every match that is complete, and when nothing was said."""

    def __init__(self, console: Console, event: Event, run: Run) -> None:
        super().__init__(console, event, run)
        self._due = time.monotonic() + _LINE_SECONDS

    def block(self, match: Match, block: int, result: Result) -> None:
        super().block(match, block, result)
        outcome = self._event.outcomes(match)
        if outcome.complete and isinstance(outcome, Outcome):
            one, other = outcome.record.wins
            self._say(f"{match.label} {number(one)}-{number(other)}; ")

    def idle(self) -> None:
        if time.monotonic() >= self._due:
            self._say("")

    def _say(self, what: str) -> None:
        self._due = time.monotonic() + _LINE_SECONDS
        line = self._line(self._likely())
        self._console.print(bot(what) + Text(line), soft_wrap=True)
