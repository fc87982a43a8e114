"""What a seat at Spades is told: views as the records have them, and nothing hidden."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numba import njit
from numpy.typing import NDArray

from harness.games.contract import observe
from harness.games.spades import BID_FACTS, PLAY_FACTS, set_of, suit
from harness.games.spades.frames import BID_OBSERVATION, PLAY_OBSERVATION, bid_views, play_views
from harness.games.spades.game import GAME
from tests.games.spades_tables import BIDS, PLAYS, SHORT, TEXT, first_hand, lanes_in_play


@njit(cache=True)
def _observe(lanes: Any, rules: Any, seat: int, frame: Any) -> None:
    for k in range(len(lanes)):
        observe(lanes[k], rules, seat, frame[k])


def observations(lanes: NDArray[np.void], question: int, seat: int) -> bytes:
    frame = np.zeros(len(lanes), GAME.questions[question].observation)
    _observe(lanes, GAME.rules_record(TEXT), seat, frame)
    return frame.tobytes()


@pytest.fixture(scope="module")
def in_play() -> NDArray[np.void]:
    return lanes_in_play()


PUBLIC = ["score", "bags", "bids", "hand_number", "dealer", "games"]
PUBLIC_IN_PLAY = ["played", "leaders", "tricks_won", "cards", "count", "broken"]


@pytest.mark.parametrize("seat", range(4))
@pytest.mark.parametrize("question", [BIDS, PLAYS])
def test_what_a_seat_is_told_follows_from_what_it_may_know(
    in_play: NDArray[np.void], question: int, seat: int
) -> None:
    """Everything in the lane's record is overwritten at random, except the facts of the rules."""
    rng = np.random.default_rng(seat)
    noise = np.frombuffer(rng.bytes(in_play.nbytes), in_play.dtype).copy()
    for name in PUBLIC + (PUBLIC_IN_PLAY if question == PLAYS else []):
        noise[name] = in_play[name]
    noise["held"][:, seat] = in_play["held"][:, seat]
    assert observations(noise, question, seat) == observations(in_play, question, seat)


@pytest.mark.parametrize("question", [BIDS, PLAYS])
def test_views_say_what_the_records_say(in_play: NDArray[np.void], question: int) -> None:
    views = (bid_views, play_views)[question]
    facts = (BID_FACTS, PLAY_FACTS)[question]
    for seat in range(4):
        frame = in_play[(in_play["question"] == question) & (in_play["turn"] == seat)]
        raw = observations(frame, question, seat)
        records = np.frombuffer(raw, GAME.questions[question].observation)
        decoded = list(views(raw))
        assert len(decoded) == len(frame) > 0
        for record, view in zip(records, decoded, strict=True):
            assert type(view)(**view._asdict()) == view
            assert tuple(view._asdict()) == facts
            assert view.partner == (view.seat + 2) % 4
            for name in ("seat", "dealer", "score", "opponent_score", "bags", "opponent_bags"):
                assert getattr(view, name) == record[name]
                assert type(getattr(view, name)) is int
            assert view.hand_set == record["hand"] == set_of(view.hand)
            assert all(type(each) is int for each in view.hand)
            told = tuple(None if bid < 0 else bid for bid in record["bids"].tolist())
            assert view.bids == told
            assert repr(view).startswith(f"{type(view).__name__}(seat={seat}, dealer=")


def test_layouts_for_struct_are_those_of_the_records() -> None:
    for record, views in ((BID_OBSERVATION, bid_views), (PLAY_OBSERVATION, play_views)):
        assert len(list(views(bytes(3 * record.size)))) == 3


def test_a_view_knows_leaders_and_voids() -> None:
    played = first_hand(SHORT, [5, 1, 2, 5], ["AC AH", "", "2D", "2S 2H"])
    plays = [each.view for each in played.decisions[0] if each.question == PLAYS]
    assert [view.leader for view in plays[:6]] == [0, 0, 0, 0, 3, 3]
    assert plays[4].voids == (0, 0, 0b0001, 0b0001)
    last = plays[-1]
    voids = [0] * 4
    for trick in last.tricks:
        for seat, each in trick:
            if suit(each) != suit(trick[0][1]):
                voids[seat] |= 1 << suit(trick[0][1])
    assert set_of([each for trick in (*last.tricks, last.trick) for _, each in trick]) == (
        last.played_set
    )
    assert [known & ~told for known, told in zip(voids, last.voids, strict=True)] == [0] * 4
