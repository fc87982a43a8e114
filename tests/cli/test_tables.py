"""What the commands make of games that are played at tables, on BS."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import sqlite3
from pathlib import Path

import pytest

from harness.arena.replay import find_game
from harness.events.archive import recorded_match
from harness.events.executor import on_cores, play_one
from harness.events.replay import Replay
from harness.events.tables import Tables
from harness.games.about import rotation
from harness.sandbox.probe import probe
from tests.cli.conftest import Koth
from tests.cli.leaves import NOT_VERIFIED, check, kind, leaves
from tests.events.small import SECRET, Small

RUN = ("--workers", 1)


@pytest.fixture(scope="session")
def small(koth: Koth, tmp_path_factory: pytest.TempPathFactory) -> Small:
    """Five bots of BS that have played 140 games in three blocks; Clumsy is absent from the last.

    The results lie in `whole/small`.
    """
    small = Small.make(tmp_path_factory.mktemp("tables"), "tables")
    config = small.folder / "small.yaml"
    # On a busy machine the clock would retire others than Clumsy.
    patient = "max_faults: 3, wall_factor: 1000, start_wall_seconds: 99, decision_wall_seconds: 99"
    config.write_text(config.read_text().replace("max_faults: 3", patient))
    answer = koth(*small.command("whole", "--games", "100", "--secret", SECRET, *map(str, RUN))[3:])
    assert answer.status == 0, answer.err
    return small


@pytest.fixture
def copy(small: Small, tmp_path: Path) -> Path:
    """The results, to be changed."""
    return Path(shutil.copytree(small.folder / "whole" / "small", tmp_path / "small"))


@pytest.fixture
def alone(copy: Path) -> Path:
    """The leaderboard without its ledger."""
    (copy / "ledger.sqlite").unlink()
    return copy


# -- replay ------------------------------------------------------------------------------------


def test_a_game_is_told_as_it_was_played(small: Small) -> None:
    """Also where Clumsy, retired in an earlier block, is played for by the rules."""
    report = probe()
    event, match, rows = recorded_match(
        small.folder / "whole" / "small",
        *((), None, small.folder / "bots", report.layers, report.level),
    )
    assert [row.absent for row in rows.values()][-1] == (match.players.index("Clumsy"),)
    with on_cores(1) as executor:
        replays = Replay(event, match, executor, rows)
        last = max(rows)
        result = play_one(executor, event.task(match, last, dict(match.blocks())[last]))
        told = 0
        for game in range(last * match.block_games + 1, match.games + 1, 7):
            _, watch = match.place(game)
            seats = [match.players[n] for n in result.seated[watch.leg, watch.deal]]
            (winner,) = result.won[watch.leg, watch.deal].nonzero()[0]
            lines = list(replays.tell(game, str))
            absent = "Clumsy" in seats
            told += absent
            assert lines[absent] == f"New game: {', '.join(seats)}, in this order."
            assert (lines[0] == "Retired before: Clumsy; the rules play for the absent.") == absent
            assert any(line == f"{seats[winner]} has no card left and wins." for line in lines)
            if absent:
                assert lines[-1].startswith(f"Counted: won by {seats[winner]}; cards not held: ")
            assert not any("differently than recorded" in line for line in lines)
        assert told > 0
        loser = match.players.index("First")
        lost = find_game(result, 0, lost_by=loser)
        assert lost is not None
        first = last * match.block_games + 1
        assert replays.find(first, "First", faulty=False) == first + lost


@pytest.mark.slow
def test_no_bots_are_named_for_an_event_at_tables(koth: Koth, small: Small) -> None:
    where, bots = small.folder / "whole" / "small", small.folder / "bots"
    answer = koth("replay", where, "--lost-by", "first", "--faulty", "--bots", bots)
    assert answer.status == 0, answer.err
    lines = answer.out.splitlines()
    assert re.match(r"The first game lost by First and with a fault from game 1 on is", lines[0])
    assert re.match(r"Game \d+ of 140, tables$", lines[1])
    assert any("committed a fault: " in line for line in lines)
    # The page of faults says it in the same words.
    page = (where / "faults.md").read_text()
    (command, *_) = re.findall(r"^koth replay (.*)$", page, flags=re.MULTILINE)
    named, number, *rest = shlex.split(command)
    assert (Path(named), rest) == (where, ["--bots", str(bots)])
    assert number.isdecimal()


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("EVENT", "Dice", "1"), "name no bots. The first game that one lost: koth replay "),
        *(
            pytest.param(*case, marks=pytest.mark.slow)
            for case in (
                (("EVENT", "Dice"), "--lost-by dice"),
                (("EVENT", "silnet"), "there were: Clumsy, Dice, First, Memory, Silent; did you"),
                (("EVENT", "--lost-by", "Frist"), "did you mean first?"),
                (("EVENT",), "which game?"),
                (("EVENT", "1", "--set", "1"), "name no set"),
                (("EVENT", "0"), "there is no game 0"),
                (("EVENT", "141"), "there is no game 141"),
                (("bs", "first", "dice", "1", "--secret", SECRET), "name at least 4 bots"),
                (("pazaak", "bold", "1", "--secret", SECRET), "name two bots"),
            )
        ),
    ],
)
def test_wrong_usage_of_replay(
    koth: Koth, small: Small, words: tuple[str, ...], expected: str
) -> None:
    where, *rest = words
    where = str(small.folder / "whole" / "small") if where == "EVENT" else where
    koth("replay", where, *rest, "--bots", small.folder / "bots").refused(expected)


def test_two_bots_at_tables_of_four_play_as_many_games_as_they_are_given(
    koth: Koth, tmp_path: Path
) -> None:
    words = ("--only", "simple,always_call_greedy", "--games", 8, "--results", tmp_path)
    answer = koth("tables", "azi", *words, "--dry-run")
    assert answer.status == 0, answer.err
    assert re.search(r"^games +8 per bot; 8 in all$", answer.out, re.MULTILINE)
    match = Tables(["a", "b"], 8, 8, rotation(4), by_points=True, units=20).match
    assert (match.label, match.games) == ("tables", 8)


# -- verify ------------------------------------------------------------------------------------


@pytest.mark.slow
def test_what_was_played_is_confirmed(koth: Koth, small: Small) -> None:
    where, bots = small.folder / "whole" / "small", small.folder / "bots"
    answer = koth("verify", where, "--blocks", "all", *RUN, "--bots", bots)
    assert answer.status == 0, answer.out + answer.err
    assert "3 of 3 played again, all as recorded" in answer.out


@pytest.mark.slow
def test_a_leaderboard_is_enough(koth: Koth, small: Small, alone: Path) -> None:
    answer = koth("verify", alone, "--blocks", 3, *RUN, "--bots", small.folder / "bots")
    assert answer.status == 0, answer.out + answer.err
    assert "3 of 3 played again, all as recorded" in answer.out


def changed(path: Path, where: str) -> None:
    """Add one to the number at `where`, for instance `matches.0.blocks.1.wins.0`."""
    document = json.loads(path.read_text())
    at = document
    *way, last = [int(part) if part.isdecimal() else part for part in where.split(".")]
    for part in way:
        at = at[part]
    at[last] += 1
    path.write_text(json.dumps(document))


@pytest.mark.parametrize(
    ("where", "named"),
    [
        ("standings.0.mean.value", "standings[0].mean.value: recorded"),
        # wins of a line-up's first player, and a player's wins in the block
        ("matches.0.blocks.0.tallies.0.3.0", "tables, block 0: wins of Clumsy recorded as 0, in"),
        pytest.param(
            "matches.0.blocks.0.wins.1",
            "tables, block 0: wins of Dice recorded as",
            marks=pytest.mark.slow,
        ),
        pytest.param("matches.0.blocks.0.tallies.0.4.0", "standings[", marks=pytest.mark.slow),
    ],
)
def test_a_changed_digit_in_the_leaderboard_is_named(
    koth: Koth, small: Small, alone: Path, where: str, named: str
) -> None:
    changed(alone / "leaderboard.json", where)
    answer = koth("verify", alone, "--bots", small.folder / "bots")
    assert answer.status == 1
    assert "leaderboard  DIFFERS  " in answer.out
    assert named in answer.out


@pytest.mark.slow
@pytest.mark.timeout(900)  # hundreds of changes, one at a time
def test_every_changed_leaf_is_named(small: Small, alone: Path) -> None:
    """Also those that nothing else is made of: then the blocks are played again.

    These are products of points, so of one line-up a block they are enough.
    """
    board = alone / "leaderboard.json"
    places = [*leaves(json.loads(board.read_text()))]
    wanted = [place for place in places if kind(place[0]) not in NOT_VERIFIED]
    once = [place for place in wanted if place[0][4:5] != ("tallies",) or place[0][5] == 0]
    assert len(wanted) > len(once) > 200
    check(board, small.folder / "bots", once)


@pytest.mark.slow
def test_a_changed_digit_in_the_ledger_is_named(koth: Koth, small: Small, copy: Path) -> None:
    (copy / "leaderboard.json").unlink()
    with sqlite3.connect(copy / "ledger.sqlite") as ledger:
        ledger.execute(
            "UPDATE block_players SET decisions = decisions + 1 WHERE block = 2 AND player = 1"
        )
    ledger.close()
    bots = small.folder / "bots"
    answer = koth("verify", copy, "--blocks", "all", *RUN, "--bots", bots)
    assert answer.status == 1
    assert "tables, block 2: decisions of Dice recorded as " in answer.out


# -- check -------------------------------------------------------------------------------------


def test_a_bot_is_checked_at_tables(koth: Koth, small: Small) -> None:
    answer = koth("check", "bs", "dice", "--games", 40, "--json", "--bots", small.folder / "bots")
    found = answer.json
    assert answer.status == 0, answer.out
    assert found["refused"] == found["examples"] == found["not_loaded"] == []
    names = [row["name"] for row in found["standings"]]
    assert sorted(names) == ["Clumsy", "Dice", "First", "Memory", "Silent"]
    own = found["standings"][names.index("Dice")]
    assert (own["rank"], own["band"]) == (found["rank"], found["rank_between"])
    # Rounded up until all can have played equally many deals; the trials before do not count.
    assert own["games"] == found["games"] == 48
    share = own["share"]
    assert share["low"] < share["value"] == round(own["wins"] / 48, 6) < share["high"]
    assert own["mean"]["low"] < own["mean"]["value"] < own["mean"]["high"]
    assert found["ranked"] == 5


@pytest.mark.slow
def test_too_few_for_a_table_are_filled_up_and_a_fault_is_shown_again(
    koth: Koth, small: Small, tmp_path: Path
) -> None:
    (tmp_path / "bs").mkdir()
    shutil.copy(small.folder / "bots" / "bs" / "dice.py", tmp_path / "bs")
    path = small.folder / "bots" / "bs" / "clumsy.py"  # not in the folder of the others
    answer = koth("check", "bs", path, "--games", 20, "--bots", tmp_path)
    assert answer.status == 1
    for name in ("Dice", "Clumsy", "Clumsy (2)", "Clumsy (3)"):
        row = re.search(rf"^ *\d=? +{re.escape(name)}( retired)?  ", answer.out, re.MULTILINE)
        assert row, answer.out
    assert re.search(r"^expected rank: \d of 4", answer.out, re.MULTILINE)
    assert "REFUSED" in answer.out
    assert "  saw seat = " in answer.out
    found = re.search(
        r"crash at tables .* in game (\d+) of [\d,]+\n(.*\n)+?  koth (.*)", answer.out
    )
    assert found is not None
    again = koth(*shlex.split(found[3]))
    assert again.status == 0, again.err
    assert f"Game {found[1]} of " in again.out
    assert re.search(r"Clumsy forfeits the game: crash, exit status 1\.", again.out)


# -- new, and what is not played so -------------------------------------------------------------


@pytest.mark.parametrize(
    "game", [pytest.param(name, marks=pytest.mark.slow) for name in ("bs", "azi", "spades")]
)
def test_a_new_bot_plays(koth: Koth, tmp_path: Path, game: str) -> None:
    answer = koth("new", game, "My Bot", "--bots", tmp_path)
    assert answer.status == 0, answer.err
    path = tmp_path / game / "my_bot.py"
    command = f"koth duel {game} my_bot" if game == "spades" else f"koth tables {game}"
    assert command in answer.out
    checked = koth("check", game, path, "--games", 20, "--json", "--bots", tmp_path)
    assert checked.status == 0, checked.out
    found = checked.json
    assert found["name"] == "My Bot"
    assert sum(found["faults"].values()) == 0
    assert found["rank"] == 1  # among its copies
    (listed,) = koth("bots", game, "--json", "--bots", tmp_path).json
    assert listed["name"] == "My Bot"


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("duel", "bs", "a", "b"), "bs is played at tables, not as a duel: koth tables bs"),
        (("duel", "azi", "a", "b"), "koth tables azi --only BOT,BOT"),
        (("league", "bs"), "bs is played at tables, not as a league: koth tables bs"),
        (("cup", "azi"), "azi is played at tables, not as a cup: koth tables azi"),
        (("tables", "pazaak"), "koth league pazaak, koth cup pazaak, koth duel pazaak BOT BOT"),
    ],
)
def test_a_game_not_played_so_names_the_right_command(
    koth: Koth, words: tuple[str, ...], expected: str
) -> None:
    koth(*words).refused(expected)
