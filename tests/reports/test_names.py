"""Names with anything in them: shown as they are, and nothing more than shown."""

from __future__ import annotations

import json
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.reports import index
from harness.reports.files import dumps, write
from harness.reports.markdown import fence, md
from harness.reports.text import visible
from tests.reports.page import Page, board
from tests.reports.synthetic import by_order, event, reported

HOSTILE = [
    "A vs B",
    "A: B - C",
    "|",
    "a | b \\| c",
    "ends in a backslash \\",
    "<img src=x onerror=alert(1)>",
    "</details><script>",
    "<!-- comment",
    "```",
    "``` ` ~~~",
    "line\nbreak",
    "| x |\n|---|\n# heading",
    "tab\tand\r\nmore",
    "emoji \U0001f3b4 \U0001f469\u200d\U0001f680",
    "[red]x[/red]",
    "[/]",
    "[a link](https://example.org)",
    "![an image](x.png)",
    "[x]: https://example.org",
    "https://example.org/a_b",
    "www.example.org",
    "**bold** _em_ __strong__ ~~gone~~",
    "*",
    "# heading",
    "- item",
    "+ item",
    "1. one",
    "---",
    "===",
    "> quote",
    "&lt;b&gt; &#124; &amp;",
    "$x$ \\(y\\)",
    "@everyone",
    "\x1b[31mred\x1b[0m\x07",
    "\u202eRTL override",
    "zero\u200bwidth",
    "nul\x00byte",
    "{{ board.secret }} {% raw %}",
    "'quoted' \"twice\"",
    "x" * 100,
]


def read(text: str) -> str:
    """What a page should show for a name: parsers drop the spaces around a cell."""
    return visible(text).strip()


@pytest.fixture(params=["league", pytest.param("cup", marks=pytest.mark.slow)], scope="module")
def folder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files of an event of all these bots."""
    small = event(HOSTILE, request.param, sets_to_win=1, block_games=40)
    return reported(tmp_path_factory.mktemp("results"), small, by_order(HOSTILE))


@pytest.fixture
def page(folder: Path) -> Page:
    return Page((folder / "leaderboard.md").read_text(encoding="utf-8"))


def test_a_page_of_them_has_its_rows_and_cells_and_nothing_else(page: Page) -> None:
    number = len(HOSTILE)
    tables = page.tables()
    sizes = [{len(row) for row in table} for table in tables]
    assert all(len(widths) == 1 for widths in sizes)
    standings = tables[0]
    assert len(standings) == 1 + number
    column = standings[0].index("bot")
    assert {row[column] for row in standings[1:]} == {read(name) for name in HOSTILE}
    assert {row[column + 1] for row in standings[1:]} == {f"author of {read(n)}" for n in HOSTILE}
    cross = next(table for table in tables if table[0][0] == "")
    assert len(cross) == 1 + number
    assert set(cross[0][1:]) == {row[0] for row in cross[1:]} == {read(name) for name in HOSTILE}
    hashes = next(
        table for table in tables if table[0] == ["bot", "file", "SHA-256 of its content"]
    )
    assert [row[0] for row in hashes[1:]] == [read(name) for name in sorted(HOSTILE)]


def test_no_html_link_image_or_emphasis_comes_from_a_name(page: Page) -> None:
    assert page.foreign_html() == []
    assert page.links() == ["../../docs/explanation/statistics.md", "leaderboard.json", "timing.md"]
    assert not page.markup() & {"em_open", "s_open", "image", "blockquote_open", "hr"}
    assert len(page.headings()) <= 9


def test_the_json_has_them_verbatim(folder: Path) -> None:
    said = board(folder)
    assert {row["name"] for row in said.get("standings", said.get("places"))} == set(HOSTILE)
    assert [e["name"] for e in said["entrants"]] == sorted(HOSTILE)


def test_the_index_shows_them(tmp_path: Path) -> None:
    for number, name in enumerate(HOSTILE):
        facts = {"event": f"event-{number}", "title": name, "format": "cup", "games": 1}
        (tmp_path / f"event-{number}").mkdir()
        path = tmp_path / f"event-{number}" / "leaderboard.json"
        write(path, dumps({**facts, "winners": [name], "entrants": [name]}))
    page = Page(index.page(tmp_path))
    assert sorted(page.links()) == sorted(f"event-{n}/leaderboard.md" for n in range(len(HOSTILE)))
    rows = page.tables()[0][1:]
    assert {row[1] for row in rows} == {row[2] for row in rows} == {read(n) for n in HOSTILE}


@given(st.text())
def test_any_text_is_one_line_of_text(text: str) -> None:
    shown = md(text)
    assert "\n" not in shown
    page = Page(f"| a | b |\n|---|---|\n| {shown} | end |\n\nIn {shown}, too\n\n- {shown}\n")
    assert page.tables()[0][1] == [visible(text).strip(), "end"]
    assert page.markup() <= {
        *("table_open", "table_close", "thead_open", "thead_close", "tbody_open", "tbody_close"),
        *("tr_open", "tr_close", "th_open", "th_close", "td_open", "td_close", "inline", "text"),
        *("paragraph_open", "paragraph_close", "bullet_list_open", "bullet_list_close"),
        *("list_item_open", "list_item_close"),
    }


@given(st.lists(st.sampled_from(["`", "~", "\n", "x", " ", "```\n", "~~~\n"])).map("".join))
def test_nothing_ends_a_code_block_but_its_fence(text: str) -> None:
    page = Page(f"{fence(text)}\n\nend\n")
    assert page.fences() == [text + "\n"]


@given(st.text())
def test_what_is_shown_cannot_act(text: str) -> None:
    for place, char in enumerate(shown := visible(text)):
        if char == "\u200d":  # only inside a picture
            assert unicodedata.category(shown[place + 1]) == "So"
        else:
            assert unicodedata.category(char) not in ("Cc", "Cf", "Cs", "Zl", "Zp")


def test_how_it_is_shown() -> None:
    assert visible("a\nb\x1b[31m\u202e\ud800") == "a\\nb\\x1b[31m\\u202e\\ud800"
    family = "\U0001f469\U0001f3fd\u200d\U0001f680 \u2764\ufe0f\u200d\U0001f525"
    assert visible(family) == family
    assert visible("a\u200db") == "a\\u200db"
    assert visible("a\nb", keep="\n") == "a\nb"


def test_usual_names_stay_readable_in_the_source() -> None:
    for name in ("T3-M4", "N.E.P.T.R.", "The Cincinnati Kid", "snake_case_2", "seeding: A - B"):
        assert md(name) == name


def test_a_lone_surrogate_can_be_written_and_read_back(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    write(path, dumps({"name": "\ud800"}))
    assert json.loads(path.read_text(encoding="utf-8")) == {"name": "\ud800"}
    write(path, md("\ud800"))
    assert path.read_text(encoding="utf-8") == "\\ud800".replace("\\", "&#92;")
