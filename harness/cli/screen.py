"""Standard output for the commands that are no events, and how they write shares and faults."""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import cache

from rich.console import Console
from rich.text import Text

from harness.reports.text import visible
from harness.standings.intervals import Interval
from harness.wording import part_of_100

_PLAIN_WIDTH = 400
"""Columns when nobody says how many there are, in a file or a pipe: nothing is to be cut short."""


class _Console(Console):
    def on_broken_pipe(self) -> None:
        # By itself, rich would exit with status 1, which is a verdict.
        raise BrokenPipeError


@cache
def console() -> Console:
    """Standard output: a terminal, or plain text."""
    screen = _Console(highlight=False)
    if screen.is_terminal or "COLUMNS" in os.environ:
        return screen
    return _Console(highlight=False, width=_PLAIN_WIDTH)


def say(text: str, style: str = "") -> None:
    """A line, never wrapped: paths and commands are there to be copied.

    It may quote bots, so nothing in it acts on the terminal.
    """
    console().print(Text(visible(text, keep="\n"), style), soft_wrap=True)


def short_path(path: str) -> str:
    """Relative to here if it lies below, else absolute."""
    relative = os.path.relpath(path)
    return os.path.abspath(path) if relative.startswith("..") else relative


def percent(share: Interval) -> str:
    """A share with its interval: `52.3 % (51.9 to 52.7)`."""
    value, low, high = (part_of_100(part) for part in (share.value, share.low, share.high))
    return f"{value} % ({low} to {high})"


def faults(counts: Mapping[str, int]) -> str:
    """Faults by kind: `3 illegal, 1 timeout`, or `none`."""
    return ", ".join(f"{times:,} {kind}" for kind, times in counts.items() if times) or "none"
