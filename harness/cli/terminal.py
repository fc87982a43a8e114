"""What `koth cup` and `koth league` say on the terminal: plan, progress, interruption, result."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from rich.table import Table
from rich.text import Text

from harness.cli.live import Display, LiveDisplay, PlainDisplay
from harness.cli.screen import console
from harness.cli.words import bot, duration, final, number, standings, table
from harness.entrants import Entrant
from harness.events.cup import Cup, Standing
from harness.events.estimate import estimate
from harness.events.run import Event, Run
from harness.events.tables import Tables
from harness.wording import counted


class Terminal:
    """Speaks on standard output; `quiet` leaves nothing but the result."""

    def __init__(self, quiet: bool) -> None:
        self._quiet = quiet
        self._console = console()
        self._folder = Path()

    def plan(
        self,
        event: Event,
        broken: Sequence[Entrant],
        folder: Path,
        workers: int | None,
        resumed: int = 0,
        *,
        committed: bool = True,
    ) -> None:
        """Exactly what will be played. `resumed`: games that are played already.

        `committed`: whether the secret is the one that it will be played with.
        """
        self._folder = folder
        if self._quiet:
            return
        config = event.config
        self._console.print(Text(f"{config.about.title} {config.format}: {config.event}", "bold"))
        self._console.print(_bots(event.entrants))
        for entrant in broken:
            self._line(Text("cannot play: ", "bold red") + bot(f"{entrant.path}: {entrant.error}"))
        for key, text in _facts(event, folder, workers, resumed, committed):
            self._line(Text(f"{key:<12}", "dim") + bot(text))
        self._console.print()

    @contextmanager
    def progress(self, event: Event, run: Run) -> Iterator[Display]:
        """What happens while it is played."""
        display: Display
        if self._quiet:
            display = Display()
        elif self._console.is_terminal:
            display = LiveDisplay(self._console, event, run)
        else:
            display = PlainDisplay(self._console, event, run)
        with display:
            yield display

    def committed(self, event: Event, folder: Path) -> None:
        """That nothing was played yet, and how to go on."""
        if self._quiet:
            self._line(bot(event.commitment))
        words = [word for word in [*_program(), *sys.argv[1:]] if word != "--commit-only"]
        later = ""
        if event.waits:
            words, later = [*words, "--salt", "TEXT"], " once the salt is known"
        secret = f"the secret is in {folder} and to be kept until all is played"
        self._line(bot(f"Committed, and nothing played yet. Post the commitment; {secret}."))
        self._line(bot(f"To play{later}: {shlex.join(words)}"))

    def interrupted(self, run: Run) -> None:
        """What is stored, and how to go on."""
        done, known = number(run.games_done), number(run.games_known)
        self._line(bot(f"Interrupted: {done} of {known} games are stored in {self._folder}."))
        self._line(bot(f"To go on: {shlex.join([*_program(), *sys.argv[1:]])}"))

    def result(self, event: Event, folder: Path) -> None:
        """The final table, and where the files are."""
        standing = event.standing(event.outcomes)
        self._console.print(standings(standing, event.config.about))
        if isinstance(standing, Standing) and (line := final(standing)) is not None:
            self._line(line)
        files = [name for name in ("timing.md", "faults.md") if (folder / name).exists()]
        written = ", ".join(["leaderboard.json", *files])
        self._line(bot(f"files: {folder / 'leaderboard.md'}, {written}"))

    def _line(self, text: Text) -> None:
        # Not wrapped: commitments, paths and commands are there to be copied.
        self._console.print(text, soft_wrap=True)


def _program() -> list[str]:
    """How this program was called, as it can be typed again."""
    called = Path(sys.argv[0])
    if called.name == "__main__.py":
        return [sys.executable, "-m", "harness"]
    found = shutil.which(called.name)
    on_path = found is not None and called.exists() and called.samefile(found)
    return [called.name if on_path else sys.argv[0]]


def _bots(entrants: Sequence[Entrant]) -> Table:
    made = table(counted(len(entrants), "bot"), "author", "file")
    for entrant in entrants:
        made.add_row(bot(entrant.name), bot(entrant.author), bot(entrant.file))
    return made


def _facts(
    event: Event, folder: Path, workers: int | None, resumed: int, committed: bool
) -> Iterator[tuple[str, str]]:
    config, schedule = event.config, event.schedule
    parameters = ", ".join(f"{key}={value}" for key, value in event.rules.model_dump().items())
    most = schedule.most_games
    least = schedule.least_games if isinstance(schedule, Cup) else most
    if isinstance(schedule, Cup):
        yield "cup", _cup(event)
        yield "games", f"{number(config.games)} per set; {number(least)} to {number(most)} in all"
    elif isinstance(schedule, Tables):
        seats, legs = config.seating.seats, len(config.seating.legs)
        yield "tables", f"of {seats} seats; every deal is played {legs} times, seats rotated"
        yield "games", f"{number(schedule.games_each)} per bot; {number(most)} in all"
    else:
        yield "games", f"{number(config.games)} per match; {number(most)} in all"
    yield "rules", f"{event.rules_name} ({parameters})"
    yield "budgets", _budgets(event)
    yield "sandbox", event.level
    yield "commitment", event.commitment if committed else "of a secret that is yet to be drawn"
    if event.salt is not None:
        text = "still awaited" if event.salt.text is None else event.salt.text
        yield "salt", f"{text} ({event.salt.source})"
    yield "results", str(folder)
    cores = workers or len(os.sched_getaffinity(0))
    yield "workers", f"{cores}" if workers else f"{cores}, one per core"
    if resumed:
        yield "resumed", f"{number(resumed)} games are played already"
    seating = config.seating
    bots = len(event.entrants) if isinstance(schedule, Tables) else 2
    spans = estimate(
        config.about.nominal,
        bots=bots,
        starts=len(seating.legs) * max(bots, seating.seats),
        least_games=max(least - resumed, 0),
        most_games=max(most - resumed, 0),
        block_games=config.block_games,
        budgets=config.budgets,
        workers=cores,
    )
    yield "duration", f"about {duration(spans.expected)}; at worst {duration(spans.worst)}"


def _cup(event: Event) -> str:
    config = event.config
    seeds = "seeds drawn from the secret"
    if config.draw == "seeded":
        seeds = f"seeded by a league of {number(config.seeding_games)} games per pair"
    return f"best {config.sets_to_win} of {2 * config.sets_to_win - 1} sets; {seeds}"


def _budgets(event: Event) -> str:
    budgets = event.config.budgets
    return (
        f"{budgets.average_milliseconds:g} ms CPU per decision on average, "
        f"{budgets.decision_seconds:g} s for one, {budgets.start_seconds:g} s to start; "
        f"{budgets.memory_mb} MB memory; retired after {budgets.max_faults} faults"
    )
