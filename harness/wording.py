"""How numbers are said, on the terminal and on pages alike."""

from __future__ import annotations

_MOST_DECIMALS = 5


def counted(value: int, what: str) -> str:
    """`1 bot`, `12 bots`."""
    return f"{value:,} {what}" if value == 1 else f"{value:,} {what}s"


def part_of_100(share: float) -> str:
    """`52.3`; 0.0 and 100.0 are only what is exactly that."""
    for decimals in range(1, _MOST_DECIMALS):
        text = f"{100 * share:.{decimals}f}"
        if share in (0, 1) or 0 < float(text) < 100:
            return text
    return f"{100 * share:.{_MOST_DECIMALS}f}"
