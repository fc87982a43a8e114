"""What `koth check` shows of a bot that could be loaded."""

from __future__ import annotations

import shlex
from pathlib import Path

from rich.text import Text

from harness.cli.screen import console, faults, percent, say, short_path
from harness.cli.words import standings, table
from harness.entrants import Entrant
from harness.events.check import Check, Fault
from harness.events.duel import Duel
from harness.reports.text import visible

_OUTPUT_LINES = 10


def show(trying: Check, bots_folder: Path) -> None:
    """Everything: verdict, how it fared, what it used, hints, faults, what it printed."""
    bot, reasons = trying.bot, trying.refusals()
    say("")
    by = f" by {visible(bot.author)}" if bot.author else ""
    say(f"{visible(bot.name)}{by}, {visible(short_path(bot.path))}", "bold")
    for reason in reasons:
        say(f"REFUSED  {visible(reason)}", "bold red")
    if not reasons:
        say("OK: an event would take it.", "green")
    say("")
    if trying.at_tables:
        for bout in trying.latest:
            console().print(standings(trying.standing(bout), trying.config.about))
    else:
        _opponents(trying)
    _rank(trying)
    _used(trying)
    for hint in trying.hints():
        say(f"hint: {hint}", "yellow")
    for fault in trying.examples():
        _fault(trying, fault, bots_folder)
    _output(trying.used.output)


def _opponents(trying: Check) -> None:
    made = table("against", ">games", ">won", ">drawn", ">lost", ">share of games (95 %)")
    for duel in trying.latest:
        assert isinstance(duel, Duel)
        one, other = duel.sides()
        record = duel.outcome.record
        counts = (record.games, one.wins, record.draws, other.wins)
        made.add_row(
            Text(visible(other.name)), *(f"{count:,}" for count in counts), percent(one.share)
        )
    console().print(made)


def _rank(trying: Check) -> None:
    if trying.missed:
        all_ = len(trying.opponents)
        why = "broken off for its faults, " if trying.broken_off else ""
        say(f"no expected rank: {why}{trying.missed} of {all_} opponents were not met")
    else:
        rank, best, worst = trying.rank()
        between = f", by chance {best} to {worst}" if best < worst else ""
        why = "" if trying.at_tables else " (behind all who beat it)"
        say(f"expected rank: {rank} of {len(trying.opponents) + 1}{between}{why}")
    for bot in trying.broken:
        say(f"not played: {visible(bot.name)}, which does not load", "dim")


def _used(trying: Check) -> None:
    budgets, spent = trying.config.budgets, trying.used
    say("")
    made = table("", ">used", ">allowed")
    for what, used, allowed in (
        (
            "CPU a decision, on average",
            f"{1000 * spent.cpu_per_decision:.4f} ms",
            f"{budgets.average_milliseconds:g} ms",
        ),
        ("CPU of a start", f"{spent.cpu_starting:.3f} s", f"{budgets.start_seconds:g} s"),
        ("memory", f"{spent.memory_mb:.0f} MB", f"{budgets.memory_mb} MB more than at the start"),
    ):
        made.add_row(what, used, allowed)
    console().print(made)
    say(f"faults in {trying.games(trying.latest):,} games: {faults(trying.faults)}")
    if any(trying.faults_before.values()):
        games = trying.games(trying.earlier)
        say(f"and in {games:,} games of shorter rounds before: {faults(trying.faults_before)}")
    say(f"sandbox: {trying.level}")


def _fault(trying: Check, fault: Fault, bots_folder: Path) -> None:
    example = fault.example
    where = f" in game {fault.number} of {fault.bout.match.games:,}" if fault.number else ""
    say("")
    say(f"{example.kind} {visible(trying.company(fault.bout))}{where}", "bold")
    if example.saw:
        say("  saw " + ", ".join(f"{key} = {value!r}" for key, value in example.saw.items()))
    for line in visible(example.traceback, keep="\n").splitlines():
        say(f"  {line}")
    if fault.number is not None:
        words = [_word(trying, entrant) for entrant in fault.bout.entrants]
        words += ["--secret", trying.secret.hex()]
        words += ["--games", str(fault.bout.event.config.games), str(fault.number)]
        if bots_folder != Path("bots"):
            words += ["--bots", str(bots_folder)]
        say(f"  {shlex.join(['koth', 'replay', trying.bot.game, *words])}")


def _word(trying: Check, entrant: Entrant) -> str:
    """What a bot is called in a command: others lie in the folder, itself may lie anywhere."""
    return short_path(entrant.path) if entrant.path == trying.bot.path else entrant.file


def _output(output: bytes) -> None:
    lines = visible(output.decode("utf-8", "replace"), keep="\n").splitlines()
    if not lines:
        return
    say("")
    say(f"it printed {len(output):,} bytes in a block; the first lines:")
    for line in lines[:_OUTPUT_LINES]:
        say(f"  {line[:200]}")
