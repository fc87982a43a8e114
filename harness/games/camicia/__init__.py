"""Camicia (Beggar-My-Neighbour), as its bots see it: a hunt for the longest game that ends.

    from harness.games.camicia import Hunter
    from harness.games.camicia.lockstep import lengths, random_deals

    class Sampler(Hunter):
        \"\"\"Looks at random deals.\"\"\"

        def hunt(self):
            seed, first = self.rng.getrandbits(64), 0
            while True:
                deals = random_deals(seed, first, 100_000)
                cards = lengths(deals)
                first += len(deals)
                self.tried += len(deals)
                yield deals[cards.argmax()]

Whatever else lies in this folder may be imported too: `deals` (decks as text), `engine` (one game,
exactly), `lockstep` (millions a second), `closure` (what runs into a game). They need NumPy and
Numba, which are loaded before a bot is, and their code is compiled by then.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from harness.games.camicia.deals import unpack_deal
from harness.games.player import SingleBot

PRELOADED = ("harness.games.camicia.compiled",)
"""Modules that the bots' zygotes import and `load`; see `harness.sandbox.zygote`."""


class Request(NamedTuple):
    """What the harness asks for, again and again: deals, for so much CPU time."""

    milliseconds: int
    most: int
    """Deals to hand over at a time."""


class Catch(NamedTuple):
    """What a bot hands over."""

    deals: list[str]
    tried: int
    """Deals it says it has looked at so far."""
    over: bool
    """Whether `hunt` has come to its end."""


class Hunter(SingleBot):
    """A bot that yields deals. There is one instance per process.

    `tried` is for the leaderboard: the deals that the bot has looked at so far, which only the bot
    can count. It decides nothing.
    """

    tried: int = 0

    def hunt(self) -> Iterator[str | Sequence[int] | None]:
        """Yield deals: as text `A/B` of 26 and 26 cards, or rows of `lockstep`.

        Yield None to say that there is nothing yet: only at a yield can the harness take what was
        found, and a bot that does not yield for long is ended. If `hunt` returns, the hunt is over
        for this process, and a fresh one begins another.
        """
        raise NotImplementedError


# Not methods of Hunter: a bot's class may call its own attributes what it likes.
class Driver:
    """Runs a bot's `hunt` for a slice of CPU time at a time. Lives in the bot's process."""

    def __init__(self, bot: Hunter) -> None:
        self._bot = bot
        self._deals = bot.hunt()
        self._error: Exception | None = None

    def __call__(self, request: Request) -> Catch:
        """The deals of one slice. Raises whatever the bot raises, after what it had found by then.

        Then the process is ended: a generator that has raised yields nothing more.
        """
        if self._error is not None:
            raise self._error
        until = time.process_time() + request.milliseconds / 1000
        found: list[str] = []
        try:
            for deal in self._deals:
                if deal is not None:
                    found.append(deal if isinstance(deal, str) else unpack_deal(deal))
                if len(found) == request.most or time.process_time() >= until:
                    return Catch(found, self._bot.tried, False)
        except Exception as error:
            if not found:
                raise
            self._error = error
            return Catch(found, self._bot.tried, False)
        return Catch(found, self._bot.tried, True)


BASES = (Hunter,)
"""What a bot's class may derive from."""
