"""`koth replay`: what it shows is what was played."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from harness.entrants import load
from harness.events.bout import bout_config, told_apart
from harness.events.duel import Duel
from harness.events.executor import on_cores, play_one
from harness.events.replay import Replay
from harness.sandbox.nursery import Nursery
from harness.sandbox.probe import probe
from tests.cli.conftest import SECRET, Koth


@pytest.mark.parametrize(
    "name", ["exits", *(pytest.param(n, marks=pytest.mark.slow) for n in ("coin", "raises"))]
)
def test_every_game_ends_as_it_did_in_the_match(
    good: Path, bad: Path, nursery: Nursery, name: str
) -> None:
    """Also with faults, and with chance in the bots: a game's lane and its past are replayed."""
    report, config = probe(), bout_config("pazaak", 24).model_copy(update={"lanes": 4})
    bots = [
        load("pazaak", next(folder.glob(f"*/{stem}.py")), nursery, config.budgets)
        for stem in (name, "bold")
        for folder in (good if stem == "coin" else bad,)
    ]
    duel = Duel(config, told_apart(bots), bytes.fromhex(SECRET), report.layers, report.level)
    with on_cores(1) as executor:
        duel.play(executor)
        result = play_one(executor, duel.event.task(duel.match, 0, 12))
        assert result.faulty.any() == (name != "coin")
        replays = Replay(duel.event, duel.match, executor, None)
        for game in range(1, 25, 5):
            _, watch = duel.match.place(game)
            lines = list(replays.tell(game, str))
            (seat,) = result.won[watch.leg, watch.deal].nonzero()[0]
            winner = result.seated[watch.leg, watch.deal, seat]
            forfeited = [line for line in lines if "Counted: won by " in line]
            ending = forfeited[0] if forfeited else lines[-1]
            assert duel.match.players[winner] in ending.split("won by ")[-1].split(";")[0]
        lost = next(
            game
            for game in range(5, 25)
            for _, watch in [duel.match.place(game)]
            if (result.won & result.seats_of(0))[watch.leg, watch.deal].any()
        )
        assert replays.find(5, duel.match.players[1], faulty=False) == lost
        assert (replays.find(1, None, faulty=True) is None) == (name == "coin")


def test_a_game_of_a_league(koth: Koth, league: Path, good: Path) -> None:
    answer = koth("replay", league, "Bold", "coin", 45, "--bots", good)
    assert answer.status == 0, answer.err
    lines = answer.out.splitlines()
    assert lines[0] == "Game 45 of 80, match: A Coin - Bold"
    assert "is player one" in lines[1]
    assert "wins the game" in lines[-1]


@pytest.mark.slow
def test_a_lost_game_is_found(koth: Koth, league: Path, good: Path) -> None:
    answer = koth("replay", league, "bold", "cautious", "--lost-by", "bold", "--bots", good)
    assert answer.status == 0, answer.err
    lines = answer.out.splitlines()
    assert lines[0].startswith("The first game lost by Bold from game 1 on is game ")
    assert lines[-1].startswith("Cautious | <b> wins the game")


@pytest.mark.slow
def test_a_game_of_a_cup(koth: Koth, cup: Path, good: Path) -> None:
    board = json.loads((cup / "leaderboard.json").read_text())
    match = next(match for match in board["matches"] if match["stage"] == "set 2")
    answer = koth("replay", cup, *match["players"], 3, "--set", 2, "--bots", good)
    assert answer.status == 0, answer.err
    assert answer.out.startswith(f"Game 3 of 10, set 2: {' - '.join(match['players'])}\n")


def test_another_file_is_refused(koth: Koth, league: Path, good: Path, tmp_path: Path) -> None:
    for path in (good / "pazaak").iterdir():
        (tmp_path / "pazaak").mkdir(exist_ok=True)
        (tmp_path / "pazaak" / path.name).write_text(path.read_text() + "# changed\n")
    answer = koth("replay", league, "Bold", "coin", 45, "--bots", tmp_path)
    answer.refused("bold.py has changed since the event", "--bots")


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("LEAGUE", "bold", "coin"), "which game?"),
        (("LEAGUE", "bold", "coin", "81"), "there is no game 81"),
        (("LEAGUE", "bold", "nobody", "1"), "no bot 'nobody' in tiny; there were: A Coin, Bold"),
        (("LEAGUE", "bold", "bold", "1"), "did not meet"),
        (("nowhere", "bold", "coin", "1"), "neither a folder with an event's results nor a game"),
        (("pazaak", "bold", "coin", "1"), "--secret"),
        (("LEAGUE", "bold", "coin", "1", "--set", "9"), "have no set 9; they have: match"),
    ],
)
def test_wrong_usage_is_explained(
    koth: Koth, league: Path, good: Path, words: tuple[str, ...], expected: str
) -> None:
    where, *rest = words
    where = str(league) if where == "LEAGUE" else where
    koth("replay", where, *rest, "--bots", good).refused(expected)


@pytest.mark.slow
def test_who_is_retired_is_blamed_and_not_who_was_asked_then(koth: Koth, tmp_path: Path) -> None:
    """In Spades a game ends where somebody forfeits it, whoever's turn it is."""
    bots = {"rogue": "None", "calm": "3"}
    (tmp_path / "spades").mkdir()
    for name, bid in bots.items():
        (tmp_path / "spades" / f"{name}.py").write_text(
            "from harness.games.spades import Player\n\n\n"
            f"class {name.capitalize()}(Player):\n"
            f"    def bid(self, view):\n        return {bid}\n"
            "    def play(self, view):\n        return view.legal[0]\n"
        )
    lines = {"event": "tiny", "game": "spades", "format": "league", "games": 2}
    config = tmp_path / "config.yaml"
    config.write_text(
        "".join(f"{key}: {value}\n" for key, value in lines.items())
        + "budgets: {max_faults: 0, start_wall_seconds: 99, decision_wall_seconds: 99}\n"
    )
    where = ["--bots", tmp_path]
    played = koth("league", config, *where, "--results", tmp_path, "--workers", 1)
    assert played.status == 0, played.err
    answer = koth("replay", tmp_path / "tiny", "rogue", "calm", 1, *where)
    assert answer.status == 0, answer.err
    told = answer.out.splitlines()
    assert "The game breaks off here." in told
    assert not any(line.startswith(("North-South", "East-West")) for line in told)
    assert "Rogue is retired in this block: protocol." in told
    assert told[-1].startswith("Counted: won by Calm; ")
