"""Spades: its rule parameters, their variants and its description."""

from __future__ import annotations

from pydantic import Field

from harness.games.about import About, Rules, Seating
from harness.games.spades.cards import CARDS
from harness.games.spades.scoring import BAG_LIMIT, BAG_PENALTY, NIL_POINTS

_SPARE_WORDS = 6  # beyond one per draw, for draws that are rejected; see `games.draw`
_HANDS_AT_A_TIME = 15  # enough for all but a few games in a hundred


class SpadesRules(Rules):
    """Every parameter of the rules text; the defaults are the text's."""

    win_at: int = Field(500, ge=1, le=100_000, description="a team with this or more ends the game")
    lose_at: int = Field(
        -200, ge=-100_000, le=-1, description="a team with this or less ends the game"
    )
    max_hands: int = Field(
        200, ge=1, le=10_000, description="after so many hands the higher total wins"
    )
    nil_points: int = Field(
        NIL_POINTS, ge=0, le=1000, description="for a nil that is made, against one that is not"
    )
    bag_limit: int = Field(
        BAG_LIMIT, ge=1, le=100, description="so many bags bring a penalty and are taken off"
    )
    bag_penalty: int = Field(BAG_PENALTY, ge=0, le=1000, description="what they cost")


VARIANTS = {"text": SpadesRules()}


def words(rules: SpadesRules) -> tuple[int, int]:
    """Rows (the first dealer's, then one a hand) and random words per row."""
    return 1 + min(rules.max_hands, _HANDS_AT_A_TIME), CARDS + _SPARE_WORDS


ABOUT = About(
    name="spades",
    title="Spades",
    points="points",
    rules=SpadesRules,
    variants=VARIANTS,
    words=words,
    pairs=lambda rules: Seating(((0, 1, 0, 1), (1, 0, 1, 0)), partners=True),
    # Everybody moves one seat on: the teams change hands, partners stay.
    tables=lambda rules: Seating(((0, 1, 2, 3), (1, 2, 3, 0)), partners=True),
    walkover_points=lambda rules: rules.win_at,
)
