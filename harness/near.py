"""Names that were mistyped: what was meant, for the errors that say so."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

_MOST = 3


def did_you_mean(word: str, names: Iterable[str]) -> str:
    """A half-sentence to end an error with, `; did you mean Nestor?`; empty if nothing is near.

    Capitals, `_`, `-` and blanks are no difference.
    """
    plain: dict[str, str] = {}
    for name in names:
        plain.setdefault(_plain(name), name)
    found = get_close_matches(_plain(word), plain, n=_MOST, cutoff=0.65)
    meant = list(dict.fromkeys(plain[key] for key in found))
    return f"; did you mean {' or '.join(meant)}?" if meant else ""


def _plain(name: str) -> str:
    return name.casefold().replace("_", " ").replace("-", " ")
