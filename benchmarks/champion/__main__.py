"""Compute the table of Atton Rand, or measure it against every rival; see README.md."""

from __future__ import annotations

import argparse
import hashlib
import time
import zlib
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.champion.game import (
    CARDS_SHAPE,
    LEAST,
    REPLIES_SHAPE,
    TABLE_SHAPE,
    match,
    observe,
)
from benchmarks.champion.model import card_chances, reply_chances
from benchmarks.champion.rivals import AUSTIN, BASTILA, BOLD, CAUTIOUS, KID, NAMES, NESTOR, T3M4
from benchmarks.champion.solve import solve

TABLE = Path(__file__).parents[2] / "bots" / "pazaak" / "atton_rand" / "table.z"

FIELD = np.array([KID, NESTOR, AUSTIN] * 4 + [T3M4, BASTILA, CAUTIOUS, BOLD])
"""Who the champion prepares for, in these proportions."""

ROUNDS = 4
DEALS = 2_000_000
"""Deals per round; each is played from both seats."""

EXPLORE = 100
"""Whims of the champion among 1000 decisions while its rivals are being observed."""

SEED = 51731
MEASURE_SEED = 2015


def compute() -> NDArray[np.int8]:
    """Observe the rivals, solve the game against them, and again with the better table."""
    table = np.ones(TABLE_SHAPE, np.int8)  # END ...
    table[17 - LEAST :] = 0  # ... below seventeen, else STAND
    replies = np.zeros(REPLIES_SHAPE, np.int32)
    dealt = np.zeros(CARDS_SHAPE, np.int64)
    for number in range(ROUNDS):
        # What was seen with an older table counts less and less.
        replies //= 4
        dealt //= 4
        observe(SEED + number, DEALS, FIELD, table, EXPLORE, replies, dealt)
        before = table
        table, worths = solve(reply_chances(replies), card_chances(dealt))
        print(
            f"round {number + 1}: {np.mean(table != before):.2%} of the answers changed; "
            f"start of a game worth {worths[0, 0, 0, -45:, 4].mean():.4f} as player one, "
            f"{worths[0, 0, 1, -45:, 4].mean():.4f} as player two",
            flush=True,
        )
    return table


def measure(table: NDArray[np.int8], deals: int) -> None:
    """Print the share of games won against every rival, from deals not used by `compute`."""
    print(f"{deals:,} deals, two games each:")
    for rival, name in NAMES.items():
        share, half = match(MEASURE_SEED, deals, rival, table)
        low, high = 100 * (share - half), 100 * (share + half)
        print(f"  {name:22} {100 * share:.2f} % ({low:.2f}-{high:.2f})")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.champion", description=__doc__)
    parser.add_argument("--measure", action="store_true", help="only measure the table there is")
    parser.add_argument("--deals", type=int, default=500_000, help="deals per rival to measure")
    arguments = parser.parse_args()
    if arguments.measure:
        content = zlib.decompress(TABLE.read_bytes())
        table = np.frombuffer(content, np.int8).reshape(TABLE_SHAPE)
    else:
        start = time.perf_counter()
        table = compute()
        content = table.tobytes()
        TABLE.write_bytes(zlib.compress(content, 9))
        print(f"{TABLE.name}: SHA-256 of the answers {hashlib.sha256(content).hexdigest()}")
        print(f"computed in {time.perf_counter() - start:.0f} s")
    measure(table, arguments.deals)


if __name__ == "__main__":
    main()
