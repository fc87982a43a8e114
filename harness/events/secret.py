"""The secret of an event and all that is derived from it outside the blocks."""

from __future__ import annotations

import re
import secrets
from collections.abc import Sequence

from harness.arena.deals import ALGORITHM, SECRET_BYTES, commitment, derive
from harness.config import Config
from harness.errors import UserError
from harness.events.match import Match
from harness.games.about import Rules


def parse_secret(text: str | None) -> bytes:
    """The secret given on the command line, or a fresh one. Raises UserError."""
    if text is None:
        return secrets.token_bytes(SECRET_BYTES)
    if not re.fullmatch(r"[0-9a-fA-F]{64}", text):
        raise UserError(f"--secret: expected 64 hex digits, found {text!r}")
    return bytes.fromhex(text)


def block_key(secret: bytes, game: str, rules: Rules, match: Match, block: int) -> bytes:
    """The key of a block's deals. Depends on who plays, never on when or in what order."""
    facts = [game, rules.model_dump(), sorted(match.players), match.stage, match.block_games, block]
    return derive(secret, "block", ALGORITHM, *facts)


def lot(secret: bytes, one: str, other: str, number: int) -> int:
    """The `number`-th lot between two bots: 0 for the first named, 1 for the second."""
    first = sorted((one, other))[derive(secret, "lot", *sorted((one, other)), number)[0] & 1]
    return 0 if first == one else 1


def draw_number(secret: bytes, name: str) -> bytes:
    """A bot's number in the draw; the lowest comes first."""
    return derive(secret, "draw", name)


def event_commitment(secret: bytes, config: Config, hashes: Sequence[str], rules: Rules) -> str:
    """What is printed before the first game; see `harness.arena.deals.commitment`.

    It covers the whole config: the size of blocks and the draw decide about deals, too.
    """
    facts = [config.model_dump(mode="json"), rules.model_dump()]
    return commitment(secret, config.event, list(hashes), facts)
