"""The hunt: what counts, what is stored, merged and resumed, and hunters that misbehave."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import sys
import textwrap
import time
from pathlib import Path
from typing import Any

import pytest

from harness.config import HuntConfig, read_hunt
from harness.entrants import Entrant
from harness.errors import UserError
from harness.events.hunt import Haul, Hunt, Leash, doubt, same_hunt
from harness.games.camicia import frames, records
from harness.games.camicia.deals import pack_deal
from harness.hunt_ledger import Find, HuntLedger, Stretch, read_foreign
from harness.reports.boards import hunt_board
from harness.reports.hunt import document, doubts, write_hunt
from tests.cli.conftest import ROOT, Koth, koth  # noqa: F401 (a fixture)

FINISHED = [r for r in records.records() if r.claimed.status == "finished"]
DEALS = [record.deal for record in FINISHED]  # by length, the shortest first
LOOP = next(r.deal for r in records.records() if r.claimed.status == "loop")


def make_hunt(source: str = "here", names: str = "ab", **config: Any) -> Hunt:
    values = {"event": "small", "game": "camicia", "format": "hunt", "seconds": 10, **config}
    entrants = [Entrant(n, "camicia", "", n, f"/bots/{n}.py", f"hash of {n}") for n in names]
    facts = {"secret": "5e" * 32, "source": source}
    return Hunt(HuntConfig.model_validate(values), entrants, facts, "full")


def haul(*deals: str, bot: str = "a", number: int = 0, cpu: float = 1.0, **more: Any) -> Haul:
    return Haul(bot, number, cpu, 1000, list(deals), **more)


# -- what counts ---------------------------------------------------------------------------


def test_every_deal_is_judged() -> None:
    hunt = make_hunt()
    spelled = " ".join(DEALS[0]).replace("-", "10")
    taken = hunt.take(haul(DEALS[0], LOOP, DEALS[1], DEALS[0], spelled, "J/J", "nonsense"))
    assert [(f.deal, f.cards, f.tricks) for f in taken.found] == [
        (record.deal, record.claimed.cards, record.claimed.tricks) for record in FINISHED[:2]
    ]
    assert taken.stretch == Stretch("here", "a", 0, 1.0, 1000, 7, equivalent=2, rejected=2, loops=1)
    assert [row[3] for row in taken.rejected] == [
        "deck A has 1 cards instead of 26",
        "'nonsense' is no deal: expected two decks separated by one `/`, as in `--J-/-Q--`; "
        "found 0 of them",
    ]
    best = hunt.best("a")
    assert best is not None
    assert best.deal == DEALS[1]
    assert hunt.best("b") is None


def test_only_the_longest_are_kept() -> None:
    hunt = make_hunt(keep=2)
    assert [f.deal for f in hunt.take(haul(*DEALS[:2])).found] == DEALS[:2]
    taken = hunt.take(haul(DEALS[2], DEALS[0], number=1))
    assert [f.deal for f in taken.found] == [DEALS[2]]
    assert [f.deal for f in taken.forgotten] == [DEALS[0]]
    assert [f.deal for f in hunt.longest()] == [DEALS[2], DEALS[1]]


def test_ties_go_by_tricks_and_then_to_the_earlier() -> None:
    def find(cards: int, tricks: int, found: str) -> Find:
        return Find("a", "deal", cards, tricks, found, 1.0, "here")

    best, second = find(9, 3, "2026-01"), find(9, 3, "2026-02")
    third, last = find(9, 2, "2025-01"), find(8, 9, "2025-01")
    ordered = sorted([last, second, third, best], key=lambda one: one.order)
    assert ordered == [best, second, third, last]


def test_a_deal_that_two_have_found_is_the_first_ones() -> None:
    hunt = make_hunt()
    hunt.take(haul(DEALS[0], bot="b"))
    hunt.take(haul(DEALS[0], bot="a"))
    assert [find.bot for find in hunt.longest()] == ["b"]
    assert [row["rank"] for row in document(hunt)["standings"] if row["name"] == "b"] == [1]


# -- who hunts -----------------------------------------------------------------------------


def test_stretches_share_the_budget() -> None:
    hunt = make_hunt(seconds=10, stretch_seconds=4)
    running: list[Leash] = []
    for _ in range(6):
        leash = hunt.next(running)
        assert leash is not None
        running.append(leash)
    assert hunt.next(running) is None
    assert sorted((one.entrant.name, one.number, one.seconds) for one in running) == [
        *(("a", 0, 4), ("a", 1, 4), ("a", 2, 2), ("b", 0, 4), ("b", 1, 4), ("b", 2, 2)),
    ]
    assert len({hunt.seed(one) for one in running}) == 6
    hunt.take(haul(number=0, cpu=4.0))
    hunt.take(haul(number=1, cpu=3.0))
    following = hunt.next([])
    assert following is not None
    assert (following.entrant.name, following.seconds) == ("b", 4)
    assert hunt.seconds_left == 13


def test_who_keeps_failing_is_retired() -> None:
    hunt = make_hunt(budgets={"max_faults": 1})
    for number in range(2):
        assert hunt.retired("a") is None
        hunt.take(haul(number=number, cpu=0.1, fault=("exception", "Traceback")))
    assert hunt.retired("a") == "exception"
    hunt.take(haul(bot="b", fault=("start", "no module")))
    assert hunt.retired("b") == "start"
    assert hunt.next([]) is None


def test_whose_hunt_returns_is_done() -> None:
    hunt = make_hunt(names="a")
    hunt.take(haul(DEALS[0], cpu=0.01, over=True))
    assert hunt.next([]) is None


# -- the ledger ----------------------------------------------------------------------------


def stored(folder: Path, hunt: Hunt, *hauls: Haul) -> Path:
    folder.mkdir()
    with HuntLedger(folder / "ledger.sqlite") as ledger:
        ledger.change_event(hunt.facts())
        for one in hauls:
            ledger.store([hunt.take(one)])
    return folder / "ledger.sqlite"


def test_a_ledger_holds_all_of_a_hunt(tmp_path: Path) -> None:
    hunt = make_hunt(keep=2)
    hauls = [haul(*DEALS[:3]), haul("x", cpu=2.0), haul(bot="b", fault=("crash", "signal 9"))]
    path = stored(tmp_path / "one", hunt, *hauls)
    again = make_hunt(keep=2)
    with HuntLedger(path) as ledger:
        assert ledger.event() == hunt.facts()
        again.learn(ledger)
    assert document(again) == document(hunt)
    assert again.stretches == hunt.stretches
    assert [find.deal for find in again.longest()] == [DEALS[2], DEALS[1]]


def test_merging_is_a_union(tmp_path: Path) -> None:
    one, two = make_hunt("one"), make_hunt("two", names="bc")
    mine = stored(tmp_path / "one", one, haul(DEALS[0], DEALS[3]))
    theirs = stored(tmp_path / "two", two, haul(DEALS[3], DEALS[5], bot="b"), haul(bot="c"))
    for _ in range(2):  # merging the same again changes nothing
        with HuntLedger(mine) as ledger:
            one.merge(read_foreign(theirs), "two", ledger)
            again = make_hunt("one")
            again.known = one.known
            again.finds = {name: {} for name in one.known}
            again.learn(ledger)
        assert document(again) == document(one)
        rows = {row["name"]: row for row in document(one)["standings"]}
        assert {name: row["cpu_seconds"] for name, row in rows.items()} == {"a": 1, "b": 1, "c": 1}
        assert [find.deal for find in one.longest()] == [DEALS[5], DEALS[3], DEALS[0]]
        assert one.longest()[1].bot == "a"  # found it earlier
    # The budget is every machine's own.
    assert one.seconds_used("b") == 0


def test_lies_are_not_merged(tmp_path: Path) -> None:
    one = make_hunt("one")
    mine = stored(tmp_path / "one", one, haul(DEALS[0]))
    before = document(one)
    theirs = stored(tmp_path / "two", make_hunt("two"), haul(DEALS[1]))
    lies = [
        ("UPDATE finds SET cards = 9999", "is said to end after 9999 cards"),
        (f"UPDATE finds SET cards = 6913, deal = '{LOOP}'", "played, it comes to loop"),
        ("UPDATE finds SET deal = 'J/J'", "deck A has 1 cards"),
    ]
    for change, reason in lies:
        db = sqlite3.connect(theirs)
        db.execute(change)
        db.commit()
        db.close()
        with HuntLedger(mine) as ledger, pytest.raises(UserError, match=reason):
            one.merge(read_foreign(theirs), "two", ledger)
        assert document(one) == before
    stranger = make_hunt("three")
    stranger.known["a"]["hash"] = "another"
    other = stored(tmp_path / "three", stranger)
    with HuntLedger(mine) as ledger, pytest.raises(UserError, match="its a is another one"):
        one.merge(read_foreign(other), "three", ledger)
    (tmp_path / "text").write_text("no ledger" * 1000)
    with pytest.raises(UserError, match="cannot be read as a ledger"):
        read_foreign(tmp_path / "text")


def test_what_may_change_in_a_hunt_that_goes_on() -> None:
    one, longer = make_hunt(seconds=10), make_hunt(seconds=20)
    assert same_hunt(one.facts(), longer.facts()) == []
    assert same_hunt(one.facts(), make_hunt(names="abc").facts()) == []
    assert same_hunt(one.facts(), make_hunt(keep=7).facts()) == ["keep: there 100, here 7"]
    longer.known["a"] = {**longer.known["a"], "hash": "another"}
    assert same_hunt(one.facts(), longer.facts()) == ["the file of a has changed"]


def test_configs(tmp_path: Path) -> None:
    assert read_hunt(ROOT / "configs" / "camicia-hunt.yaml").game == "camicia"
    path = tmp_path / "hunt.yaml"
    path.write_text("event: x\ngame: camicia\nformat: hunt\nsecnds: 5\n")
    with pytest.raises(UserError, match=r"hunt.yaml:4: secnds: unknown key; known here: budgets"):
        read_hunt(path)
    path.write_text("event: x\ngame: pazaak\nformat: hunt\n")
    with pytest.raises(UserError, match="pazaak is no game to hunt in"):
        read_hunt(path)


# -- the leaderboard -----------------------------------------------------------------------


def test_a_leaderboard_can_be_checked(tmp_path: Path) -> None:
    hunt = make_hunt()
    hunt.take(haul(*DEALS[:3], "<b>| 7"))
    (tmp_path / "small").mkdir()
    write_hunt(hunt, tmp_path)
    board = hunt_board(tmp_path / "small")
    assert board == json.loads(json.dumps(document(hunt)))
    assert board is not None
    assert doubts(board) == []
    page = (tmp_path / "small" / "leaderboard.md").read_text()
    assert DEALS[2] in page
    assert "<b>" not in page
    assert "[small](small/leaderboard.md)" in (tmp_path / "README.md").read_text()
    board["longest"][0]["tricks"] += 1
    board["longest"].reverse()
    assert len(doubts(board)) == 2
    assert doubt(DEALS[0], 5790, 805) is None


def test_replies_can_be_anything() -> None:
    import numpy as np

    reply = np.zeros(1, frames.REPLY.dtype())
    payload = memoryview(reply.view(np.uint8).data)[2:]
    sent = frames.Catch([DEALS[0], "ä" * 500, "two\nlines"], 5, False)
    reply["code"] = frames.encode(sent, payload)
    assert frames.decode(reply[0]) == ([DEALS[0], "?" * 191, "two lines"], 5, False)
    for broken in ("a deal", frames.Catch([], None, False)):  # type: ignore[arg-type]
        assert frames.encode(broken, payload) < 0
    reply.view(np.uint8)[:] = 0xFF  # whatever a hostile process may write
    reply["code"] = 32767
    deals, tried, over = frames.decode(reply[0])
    assert len(deals) <= frames.MOST_DEALS
    assert tried == (1 << 63) - 1
    assert over


# -- real hunters in the sandbox -----------------------------------------------------------

HUNTERS = {
    "honest": f"""
        def hunt(self):
            yield {DEALS[3]!r}
            while True:
                self.tried += 1
                yield None
    """,
    "compiled": f"""
        def hunt(self):
            row = np.array({pack_deal(DEALS[4])!r}, np.uint64)
            while True:
                deals, cards = closure(row, 20)
                self.tried += len(lengths(deals))
                yield from deals
    """,
    "liar": """
        tried = 1 << 200
        def hunt(self):
            while True:
                yield "J" * 26 + "/" + "-" * 26
                yield 5
    """,
    "thief": """
        def hunt(self):
            import os
            yield open("/etc/passwd").read()
    """,
    "brief": """
        def hunt(self):
            yield "-"
    """,
    "sleeper": """
        def hunt(self):
            while True:
                pass
            yield None
    """,
}


def _write(folder: Path, sources: dict[str, str]) -> Path:
    home = folder / "camicia"
    home.mkdir(parents=True)
    header = "import numpy as np\nfrom harness.games.camicia import Hunter\n"
    header += "from harness.games.camicia.closure import closure\n"
    header += "from harness.games.camicia.lockstep import lengths\n"
    for name, source in sources.items():
        body = textwrap.indent(textwrap.dedent(source), "    ")
        text = f"{header}\nclass {name.capitalize()}(Hunter):\n{body}"
        (home / f"{name}.py").write_text(text, encoding="utf-8")
    (folder / "hunt.yaml").write_text(
        "event: small\ngame: camicia\nformat: hunt\nseconds: 0.4\nslice_seconds: 0.1\n"
        "budgets: {max_faults: 1, decision_seconds: 0.3, decision_wall_seconds: 5}\n",
        encoding="utf-8",
    )
    return folder


def test_hunters_in_the_sandbox(koth: Koth, tmp_path: Path) -> None:  # noqa: F811
    folder = _write(tmp_path, HUNTERS)
    words = ["hunt", folder / "hunt.yaml", "--bots", folder, "--results", folder]
    answer = koth(*words, "--workers", 1)
    assert answer.status == 0, answer.err
    board = hunt_board(folder / "small")
    assert board is not None
    rows = {row["name"]: row for row in board["standings"]}
    assert rows["Honest"]["best"]["deal"] == DEALS[3]
    assert rows["Honest"]["tried"] > 100
    assert 0.3 < rows["Honest"]["cpu_seconds"] < 1.0
    assert rows["Compiled"]["best"]["cards"] >= 7959
    assert rows["Compiled"]["equivalent"] > 0
    assert rows["Compiled"]["faults"] == {}
    assert board["winners"] == ["Compiled"]
    assert (rows["Liar"]["best"], rows["Liar"]["retired"]) == (None, "exception")
    assert rows["Liar"]["faults"] == {"exception": 2}
    assert rows["Thief"]["best"] is None
    assert rows["Brief"]["rejected"] == 1
    assert rows["Sleeper"]["faults"] == {"timeout": 2}
    reasons = {row["bot"]: row["reason"] for row in board["rejected"]}
    assert reasons["Liar"] == "26 cards are J; a pack has 4"
    assert rows["Liar"]["rejected"] == 2  # one of either process


@pytest.mark.slow
def test_a_hunt_that_is_over_is_only_reported_and_merges(koth: Koth, tmp_path: Path) -> None:  # noqa: F811
    folder = _write(tmp_path, HUNTERS)
    words = ["hunt", folder / "hunt.yaml", "--bots", folder, "--results", folder]
    assert koth(*words, "--workers", 2).status == 0
    board = hunt_board(folder / "small")
    assert koth(*words, "--quiet").status == 0
    assert hunt_board(folder / "small") == board
    assert koth("verify", folder / "small").status == 0
    # And ledgers merge, into a folder that is made for it.
    merged = koth(
        *("hunt", "--merge", folder / "hunt.yaml", folder / "small" / "ledger.sqlite"),
        *("--results", tmp_path / "merged"),
    )
    assert merged.status == 0, merged.err
    both = hunt_board(tmp_path / "merged" / "small")
    assert board is not None
    assert both is not None
    assert both["longest"] == board["longest"]


@pytest.mark.slow
def test_a_killed_hunt_goes_on(koth: Koth, tmp_path: Path) -> None:  # noqa: F811
    folder = _write(tmp_path, {"honest": HUNTERS["honest"]})
    words = ["hunt", str(folder / "hunt.yaml"), "--bots", str(folder), "--results", str(folder)]
    command = [sys.executable, "-m", "harness", *words, "--seconds", "500", "--workers", "1"]
    environment = dict(os.environ, PYTHONPATH=str(ROOT))
    ledger = folder / "small" / "ledger.sqlite"
    with subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL) as process:
        try:
            deadline = time.monotonic() + 60
            while time.monotonic() < deadline and not (ledger.exists() and _cpu(ledger) > 0.4):
                time.sleep(0.05)
        finally:
            process.send_signal(signal.SIGKILL)
    before = _cpu(ledger)
    assert before > 0.4
    answer = koth(*words, "--workers", 1, "--seconds", before + 0.5)
    assert answer.status == 0, answer.err
    after = _cpu(ledger)
    assert before + 0.4 < after < before + 1.5
    board = hunt_board(folder / "small")
    assert board is not None
    assert board["longest"][0]["deal"] == DEALS[3]
    assert len({stretch.number for stretch in read_foreign(ledger).stretches}) == 2


def _cpu(ledger: Path) -> float:
    try:
        return sum(stretch.cpu for stretch in read_foreign(ledger).stretches)
    except UserError:  # it is just being made
        return 0.0
