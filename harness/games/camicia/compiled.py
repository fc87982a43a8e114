"""All compiled code of Camicia, loaded from the cache, or compiled into it, at once."""

from __future__ import annotations

from harness.games.camicia.closure import closure
from harness.games.camicia.engine import simulate
from harness.games.camicia.lockstep import lengths, random_deals


def load() -> None:
    """Call every compiled function, so that none is compiled later; ten seconds the first time.

    In a bot's process nothing could be compiled into the cache, and little time is left for it.
    """
    deals = random_deals(0, 0, 1)
    lengths(deals)
    closure(deals[0])
    simulate("J--", "-J-")
