"""What is in a bot's file or folder: read with care, hashed, never executed."""

from __future__ import annotations

import hashlib
import io
import os
import re
import tokenize
from dataclasses import dataclass
from pathlib import Path

MOST_BYTES = 16 << 20
"""The most a bot's file or folder may hold."""
MOST_FILES = 256
# `name.cpython-311.opt-2.pyc`, `test_name.cpython-311-pytest-8.4.1.pyc`
_BYTE_CODE = re.compile(
    r"(.+)\.(?:cpython|pypy)-?\d{2,3}(?:-pytest-[\d.]{3,7})?(?:\.opt-[12])?\.pyc"
)

PROGRAM_FILE = "bot.yaml"
"""What says how a bot in another language is started."""
MAIN_FILES = ("bot.py", PROGRAM_FILE)
"""What makes a folder a bot: either of these."""


def is_program(path: str) -> bool:
    """Whether the main file of a bot is that of a program."""
    return os.path.basename(path) == PROGRAM_FILE


def main_file(folder: Path) -> Path:
    """The main file of a bot that is a folder; `bot.py` if it has none."""
    return next((folder / n for n in MAIN_FILES if (folder / n).is_file()), folder / MAIN_FILES[0])


class UnusableError(Exception):
    """The message says what no bot's file may be; `details` are more lines, if there are."""

    def __init__(self, reason: str, details: str = "") -> None:
        super().__init__(reason)
        self.details = details


@dataclass(frozen=True)
class Content:
    """What a bot's file, or all files of its folder, hold."""

    hash: str
    """SHA-256 over the content, in hex; of a folder over names and contents of its files.

    And over the names of folders without a file: a bot can look whether they are there.
    """
    mentions_numpy: bool


def read_content(path: Path) -> Content:
    """Read a bot's file or folder.

    Raises UnusableError for what no bot may be: a link, something huge, a folder without a main
    file.
    """
    if path.is_symlink():
        raise UnusableError("it is a symbolic link; put the file itself here")
    if path.is_file():
        content = _read(path, MOST_BYTES)
        _refuse_other_encodings(content)
        return Content(hashlib.sha256(content).hexdigest(), b"numpy" in content)
    if not path.is_dir():
        raise UnusableError("it is neither a regular file nor a folder")
    files, hollow = _files(path)
    mains = [name for name in MAIN_FILES if (path / name).is_file()]
    if len(mains) != 1:
        found = " and ".join(mains) or "neither"
        raise UnusableError(f"a bot's folder has one of {' and '.join(MAIN_FILES)}; found {found}")
    digest, left, numpy = hashlib.sha256(), MOST_BYTES, False
    for file in sorted(files):
        content = _read(file, left)
        left -= len(content)
        if file == path / "bot.py":
            _refuse_other_encodings(content)
        numpy = numpy or (file.suffix == ".py" and b"numpy" in content)
        name = file.relative_to(path).as_posix()
        digest.update(hashlib.sha256(name.encode("utf-8", "surrogateescape")).digest())
        digest.update(hashlib.sha256(content).digest())
    for folder in sorted(hollow):
        name = f"{folder.relative_to(path).as_posix()}/"  # as no file is called
        digest.update(hashlib.sha256(name.encode("utf-8", "surrogateescape")).digest())
    return Content(digest.hexdigest(), numpy)


def _refuse_other_encodings(source: bytes) -> None:
    """Whether Python minds bytes that are no UTF-8, in a comment say, depends on its version.

    A file that names another encoding is left to it, and not decoded here: with some that takes
    forever.
    """
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(source).readline)
        if encoding.startswith("utf-8"):
            source.decode()
    except UnicodeDecodeError as error:
        line = source.count(b"\n", 0, error.start) + 1
        raise UnusableError(f"line {line} is not {error.encoding}; save it as UTF-8") from error
    except SyntaxError as error:  # no UTF-8 in the first two lines, or an encoding nobody knows
        raise UnusableError(f"{error.msg}; save it as UTF-8") from error


def content_hash_or_none(path: Path) -> str | None:
    """The same, or None for what no bot may be."""
    try:
        return read_content(path).hash
    except UnusableError:
        return None


def _files(folder: Path) -> tuple[list[Path], list[Path]]:
    """All files below a folder, and all folders with nothing in them that is hashed."""
    files: list[Path] = []
    hollow: list[Path] = []
    for root, folders, names in os.walk(folder):
        if "__pycache__" in folders:
            _refuse_foreign_byte_code(Path(root))
            folders.remove("__pycache__")
        for name in folders + names:
            path = Path(root) / name
            if path.is_symlink():
                raise UnusableError(f"{name} is a symbolic link; put the file itself here")
            if name in names:
                files.append(path)
        if not (folders or names):
            hollow.append(Path(root))
        if len(files) + len(hollow) > MOST_FILES:
            raise UnusableError(f"the folder holds more than {MOST_FILES} files")
    return files, hollow


def _refuse_foreign_byte_code(folder: Path) -> None:
    """`__pycache__` is not hashed, nor readable in the sandbox; so its names must tell nothing."""
    home = folder / "__pycache__"
    if home.is_symlink():
        raise UnusableError("__pycache__ is a symbolic link; remove it")
    for path in home.iterdir():
        name = _BYTE_CODE.fullmatch(path.name)
        if (
            name is None
            or not (folder / f"{name[1]}.py").is_file()
            or path.is_symlink()
            or not path.is_file()
        ):
            raise UnusableError(
                f"__pycache__/{path.name} is no byte code of a file beside it; remove __pycache__"
            )


def _read(path: Path, most: int) -> bytes:
    # Not following links, should one be put here just now; and never waiting on a fifo.
    try:
        fd = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError as error:
        raise UnusableError(f"{path.name} cannot be read: {error.strerror}") from error
    with open(fd, "rb") as file:
        if not path.is_file():
            raise UnusableError(f"{path.name} is not a regular file")
        content = file.read(most + 1)
    if len(content) > most:
        raise UnusableError(f"it holds more than {MOST_BYTES >> 20} MB")
    return content
