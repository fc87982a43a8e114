"""What a config has where it says nothing, as far as it is needed before one can be read."""

from __future__ import annotations

GAMES = 100_000
BLOCK_GAMES = 25_000
BOUT_BLOCK_GAMES = 2_000
"""Of a bout at tables."""
