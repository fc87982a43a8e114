"""`bot.yaml`: what a bot in another language says of itself, and how it is started and built."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import yaml
from pydantic import BaseModel, ConfigDict, Field

from harness.content import UnusableError
from harness.errors import UserError
from harness.yamlfile import ODD_VALUES, not_yaml, parse, read_text

_MOST_BYTES = 16 << 10
_MOST_DEPTH = 5
_OPENING = (
    yaml.FlowSequenceStartToken,
    yaml.FlowMappingStartToken,
    yaml.BlockSequenceStartToken,
    yaml.BlockMappingStartToken,
)
_CLOSING = (yaml.FlowSequenceEndToken, yaml.FlowMappingEndToken, yaml.BlockEndToken)
_EXAMPLE = "docs/how-to/other-languages.md"

Word = Annotated[str, Field(max_length=1000, pattern=r"^[^\x00]*$")]
Command = Annotated[list[Word], Field(min_length=1, max_length=64)]


class BotFile(BaseModel):
    """The keys of a `bot.yaml`."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    name: str = Field(min_length=1, max_length=100, description="as leaderboards show it")
    author: str = Field("", max_length=100, description="who wrote it")
    command: Command = Field(description="what starts the bot, word by word")
    build: Command | None = Field(None, description="what makes it from its sources, before")
    lanes: int | None = Field(
        None, ge=1, description="games it plays side by side; 1: strictly one after another"
    )


def read(path: Path) -> BotFile:
    """Read a bot's file, which may hold anything. Raises UnusableError with line and key."""
    try:
        text = read_text(path, "it says how the bot is started")
        if len(text) > _MOST_BYTES:
            raise UnusableError(f"{path.name} holds more than {_MOST_BYTES >> 10} KB")
        name = Path(path.name)
        _refuse_traps(text, name)
        return parse(name, text, BotFile, _EXAMPLE)
    except UserError as error:
        raise UnusableError("; ".join(str(error).splitlines())) from error


def _refuse_traps(text: str, name: Path) -> None:
    """Raises UnusableError for YAML that is short but takes long, or becomes long.

    And UserError for what is no YAML.

    Every level of brackets slows the parser down for all that follows; an alias may stand for
    aliases of aliases, and a few lines for gigabytes.
    """
    depth = 0
    try:
        for token in yaml.scan(text, Loader=yaml.SafeLoader):
            depth += isinstance(token, _OPENING) - isinstance(token, _CLOSING)
            line = token.start_mark.line + 1
            if depth > _MOST_DEPTH:
                raise UnusableError(f"{name}:{line}: nested too deeply")
            if isinstance(token, yaml.AliasToken):
                raise UnusableError(f"{name}:{line}: no aliases (*{token.value}) here; repeat it")
    except yaml.YAMLError as error:
        raise not_yaml(name, error) from error
    except ODD_VALUES as error:
        raise UnusableError(f"{name}: not YAML: {error}") from error
