"""What every bot of every game inherits: a name, a random generator and a scratch folder.

This module is imported inside the bots' sandboxed processes, so it stays light: no NumPy, no
harness code beyond the games.
"""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

if TYPE_CHECKING:
    import random

    import numpy as np


class Bot:
    """The base of `Player` and `BatchPlayer`; contestants derive from one of those two.

    Class attributes a contestant may set:

    - `name`: the display name, the class name by default.
    - `author`: who wrote it; optional.
    - `lanes`: how many games one process of this bot plays side by side. `None` leaves it to the
      arena (about two thousand); 1 asks for strictly one game after another in one instance,
      which suits a bot that learns and costs speed.
    """

    name: ClassVar[str] = ""
    author: ClassVar[str] = ""
    lanes: ClassVar[int | None] = None

    _seed: str
    _scratch: str

    # A separate constructor, so that `__init__` of a contestant's class may use `self.rng` and
    # `self.scratch` without calling ours.
    @classmethod
    def make(cls, seed: str, scratch: str) -> Any:
        """An instance whose `rng` derives from `seed` and whose scratch folder is `scratch`."""
        bot = cls.__new__(cls)
        bot._seed = seed
        bot._scratch = scratch
        bot.__init__()  # type: ignore[misc]
        return bot

    @property
    def scratch(self) -> Path:
        """A private folder that lives as long as the bot's process; 8 MB in 256 files."""
        return Path(self._scratch)


class SingleBot(Bot):
    """A bot that is asked one question at a time; there is one instance per lane."""

    @cached_property
    def rng(self) -> random.Random:
        """A `random.Random` of this instance, seeded from the event's secret."""
        import random

        return random.Random(self._seed)


class BatchBot(Bot):
    """A bot that is asked all waiting games at once; there is one instance per process."""

    @cached_property
    def rng(self) -> np.random.Generator:
        """A NumPy generator of this instance, seeded from the event's secret."""
        import hashlib

        import numpy as np

        digest = hashlib.sha256(self._seed.encode()).digest()
        return np.random.default_rng(int.from_bytes(digest, "big"))
