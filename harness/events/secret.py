"""The secret of an event, its salt, and all that is derived from them outside the blocks."""

from __future__ import annotations

import re
import secrets
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from harness.arena.deals import ALGORITHM, SECRET_BYTES, commitment, derive
from harness.config import Config
from harness.errors import UserError
from harness.events.match import Match
from harness.games.about import Rules
from harness.reports.text import visible


@dataclass(frozen=True)
class Salt:
    """A public value that nobody knew when the secret was committed to; the deals depend on both.

    Whoever tries out many secrets beforehand learns nothing from it: the salt is still missing.
    """

    source: str
    """What will be the salt, in words. The commitment covers it."""
    text: str | None
    """None: it is not known yet."""

    @classmethod
    def of(cls, facts: Mapping[str, Any]) -> Salt | None:
        """The salt of a stored event, None if it has none."""
        source = facts.get("salt_source")
        return None if source is None else cls(source, facts.get("salt"))

    @classmethod
    def given(cls, text: str | None) -> Salt | None:
        """The salt of a single match, which nobody commits to."""
        return None if text is None else cls("", text)

    def facts(self) -> dict[str, str]:
        """What ledger and leaderboard keep of it."""
        known = {} if self.text is None else {"salt": self.text}
        return {"salt_source": self.source, **known}


def parse_secret(text: str | None) -> bytes:
    """The secret given on the command line, or a fresh one. Raises UserError."""
    if text is None:
        return secrets.token_bytes(SECRET_BYTES)
    if not re.fullmatch(r"[0-9a-fA-F]{64}", text):
        raise UserError(f"--secret: expected 64 hex digits, found {text!r}")
    return bytes.fromhex(text)


def parse_salt(option: str, text: str) -> str:
    """A salt or its source as given on the command line, in Unicode's form NFC. Raises UserError.

    What looks the same shall be the same: a text that holds what nobody can see is refused.
    """
    text = unicodedata.normalize("NFC", text)
    if not text.strip():
        raise UserError(f"{option}: expected a text, found none")
    if visible(text) != text:
        raise UserError(f"{option}: holds characters that nobody can see: {visible(text)}")
    if text != " ".join(text.split()):
        raise UserError(
            f"{option}: {text!r} has blanks that a page does not show: none may come first, last "
            "or two together"
        )
    return text


def chosen_salt(
    stored: Mapping[str, Any], source: str | None, text: str | None, *, secret_given: bool
) -> Salt | None:
    """The salt of a run, None for one without. Raises UserError if it cannot be this one.

    `stored`: the facts in the ledger, none of a new event. `source`, `text`: of the command line.
    """
    if not stored:
        return _new_salt(source, text, secret_given)
    there = Salt.of(stored)
    if there is None:
        if source is not None or text is not None:
            raise UserError(
                "these results were committed to without a salt, and none can be mixed in any "
                "more; give a new event a folder of its own with --results DIR"
            )
        return None
    if source not in (None, there.source):
        raise UserError(
            f"--salt-from: {source!r}, but the commitment says that the salt is {there.source!r}"
        )
    if there.text is None:
        return Salt(there.source, text)
    if text not in (None, there.text):
        raise UserError(f"--salt: {text!r}, but these results have the salt {there.text!r}")
    return there


def _new_salt(source: str | None, text: str | None, secret_given: bool) -> Salt | None:
    if source is None:
        if text is None:
            return None
        raise UserError(
            "--salt: nothing here was committed to before the salt was known; commit first with "
            "--salt-from SOURCE, which says in words what the salt will be"
        )
    if text is not None and not secret_given:
        raise UserError(
            "--salt: a secret that is drawn only now proves nothing; commit first with --salt-from "
            "and without --salt. (An event that is over is played again with its --secret.)"
        )
    return Salt(source, text)


def root_key(secret: bytes, salt: Salt | None) -> bytes:
    """What deals, lots and draws derive from: the secret itself, or a key made of it and the salt.

    Raises UserError while the salt is not known.
    """
    if salt is None:
        return secret
    if salt.text is None:
        raise UserError(
            f"the event was committed to and waits for its salt, which is to be: {salt.source}; "
            "once it is known, go on with the same command and --salt TEXT"
        )
    return derive(secret, "salt", ALGORITHM, salt.text)


def block_key(root: bytes, game: str, rules: Rules, match: Match, block: int) -> bytes:
    """The key of a block's deals. Depends on who plays, never on when or in what order."""
    facts = [game, rules.model_dump(), sorted(match.players), match.stage, match.block_games, block]
    return derive(root, "block", ALGORITHM, *facts)


def lot(root: bytes, one: str, other: str, number: int) -> int:
    """The `number`-th lot between two bots: 0 for the first named, 1 for the second."""
    first = sorted((one, other))[derive(root, "lot", *sorted((one, other)), number)[0] & 1]
    return 0 if first == one else 1


def draw_number(root: bytes, name: str) -> bytes:
    """A bot's number in the draw; the lowest comes first."""
    return derive(root, "draw", name)


def event_commitment(
    secret: bytes, config: Config, hashes: Sequence[str], rules: Rules, salt: Salt | None = None
) -> str:
    """What is printed before the first game; see `harness.arena.deals.commitment`.

    It covers the whole config: the size of blocks and the draw decide about deals, too. And what
    the salt is to be, but not the salt.
    """
    facts: list[Any] = [config.model_dump(mode="json"), rules.model_dump()]
    if salt is not None:
        facts.append({"salt_source": salt.source})
    return commitment(secret, config.event, list(hashes), facts)
