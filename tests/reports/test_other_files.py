"""What lies beside a leaderboard: timing, faults, and the index of all events."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

from harness.arena.faults import EXAMPLES_PER_KIND, Example
from harness.arena.job import Result
from harness.events.match import Match
from harness.reports.event import write_reports
from tests.reports.conftest import Report
from tests.reports.page import Page, page
from tests.reports.synthetic import always, block, by_order, event, played

NAMES = ["Ant", "<Bee>", "Cat"]


def test_timing_adds_up(report: Report) -> None:
    folder = report(event(NAMES), by_order(NAMES))
    spent = json.loads((folder / "timing.json").read_text(encoding="utf-8"))
    assert (spent["games"], spent["blocks"]) == (120, 6)
    assert spent["seconds"] == 6 * 10 / 8
    assert spent["games_per_second"] == 16
    ant = next(bot for bot in spent["bots"] if bot["name"] == "Ant")
    assert ant == {
        "name": "Ant",
        "decisions": 4 * 270,
        "cpu_seconds": 10.0,
        "microseconds_per_decision": 9259.259,
        "start_cpu_seconds": 0.5,
        "milliseconds_per_start": 62.5,
        "memory_mb": 13.7,
    }
    assert {"python", "numpy", "numba", "cryptography"} == set(spent["versions"])
    table = Page((folder / "timing.md").read_text(encoding="utf-8")).tables()[0]
    assert [row[0] for row in table[1:]] == ["<Bee>", "Ant", "Cat"]


def test_nothing_that_varies_is_in_the_leaderboard(report: Report) -> None:
    spent = json.loads((report(event(NAMES), by_order(NAMES)) / "timing.json").read_text("utf-8"))
    folder = report(event(NAMES), by_order(NAMES), place="again")
    text = page(folder) + (folder / "leaderboard.json").read_text(encoding="utf-8")
    for words in (spent["written"][:10], spent["machine"]["processor"], "numba", "9259"):
        assert words not in text


def test_without_faults_there_is_no_page_of_them(report: Report) -> None:
    assert not (report(event(NAMES), by_order(NAMES)) / "faults.md").exists()


def example(kind: str, leg: int, deal: int, text: str = "", code: int | None = None) -> Example:
    return Example(kind, leg, deal, {"total": 17, "hand": (10, 7)}, code, text)


def faulty(match: Match, number: int, deals: int) -> Result:
    """<Bee> does everything wrong."""
    if "<Bee>" not in match.players:
        return block(deals, 0)
    trace = "Traceback:\n" + "  deeper\n" * 99 + "ValueError: ```\n<b>\x1b[31m|"
    examples = [
        example("exception", 1, 2, trace),
        example("illegal", 0, 3, code=7),
        example("illegal", 0, 4, code=8),
        Example("start", 0, -1, traceback="it did not load"),
    ]
    side = match.players.index("<Bee>")
    both: tuple[list[Example], list[Example]] = ([], [])
    both[side].extend(examples)
    counts: list[dict[str, int]] = [{}, {}]
    counts[side] = {"exception": 1, "illegal": 2, "start": 1}
    return block(deals, 0, examples=both, faults=(counts[0], counts[1]))


def test_the_first_faults_of_every_kind_with_their_circumstances(report: Report) -> None:
    folder = report(event(NAMES), faulty)
    text = (folder / "faults.md").read_text(encoding="utf-8")
    read = Page(text)
    assert read.headings()[:2] == ["Faults: synthetic-league", "<Bee>"]
    kinds = [heading.split(":")[0] for heading in read.headings()[2:]]
    assert kinds == ["illegal"] * 3 + ["exception"] * 3 + ["start"] * 3
    assert EXAMPLES_PER_KIND == 3
    assert read.headings()[2] == "illegal: match: <Bee> - Ant, game 7"
    # The second block's games follow those of the first.
    assert read.headings()[4] == "illegal: match: <Bee> - Ant, game 27"
    assert read.headings()[5] == "exception: match: <Bee> - Ant, game 6"
    assert read.headings()[8] == "start: match: <Bee> - Ant, at the start of block 0"
    assert "It answered 7." in text
    fences = read.fences()
    assert "total = 17\nhand = [10, 7]\n" in fences
    replay = next(shlex.split(code) for code in fences if code.startswith("koth"))
    assert replay == ["koth", "replay", "results/synthetic-league", "bee", "ant", "7"]
    (trace, *_) = [code for code in fences if "ValueError" in code]
    assert trace.startswith("...\n")
    assert trace.endswith("ValueError: ```\n<b>\\x1b[31m|\n")
    assert len(trace.splitlines()) == 41
    assert read.foreign_html() == []


def test_a_fault_in_a_set_is_replayed_from_that_set(report: Report) -> None:
    folder = report(event(NAMES[:2], "cup"), faulty)
    text = (folder / "faults.md").read_text(encoding="utf-8")
    assert "koth replay results/synthetic-cup bee ant 7 --set 0" in text


def test_commands_name_the_folders_that_were_given(tmp_path: Path) -> None:
    league = event(NAMES)
    folder = tmp_path / "my results" / league.config.event
    with played(folder, league, faulty) as ledger:
        write_reports(league, ledger, folder.parent, tmp_path / "bots")
    (replay, *_) = [c for c in Page((folder / "faults.md").read_text()).fences() if "koth" in c]
    words = ["bee", "ant", "7", "--bots", str(tmp_path / "bots")]
    assert shlex.split(replay) == ["koth", "replay", str(folder), *words]
    commands = Page((folder / "leaderboard.md").read_text()).fences()[-2].splitlines()
    assert shlex.split(commands[-1]) == ["koth", "verify", str(folder)]


def test_a_page_of_faults_goes_when_they_do(report: Report, tmp_path: Path) -> None:
    folder = report(event(NAMES), faulty)
    assert (folder / "faults.md").exists()
    (folder / "ledger.sqlite").unlink()
    report(event(NAMES), always())
    assert not (folder / "faults.md").exists()


def test_the_index_links_every_event_and_minds_nothing_else(report: Report, tmp_path: Path) -> None:
    broken = {"nothing": "", "list": "[]", "other": '{"event": 3}', "text": "no JSON"}
    for name, text in broken.items():
        (tmp_path / "results" / name).mkdir(parents=True)
        (tmp_path / "results" / name / "leaderboard.json").write_text(text, encoding="utf-8")
    report(event(NAMES), by_order(NAMES))
    folder = report(event(NAMES[:2], "cup"), by_order(NAMES))
    read = Page((folder.parent / "README.md").read_text(encoding="utf-8"))
    assert read.links() == ["synthetic-cup/leaderboard.md", "synthetic-league/leaderboard.md"]
    assert read.tables()[0][1:] == [
        ["synthetic-cup", "Simple Pazaak Cup", "Ant", "2", "180"],
        ["synthetic-league", "Simple Pazaak League", "Ant", "3", "120"],
    ]
