"""`koth verify`: whether published results are what the secret and the bots give."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from harness.cli.options import bots_option, hex_digits, weak_option, workers_option

if TYPE_CHECKING:
    from harness.events.verify import Answer


def _number_or_all(
    context: click.Context, parameter: click.Parameter, value: str | None
) -> int | None:
    if value == "all":
        return sys.maxsize
    if value is None or (value.isdecimal() and int(value) > 0):
        return None if value is None else int(value)
    raise click.BadParameter(f"{value!r} is neither a number of blocks nor 'all'")


@click.command()
@click.argument("folder", metavar="RESULTS/EVENT", type=click.Path(path_type=Path))
@click.option(
    "--blocks",
    callback=_number_or_all,
    metavar="N|all",
    help="Blocks to play again, drawn at random; by default a tenth, at least three, and none is "
    "begun after a minute.",
)
@click.option(
    "--commitment",
    callback=hex_digits,
    metavar="HEX",
    help="The commitment that was posted before the first game, to be compared.",
)
@bots_option
@workers_option
@weak_option
def verify(
    folder: Path,
    blocks: int | None,
    commitment: str | None,
    bots_folder: Path,
    workers: int | None,
    allow_weak_sandbox: bool,
) -> int:
    """Check the results of an event against its secret and its bots.

    Derives the commitment anew, looks whether the bots' files are those of the event, makes the
    leaderboard and its page anew from the recorded blocks, and plays a random sample of the blocks
    again. The ledger is not needed: leaderboard.json and the bots' files are enough. Exit status 1
    if anything differs. Of a hunt, every game on the leaderboard is played again.
    """
    from harness.reports.boards import hunt_board

    if (board := hunt_board(folder)) is not None:
        return _verify_hunt(board)
    from harness.cli.setting import sandbox_layers
    from harness.events import verify as questions
    from harness.events.archive import event_of, find_files, stored
    from harness.events.executor import on_cores
    from harness.sandbox.nursery import Nursery

    layers, level = sandbox_layers(allow_weak_sandbox)
    answers = []
    with stored(folder) as source:
        facts = source.event()
        event = event_of(facts, layers, facts["sandbox"])
        nursery = Nursery(event.config.game, layers, core=None)
        try:
            found, missing = find_files(
                list(event.entrants), bots_folder, nursery, event.config.budgets
            )
        finally:
            nursery.close()
        for answer in (
            questions.commitment(event, facts, commitment),
            questions.bots(event, found, missing),
            questions.leaderboard(event, source, folder),
            questions.page(folder),
        ):
            _say(answer)
            answers.append(answer)
        sound = not any(answer.differences for answer in answers)
        recorded = questions.recorded_blocks(event, source) if sound else []
    if sound:
        able = replace(event, entrants=found, level=level)
        sample = questions.Sample(able, recorded, blocks)
        with on_cores(workers, most=len(sample.blocks) or 1) as executor:
            answers.append(sample.replay(executor))
        _say(answers[-1])
    return 1 if any(answer.differences for answer in answers) else 0


def _verify_hunt(board: dict[str, Any]) -> int:
    from harness.arena.cache import use_compiled_cache

    use_compiled_cache()  # before anything imports Numba
    from harness.cli.screen import say
    from harness.reports.hunt import doubts
    from harness.reports.text import visible

    wrong = doubts(board)
    for text in wrong:
        say(f"games        DIFFERS  {visible(text)}", "red")
    if not wrong:
        games = len(board["longest"])
        say(f"games        all {games} of the longest games played again, as published")
    return 1 if wrong else 0


def _say(answer: Answer) -> None:
    from harness.cli.screen import say
    from harness.reports.text import visible

    if not answer.differences:
        say(f"{answer.question:<12} {answer.text}")
    for difference in answer.differences:
        say(f"{answer.question:<12} DIFFERS  {visible(difference)}", "red")
