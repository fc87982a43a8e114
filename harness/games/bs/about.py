"""BS: its rule parameters and its description."""

from __future__ import annotations

from typing import Self

from pydantic import Field, model_validator

from harness.games.about import About, Rules, rotation
from harness.games.bs import CARDS, RANKS, SEATS

TURNS_PER_ROW = 26
"""A row of random words after the first serves so many turns, with two words each:"""
CALLER, CARD = 0, 1
"""one draws among several callers, one the card that a caller gets rid of."""
_SPARE_WORDS = 6  # beyond one per draw, for draws that are rejected; see `games.draw`
_ROWS_OF_TURNS = 6  # at a time: enough for all but one game in a hundred


class BsRules(Rules):
    """Every parameter of the rules text; the defaults are the text's."""

    ranks: int = Field(RANKS, ge=2, le=RANKS, description="the ranks are 0 to one less than this")
    copies: int = Field(4, ge=1, le=13, description="cards of each rank")
    max_rounds: int = Field(
        1000, ge=1, le=8000, description="rounds of four turns, after which nobody has won"
    )

    @property
    def deck(self) -> list[int]:
        """The deck in order, padded with zeros."""
        cards = [rank for rank in range(self.ranks) for _ in range(self.copies)]
        return cards + [0] * (CARDS - len(cards))

    @model_validator(mode="after")
    def _can_be_dealt(self) -> Self:
        cards = self.ranks * self.copies
        if cards > CARDS:
            raise ValueError(f"a deck of {cards} cards; at most {CARDS}")
        if cards % SEATS:
            raise ValueError(f"a deck of {cards} cards cannot be dealt evenly to {SEATS} players")
        return self


def words(rules: BsRules) -> tuple[int, int]:
    """Rows (the deal's, then one for every 26 turns) and random words per row."""
    return 1 + _ROWS_OF_TURNS, CARDS + _SPARE_WORDS


ABOUT = About(
    name="bs",
    title="BS",
    # Only games won count; between equals, who held fewer cards at the end.
    points="cards not held",
    rules=BsRules,
    variants={"text": BsRules()},
    words=words,
    tables=lambda rules: rotation(SEATS),
)
