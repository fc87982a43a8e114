"""All files of an event, written anew."""

from __future__ import annotations

from pathlib import Path

from harness.events.run import Event, results_folder
from harness.ledger import Ledger
from harness.reports import faults, index, timing
from harness.reports.document import document
from harness.reports.files import dumps, write
from harness.reports.leaderboard import leaderboard
from harness.reports.played import Played


def write_reports(event: Event, ledger: Ledger, results: Path, bots: Path = Path("bots")) -> None:
    """Write `<results>/<event>/` leaderboard, timing and faults, and `<results>/README.md`.

    Commands on the pages name `results` and `bots` as they are given here. Every file is replaced
    at once. May be called at any time: an event that is not finished is shown as such.
    """
    folder = results_folder(results, event.config.event)
    for kind in ("leaderboard", "timing", "faults"):
        for half in folder.glob(f".{kind}.*"):  # a run was killed while it wrote it
            half.unlink(missing_ok=True)
    played = Played(event, ledger)
    board = document(played)
    write(folder / "leaderboard.json", dumps(board))
    write(folder / "leaderboard.md", leaderboard(board, results))
    spent = timing.document(played)
    write(folder / "timing.json", dumps(spent))
    write(folder / "timing.md", timing.page(spent))
    page = faults.page(played, faults.Folders(results, bots))
    if page is None:
        (folder / "faults.md").unlink(missing_ok=True)
    else:
        write(folder / "faults.md", page)
    page_of_all = results / "README.md"
    if not page_of_all.exists() or page_of_all.read_text(errors="replace").startswith(index.TITLE):
        # Somebody's own README, where the results folder is a project of its own, stays.
        write(page_of_all, index.page(results))
