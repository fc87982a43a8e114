"""What a seat at BS is told: views as the records have them, and nothing hidden."""

from __future__ import annotations

import random

import numpy as np
import pytest
from numba import njit
from numpy.typing import NDArray

from harness.arena import lanes as loops
from harness.games.bs import FACTS, RANKS, SEATS, Turn, View, distance
from harness.games.bs.frames import OBSERVATION, views
from harness.games.bs.game import GAME
from harness.games.contract import SCORE, observe
from tests.games.bs_tables import DECK, TEXT, manners
from tests.games.lockstep import deals_of


def test_views_say_what_they_were_made_of() -> None:
    last = Turn(1, 7, 2, 3, True, 1, 9)
    told = View(3, 2, 8, 1, [4, 4, 0], [9, 8, 7, 3], 5, last, 4)
    facts = (3, 2, 2, 8, 1, (4, 4, 0), (9, 8, 7, 3), 5, last, 4)
    assert told._asdict() == dict(zip(FACTS, facts, strict=True))
    assert repr(told).startswith("View(seat=3, turn=2, mover=2")
    quiet = View(0, 5, 5, 0, [], [0, 1, 2, 3], 0, Turn(0, 4, 1, None, None, None, 0))
    assert quiet.last == Turn(0, 4, 1, None, None, None, 0)
    assert View(0, 0, 0, 0, [1], [1, 1, 1, 1], 0).last is None


@pytest.mark.parametrize("turn", [*range(12), 51, 1000])
def test_a_distance_is_in_own_turns(turn: int) -> None:
    for seat in range(SEATS):
        own = [t for t in range(turn, turn + 4 * RANKS) if t % SEATS == seat]
        assert [distance(turn, t % RANKS, seat) for t in own] == [*range(RANKS)]


def in_play() -> NDArray[np.void]:
    """Lanes in the middle of games, some asking one question, some the other."""
    deals, lanes = 1500, 120
    source = deals_of(GAME, TEXT, b"resample".ljust(32), deals)
    table, seating = np.zeros(lanes, GAME.lane), np.tile(np.arange(4, dtype=np.int16), (deals, 1))
    rules = GAME.rules_record(TEXT)
    more = np.zeros((lanes, source.rows, source.words), np.uint32)
    state = (
        *(table, rules, source.first(), more, np.zeros(deals, np.uint32)),
        *(np.zeros(1, np.int64), np.zeros((deals, SEATS), SCORE), np.zeros(deals, np.uint8)),
    )
    index, opened = np.zeros((lanes * 4, 2), np.int32), np.zeros(lanes * 4, np.uint8)
    fared, frame = np.zeros(lanes * 4, loops.FARED), np.zeros(lanes * 4, OBSERVATION.dtype())
    decide = manners(8, 0.2, 0.4, 0.05)
    rng = np.random.default_rng(2)
    loops.open_lanes(*state)
    for tick in range(240):
        number, seat = tick // 4 % 2, tick % 4
        n = loops.gather(table, rules, seating, seat, number, index, opened, frame)
        some = np.flatnonzero(rng.random(n) < 0.8)  # the others keep their game waiting
        n, index[: len(some)], frame[: len(some)] = len(some), index[some], frame[some]
        replies = np.zeros(n, GAME.questions[number].reply)
        for k, view in enumerate(views(frame[:n].tobytes())):
            reply, payload = decide(seat, view), memoryview(replies[k : k + 1].view(np.uint8))[2:]
            code = GAME.questions[number].wire.encode(reply, payload)
            replies["code"][k] = reply if type(reply) is int else code
        loops.scatter(*state, index, n, replies, fared)
    asked = table[table["asked"] != 0]
    assert len(set(asked["turn"].tolist())) > 10
    assert set(asked["question"].tolist()) == {0, 1}
    return asked


@njit(cache=True)
def _observe(lanes, rules, seat, frame):  # type: ignore[no-untyped-def]
    for k in range(len(lanes)):
        observe(lanes[k], rules, seat, frame[k])


def observations(lanes: NDArray[np.void], seat: int) -> bytes:
    frame = np.zeros(len(lanes), OBSERVATION.dtype())
    _observe(lanes, GAME.rules_record(TEXT), seat, frame)
    return frame.tobytes()


@pytest.mark.parametrize("seat", range(SEATS))
def test_what_a_seat_is_told_follows_from_what_it_may_know(seat: int) -> None:
    """Everything in the lane's record is overwritten at random, except the facts of the rules."""
    table = in_play()
    noise = np.frombuffer(random.Random(seat).randbytes(table.nbytes), table.dtype).copy()
    last = ["last_rank", "last_number", "last_caller", "last_lied", "last_taken"]
    for name in ["turn", "rank", "number", "sizes", "pile_size", *last]:
        noise[name] = table[name]
    mine = table["last_caller"] == seat
    noise["last_given"][mine] = table["last_given"][mine]
    noise["hand"][:, seat] = table["hand"][:, seat]
    assert observations(noise, seat) == observations(table, seat)


def test_no_card_is_lost_or_made() -> None:
    for lane in in_play():
        cards = lane["pile"][: lane["pile_size"]].tolist()
        for seat in range(SEATS):
            cards += lane["hand"][seat][: lane["sizes"][seat]].tolist()
        assert sorted(cards) == DECK
