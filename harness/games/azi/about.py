"""Azi: its rule parameters, their variants and its description."""

from __future__ import annotations

from typing import Literal, Self

from pydantic import Field, model_validator

from harness.games.about import About, Rules, rotation
from harness.games.azi import MOST_RAISES, MOST_SEATS
from harness.games.azi.payout import PAYOUTS

ENTRIES = ("all", "trick_players", "half_bank")
"""Who plays the deal after an Azi; the number of a rule is its place."""

MOST_CHIPS = 30_000
"""On the table. Every bet is then an int16, with room for the codes of faults."""
SPARE_WORDS = 6
"""Random words per row beyond one per draw, for draws that are rejected; see `games.draw`."""
_DEALS_AT_A_TIME = 20


class AziRules(Rules):
    """Every parameter of the rules text; the defaults are the text's."""

    seats: int = Field(4, ge=2, le=MOST_SEATS, description="players at the table")
    deal: Literal[3, 4] = Field(3, description="cards each; of four, one is discarded")
    stack: int = Field(100, ge=1, le=15_000, description="chips of each seat at the start")
    session_deals: int = Field(
        20, ge=1, le=10_000, description="deals from one stack to the next, those after an Azi too"
    )
    ante: int = Field(1, ge=1, le=15_000, description="chips paid by everyone dealt in")
    min_bet: int | None = Field(
        None, ge=1, le=15_000, description="chips of the least opening bet; the ante if left out"
    )
    opener_may_fold: bool = Field(False, description="the opener need not bet")
    min_raise: int = Field(1, ge=1, le=15_000, description="chips of the least raise")
    max_raises: int = Field(
        3, ge=1, le=MOST_RAISES, description="bets and raises of one player in a deal"
    )
    azi_entry: Literal["all", "trick_players", "half_bank"] = Field(
        "all", description="who plays the deal after an Azi"
    )
    max_azi: int = Field(
        100, ge=1, le=10_000, description="Azi deals in a row, then everybody takes its chips back"
    )
    payout: Literal["scaled", "matched"] = Field(
        "scaled", description="what a winner gets who has paid less than another"
    )

    @property
    def least_bet(self) -> int:
        """The least opening bet in chips."""
        return self.ante if self.min_bet is None else self.min_bet

    @property
    def entry_number(self) -> int:
        """`azi_entry` as the compiled rules know it."""
        return ENTRIES.index(self.azi_entry)

    @property
    def payout_number(self) -> int:
        """`payout` as the compiled rules know it."""
        return PAYOUTS.index(self.payout)

    @model_validator(mode="after")
    def _can_be_played(self) -> Self:
        if self.ante > self.stack:
            raise ValueError(f"an ante of {self.ante} cannot be paid from a stack of {self.stack}")
        if self.seats * self.stack > MOST_CHIPS:
            raise ValueError(
                f"{self.seats} stacks of {self.stack} are {self.seats * self.stack} chips; at most "
                f"{MOST_CHIPS} are supported"
            )
        return self


VARIANTS = {
    "text": AziRules(),
    "four-cards": AziRules(deal=4),
}


def words(rules: AziRules) -> tuple[int, int]:
    """Rows (the first opener's, then one a deal) and random words per row."""
    cards = rules.seats * rules.deal + 1
    return 1 + min(rules.session_deals, _DEALS_AT_A_TIME), cards + SPARE_WORDS


ABOUT = About(
    name="azi",
    title="Azi",
    points="chips",
    rules=AziRules,
    variants=VARIANTS,
    words=words,
    tables=lambda rules: rotation(rules.seats),
    ranked_by_points=True,
    units=lambda rules: rules.session_deals,
    unit="deal",
    several_seats=True,
    # A bot that samples what it cannot see pays for NumPy in small frames, and may be asked for few
    # games at once.
    average_milliseconds=0.3,
)
