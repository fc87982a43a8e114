"""What `koth hunt` says on the terminal: plan, progress with the best so far, result."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from rich.console import Group, RenderableType
from rich.live import Live
from rich.table import Table
from rich.text import Text

from harness.cli.screen import console, say
from harness.cli.words import bot, duration, number, table
from harness.entrants import Entrant
from harness.events.hunt import Hunt
from harness.hunt_ledger import Find, Foreign, Slice
from harness.wording import counted

_LIVE_SECONDS = 0.5
_LINE_SECONDS = 30.0


class Display:
    """Told of every slice, and called ten times a second. This one shows nothing."""

    def slice(self, taken: Slice) -> None:
        """A slice came in and was judged."""

    def idle(self) -> None:
        """Nothing in particular happened."""


class _Lines(Display):
    """A line now and then, and one for every longer game."""

    def __init__(self, hunt: Hunt, workers: int) -> None:
        self._hunt, self._workers = hunt, workers
        self._best = _best(hunt)
        self._said = time.monotonic()

    def slice(self, taken: Slice) -> None:
        best = _best(self._hunt)
        if best is not None and (self._best is None or best.order < self._best.order):
            self._best = best
            say(f"{best.cards:,} cards, {best.tricks:,} tricks: {best.deal} ({_plain(best.bot)})")

    def idle(self) -> None:
        if time.monotonic() - self._said > _LINE_SECONDS:
            self._said = time.monotonic()
            best = f"; best {self._best.cards:,} cards" if self._best else ""
            say(f"{_left(self._hunt, self._workers)}{best}", "dim")


class _Live(Display):
    """The standings, again and again in the same place."""

    def __init__(self, hunt: Hunt, workers: int, live: Live) -> None:
        self._hunt, self._workers, self._live = hunt, workers, live
        self._drawn = 0.0

    def idle(self) -> None:
        if time.monotonic() - self._drawn > _LIVE_SECONDS:
            self._drawn = time.monotonic()
            self._live.update(self._picture(), refresh=True)

    def _picture(self) -> RenderableType:
        parts: list[RenderableType] = [_standings(self._hunt)]
        best = _best(self._hunt)
        if best is not None:
            parts.append(Text(best.deal))
        parts.append(Text(_left(self._hunt, self._workers), "dim"))
        return Group(*parts)


class Screen:
    """Speaks on standard output; `quiet` leaves nothing but the result."""

    def __init__(self, quiet: bool) -> None:
        self._quiet = quiet

    def plan(
        self, hunt: Hunt, broken: Sequence[Entrant], folder: Path, workers: int | None
    ) -> None:
        """Exactly what will be hunted."""
        if self._quiet:
            return
        config = hunt.config
        say(f"{config.about.title} hunt: {config.event}", "bold")
        made = table(counted(len(hunt.entrants), "bot"), "author", "file", ">CPU left, s")
        for entrant in hunt.entrants:
            left = f"{max(0.0, config.seconds - hunt.seconds_used(entrant.name)):.0f}"
            made.add_row(bot(entrant.name), bot(entrant.author), bot(entrant.file), left)
        console().print(made)
        for entrant in broken:
            say(f"cannot hunt: {_plain(entrant.path)}: {_plain(entrant.error or '')}", "bold red")
        say(
            f"budgets     {config.seconds:g} s of CPU a bot, in stretches of "
            f"{config.stretch_seconds:g} s; {config.budgets.memory_mb} MB memory"
        )
        say(f"sandbox     {hunt.level}")
        say(f"results     {folder}")

    @contextmanager
    def progress(self, hunt: Hunt, workers: int) -> Iterator[Display]:
        """What happens while it is hunted."""
        if self._quiet:
            yield Display()
        elif console().is_terminal:
            with Live(console=console(), auto_refresh=False, transient=True) as live:
                yield _Live(hunt, workers, live)
        else:
            say(_left(hunt, workers), "dim")
            yield _Lines(hunt, workers)

    def interrupted(self, hunt: Hunt) -> None:
        """What is stored, and how to go on."""
        say("Interrupted; everything found is stored. The same command goes on.")
        self.best(hunt)

    def merged(self, path: Path, other: Foreign) -> None:
        """A ledger was taken over."""
        if not self._quiet:
            cpu = sum(stretch.cpu for stretch in other.stretches)
            say(f"{path}: {duration(cpu)} of CPU, {number(len(other.finds))} games played anew")

    def result(self, hunt: Hunt, folder: Path) -> None:
        """The final table, the longest game, and where the files are."""
        console().print(_standings(hunt))
        self.best(hunt)
        say(f"files: {folder / 'leaderboard.md'}, leaderboard.json")

    def best(self, hunt: Hunt) -> None:
        """The longest game."""
        best = _best(hunt)
        if best is not None:
            say(f"longest: {best.deal}, {best.cards:,} cards, {best.tricks:,} tricks")


def _best(hunt: Hunt) -> Find | None:
    every = (hunt.best(name) for name in hunt.finds)
    return min((b for b in every if b is not None), key=lambda find: find.order, default=None)


def _left(hunt: Hunt, workers: int) -> str:
    left = hunt.seconds_left
    return f"{duration(left)} of CPU left, about {duration(left / workers)} by the clock"


def _plain(text: str) -> str:
    return bot(text).plain


def _standings(hunt: Hunt) -> Table:
    from harness.reports.hunt import document

    made = table(">rank", "bot", ">cards", ">tricks", ">deals tried", ">per CPU s", ">CPU, s")
    for row in document(hunt)["standings"]:
        best = row["best"]
        made.add_row(
            str(row["rank"]),
            bot(row["name"]),
            number(best["cards"]) if best else "",
            number(best["tricks"]) if best else "",
            number(row["tried"]),
            number(row["tried_per_cpu_second"] or 0),
            f"{row['cpu_seconds']:.0f}"
            + (f" (retired: {row['retired']})" if row["retired"] else ""),
        )
    return made
