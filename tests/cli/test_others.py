"""`koth new`, `bots`, `doctor`, and what holds for every command."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from harness.cli.main import _COMMANDS
from harness.cli.new import file_stem, source
from tests.cli.conftest import BROKEN, Koth


def test_a_new_bot_plays(koth: Koth, tmp_path: Path, good: Path) -> None:
    answer = koth("new", "pazaak", "My Bot", "--bots", tmp_path)
    assert answer.status == 0, answer.err
    path = tmp_path / "pazaak" / "my_bot.py"
    assert str(path) in answer.out
    assert "koth check pazaak my_bot" in answer.out
    assert "koth duel pazaak my_bot" in answer.out
    checked = koth("check", "pazaak", path, "--games", 400, "--json", "--bots", good)
    assert checked.status == 0, checked.out
    found = checked.json
    assert found["name"] == "My Bot"
    assert sum(found["faults"].values()) == 0
    assert found["rank"] == 1  # it is not stupid
    before = path.read_bytes()
    koth("new", "pazaak", "my bot", "--bots", tmp_path).refused("my_bot.py is there already")
    assert path.read_bytes() == before


@pytest.mark.parametrize("name", ["bot", "🤖", "", "a\nb", "x" * 101])
def test_names_that_cannot_be(koth: Koth, tmp_path: Path, name: str) -> None:
    koth("new", "pazaak", name, "--bots", tmp_path).refused("NAME")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("name", "stem"),
    [("My Bot", "my_bot"), ("T3-M4!", "t3_m4"), ("Éowyn", "eowyn"), ("__init__", "init")],
)
def test_file_names(name: str, stem: str) -> None:
    assert file_stem(name) == stem


@pytest.mark.parametrize("name", ["END", "Player", "class", "3PO", '"""; exit() \\', "{{ x }}"])
def test_any_name_makes_a_class_of_its_own(name: str) -> None:
    found: dict[str, object] = {"__name__": "bot"}
    exec(compile(source("pazaak", name), "bot.py", "exec"), found)
    (own,) = {v for v in found.values() if isinstance(v, type) and v.__module__ == "bot"}
    assert vars(own)["name"] == name
    assert found["END"] == 0


def test_bots(koth: Koth, broken: Path) -> None:
    found = koth("bots", "pazaak", "--json", "--bots", broken).json
    assert [set(one) for one in found] == [
        {"name", "game", "author", "path", "hash", "error"} for _ in range(1 + len(BROKEN))
    ]
    by_file = {Path(one["path"]).stem: one for one in found}
    coin = by_file.pop("coin")
    assert coin["error"] is None
    assert coin["hash"] == hashlib.sha256(Path(coin["path"]).read_bytes()).hexdigest()
    for name, one in by_file.items():
        assert BROKEN[name][1] in one["error"]
    table = koth("bots", "--bots", broken)
    assert table.status == 0
    assert "A Coin" in table.out
    assert "found 2: A, B" in table.out


def test_a_file_called_bot_is_not_let_into_the_folder(koth: Koth, tmp_path: Path) -> None:
    """The folder of a `bot.py` is readable for it; here that would be everybody's."""
    (tmp_path / "pazaak").mkdir()
    (tmp_path / "pazaak" / "bot.py").write_text("")
    (found,) = koth("bots", "--json", "--bots", tmp_path).json
    assert "rename it" in found["error"]


def test_no_bots(koth: Koth, tmp_path: Path) -> None:
    assert koth("bots", "--json", "--bots", tmp_path).json == []
    koth("bots", "pazaak", "--bots", tmp_path).refused("no such folder")
    koth("bots", "poker").refused("no game 'poker'; there are: ", "pazaak")


def test_doctor(koth: Koth) -> None:
    found = koth("doctor", "--json").json
    assert found["sandbox"]["level"] in ("full", "standard", "weak")
    assert {"layer", "ok", "detail", "advice"} <= set(found["sandbox"]["findings"][0])
    assert found["cores_usable"] >= 1
    assert found["packages"]["numpy"] != "missing"
    answer = koth("doctor")
    assert answer.status == 0
    assert f"Sandbox: {found['sandbox']['level']}" in answer.out


@pytest.mark.parametrize("name", _COMMANDS)
def test_every_command_has_its_help(koth: Koth, name: str) -> None:
    answer = koth(name, "--help")
    assert answer.status == 0
    assert answer.out.startswith("Usage: ")


def test_version_and_unknown_command(koth: Koth) -> None:
    assert koth("--version").out.startswith("koth, version ")
    koth("dule").refused("No such command 'dule'")
