"""The bots that the documentation shows play, and are what it says of them."""

from __future__ import annotations

import re
import textwrap
from pathlib import Path

import pytest

from harness import games
from tests.cli.conftest import ROOT, Koth

PAGES = [
    ("pazaak", "README.md"),
    ("pazaak", "docs/tutorial/first-bot.md"),
    *((game, f"docs/games/{game}.md") for game in ("bs", "spades", "azi")),
]


def bot_on(page: str) -> str:
    """The source of the one bot on a page, in a fence or indented."""
    text = (ROOT / page).read_text(encoding="utf-8")
    fenced = re.findall(r"```python\n(from harness.*?)```", text, flags=re.DOTALL)
    indented = re.findall(r"(?:^    from harness\.games.*\n(?:(?:    .*)?\n)+)", text, re.MULTILINE)
    (source,) = [*fenced, *map(textwrap.dedent, indented)]
    return str(source)


@pytest.mark.parametrize(
    ("game", "page"),
    [
        pytest.param(game, page, marks=[] if game == "bs" else pytest.mark.slow)
        for game, page in PAGES
    ],
)
def test_a_bot_on_a_page_plays_without_a_fault(
    koth: Koth, tmp_path: Path, game: str, page: str
) -> None:
    path = tmp_path / game / "shown.py"
    path.parent.mkdir()
    path.write_text(bot_on(page), encoding="utf-8")
    answer = koth("check", game, path, "--games", 40, "--json", "--bots", tmp_path)
    assert answer.status == 0, answer.out + answer.err
    found = answer.json
    assert found["refused"] == []
    assert sum(found["faults"].values()) == sum(found["faults_before"].values()) == 0


@pytest.mark.slow
def test_the_hunter_on_its_page_finds_games(koth: Koth, tmp_path: Path) -> None:
    (tmp_path / "sampler.py").write_text(bot_on("docs/games/camicia.md"), encoding="utf-8")
    answer = koth("check", "camicia", tmp_path / "sampler.py", "--bots", tmp_path)
    assert answer.status == 0, answer.out + answer.err
    assert "longest: " in answer.out


@pytest.mark.parametrize("game", games.names())
def test_a_new_bot_names_pages_that_are_there(game: str) -> None:
    template = ROOT / "harness" / "games" / game / "new_bot.py.j2"
    named = re.findall(r"docs/[\w/.-]*\w", template.read_text(encoding="utf-8"))
    assert all((ROOT / page).is_file() for page in named)
    assert any(page in (f"docs/games/{game}.md", "docs/tutorial/first-bot.md") for page in named)
    if game != "pazaak":
        assert "docs/tutorial/first-bot.md" not in named
