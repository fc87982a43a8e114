"""An event from its YAML file: read, validated, and every error with file, line and key."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from harness import games
from harness.arena.budgets import Budgets
from harness.events import defaults
from harness.games.about import About, Rules, Seating
from harness.yamlfile import Model, parse, read_text

_EVENT_NAME = r"^[a-z0-9][a-z0-9._-]{0,63}$"


MOST_BLOCKS = 100_000
"""Of a match: far beyond what anybody plays, and what schedules are quick to list."""


class Config(BaseModel):
    """What every event's file may say."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    event: str = Field(
        pattern=_EVENT_NAME, description="name of the event and of its folder below results/"
    )
    game: str
    format: Literal["league", "cup", "tables"]
    games: int = Field(
        defaults.GAMES,
        ge=2,
        description="per match, even, for every deal is played twice; at tables, per entrant",
    )
    rules: str | dict[str, Any] | None = Field(
        None, description="a named variant, or parameters with `variant` as their base"
    )
    entrants: list[str] | None = Field(
        None, min_length=1, description="who plays, by display or file name; all by default"
    )
    block_games: int = Field(defaults.BLOCK_GAMES, ge=2, description="games per block; even")
    lanes: int = Field(2048, ge=1, le=65_536, description="games in progress at a table")
    budgets: Budgets = Field(default_factory=Budgets)

    # The cup's own.
    min_entrants: int = Field(8, ge=2, description="a cup of fewer is refused")
    sets_to_win: int = Field(4, ge=1, le=50, description="sets that win a pairing")
    draw: Literal["seeded", "random"] = "seeded"
    seeding_games: int = Field(10_000, ge=2, description="per pair, for the seeded draw; even")

    @model_validator(mode="before")
    @classmethod
    def _average_of_the_game(cls, values: Any) -> Any:
        """Where the config does not say what a decision may take on average, the game does."""
        if not isinstance(values, dict) or values.get("game") not in games.names():
            return values
        average = games.describe(values["game"]).average_milliseconds
        budgets = values.get("budgets", {})
        if average is None or not isinstance(budgets, dict):
            return values
        return {**values, "budgets": {"average_milliseconds": average, **budgets}}

    @model_validator(mode="after")
    def _fits(self) -> Config:
        if reason := self.about.refusal(self.format):
            raise ValueError(reason)
        for key in ("games", "block_games", "seeding_games"):
            if self.format != "tables" and getattr(self, key) % 2:
                raise ValueError(f"{key} is {getattr(self, key)}; it must be even")
            if getattr(self, key) > MOST_BLOCKS * self.block_games:
                raise ValueError(
                    f"{key} is {getattr(self, key)}, more than {MOST_BLOCKS:,} blocks of "
                    f"block_games ({self.block_games})"
                )
        self.rule_set()
        return self

    @property
    def about(self) -> About:
        return _describe(self.game)

    @property
    def seating(self) -> Seating:
        """How the bots of a game sit in this event."""
        return self.about.seating(self.rule_set()[1], tables=self.format == "tables")

    @property
    def fewest(self) -> int:
        """How many bots it takes at least. (A cup may ask for more: `min_entrants`.)"""
        if self.format != "tables" or self.about.several_seats:
            return 2
        return self.seating.places

    def rule_set(self) -> tuple[str, Rules]:
        """The rules' name as reports show it, and the parameters."""
        about = self.about
        if isinstance(self.rules, dict):
            changes = dict(self.rules)
            base = changes.pop("variant", about.default_rules)
            name, rules = f"{base}, changed", _variant(about, base)
            return name, about.rules.model_validate(rules.model_dump() | changes)
        name = self.rules or about.default_rules
        return name, _variant(about, name)


def _variant(about: About, name: Any) -> Rules:
    if not isinstance(name, str) or name not in about.variants:
        raise ValueError(
            f"rules: no variant {name!r} of {about.name}; there are: {', '.join(about.variants)}"
        )
    return about.variants[name]


class HuntConfig(BaseModel):
    """What the file of a hunt may say."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    event: str = Field(
        pattern=_EVENT_NAME, description="name of the hunt and of its folder below results/"
    )
    game: str
    format: Literal["hunt"]
    seconds: float = Field(600, gt=0, description="CPU seconds per bot, on every machine")
    stretch_seconds: float = Field(
        100, gt=0, description="CPU seconds that one process of a bot hunts for"
    )
    slice_seconds: float = Field(
        1.0, ge=0.01, le=60, description="CPU seconds between looks at what was found"
    )
    keep: int = Field(100, ge=1, le=100_000, description="longest games kept per bot")
    entrants: list[str] | None = Field(
        None, min_length=1, description="who hunts, by display or file name; all by default"
    )
    budgets: Budgets = Field(
        default_factory=lambda: Budgets(decision_seconds=30, decision_wall_seconds=120)
    )

    @model_validator(mode="after")
    def _fits(self) -> HuntConfig:
        if not self.about.hunted:
            raise ValueError(f"{self.game} is no game to hunt in")
        return self

    @property
    def about(self) -> About:
        return _describe(self.game)


def read_hunt(path: Path, changes: dict[str, Any] | None = None) -> HuntConfig:
    """The hunt a file describes; like `read`."""
    return _read(path, HuntConfig, changes)


def read(path: Path, changes: dict[str, Any] | None = None) -> Config:
    """The event a file describes, `changes` from the command line applied on top.

    Raises UserError that names file, line and key.
    """
    return _read(path, Config, changes)


def _describe(game: str) -> About:
    try:
        return games.describe(game)
    except KeyError as error:
        raise ValueError(error.args[0]) from None


def _read(path: Path, model: type[Model], changes: dict[str, Any] | None) -> Model:
    text = read_text(path, "configs are in configs/")
    return parse(path, text, model, "configs/pazaak-cup.yaml", changes)
