"""Names as people may safely look at them, whatever is in them.

Names come from the bots. On a terminal a control character could repaint the screen; on a page an
override of the writing direction could turn the text around it, and an invisible character could
make one name look like another. All of these are shown as Python would write them: `\\x1b`,
`\\u202e`.
"""

from __future__ import annotations

import json
import re
import unicodedata

_SPELLED = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}
# Control, format (bidi, invisible), surrogate, private, unassigned; line and paragraph separators.
_SHOWN = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
_JOINER = "\u200d"


def visible(text: str, keep: str = "") -> str:
    """The text on one line, without any character that acts instead of being seen.

    Emoji stay, those made of several code points with joiners included. `keep`: characters that
    are left as they are, such as the line feeds of a traceback.
    """
    return "".join(
        char if char in keep or _is_seen(text, index) else _spelled(char)
        for index, char in enumerate(text)
    )


def visible_json(text: str) -> str:
    """JSON text with its own escapes for such characters: the same data, safe on a terminal."""
    return re.sub(r"[^ -~\n]", _escaped, text)


def _escaped(match: re.Match[str]) -> str:
    seen = _is_seen(match.string, match.start())
    return match[0] if seen else json.dumps(match[0])[1:-1]


def _is_seen(text: str, index: int) -> bool:
    char = text[index]
    if char == _JOINER:
        return 0 < index < len(text) - 1 and _pictorial(text[index - 1], text[index + 1])
    return unicodedata.category(char) not in _SHOWN


def _pictorial(before: str, after: str) -> bool:
    """Whether a joiner between the two makes one picture of them."""
    # Before it may stand a picture, its skin tone (Sk) or the selector that makes it coloured.
    ends = unicodedata.category(before) in ("So", "Sk") or before == "\ufe0f"
    return ends and unicodedata.category(after) == "So"


def _spelled(char: str) -> str:
    if char in _SPELLED:
        return _SPELLED[char]
    code = ord(char)
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
