"""`make bench`: every figure beside its peer or its aim, measured in one run.

Machines are noisy and differ; ratios within one run mean more than absolute numbers. With `--full`
the long ones too: ten million games, the official league and cup.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator

from harness.arena.cache import use_compiled_cache

use_compiled_cache()  # before anything imports Numba

from rich.console import Console  # noqa: E402
from rich.table import Table  # noqa: E402

from benchmarks import azi, bs, camicia, crashes, figures, programs, sandbox, spades  # noqa: E402

QUICK = (
    figures.engine_alone,
    figures.reference_pair,
    figures.batch_pair,
    figures.two_workers,
    figures.bot_start,
    programs.decisions,
    sandbox.price,
    sandbox.one_hang,
    crashes.crashes,
    figures.command_line,
    camicia.engine,
    camicia.backward,
    spades.engine,
    bs.figures,
    azi.engine,
)
FULL = (figures.flat_memory, figures.official_events)


def main(arguments: list[str]) -> int:
    """Measure and print; nothing fails here, a timed test would."""
    table = Table("figure", "measured", "aim or peer", title="koth, measured")
    for measure in QUICK + (FULL if "--full" in arguments else ()):
        rows: Iterator[figures.Figure] = measure()
        for figure in rows:
            table.add_row(figure.what, figure.measured, figure.aim)
            print(f"{figure.what}: {figure.measured} ({figure.aim})", file=sys.stderr)
    Console(width=110).print(table)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
