"""The plainest hunter: it looks at as many random deals as it can."""

from collections.abc import Iterator
from typing import Any

from harness.games.camicia import Hunter
from harness.games.camicia.lockstep import lengths, random_deals

BATCH = 100_000


class Random(Hunter):
    """Samples deals and hands over the longest of every batch."""

    name = "Random"

    def hunt(self) -> Iterator[Any]:
        seed = self.rng.getrandbits(64)
        while True:
            deals = random_deals(seed, self.tried, BATCH)
            yield deals[lengths(deals).argmax()]
            self.tried += BATCH
