"""Atton Rand, the bot that is a computed table; the script that computed him; and Niklos."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from benchmarks.champion.game import (
    CARDS_SHAPE,
    LEAST,
    MOST,
    REPLIES_SHAPE,
    SIDE_HANDS,
    TABLE_SHAPE,
    WITHOUT,
    match,
)
from benchmarks.champion.model import card_chances, reply_chances
from benchmarks.champion.rivals import AUSTIN, BASTILA, BOLD, CAUTIOUS, KID, NESTOR, reply_of
from harness.games.pazaak import END, NO_ACTION, STAND, Player, View
from tests.test_house_bots import load, plausible_views, see

ROOT = Path(__file__).parents[1]
BOT = load("atton_rand/bot.py")
MODULE: Any = BOT.respond.__globals__  # type: ignore[attr-defined]


@pytest.fixture
def bot() -> Any:
    return BOT.make("seed", "/nonexistent")


@pytest.fixture(scope="module")
def table() -> NDArray[np.int8]:
    return np.frombuffer(MODULE["TABLE"], np.int8).reshape(TABLE_SHAPE)


def views_of_the_text(count: int) -> list[View]:
    """Plausible views that the text rules allow: two side cards of a kind, four in all."""
    return [view for view in plausible_views(count) if tuple(sorted(view.side_hand)) in SIDE_HANDS]


class TestTable:
    def test_is_the_documented_one(self) -> None:
        digest = hashlib.sha256(MODULE["TABLE"]).hexdigest()
        assert digest in (ROOT / "docs" / "explanation" / "champion.md").read_text()
        assert digest in (ROOT / "benchmarks" / "champion" / "README.md").read_text()

    def test_has_its_shape(self) -> None:
        assert len(MODULE["TABLE"]) == np.prod(TABLE_SHAPE)
        assert MODULE["SIDE_HANDS"] == SIDE_HANDS

    def test_plays_only_cards_that_are_held(self, table: NDArray[np.int8]) -> None:
        assert table.min() == STAND + 1
        assert table.max() == 5 + 1
        for card in range(1, 6):
            lacking = WITHOUT[:, card] == -1
            assert not (table[..., lacking, :] == card + 1).any()

    def test_never_busts_itself(self, table: NDArray[np.int8]) -> None:
        for me in range(LEAST, MOST + 1):
            assert table[me - LEAST].max() - 1 <= 20 - me

    def test_stands_on_a_hand_that_is_won(self, table: NDArray[np.int8]) -> None:
        for me in range(LEAST, MOST + 1):
            assert (table[me - LEAST, 1, :me] == STAND + 1).all()

    def test_player_two_never_stands_below_an_active_opponent(
        self, table: NDArray[np.int8]
    ) -> None:
        for me in range(LEAST, MOST + 1):
            assert (table[me - LEAST, 0, me + 1 :, :, :, 1] != STAND + 1).all()


class TestBot:
    def test_replies_are_legal(self, bot: Player) -> None:
        for view in plausible_views(5000, "champion"):
            reply = bot.respond(view)
            assert type(reply) is int
            assert reply in (END, STAND, *view.side_hand), view

    def test_reads_the_table_as_it_was_written(self, bot: Player, table: NDArray[np.int8]) -> None:
        for view in views_of_the_text(5000):
            if LEAST <= view.total <= MOST and view.opponent_total <= 20:
                answer = table[
                    view.total - LEAST,
                    int(view.opponent_action == STAND),
                    view.opponent_total,
                    view.wins,
                    view.opponent_wins,
                    int(not view.first),
                    SIDE_HANDS.index(tuple(sorted(view.side_hand))),
                    min(view.opponent_side_cards, 4),
                ]
                assert bot.respond(view) == answer - 1, view

    def test_what_needs_no_table(self, bot: Player) -> None:
        for view in plausible_views(5000):
            if view.total <= 10:
                assert bot.respond(view) == END
            if view.total >= 20:
                assert bot.respond(view) == STAND


class TestNiklos:
    @pytest.mark.parametrize(
        ("view", "reply"),
        [
            (see(10, 19, (5,), action=STAND), END),
            (see(15, 14, (5,), action=STAND), STAND),
            (see(15, 17, (5, 2, 3, 4), action=STAND), 3),
            (see(17, 17, (4,), action=STAND), STAND),
            (see(16, 16, (5,), action=STAND), END),
            (see(16, 20, (1, 4), action=STAND), 4),
            (see(15, 18, (3,), action=STAND), END),
            (see(17, 12, (3,)), 3),
            (see(17, 12, (2,)), STAND),
            (see(17, 18, (2,)), END),
            (see(17, (), action=None), END),
            (see(18, (), action=None), STAND),
            (see(23, 20, (2,)), STAND),
        ],
    )
    def test_case(self, view: View, reply: int) -> None:
        assert load("niklos.py").make("seed", "/nonexistent").respond(view) == reply

    def test_replies_are_legal(self) -> None:
        niklos: Any = load("niklos.py").make("seed", "/nonexistent")
        for view in plausible_views(5000, "niklos"):
            assert niklos.respond(view) in (END, STAND, *view.side_hand), view


class TestModel:
    def test_chances_add_up_to_one(self) -> None:
        replies = np.zeros(REPLIES_SHAPE, np.int32)
        replies[0, 1, 2, 3, 0, 15, 12, 4, 1] = 1000
        chances = reply_chances(replies)
        assert np.allclose(chances.sum(axis=-1), 1)
        # Often seen there; the only thing ever seen at that total; never seen, a guess.
        assert chances[0, 1, 2, 3, 0, 15, 12, 4, 1] > 0.999
        assert chances[0, 1, 2, 3, 0, 15, 13, 3, 1] > 0.99
        assert chances[1, 1, 2, 3, 0, 15, 12, 4, 0] == 1
        assert np.allclose(card_chances(np.zeros(CARDS_SHAPE, np.int64)), 0.1)


@pytest.mark.slow
class TestCompiledRivals:
    @pytest.mark.parametrize(
        ("rival", "file"),
        [
            (KID, "cincinnati_kid.py"),
            (NESTOR, "nestor.py"),
            (AUSTIN, "austin_powers.py"),
            (BASTILA, "bastila.py"),
            (CAUTIOUS, "dumb_cautious.py"),
            (BOLD, "dumb_bold.py"),
        ],
    )
    def test_reply_as_the_house_bots_do(self, rival: int, file: str) -> None:
        house_bot: Any = load(file).make("seed", "/nonexistent")
        for view in plausible_views(20_000):
            action = NO_ACTION if view.opponent_action is None else view.opponent_action
            seen = np.bincount(view.hand + view.opponent_hand, minlength=11)
            reply = reply_of(
                rival,
                view.wins,
                view.opponent_wins,
                view.total,
                view.opponent_total,
                action,
                np.array([*view.side_hand, 0]),
                len(view.side_hand),
                view.opponent_side_cards,
                seen,
                len(view.hand),
                np.zeros(1, np.uint64),
            )
            assert reply == house_bot.respond(view), view

    @pytest.mark.parametrize("rival", [KID, NESTOR, AUSTIN])
    def test_champion_beats_them(self, rival: int, table: NDArray[np.int8]) -> None:
        share, half = match(1, 50_000, rival, table)
        assert share - half > 0.53
