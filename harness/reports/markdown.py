"""Markdown from templates, into which any text can be put without becoming Markdown.

Character references (`&#42;`) stand for every character that could mean something: Markdown reads
them as text in every place, table cells included, which a backslash does not promise.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import jinja2

from harness.reports.text import visible
from harness.standings.intervals import Interval
from harness.wording import part_of_100

# Special everywhere. `&` begins references, `$` GitHub's formulas; `_` means nothing between
# letters, and `:` nothing before a space; otherwise it may begin a link, as `www.` does.
_SPECIAL = re.compile(
    r"[\\`*\[\]<>|~&$#]|(?<![^\W_])_|_(?![^\W_])|:(?=\S)|(?<=www)\.", re.IGNORECASE
)
# What makes lists, rules and headings, but only where a line begins.
_LEADING = re.compile(r"^[-+=]|^\d(?=\d*[.)](?:\s|$))")


def md(value: object) -> str:
    """Any text as Markdown that shows exactly that text, on one line."""
    text = _SPECIAL.sub(_reference, visible(str(value)))
    return _LEADING.sub(_reference, text)


def _reference(match: re.Match[str]) -> str:
    return f"&#{ord(match[0])};"


def fence(value: object, language: str = "text") -> str:
    """Lines as a code block that nothing in them can end."""
    text = visible(str(value), keep="\n")
    ticks = "`" * max([3, *(len(run) + 1 for run in re.findall("`+", text))])
    return f"{ticks}{language}\n{text}\n{ticks}"


def number(value: int) -> str:
    """1234567 as 1,234,567."""
    return f"{value:,}"


def percent(share: Mapping[str, float]) -> str:
    """A share with its interval: `59.2 % (58.1-60.4)`."""
    value, low, high = (part_of_100(share[key]) for key in ("value", "low", "high"))
    return f"{value} % ({low}-{high})"


def plain(mean: Mapping[str, float | None]) -> str:
    """A mean with its interval: `+12.3 (11.0 to 13.6)`, with as many decimals as it deserves."""
    value, low, high = (mean[key] for key in ("value", "low", "high"))
    if low is None or high is None:
        return f"{value:+.1f}"
    half = (high - low) / 2
    decimals = 1 if half >= 0.5 else 2 if half >= 0.05 else 3
    return f"{value:+.{decimals}f} ({low:+.{decimals}f} to {high:+.{decimals}f})"


def margin(share: Mapping[str, float]) -> str:
    """The same, short: `59.2 ± 0.3`, or `97.0 (93.1-98.9)` if it is lopsided."""
    interval = Interval(share["value"], share["low"], share["high"])
    value, low, high = (part_of_100(part) for part in (interval.value, interval.low, interval.high))
    if interval.is_lopsided:
        return f"{value} ({low}-{high})"
    half = 100 * interval.half
    # Never "± 0.0" for an interval that has a width.
    decimals = 1 if half >= 0.05 or half < 0.005 else 2
    return f"{value} ± {half:.{decimals}f}"


def rating(row: Mapping[str, Any]) -> str:
    """`+44.8 ± 5.6`, or nothing for a bot without games."""
    return "" if row["elo"] is None else f"{row['elo']:+.1f} ± {row['elo_margin']:.1f}"


def band(ranks: list[int]) -> str:
    """`1-2`, or `3` if it is one rank."""
    return "-".join(str(rank) for rank in sorted(set(ranks)))


# Not HTML, so no autoescape: every foreign text goes through `md` or `fence`.
_ENVIRONMENT = jinja2.Environment(
    loader=jinja2.FileSystemLoader(Path(__file__).parent),
    undefined=jinja2.StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
    keep_trailing_newline=True,
    autoescape=False,
)
_FILTERS = {f.__name__: f for f in (md, fence, number, percent, plain, margin, rating, band)}


def render(template: str, filters: Mapping[str, Callable[..., Any]], **values: Any) -> str:
    """A template of this folder, filled in. `filters` are the page's own, beside those above."""
    environment = _ENVIRONMENT.overlay()
    environment.filters = {**environment.filters, **_FILTERS, **filters}
    text = environment.get_template(template).render(**values)
    # Sections that are left out leave their empty lines behind.
    return re.sub(r"\n{3,}", "\n\n", text).strip("\n") + "\n"
