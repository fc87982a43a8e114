"""Numbers, names and standings as the terminal shows them."""

from __future__ import annotations

from rich.table import Table
from rich.text import Text

from harness.cli.screen import percent
from harness.events.cup import Pairing, Standing
from harness.events.league import Round
from harness.events.tables import TablesStanding
from harness.games.about import About
from harness.reports.text import visible
from harness.standings.intervals import Interval
from harness.standings.seats import Mean
from harness.wording import part_of_100


def bot(text: str | None) -> Text:
    """What a bot says of itself: nothing in it acts on the terminal or is taken for markup."""
    return Text(visible(text or ""))


def number(value: int) -> str:
    """1234567 as 1,234,567."""
    return f"{value:,}"


def duration(seconds: float) -> str:
    """`40 s`, `3 min 20 s`, `2 h 5 min`, `3 d 4 h`."""
    whole = max(round(seconds), 1 if seconds > 0 else 0)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    if whole < 86_400:
        return f"{whole // 3600} h {whole % 3600 // 60} min"
    return f"{whole // 86_400} d {whole % 86_400 // 3600} h"


def table(*headings: str) -> Table:
    """An empty table; columns whose heading begins with `>` stand right.

    A column whose heading begins with `~` is the one to be broken into lines where all is too wide.
    """
    made = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for heading in headings:
        made.add_column(
            Text(heading.lstrip(">~"), "dim"),
            justify="right" if heading.startswith(">") else "left",
            no_wrap=not heading.startswith("~"),
            overflow="fold" if heading.startswith("~") else "ellipsis",
        )
    return made


def share(interval: Interval) -> str:
    """`52.3 ± 0.4 %`, or `6.2 % (1.4 to 23.9)` if the interval is lopsided."""
    if interval.is_lopsided:
        return percent(interval)
    return f"{part_of_100(interval.value)} ± {100 * interval.half:.1f} %"


def _mean(mean: Mean, sign: str) -> str:
    """`+4.08 ± 0.70`; the mean alone where nothing can be said about its error."""
    error = "" if mean.high is None else f" ± {mean.high - mean.value:.2f}"
    return f"{mean.value:{sign}.2f}{error}"


def standings(standing: Round | Standing | TablesStanding, about: About) -> Table:
    """A league's or the tables' table; a cup's places, or before there are any its pairings."""
    if isinstance(standing, TablesStanding):
        return _at_tables(standing, about)
    if isinstance(standing, Round):
        return _ranks(standing)
    if standing.places is not None:
        return _places(standing, standing.places)
    if not standing.pairings and standing.seeding is not None:
        return _ranks(standing.seeding)
    return _pairings(standing)


def _ranks(standing: Round) -> Table:
    made = table(">rank", "bot", ">wins", ">share (95 %)", ">rating")
    ranks = [row.rank for row in standing.table.rows]
    for row in standing.table.rows:
        rating = standing.ratings.get(row.name)
        made.add_row(
            f"{row.rank}=" if ranks.count(row.rank) > 1 else f"{row.rank}",
            bot(row.name),
            number(row.wins),
            share(row.share) if row.games else "",
            f"{rating.elo:+.1f} ± {rating.margin:.1f}" if rating else "",
        )
    for out in standing.disqualified:
        made.add_row("", bot(out), Text("disqualified", "red"))
    return made


def _at_tables(standing: TablesStanding, about: About) -> Table:
    mean = f">{about.points} per {about.unit}"
    made = table(">rank", "bot", ">games", ">wins", ">share (95 %)", mean, ">rating")
    # A sign says something only where there are both.
    sign = "+" if any(row.mean.value < 0 for row in standing.rows) else ""
    ranks = [row.rank for row in standing.rows]
    for row in standing.rows:
        rating = standing.ratings.get(row.name)
        made.add_row(
            f"{row.rank}=" if ranks.count(row.rank) > 1 else f"{row.rank}",
            bot(row.name) + Text(" retired" if row.name in standing.retired else "", "red"),
            number(row.games),
            number(row.wins),
            share(row.share) if row.games else "",
            _mean(row.mean, sign) if row.games else "",
            f"{rating.elo:+.1f} ± {rating.margin:.1f}" if rating else "",
        )
    return made


def _places(standing: Standing, places: list[str]) -> Table:
    made = table(">place", "bot", "")
    for place, placed in enumerate(places, 1):
        mark = "disqualified" if placed in standing.disqualified else ""
        made.add_row(str(place), bot(placed), Text(mark, "red"))
    return made


def _pairings(standing: Standing) -> Table:
    """Whatever can be played now, and the rest of these rounds."""
    going = {p.encounter.round for p in standing.pairings if not p.how}
    made = table("", ">", "sets", "")
    for pairing in standing.pairings:
        if pairing.encounter.round in going and not pairing.encounter.bye:
            made.add_row(pairing.encounter.name, *score(pairing))
    return made


def score(pairing: Pairing) -> tuple[Text, Text, Text]:
    """First, sets won so far, second; the winner in bold."""
    sets = pairing.verdict.score if pairing.verdict else ("", "")
    first, second = bot(pairing.encounter.first), bot(pairing.encounter.second)
    if pairing.verdict and pairing.verdict.winner is not None:
        (first, second)[pairing.verdict.winner].stylize("bold")
    return first, Text(f"{sets[0]}-{sets[1]}"), second


def final(standing: Standing) -> Text | None:
    """`final: Nestor 4-2 Bastila`."""
    for pairing in standing.pairings:
        if pairing.encounter.places[0] == 1 and pairing.encounter.name == "final":
            return Text(" ").join([Text("final:"), *score(pairing)])
    return None
