"""What a program and the arena say to each other, written down from real games.

`python -m tests.programs.recording` prints the examples of docs/reference/protocol.md anew.
"""

from __future__ import annotations

import json
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from harness import games
from harness.arena.block import play_block
from harness.arena.budgets import Budgets
from harness.arena.cache import use_compiled_cache
from harness.arena.job import Job
from harness.entrants import load
from harness.sandbox.nursery import Nursery
from harness.sandbox.probe import probe

# Plays any game, and writes all it hears and says to its standard error.
RECORDER = """
import json, sys
def say(text, flush):
    print("<", text, file=sys.stderr)
    print(text, flush=flush)
print(">", input(), file=sys.stderr)
say('{"koth":1}', True)
for line in sys.stdin:
    print(">", line, end="", file=sys.stderr)
    question = json.loads(line)
    kind = question["ask"]
    if kind == "respond":
        answer = 0 if question["total"] < 15 else -1
    elif kind == "lay":
        answer = question["hand"][:1]
    elif kind == "call":
        answer = question["number"] > 1
    elif kind == "bid":
        answer = 3
    elif kind == "bet":
        answer = 0 if question["may_call"] else question["least"]
    else:
        answer = question["legal"][0]
    lane = question["lane"]
    say('{"lane":%d,"answer":%s}' % (lane, json.dumps(answer)), question["left"] == 0)
"""
GAMES = ("pazaak", "bs", "spades", "azi")
DEALS, LANES = 4, 2
KEY = b"recorded".ljust(32)


@dataclass(frozen=True)
class Recording:
    """What one process heard and said, line by line."""

    hello: str
    questions: list[dict[str, Any]]
    lines: list[str]
    """Of the questions, as they came."""
    answers: list[str]


def record(game_name: str, nursery: Nursery, folder: Path) -> Recording:
    """Have the recorder play some deals at one table; what its first process heard and said."""
    home = folder / "recorder"
    home.mkdir()
    (home / "recorder.txt").write_text(RECORDER, encoding="utf-8")
    (home / "bot.yaml").write_text("name: Recorder\ncommand: [python3, -S, recorder.txt]\n")
    budgets = Budgets(start_wall_seconds=60, slack_seconds=60, output_kb=4096)
    entrant = load(game_name, home, nursery, budgets)
    assert entrant.error is None, entrant.traceback
    game = games.load(game_name)
    tables = game.about.pairs is None
    rules = list(game.about.variants.values())[-1 if game_name == "azi" else 0]
    places = game.about.seating(rules, tables=tables).places
    players = (entrant.player(),) * places
    job = Job(game_name, rules, players, KEY, DEALS, LANES, budgets, tables=tables)
    result = play_block(job, game, nursery)
    assert all(not any(player.log.counts.values()) for player in result.players)
    log = result.players[0].output.decode().splitlines()
    second = log.index('< {"koth":1}', 2) - 1  # where the process of the second leg begins
    heard = [line[2:] for line in log[:second] if line.startswith("> ")]
    said = [line[2:] for line in log[:second] if line.startswith("< ")]
    questions = [json.loads(line) for line in heard[1:]]
    return Recording(heard[0], questions, heard[1:], said[1:])


def example(recording: Recording) -> list[str]:
    """The hello, and of every kind the question in the middle of all, with its answer."""
    lines = [f"> {recording.hello}", '< {"koth":1}']
    kinds = dict.fromkeys(question["ask"] for question in recording.questions)
    for kind in kinds:
        places = [n for n, question in enumerate(recording.questions) if question["ask"] == kind]
        middle = places[len(places) // 2]
        lines += [f"> {recording.lines[middle]}", f"< {recording.answers[middle]}"]
    return lines


def main() -> None:
    use_compiled_cache()
    for game in GAMES:
        nursery = Nursery(game, probe().layers, core=None)
        with tempfile.TemporaryDirectory() as folder:
            print(f"{game}:")
            print("\n".join(example(record(game, nursery, Path(folder)))))
        nursery.close()


if __name__ == "__main__":
    main()
