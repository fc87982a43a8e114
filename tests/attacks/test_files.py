"""Bots' files that are no bots: found, refused in a line, and never followed, run or waited for."""

from __future__ import annotations

import os
import socket
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from harness.arena.budgets import Budgets
from harness.content import MOST_FILES
from harness.entrants import Entrant, choose, discover
from harness.errors import UserError
from harness.sandbox.nursery import Nursery
from tests.conftest import CAUTIOUS, HEADER

BOT = HEADER + CAUTIOUS.replace("Cautious", "Evil")


def _symlink(home: Path) -> None:
    (home.parent / "outside.py").write_text(BOT)
    (home / "evil.py").symlink_to(home.parent / "outside.py")


def _dangling(home: Path) -> None:
    (home / "evil.py").symlink_to("nowhere.py")


def _circle(home: Path) -> None:
    (home / "evil.py").symlink_to("evil.py")


def _linked_folder(home: Path) -> None:
    (home.parent / "outside").mkdir()
    (home.parent / "outside" / "bot.py").write_text(BOT)
    (home / "evil").symlink_to(home.parent / "outside", target_is_directory=True)


def _link_inside(home: Path) -> None:
    _folder(home)
    (home / "evil" / "data").symlink_to("/etc/passwd")


def _linked_main(home: Path) -> None:
    (home / "evil").mkdir()
    (home.parent / "outside.py").write_text(BOT)
    (home / "evil" / "bot.py").symlink_to(home.parent / "outside.py")


def _folder(home: Path) -> None:
    (home / "evil").mkdir()
    (home / "evil" / "bot.py").write_text(BOT)


def _huge(home: Path) -> None:
    with open(home / "evil.py", "wb") as file:
        file.truncate(50 << 20)


def _huge_in_folder(home: Path) -> None:
    _folder(home)
    with open(home / "evil" / "table", "wb") as file:
        file.truncate(50 << 20)


def _many_files(home: Path) -> None:
    _folder(home)
    for number in range(MOST_FILES + 1):
        (home / "evil" / f"{number}").touch()


def _latin_1(home: Path) -> None:
    (home / "evil.py").write_bytes(b"# caf\xe9\n" + BOT.encode())


def _latin_1_far_down(home: Path) -> None:
    (home / "evil.py").write_bytes(BOT.encode() + b"\n# caf\xe9\n")


def _nul(home: Path) -> None:
    (home / "evil.py").write_bytes(BOT.encode() + b"\0")


def _data_in_byte_code(home: Path) -> None:
    _folder(home)
    (home / "evil" / "__pycache__").mkdir()
    (home / "evil" / "__pycache__" / "table.bin").touch()


def _names_in_byte_code(home: Path) -> None:
    _folder(home)
    (home / "evil" / "__pycache__").mkdir()
    (home / "evil" / "__pycache__" / "any words.cpython-311.pyc").touch()


def _tags_in_byte_code(home: Path) -> None:
    _folder(home)
    (home / "evil" / "__pycache__").mkdir()
    (home / "evil" / "__pycache__" / "bot.any-311.words.pyc").touch()


def _linked_byte_code(home: Path) -> None:
    _folder(home)
    (home / "evil" / "__pycache__").symlink_to("/etc", target_is_directory=True)


def _endless_encoding(home: Path) -> None:
    (home / "evil.py").write_bytes(b"# coding: punycode\n" + b"-" + b"9" * (8 << 20))


def _unknown_encoding(home: Path) -> None:
    (home / "evil.py").write_bytes(b"# coding: klingon\n" + BOT.encode())


def _no_main(home: Path) -> None:
    (home / "evil").mkdir()
    (home / "evil" / "player.py").write_text(BOT)


def _main_is_folder(home: Path) -> None:
    (home / "evil" / "bot.py").mkdir(parents=True)


def _fifo(home: Path) -> None:
    os.mkfifo(home / "evil.py")


def _fifo_in_folder(home: Path) -> None:
    _folder(home)
    os.mkfifo(home / "evil" / "data")


def _socket(home: Path) -> None:
    here = os.getcwd()
    os.chdir(home)  # the path of a socket is short
    try:
        with socket.socket(socket.AF_UNIX) as server:
            server.bind("evil.py")
    finally:
        os.chdir(here)


def _name_not_utf8(home: Path) -> None:
    with open(os.fsencode(home) + b"/evil\xff.py", "w", encoding="utf-8") as file:
        file.write(BOT)


def _deep(home: Path) -> None:
    (home / "evil.py").write_text("x = " + "(" * 100_000 + ")" * 100_000)


def _endless_line(home: Path) -> None:
    (home / "evil.py").write_text("x = " + "+".join(["1"] * 200_000))


CASES: dict[Callable[[Path], None], str] = {
    _symlink: "symbolic link",
    _huge: "more than 16 MB",
    _latin_1: "save it as UTF-8",
    _latin_1_far_down: "line 7 is not utf-8; save it as UTF-8",
    _no_main: "found neither",
    _dangling: "symbolic link",
    _circle: "symbolic link",
    _linked_folder: "symbolic link",
    _link_inside: "data is a symbolic link",
    _linked_main: "bot.py is a symbolic link",
    _huge_in_folder: "more than 16 MB",
    _many_files: "more than 256 files",
    _nul: "null bytes",
    _data_in_byte_code: "__pycache__/table.bin is no byte code",
    _names_in_byte_code: "is no byte code of a file beside it; remove __pycache__",
    _tags_in_byte_code: "is no byte code of a file beside it; remove __pycache__",
    _linked_byte_code: "__pycache__ is a symbolic link",
    _endless_encoding: "not ready within",
    _unknown_encoding: "klingon",
    _main_is_folder: "found neither",
    _fifo: "neither a regular file nor a folder",
    _fifo_in_folder: "not a regular file",
    _socket: "neither a regular file nor a folder",
    _name_not_utf8: "not UTF-8",
    _deep: "",  # how Python refuses it depends on its version
    _endless_line: "",
}


@pytest.fixture
def found(nursery: Nursery, tmp_path: Path) -> Callable[[Callable[[Path], None]], list[Entrant]]:
    def run(make: Callable[[Path], None]) -> list[Entrant]:
        home = tmp_path / "bots" / "pazaak"
        home.mkdir(parents=True)
        (home / "honest.py").write_text(HEADER + CAUTIOUS)
        make(home)
        return discover("pazaak", home.parent, nursery, Budgets(start_seconds=2))

    return run


_LONG = (_endless_encoding, _endless_line, _many_files)


@pytest.mark.parametrize(
    "make",
    [pytest.param(m, marks=pytest.mark.slow if m in _LONG else (), id=m.__name__) for m in CASES],
)
def test_what_is_no_bot_is_refused_in_a_line(
    make: Callable[[Path], None], found: Callable[[Callable[[Path], None]], list[Entrant]]
) -> None:
    began = time.monotonic()
    evil, honest = sorted(found(make), key=lambda entrant: entrant.file == "honest")
    assert time.monotonic() - began < 20
    assert honest.error is None
    assert evil.error is not None
    assert CASES[make] in evil.error
    assert "\n" not in evil.error.strip()
    assert choose([evil, honest], None) == ([honest], [evil])
    with pytest.raises(UserError, match="evil"):
        choose([evil, honest], [evil.file])


def test_byte_code_that_no_hash_covers_is_not_run(
    found: Callable[[Callable[[Path], None]], list[Entrant]],
) -> None:
    """Poison in `__pycache__` with the times and sizes of the sources: the sources are loaded."""

    def make(home: Path) -> None:
        import py_compile

        (home / "evil").mkdir()
        main, helper = home / "evil" / "bot.py", home / "evil" / "helper.py"
        main.write_text(HEADER + "import helper\n" + CAUTIOUS + "    name = helper.NAME\n")
        helper.write_text('NAME = "evil"')
        py_compile.compile(str(helper))
        stamp = helper.stat()
        helper.write_text('NAME = "good"')
        os.utime(helper, ns=(stamp.st_atime_ns, stamp.st_mtime_ns))

    evil, _ = found(make)
    assert evil.error is None
    assert evil.name == "good"


def test_code_hidden_in_byte_code_cannot_be_read(
    level: tuple[str, Nursery], tmp_path: Path
) -> None:
    """No hash covers it, so a bot that could read it would not be what its hash says."""
    home = tmp_path / "bots" / "pazaak" / "evil"
    for cache in (home / "__pycache__", home / "more" / "__pycache__"):
        cache.mkdir(parents=True)
        (cache.parent / "helper.py").write_text("NAME = 'Found'\n")
        (cache / "helper.cpython-311.pyc").write_bytes(b"hidden")
        (cache / "helper.cpython-312-pytest-8.4.1.pyc").touch()
        (cache / "helper.cpython-313.opt-2.pyc").touch()
    (home / "more" / "table").write_text("table")
    source = """
import os
import helper
import more.helper
HOME = os.path.dirname(__file__)
assert open(HOME + "/more/table").read() == "table"
assert sorted(os.listdir(HOME + "/more")) == ["__pycache__", "helper.py", "table"]
for folder in (HOME, HOME + "/more"):
    try:
        open(folder + "/__pycache__/helper.cpython-311.pyc").read()
    except PermissionError:
        continue
    raise SystemError("read")
"""
    (home / "bot.py").write_text(HEADER + source + CAUTIOUS + "    name = helper.NAME\n")
    (found,) = discover("pazaak", tmp_path / "bots", level[1], Budgets())
    assert found.error is None, found.traceback
    assert found.name == "Found"


def test_nothing_is_written_beside_a_bot(
    found: Callable[[Callable[[Path], None]], list[Entrant]], tmp_path: Path
) -> None:
    def make(home: Path) -> None:
        (home / "evil").mkdir()
        (home / "evil" / "helper.py").write_text("")
        (home / "evil" / "bot.py").write_text(HEADER + "import helper\n" + CAUTIOUS)

    before = {path for path in sys.path if path.startswith(str(tmp_path))}
    found(make)
    left = sorted(p.relative_to(tmp_path).as_posix() for p in tmp_path.rglob("*") if p.is_file())
    folder = "bots/pazaak"
    assert left == [f"{folder}/{n}" for n in ("evil/bot.py", "evil/helper.py", "honest.py")]
    assert not before


@pytest.mark.parametrize("name", ["json", "random", "numpy", "harness", "bot", "struct", "runner"])
def test_modules_of_a_folder_named_like_others_are_its_own_affair(
    name: str, found: Callable[[Callable[[Path], None]], list[Entrant]]
) -> None:
    def make(home: Path) -> None:
        (home / "evil").mkdir()
        (home / "evil" / "bot.py").write_text(f"import {name}\n{BOT}")
        (home / "evil" / f"{name}.py").write_text("raise SystemExit('shadow')")

    evil, honest = found(make)
    assert honest.error is None
    assert evil.error is None or "shadow" in evil.error
