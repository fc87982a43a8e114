"""Builds: what comes of them, how they fail, what they may not do, and that they are kept."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from harness import building
from harness.entrants import load
from harness.sandbox.nursery import Nursery
from harness.sandbox.probe import FULL, probe
from tests.programs.conftest import PATIENT, WriteProgram, needs, summoned
from tests.sampling import sampled

HELLO = """
#include <stdio.h>
int main(void) { char hello[5000];
  fgets(hello, sizeof hello, stdin); puts("{\\"koth\\":1}"); return 0; }
"""
GCC = ["gcc", "-o", "bot", "bot.c"]


def error_of(folder: Path, nursery: Nursery) -> tuple[str, str]:
    entrant = load("pazaak", folder, nursery, PATIENT)
    assert entrant.error is not None
    return entrant.error, entrant.traceback


def test_a_build_is_kept_and_done_again_when_a_file_changes(
    write_program: WriteProgram, nursery: Nursery, own_cache: Path
) -> None:
    needs("gcc")
    folder = write_program(files={"bot.c": HELLO}, command=["./bot"], build=GCC)
    first = summoned(folder, nursery)
    assert first.program is not None
    home = Path(first.program.folder)
    assert home.parent == own_cache / "koth" / "built"
    assert sorted(path.name for path in home.iterdir()) == ["bot", "bot.c", "bot.yaml"]
    assert sorted(path.name for path in folder.iterdir()) == ["bot.c", "bot.yaml"]
    made = (home / "bot").stat().st_mtime_ns
    again = summoned(folder, nursery)
    assert again == first
    assert (home / "bot").stat().st_mtime_ns == made
    (folder / "bot.c").write_text(HELLO + "// another\n", encoding="utf-8")
    other = summoned(folder, nursery)
    assert other.hash != first.hash
    assert other.program is not None
    assert other.program.folder != str(home)
    assert not [path for path in home.parent.iterdir() if path.name.startswith(".")]


def test_a_copy_with_what_a_build_may_look_at_has_an_outcome_of_its_own(
    write_program: WriteProgram, nursery: Nursery
) -> None:
    """Else whoever has a rival's files could have them built first, and otherwise."""
    needs("gcc")
    script = "test -d empty || find bot.c -perm -100 | grep . || gcc -o bot bot.c"
    keys = {"command": ["./bot"], "build": ["sh", "build.sh"]}
    files = {"bot.c": HELLO, "build.sh": script}
    folder = write_program(files=files, **keys)
    (folder / "empty").mkdir()
    spoilt = load("pazaak", folder, nursery, PATIENT)
    assert "nor made by its build" in str(spoilt.error)
    (folder / "empty").rmdir()
    (folder / "bot.c").chmod(0o755)
    assert "nor made by its build" in error_of(folder, nursery)[0]
    (folder / "bot.c").chmod(0o644)
    assert summoned(folder, nursery).hash != spoilt.hash


def test_the_compilers_words_are_shown(write_program: WriteProgram, nursery: Nursery) -> None:
    needs("gcc")
    source = HELLO.replace("return 0", "return oops")
    folder = write_program(files={"bot.c": source}, command=["./bot"], build=GCC)
    error, details = error_of(folder, nursery)
    assert error.startswith("build: gcc -o bot bot.c ended with exit status 1: bot.c:4:")
    assert "oops" in error
    assert "In function" in details


# A shell without other programs is enough to try things; what it could not do shows in its status.
SPY = """
for path in {paths}; do
  if (: < "$path") 2> /dev/null; then echo "read $path"; fi
  if (: >> "$path") 2> /dev/null; then echo "wrote $path"; fi
done
if (: > /dev/tcp/127.0.0.1/{port}) 2> /dev/null; then echo "connected"; fi
echo done
exit 1
"""


def test_a_build_sees_nothing_of_others_and_no_network(
    write_program: WriteProgram, nursery: Nursery, tmp_path: Path
) -> None:
    needs("bash")
    rival = write_program("rival", {"secret.txt": "secret"}, command=["./x"])
    os.chmod(rival / "secret.txt", 0o666)
    os.chmod(tmp_path, 0o777)
    ledger = tmp_path / "ledger.sqlite"
    ledger.write_text("won")
    listener = __import__("socket").create_server(("127.0.0.1", 0))
    paths = f"{rival}/secret.txt {ledger} /etc/passwd /proc/self/mem {tmp_path}/made"
    script = SPY.format(paths=paths, port=listener.getsockname()[1])
    folder = write_program(
        files={"spy.txt": script}, command=["./bot"], build=["bash", "./spy.txt"]
    )
    with listener:
        _, words = error_of(folder, nursery)
    assert words == "done"
    assert not (tmp_path / "made").exists()
    assert ledger.read_text() == "won"


def test_what_a_build_starts_ends_with_it(
    write_program: WriteProgram, nursery: Nursery, tmp_path: Path
) -> None:
    needs("bash", "sleep")
    mark = "98765.4321"
    script = f"(sleep {mark} & ) ; (exec sleep {mark}) & echo started; exit 1"
    folder = write_program(files={"s.txt": script}, command=["./b"], build=["bash", "./s.txt"])
    _, words = error_of(folder, nursery)
    assert words == "started"
    deadline = time.monotonic() + 5
    while (left := _running(mark)) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert not left


def _running(mark: str) -> list[str]:
    found = []
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                command = Path("/proc", name, "cmdline").read_bytes()
            except OSError:  # it has ended
                continue
            if command.startswith(b"sleep\0" + mark.encode()):
                found.append(name)
    return found


def test_a_build_has_an_end(
    write_program: WriteProgram, nursery: Nursery, monkeypatch: pytest.MonkeyPatch
) -> None:
    needs("bash")
    monkeypatch.setattr(building, "SECONDS", 1.0)
    script = "while true; do :; done"
    folder = write_program(files={"s.txt": script}, command=["./b"], build=["bash", "./s.txt"])
    assert "build: not done within 1 s" in error_of(folder, nursery)[0]


@pytest.mark.slow
def test_a_fork_bomb_stays_small(write_program: WriteProgram, nursery: Nursery) -> None:
    needs("bash")
    if probe().level != FULL:
        pytest.skip("only where its processes are counted apart")
    script = "for n in {1..500}; do sleep 5 & done; exit 1"
    folder = write_program(files={"s.txt": script}, command=["./b"], build=["bash", "./s.txt"])
    error, words = error_of(folder, nursery)
    assert "Resource temporarily unavailable" in words, (error, words)


@pytest.mark.parametrize(
    ("text", "said"),
    sampled(
        [
            ("name: A\n", "bot.yaml:1: command: Field required"),
            ("name: A\ncommand: [./b]\nbiuld: [x]\n", "bot.yaml:3: biuld: unknown key; known here"),
            ("name: A\ncommand: ./b\n", "bot.yaml:2: command: Input should be a valid list"),
            ("name: A\ncommand: [./b, 3]\n", "bot.yaml:2: command.1: Input should be a valid"),
            ("name: A\ncommand: []\n", "bot.yaml:2: command: List should have at least 1"),
            ("command: [./b]\nname: 5\n", "bot.yaml:2: name: Input should be a valid string"),
            ("name: [a\n", "bot.yaml:2: not YAML"),
            ("- a\n", "bot.yaml: expected keys and values"),
            ("", "bot.yaml: expected keys and values"),
            ("a: &x [b]\nname: *x\n", "bot.yaml:2: no aliases (*x)"),
            ("name: A\nlanes: 0\ncommand: [./b]\n", "bot.yaml:2: lanes: Input should be greater"),
            ("name: A\nlanes: true\ncommand: [./b]\n", "bot.yaml:2: lanes: Input should be a"),
            ('name: A\ncommand: ["./\\0"]\n', "bot.yaml:2: command.0: String should match"),
            ("[" * 16_000, "bot.yaml:1: nested too deeply"),
            ("name: 2001-13-45\ncommand: [./b]\n", "bot.yaml: a value makes no sense: month must"),
            ("name: !!timestamp A\ncommand: [./b]\n", "bot.yaml: a value makes no sense"),
            ("name: !!int ''\ncommand: [./b]\n", "bot.yaml: a value makes no sense"),
            ("name: !!bool A\ncommand: [./b]\n", "bot.yaml: a value makes no sense"),
            (f"lanes: {'1' * 5000}\nname: A\ncommand: [./b]\n", "bot.yaml: a value makes no"),
            (f"name: 0x{'f' * 5000}\ncommand: [./b]\n", "found a number too large to be shown"),
            ('name: "\\Uffffffff"\ncommand: [./b]\n', "bot.yaml: not YAML: Python int too large"),
            ("name: A\nnome: B\n", "; bot.yaml:2: nome: unknown key"),
            ("x: " + "y" * 20_000, "holds more than 16 KB"),
            ("name: A\ncommand: [/bin/sh]\n", "command: /bin/sh lies outside the bot's folder"),
            ("name: A\ncommand: [../b]\n", "command: ../b lies outside the bot's folder"),
            ("name: A\ncommand: [./none]\n", "command: ./none is not in the bot's folder"),
            ("name: A\ncommand: [./bot.yaml]\n", "command: ./bot.yaml is not executable"),
            ("name: A\ncommand: [no_such_thing]\n", "no_such_thing is not installed"),
            ('name: A\ncommand: [""]\n', "is not installed"),
            ("name: ' '\ncommand: [./script]\n", "command: ./script is a script"),
            ("name: A\ncommand: [./b]\nbuild: [no_such_thing]\n", "build: no_such_thing is not"),
        ],
        4,
    ),
)
def test_mistakes_in_a_bots_file_are_told(
    text: str, said: str, write_program: WriteProgram, nursery: Nursery
) -> None:
    folder = write_program(files={"bot.yaml": text, "script": "#!/bin/sh\n"})
    os.chmod(folder / "script", 0o755)
    error, _ = error_of(folder, nursery)
    assert said in error
    assert "\n" not in error


def test_a_folder_has_one_main_file(write_program: WriteProgram, nursery: Nursery) -> None:
    folder = write_program(files={"bot.py": "x = 1"}, command=["./b"])
    assert "found bot.py and bot.yaml" in error_of(folder, nursery)[0]
    (folder / "bot.py").unlink()
    (folder / "bot.yaml").unlink()
    assert "found neither" in error_of(folder, nursery)[0]


def test_hunters_are_in_python(write_program: WriteProgram) -> None:
    nursery = Nursery("camicia", probe().layers, core=None)
    folder = write_program(command=["./b"])
    entrant = load("camicia", folder, nursery, PATIENT)
    nursery.close()
    assert entrant.error == "bots of camicia are in Python: a bot.py, or a file of its own"
