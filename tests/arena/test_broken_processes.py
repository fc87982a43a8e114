"""Processes that hang, die, or play with their channel to the arena."""

from __future__ import annotations

import pytest

from tests.arena.bad import BATCH, GAMES, ONCE, QUICK, counts
from tests.arena.conftest import Play
from tests.sampling import sampled


@pytest.mark.parametrize(
    ("how", "kind"),
    sampled(
        [
            ("__import__('ctypes').string_at(8)", "crash"),
            ("while True: pass", "timeout"),
            ("__import__('os')._exit(3)", "crash"),
            ("[bytearray(1 << 30) for _ in range(64)]", "memory"),
            ("time.sleep(60)", "timeout"),
            ("pow(7, 10**9)", "timeout"),
            ("sum(range(10**11))", "timeout"),
            ("__import__('re').match('(a*)*b', 'a' * 60)", "timeout"),
            ("__import__('os')._exit(0)", "crash"),
        ],
        1,
    ),
)
def test_a_process_that_breaks_forfeits_the_game_it_broke_in_and_plays_on(
    play: Play, how: str, kind: str
) -> None:
    result = play(ONCE.format(how=how))
    # Every new process of the bot forgets, so it breaks once per process; but once a lane's
    # instances are fresh it needs three games more to get there.
    assert set(counts(result)) == {kind}
    assert result.players[0].retired is None
    example = result.players[0].log.examples[0]
    assert example.kind == kind
    assert example.saw["hand_number"] == 1
    own = result.seats_of(0)[example.leg, example.deal]
    assert result.won[example.leg, example.deal, own].tolist() == [0]
    assert result.won[example.leg, example.deal, ~own].tolist() == [1]
    assert result.points[example.leg, example.deal, ~own].tolist() == [3]
    assert sum(p.wins for p in result.players) == GAMES


def test_a_bot_that_closes_its_channel_has_crashed(play: Play) -> None:
    result = play(ONCE.format(how="__import__('os').closerange(0, 64)"))
    # It went on answering the frame until it had to ring, so the last game of the frame is lost.
    assert set(counts(result)) == {"crash"}
    assert sum(p.wins for p in result.players) == GAMES


def test_a_batch_player_that_hangs_forfeits_its_frame(play: Play) -> None:
    hang = "self.n = getattr(self, 'n', 0) + 1\n        while self.n == 3: pass"
    result = play(BATCH.format(what=hang), deals=16)
    assert set(counts(result)) == {"timeout"}
    assert sum(p.wins for p in result.players) == 32


def test_a_bell_rung_without_answers_is_the_bots_own_loss(play: Play) -> None:
    source = """
import os
class Bad(Player):
    def respond(self, view):
        if view.hand_number == 1:
            for fd in range(3, 64):
                try:
                    os.write(fd, bytes(4))
                except OSError:
                    pass
        return END if view.total < 15 else STAND
"""
    result = play(source, QUICK.model_copy(update={"max_faults": 10_000}), deals=4)
    assert set(counts(result)) <= {"protocol", "crash"}
    assert counts(result)
    assert sum(p.wins for p in result.players) == 8


@pytest.mark.parametrize(
    "act",
    sampled(
        [
            "os._exit(77)",
            "os._exit(78)",
            "__import__('signal').raise_signal(40)",
            "os.abort()",
            "[os.write(fd, b'[' * 3000 + b'\\n') for fd in FDS]; os._exit(1)",
            "[os.write(fd, ISOLATION) for fd in FDS]; os._exit(78)",
        ],
        3,
    ),
)
@pytest.mark.parametrize("when", ["loading", "playing"])
def test_a_bot_that_plays_the_harness_hurts_only_itself(play: Play, act: str, when: str) -> None:
    open_fds = """
import os
ISOLATION = b'{"note": "failed", "kind": "isolation"}\\n'
FDS = []
for fd in range(3, 64):
    try:
        os.write(fd, b"")
        FDS.append(fd)
    except OSError:
        pass
"""
    playing = f"        if view.game_number == 1:\n            {act}\n" if when == "playing" else ""
    source = (
        f"{open_fds}\n{act if when == 'loading' else ''}\n"
        "class Bad(Player):\n    def respond(self, view):\n"
        f"{playing}        return END if view.total < 15 else STAND\n"
    )
    result = play(source, QUICK.model_copy(update={"max_faults": 20}), deals=20)
    bad = result.players[0]
    assert bad.retired is not None or counts(result)
    assert counts(result, 1) == {}
    assert sum(p.wins for p in result.players) == 40
