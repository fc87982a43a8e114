"""Simple Pazaak: its rule parameters, their variants and its description."""

from __future__ import annotations

from typing import Self

from pydantic import Field, model_validator

from harness.games.about import PAIR, About, Nominal, Rules

MOST_MAIN_CARDS = 120
MOST_HAND_CARDS = 16  # four bits a card in 64 bits
SPARE_WORDS = 6
"""Random words per row beyond one per draw, for draws that are rejected; see `games.draw`."""
_HANDS_AT_A_TIME = 8  # enough for all but a few games in a hundred


class PazaakRules(Rules):
    """Every parameter of the rules text; the defaults are the text's."""

    main_copies: int = Field(4, ge=1, le=12, description="cards of each rank in the main deck")
    main_ranks: int = Field(10, ge=2, le=15, description="the main deck's ranks are 1 to this")
    side_copies: int = Field(2, ge=1, le=8, description="cards of each rank in a side pool")
    side_ranks: int = Field(5, ge=1, le=15, description="a side pool's ranks are 1 to this")
    side_hand: int = Field(4, ge=0, le=16, description="side cards drawn at a game's start")
    target: int = Field(20, ge=2, le=100, description="a total above this is bust")
    wins_needed: int = Field(3, ge=1, le=100, description="hands that win the game")
    auto_stand: bool = Field(False, description="a dealt card that makes the target stands")

    @property
    def main_deck(self) -> list[int]:
        """The main deck in order, padded with zeros."""
        return _padded(self.main_ranks, self.main_copies)

    @property
    def side_pool(self) -> list[int]:
        """A side pool in order, padded with zeros."""
        return _padded(self.side_ranks, self.side_copies)

    @property
    def most_dealt(self) -> int:
        """The most main cards one player can be dealt in a hand: the smallest until bust."""
        total = dealt = 0
        while total <= self.target and dealt < self.main_copies * self.main_ranks:
            total += dealt // self.main_copies + 1
            dealt += 1
        return dealt

    @model_validator(mode="after")
    def _can_be_played(self) -> Self:
        cards = self.main_copies * self.main_ranks
        if cards > MOST_MAIN_CARDS:
            raise ValueError(f"a main deck of {cards} cards; at most {MOST_MAIN_CARDS}")
        if cards < 2 * self.most_dealt:
            raise ValueError(
                f"the main deck of {cards} cards could run out: two players can be dealt up to "
                f"{self.most_dealt} each; raise main_copies or main_ranks, or lower target"
            )
        if self.most_dealt + 1 > MOST_HAND_CARDS:
            raise ValueError(
                f"a hand could reach {self.most_dealt + 1} cards; at most "
                f"{MOST_HAND_CARDS} are supported; lower main_copies or target"
            )
        if self.side_hand > self.side_copies * self.side_ranks:
            raise ValueError(
                f"side_hand is {self.side_hand}, but the side pool has only "
                f"{self.side_copies * self.side_ranks} cards"
            )
        return self


def _padded(ranks: int, copies: int) -> list[int]:
    cards = [rank for rank in range(1, ranks + 1) for _ in range(copies)]
    return cards + [0] * (MOST_MAIN_CARDS - len(cards))


VARIANTS = {
    "text": PazaakRules(),
    # The 2015 controller's off-by-one decks; the published leaderboard was made with them.
    "original-2015": PazaakRules(main_copies=5, side_copies=3, side_hand=5, auto_stand=True),
}


def words(rules: PazaakRules) -> tuple[int, int]:
    """Rows (the side hands', then one a hand) and random words per row."""
    return 1 + _HANDS_AT_A_TIME, max(2 * rules.most_dealt, 2 * rules.side_hand) + SPARE_WORDS


ABOUT = About(
    name="pazaak",
    title="Simple Pazaak",
    points="hands",
    rules=PazaakRules,
    variants=VARIANTS,
    words=words,
    pairs=lambda rules: PAIR,
    # Between the house bots, of which the quick ones reach twice the rate.
    nominal=Nominal(25_000, 27),
    walkover_points=lambda rules: rules.wins_needed,
)
