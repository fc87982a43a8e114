"""The published six-bot run of 2015, replayed smaller: rules and bots are what they were."""

from __future__ import annotations

import json
import math
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
GAMES = 4_000  # per pair; each bot plays five of them

# Wins out of 500,000, and hand wins per game.
PUBLISHED = {
    "The Cincinnati Kid": 389_694,
    "Austin Powers": 368_484,
    "T3-M4": 302_300,
    "Bastila": 244_916,
    "Dumb Cautious Player": 104_217,
    "Dumb Bold Player": 90_389,
}
HANDS_PER_GAME = 3.899


def test_every_bot_wins_what_it_won_in_2015(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "harness", "league", "configs/pazaak-2015.yaml", "--quiet"]
    command += ["--games", str(GAMES), "--results", str(tmp_path), "--secret", "15" * 32]
    subprocess.run(command, check=True, cwd=ROOT, timeout=240)
    board = json.loads((tmp_path / "pazaak-2015" / "leaderboard.json").read_text())
    rows = {row["name"]: row for row in board["standings"]}
    assert set(rows) == set(PUBLISHED)
    for name, published in PUBLISHED.items():
        there = published / 500_000
        # Games of a pair are nearly independent; three standard deviations of both runs.
        sigma = math.sqrt(there * (1 - there) * (1 / 500_000 + 1 / (5 * GAMES)))
        assert abs(rows[name]["wins"] / rows[name]["games"] - there) < 3 * sigma, name
    hands = sum(row["points"][0] for row in rows.values())
    games = sum(row["games"] for row in rows.values()) / 2
    # The number of hands in a game has a standard deviation of about 0.8.
    assert abs(hands / games - HANDS_PER_GAME) < 3 * 0.8 / math.sqrt(games)
