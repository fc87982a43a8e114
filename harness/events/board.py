"""A published leaderboard.json, read back with distrust: anybody may have changed it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from harness.arena.tally import Tally
from harness.config import Config
from harness.errors import UserError
from harness.events.match import BlockRow, Match, PlayerRow

_HEX = r"^[0-9a-f]{64}$"


class _Strict(BaseModel):
    """What is read of a file that anybody may have changed: of the right types, or named."""

    model_config = ConfigDict(strict=True)


class _Bot(_Strict):
    name: str
    author: str
    file: str
    hash: str = Field(pattern=_HEX)


class Facts(_Strict):
    """What is recorded of an event."""

    version: str
    config: dict[str, Any]
    rules_name: str
    rules: dict[str, Any]
    entrants: list[_Bot]
    sandbox: Literal["full", "standard", "weak"]
    commitment: str = Field(pattern=_HEX)
    secret: str = Field(pattern=_HEX)
    salt_source: str | None = None
    salt: str | None = None


class _Rules(_Strict):
    name: str
    parameters: dict[str, Any]


class _Block(_Strict):
    number: int
    games: int
    deals: int
    wins: list[int]
    points: list[int]
    squares: int = 0
    decisions: list[int]
    faults: list[dict[str, int]]
    retired: list[str | None]
    absent: list[int] = []
    tallies: list[tuple[list[int], int, int, list[int], list[int], list[int], list[int]]] = []

    def row(self) -> BlockRow:
        columns = (self.wins, self.points, self.decisions, self.faults, self.retired)
        players = tuple(PlayerRow(*facts) for facts in zip(*columns, strict=True))
        tallies = tuple(Tally.of(lineup, sums) for lineup, *sums in self.tallies)
        return BlockRow(
            *(self.number, self.games, self.deals, self.squares, players),
            *(tallies, tuple(self.absent)),
        )


class _Match(_Strict):
    stage: str
    players: list[str]
    blocks: list[_Block]


class _Board(_Strict):
    koth: str
    rules: _Rules
    matches: list[_Match]


def problem(error: ValidationError) -> str:
    """The first thing that is wrong: where it stands, what was expected, what was found."""
    first = error.errors()[0]
    above = ["config"] if error.title == Config.__name__ else []
    where = ".".join(str(key) for key in [*above, *first["loc"]])
    found = "" if first["type"] == "missing" else f"; found {repr(first['input'])[:100]}"
    return f"{where}{': ' if where else ''}{first['msg']}{found}"


class Board:
    """A leaderboard.json in the place of a ledger. Raises UserError if it is none."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            self.text = path.read_text(encoding="utf-8")
            board = _Board.model_validate_json(self.text)
            self.document: dict[str, Any] = json.loads(self.text)
            self._rows = {
                (match.stage, *match.players): {block.number: block.row() for block in match.blocks}
                for match in board.matches
            }
            self.event()
        except OSError as error:
            raise UserError(f"{path}: cannot be read: {error.strerror}") from error
        except ValidationError as error:
            raise UserError(f"{path}: not a leaderboard: {problem(error)}") from error
        except (ValueError, KeyError, TypeError) as error:
            raise UserError(
                f"{path}: not a leaderboard that this version of koth can read "
                f"({type(error).__name__}: {error})"
            ) from error

    def event(self) -> dict[str, Any]:
        """The event's facts, as `Event.facts` made them."""
        document = self.document
        kept = ["config", "entrants", "sandbox", "commitment", "secret"]
        kept += [key for key in ("salt_source", "salt") if key in document]
        return {
            "version": document["koth"],
            "rules_name": document["rules"]["name"],
            "rules": document["rules"]["parameters"],
            **{key: document[key] for key in kept},
        }

    def rows(self, match: Match) -> dict[int, BlockRow]:
        """The played blocks of a match by number."""
        return self._rows.get((match.stage, *match.players), {})
