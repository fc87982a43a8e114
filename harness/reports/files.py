"""Writing files: whole or not at all, and JSON that people can read and compare."""

from __future__ import annotations

import json
import os
import tempfile
from pathlib import Path
from typing import Any

from harness.errors import UserError
from harness.reports.text import visible_json

_WIDTH = 100


def write(path: Path, text: str) -> None:
    """Replace the file at once: a reader finds the old one or the new one, never a part.

    Raises UserError if it cannot be written.
    """
    # A lone surrogate (a bot may call itself anything) has no UTF-8; as `\\ud800` it is what JSON
    # would have written for it anyway.
    content = text.encode("utf-8", "backslashreplace")
    try:
        fd, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        try:
            with open(fd, "wb") as file:
                file.write(content)
                os.fchmod(fd, 0o644)
            os.replace(name, path)
        except BaseException:
            os.unlink(name)
            raise
    except OSError as error:
        raise UserError(
            f"{path}: cannot be written: {error.strerror}; all results are in the ledger, and the "
            "same command writes it once it can be"
        ) from error


def dumps(value: Any) -> str:
    """JSON with everything on one line that fits there. ValueError for NaN and infinity."""
    return visible_json(_dumps(value, "")) + "\n"


def _dumps(value: Any, indent: str) -> str:
    line = json.dumps(value, ensure_ascii=False, allow_nan=False)
    if len(indent) + len(line) <= _WIDTH or not value or not isinstance(value, dict | list):
        return line
    inner = indent + "  "
    if isinstance(value, dict):
        parts = [
            f"{json.dumps(k, ensure_ascii=False)}: {_dumps(v, inner)}" for k, v in value.items()
        ]
        opening, closing = "{}"
    else:
        parts = [_dumps(item, inner) for item in value]
        opening, closing = "[]"
    body = ",\n".join(inner + part for part in parts)
    return f"{opening}\n{body}\n{indent}{closing}"
