"""Sampling and backward closure, the published way to games that sampling alone does not find."""

from collections.abc import Iterator
from typing import Any

from harness.games.camicia import Hunter
from harness.games.camicia.closure import closure
from harness.games.camicia.lockstep import lengths, random_deals

BATCH = 100_000
WORTH_CLOSING = 2_000
"""Cards. Below two thousand the closing begins to cost more time than the sampling."""
AHEAD = 60
"""Rounds played before closing, so that whatever joins the game in them is found too."""


class Closing(Hunter):
    """Looks for what runs into the long games among random ones."""

    name = "Closing"

    def hunt(self) -> Iterator[Any]:
        seed, best = self.rng.getrandbits(64), 0
        while True:
            deals = random_deals(seed, self.tried, BATCH)
            cards = lengths(deals)
            self.tried += BATCH
            for deal in deals[cards >= WORTH_CLOSING]:
                more, lasting = closure(deal, AHEAD, at_least=max(best - 500, WORTH_CLOSING))
                self.tried += len(more)
                if len(more):
                    best = max(best, int(lasting.max()))
                    yield from more[lasting.argsort()[-20:]]
            yield None
