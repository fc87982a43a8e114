"""What a program says, and what becomes of it: verdicts, places, hangs, floods, last words."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from harness.arena.budgets import Budgets
from harness.arena.faults import CRASH, MEMORY, TIMEOUT
from harness.entrants import load
from harness.games.frames import EXCEPTION, PROTOCOL, UNANSWERED
from harness.games.pazaak.frames import OBSERVATION
from harness.sandbox.bridge import MOST_LINE, Lines, Pipes, ProgramGoneError
from harness.sandbox.execution import Streams
from harness.sandbox.nursery import Nursery
from harness.sandbox.runner import CappedLog
from tests.programs.asked import ask, codes, seated
from tests.programs.conftest import WriteProgram, needs, summoned
from tests.sampling import sampled

# Answers 1, 2, 3, ... to the questions in turn; what it does at question `at` is the test's.
ACTOR = """
import json, os, sys, time
say = lambda text: os.write(1, text if isinstance(text, bytes) else text.encode())
hello = json.loads(sys.stdin.readline())
say('{"koth": 1}\\n')
number, left = 0, -1
for line in sys.stdin:
    q = json.loads(line)
    number += 1
    answer = json.dumps({"lane": q["lane"], "answer": number}) + "\\n"
    if number == AT:
        ACT
    else:
        say(answer)
"""
AT = 4
RECORDS = 8

Act = Callable[..., Path]


@pytest.fixture
def actor(write_program: WriteProgram) -> Act:
    """Writes a program that does something at the fourth question."""
    needs("python3")

    def write(act: str, source: str = ACTOR) -> Path:
        indent = "" if source.startswith(HELLO[:40]) else " " * 8
        text = source.replace("ACT", act.replace("\n", f"\n{indent}")).replace("AT", str(AT))
        return write_program(files={"bot.py.txt": text}, command=["python3", "-S", "bot.py.txt"])

    return write


@pytest.fixture
def frame() -> NDArray[np.void]:
    return np.zeros(RECORDS, OBSERVATION.dtype())


def usual(at: int = AT) -> list[int]:
    return [PROTOCOL if number == at else number for number in range(1, RECORDS + 1)]


@pytest.mark.parametrize(
    ("said", "reason"),
    sampled(
        [
            ('"nonsense\\n"', "not JSON"),
            ('answer.replace("4}", "true}")', "of the wrong type"),
            ('"x" * 100_000 + "\\n"', f"longer than {MOST_LINE} bytes"),
            ('json.dumps({"lane": 2, "answer": 0}) + "\\n"', "about lane 3"),
            ('json.dumps({"answer": 0}) + "\\n"', "about lane 3"),
            ('json.dumps({"lane": 3}) + "\\n"', "without an answer"),
            ('answer.replace("4}", "4.0}")', "of the wrong type"),
            ('answer.replace("4}", "null}")', "of the wrong type"),
            ('answer.replace("4}", "[4]}")', "of the wrong type"),
            ('answer.replace("4}", "\\"4\\"}")', "of the wrong type"),
            ('answer.replace("4}", "-32768}")', "no action has such a number"),
            ('answer.replace("4}", "1" + "0" * 30 + "}")', "no action has such a number"),
            ('answer.replace("4}", "9" * 4000 + "}")', "no action has such a number"),
            ('answer.replace("3", "true")', "about lane 3"),
            ('answer.replace("3", "3.0")', "about lane 3"),
            ('answer.replace("4}", "0b1}")', "not JSON"),
            ('answer.replace("4}", "1_0}")', "not JSON"),
            ('"\\n"', "not JSON"),
            ('"[" * 4000 + "\\n"', "not JSON"),
            ('"[3, 4]\\n"', "not a JSON object"),
            ('b"\\xff\\xfe\\n"', "not JSON"),
            ('b"\\0\\n"', "not JSON"),
            ('answer.encode("utf-16")', "not JSON"),
        ],
        3,
    ),
)
def test_what_is_no_answer_breaks_the_protocol_and_nothing_else(
    said: str, reason: str, actor: Act, frame: NDArray[np.void], nursery: Nursery
) -> None:
    with seated(summoned(actor(f"say({said})"), nursery), nursery, RECORDS) as seat:
        replies, broken = ask(seat, frame)
        assert broken is None
        if "utf-16" in said:  # its line feed is two bytes, of which the second begins a line
            assert codes(replies)[:5] == [1, 2, 3, PROTOCOL, PROTOCOL]
        else:
            assert codes(replies) == usual()
        assert reason in seat.tracebacks()[AT - 1]


def test_an_error_is_an_exception_with_its_text(
    actor: Act, frame: NDArray[np.void], nursery: Nursery
) -> None:
    act = 'say(json.dumps({"lane": q["lane"], "error": "no idea\\nat all"}) + "\\n")'
    with seated(summoned(actor(act), nursery), nursery, RECORDS) as seat:
        replies, broken = ask(seat, frame)
        assert broken is None
        assert codes(replies) == [1, 2, 3, EXCEPTION, 5, 6, 7, 8]
        assert seat.tracebacks() == {AT - 1: "no idea\nat all"}


def test_a_line_too_many_sets_all_that_follow_off(
    actor: Act, frame: NDArray[np.void], nursery: Nursery
) -> None:
    with seated(summoned(actor("say('and now\\n' + answer)"), nursery), nursery, RECORDS) as seat:
        replies, broken = ask(seat, frame)
        assert broken is None
        assert codes(replies) == [1, 2, 3] + [PROTOCOL] * 5
        replies, broken = ask(seat, frame)  # its last answer is still there
        assert codes(replies) == [PROTOCOL] * RECORDS


@pytest.mark.parametrize(
    ("act", "kind", "detail"),
    sampled(
        [
            ("time.sleep(60)", TIMEOUT, "no answer"),
            ("os._exit(3)", CRASH, "exit status 3"),
            ("os.kill(os.getpid(), 11)", CRASH, "signal SIGSEGV"),
            ("while True: pass", TIMEOUT, "no answer"),
            ("os.abort()", CRASH, "signal SIGABRT"),
            ("os._exit(0)", CRASH, "exit status 0"),
            ("os._exit(77)", MEMORY, "out of memory"),
            ("os._exit(78)", CRASH, "exit status 78"),
            ("os.close(1); time.sleep(60)", CRASH, "corrupted its channel"),
            ("while True: say('x' * 60000)", TIMEOUT, "no answer"),
        ],
        3,
    ),
)
def test_where_a_program_breaks_is_known(
    act: str, kind: str, detail: str, actor: Act, frame: NDArray[np.void], nursery: Nursery
) -> None:
    quick = Budgets(decision_seconds=0.3, decision_wall_seconds=0.6, start_wall_seconds=60)
    with seated(summoned(actor(act), nursery), nursery, RECORDS, quick) as seat:
        replies, broken = ask(seat, frame)
        assert broken is not None
        first = AT if "say" in act else AT - 1  # an endless line is an answer of a kind, a bad one
        assert (broken.kind, broken.answered) == (kind, first)
        assert detail in broken.detail
        assert codes(replies)[:first] == usual()[:first]
        assert codes(replies)[first:] == [UNANSWERED] * (RECORDS - first)


def test_full_pipes_hold_nobody_up(actor: Act, frame: NDArray[np.void], nursery: Nursery) -> None:
    """Megabytes of questions one way and of answers the other, from a program that writes first."""
    lanes = 6000  # their questions are more than the largest pipe holds
    source = ACTOR.replace("say(answer)", "say(answer[:-1] + ' ' * 3900 + '\\n')")
    with seated(summoned(actor("say(answer)", source), nursery), nursery, lanes) as seat:
        replies, broken = ask(seat, np.zeros(lanes, OBSERVATION.dtype()))
        assert broken is None
        assert codes(replies) == list(range(1, lanes + 1))


def test_what_it_prints_goes_to_the_log_up_to_a_limit(
    actor: Act, frame: NDArray[np.void], nursery: Nursery
) -> None:
    act = "os.write(2, b'thinking ' * 100_000)\nsay(answer)"
    budgets = Budgets(output_kb=64, start_wall_seconds=60)
    with seated(summoned(actor(act), nursery), nursery, RECORDS, budgets) as seat:
        replies, broken = ask(seat, frame)
        assert broken is None
        assert codes(replies) == list(range(1, RECORDS + 1))
        assert seat.log()[:18] == b"thinking thinking "
        assert len(seat.log()) == 64 * 1024


def test_its_last_words_are_kept(actor: Act, frame: NDArray[np.void], nursery: Nursery) -> None:
    with seated(
        summoned(actor("raise ValueError('a card too many')"), nursery), nursery, 8
    ) as seat:
        _, broken = ask(seat, frame)
        assert broken is not None
        assert (broken.kind, broken.answered, broken.detail) == (CRASH, 3, "exit status 1")
        assert b"ValueError: a card too many" in seat.log()


def test_time_between_questions_is_charged(
    actor: Act, frame: NDArray[np.void], nursery: Nursery
) -> None:
    """A thread that thinks while the opponent should pays with the program's next answer."""
    act = """say(answer)
import threading
def think():
    end = time.process_time() + 0.3
    while time.process_time() < end: pass
threading.Thread(target=think).start()"""
    with seated(summoned(actor(act), nursery), nursery, RECORDS) as seat:
        ask(seat, frame)
        first, before = seat.spent[0], seat.cpu_used
        while seat.cpu_used < before + 0.2:  # the opponent's turn
            pass
        replies, broken = ask(seat, frame)
        assert broken is None
        assert first + seat.spent[0] > 0.2
        assert codes(replies)[0] == RECORDS + 1


HELLO = """
import json, os, sys, time
hello = json.loads(sys.stdin.readline())
ACT
for line in sys.stdin: pass
"""


@pytest.mark.parametrize(
    ("act", "words"),
    sampled(
        [
            ("print('hi', flush=True)", ("its first line was 'hi'", '{"koth": 1}')),
            ("sys.exit('not today')", ("exit status 1", "not today")),
            ("while True: pass", ("not ready within 0.5 s",)),
            ("print('{\"koth\": 2}', flush=True)", ("its first line was",)),
            ("print('{\"koth\": true}', flush=True)", ("its first line was",)),
            ("print('{\"koth\": 1}\\n{}', flush=True)", ("'{}' before it was asked",)),
            ("print('x' * 100000, flush=True)", ("its first line was 'xxx",)),
            ("os.close(1); time.sleep(60)", ("closed its standard output",)),
            ("time.sleep(60)", ("not ready within 0.5 s",)),
        ],
        3,
    ),
)
def test_a_program_that_does_not_say_hello_is_refused(
    act: str, words: tuple[str, ...], actor: Act, nursery: Nursery
) -> None:
    budgets = Budgets(start_seconds=0.5, start_wall_seconds=1.5)
    entrant = load("pazaak", actor(act, HELLO), nursery, budgets)
    said = f"{entrant.error}\n{entrant.traceback}"
    assert entrant.error is not None
    assert all(word in said for word in words), said


def test_it_is_told_what_it_needs_to_know(actor: Act, nursery: Nursery) -> None:
    act = "print(json.dumps(hello), os.environ['TMPDIR'], os.getcwd(), file=sys.stderr)"
    folder = actor(act + "\nprint('{\"koth\": 1}', flush=True)", HELLO)
    with seated(summoned(folder, nursery), nursery, 3) as seat:
        hello, scratch, here = seat.log().decode().rsplit(" ", 2)
    told = json.loads(hello)
    assert told.keys() == {"koth", "game", "rules", "lanes", "fresh", "seed", "scratch"}
    assert (told["koth"], told["game"], told["lanes"]) == (1, "pazaak", 3)
    assert told["rules"]["target"] == 20
    assert told["scratch"] == scratch
    assert here.strip() == str(folder)


def test_lanes_and_games_are_numbered(
    actor: Act, frame: NDArray[np.void], nursery: Nursery
) -> None:
    source = ACTOR.replace("say(answer)", "print(line, end='', file=sys.stderr); say(answer)")
    with seated(summoned(actor("say(answer)", source), nursery), nursery, RECORDS) as seat:
        ask(seat, frame[:2])  # as if in a process that replaces another
        ask(seat, frame[:2], opened=1)
        ask(seat, frame[:2], opened=1)
        lines = [json.loads(line) for line in seat.log().decode().splitlines()]
    keys = ("ask", "lane", "game", "new", "left")
    assert [tuple(line[key] for key in keys) for line in lines if line["lane"] == 0] == [
        ("respond", 0, 0, False, 1),
        ("respond", 0, 1, True, 1),
        ("respond", 0, 2, True, 1),
    ]
    assert [line["left"] for line in lines] == [1, 0, 1, 1, 0][: len(lines)]


@settings(max_examples=30)
@given(st.lists(st.binary(max_size=3 * MOST_LINE), max_size=8), st.data())
def test_lines_are_the_same_however_they_come(parts: list[bytes], data: st.DataObject) -> None:
    stream = b"\n".join(parts) + b"\n"
    cuts = sorted(data.draw(st.lists(st.integers(0, len(stream)), max_size=6)))
    lines, found = Lines(), list[bytes]()
    for start, end in zip([0, *cuts], [*cuts, len(stream)], strict=True):
        if start < end:
            found += lines.feed(stream[start:end])
    whole = stream.split(b"\n")[:-1]
    assert [line[: MOST_LINE + 1] for line in found] == [line[: MOST_LINE + 1] for line in whole]
    assert len(lines._rest) <= MOST_LINE


def test_answers_without_end_are_not_taken(actor: Act, nursery: Nursery) -> None:
    """A program that reads little and says everything: the bridge must not keep it all."""
    flood = "sys.stdin.readline()\nwhile True: os.write(1, b'\\n' * 60000)"
    source = HELLO.replace("for line in sys.stdin: pass", flood)
    folder = actor("print('{\"koth\": 1}', flush=True)", source)
    quick = Budgets(
        decision_seconds=0.5, decision_wall_seconds=1, start_wall_seconds=60, memory_mb=64
    )
    lanes = 6000  # their questions are more than the largest pipe holds
    with seated(summoned(folder, nursery), nursery, lanes, quick) as seat:
        replies, broken = ask(seat, np.zeros(lanes, OBSERVATION.dtype()))
        assert broken is not None
        assert broken.kind == TIMEOUT
        assert codes(replies) == [PROTOCOL] * lanes


def test_nothing_is_read_that_is_not_wanted() -> None:
    streams = Streams.new()
    pipes = Pipes(streams, CappedLog(streams.to_program, 0))
    os.write(streams.stdout, b"early\n")
    left, lines = pipes.exchange(memoryview(b"question\n"), hear=False)
    assert (bytes(left), lines) == (b"", [])
    assert pipes.exchange(left, hear=False) == (left, [])
    assert pipes.exchange(left) == (left, [b"early"])
    os.close(streams.stdin)
    assert bytes(pipes.exchange(memoryview(b"unheard\n"), hear=False)[0]) == b""
    os.close(streams.stdout)
    with pytest.raises(ProgramGoneError):
        pipes.exchange(memoryview(b""))
