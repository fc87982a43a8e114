"""Reports read back: the JSON, and the pages as a reader's program understands them."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.token import Token

_OURS = re.compile(r"</?details>|</?summary>|<summary>[\w, ]+</summary>")


def board(folder: Path) -> dict[str, Any]:
    """The document of an event."""
    read: dict[str, Any] = json.loads((folder / "leaderboard.json").read_text(encoding="utf-8"))
    return read


def page(folder: Path) -> str:
    """The source of its leaderboard."""
    return (folder / "leaderboard.md").read_text(encoding="utf-8")


class Page:
    """Parsed by CommonMark with tables, as GitHub does."""

    def __init__(self, text: str) -> None:
        self.tokens = MarkdownIt("commonmark").enable(["table", "strikethrough"]).parse(text)

    def tables(self) -> list[list[list[str]]]:
        """Every table as rows of cells, the heading first, as they are read."""
        tables: list[list[list[str]]] = []
        for token, inside in zip(self.tokens, self.tokens[1:], strict=False):
            if token.type == "table_open":
                tables.append([])
            elif token.type == "tr_open":
                tables[-1].append([])
            elif token.type in ("td_open", "th_open"):
                tables[-1][-1].append(text(inside))
        return tables

    def inline(self) -> list[Token]:
        """All pieces of running text, marked up or not."""
        return [piece for token in self.tokens for piece in token.children or ()]

    def links(self) -> list[str]:
        """Where links and images lead."""
        return [
            str(piece.attrs.get("href") or piece.attrs.get("src"))
            for piece in self.inline()
            if piece.type in ("link_open", "image")
        ]

    def foreign_html(self) -> list[str]:
        """Raw HTML that is not one of the few elements of our own."""
        raw = [t.content for t in [*self.tokens, *self.inline()] if t.type.startswith("html")]
        return [line for html in raw for line in html.split("\n") if not _is_ours(line)]

    def markup(self) -> set[str]:
        """The kinds of tokens the page is made of."""
        return {token.type for token in [*self.tokens, *self.inline()]}

    def fences(self) -> list[str]:
        """The contents of all code blocks."""
        return [token.content for token in self.tokens if token.type == "fence"]

    def headings(self) -> list[str]:
        """All headings, as they are read."""
        pairs = zip(self.tokens, self.tokens[1:], strict=False)
        return [text(inside) for token, inside in pairs if token.type == "heading_open"]


def text(token: Token) -> str:
    """What a reader sees of running text."""
    return "".join(piece.content for piece in token.children or ())


def _is_ours(line: str) -> bool:
    return not line.strip() or _OURS.fullmatch(line.strip()) is not None
