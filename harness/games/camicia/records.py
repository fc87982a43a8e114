"""The published records: the longest known games that end, and deals that never do."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from pathlib import Path

from harness.games.camicia.deals import contest_deal
from harness.games.camicia.trace import Outcome, simulate

_FILE = Path(__file__).with_name("records.csv")


@dataclass(frozen=True)
class Record:
    """One line of `records.csv`: a deal, what is claimed of it, by whom and since when."""

    deal: str
    claimed: Outcome
    who: str
    year: int

    def replay(self) -> Outcome:
        """What the deal comes to when it is played."""
        return simulate(*self.deal.split("/"))


def records() -> list[Record]:
    """All of them, in the order of the file. Raises DealError for a deal that is none."""
    with _FILE.open(encoding="utf-8", newline="") as file:
        return [
            Record(
                deal=contest_deal(row["deal"]),
                claimed=Outcome(row["status"], int(row["cards"]), int(row["tricks"])),
                who=row["who"],
                year=int(row["year"]),
            )
            for row in csv.DictReader(file)
        ]
