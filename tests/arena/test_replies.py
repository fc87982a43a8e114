"""Replies that are no actions, in single ones and in whole frames: what is made of them."""

from __future__ import annotations

import pytest

from tests.arena.bad import BATCH, DEALS, GAMES, QUICK, counts
from tests.arena.conftest import Play
from tests.conftest import CAUTIOUS
from tests.sampling import sampled


def test_a_bot_without_faults_plays_every_game(play: Play) -> None:
    result = play(CAUTIOUS)
    assert counts(result) == counts(result, 1) == {}
    assert sum(p.wins for p in result.players) == result.games == GAMES
    assert result.won.shape == (2, DEALS, 2)


def test_identical_bots_split_every_deal(play: Play) -> None:
    result = play(CAUTIOUS)
    assert result.squares == 0
    assert result.players[0].wins == result.players[1].wins


ILLEGAL = """
class Bad(Player):
    def respond(self, view):
        return {reply} if view.total >= 15 else END
"""


@pytest.mark.parametrize("reply", sampled(["-2", "play(9)", "-32765", "12345", "play(15)"], 1))
def test_an_illegal_action_is_replaced_and_counted_without_limit(play: Play, reply: str) -> None:
    result = play(ILLEGAL.format(reply=reply), QUICK.model_copy(update={"max_faults": 0}))
    assert set(counts(result)) == {"illegal"}
    assert counts(result)["illegal"] > GAMES
    assert result.players[0].retired is None
    # The substitute is STAND, so this bot is Cautious with another spelling.
    assert result.players[0].wins == result.players[1].wins
    example = result.players[0].log.examples[0]
    assert example.kind == "illegal"
    assert example.saw["total"] >= 15
    assert str(example.answered) in reply


@pytest.mark.parametrize(
    "reply",
    sampled(
        [
            "True",
            "1.0",
            "None",
            "10**30",
            "-10**30",
            "40000",
            "'END'",
            "(1,)",
            "Int(0)",
            "object()",
        ],
        4,
    ),
)
def test_a_reply_of_the_wrong_type_is_a_protocol_fault(play: Play, reply: str) -> None:
    source = f"""
class Int(int):
    pass
class Bad(Player):
    def respond(self, view):
        return {reply} if view.hand_number == 1 and len(view.hand) == 1 else STAND
"""
    result = play(source, QUICK.model_copy(update={"max_faults": 10_000}))
    assert set(counts(result)) == {"protocol"}
    assert result.players[0].retired is None
    assert result.players[0].log.examples[0].saw["hand_number"] == 1


@pytest.mark.parametrize(
    "error",
    sampled(
        [
            "1 / 0",
            "raise SystemExit(0)",
            "raise KeyboardInterrupt",
            "raise StopIteration",
            "raise GeneratorExit",
            "self.respond(view)",
            "raise BaseException('x' * 1_000_000)",
        ],
        2,
    ),
)
def test_an_exception_costs_the_action_and_keeps_its_traceback(play: Play, error: str) -> None:
    source = f"""
class Bad(Player):
    def respond(self, view):
        if view.game_number == 1 and len(view.hand) == 1:
            {error}
        return END if view.total < 15 else STAND
"""
    result = play(source, QUICK.model_copy(update={"max_faults": 10_000}))
    assert set(counts(result)) == {"exception"}
    example = result.players[0].log.examples[0]
    assert example.saw["game_number"] == 1
    assert "respond" in example.traceback
    assert "runner.py" not in example.traceback
    assert result.players[0].wins > 0


def test_a_batch_player_plays_like_its_single_twin(play: Play) -> None:
    result = play(BATCH.format(what="pass"))
    assert counts(result) == {}
    assert result.squares == 0


@pytest.mark.parametrize(
    ("what", "kind"),
    sampled(
        [
            ("replies = replies[:-1]", "protocol"),
            ("replies = list(replies)", "protocol"),
            ("replies = replies.astype(float)", "protocol"),
            ("replies = replies.reshape(-1, 1)", "protocol"),
            ("replies = replies == 0", "protocol"),
            ("replies = None", "protocol"),
            ("1 / 0", "exception"),
        ],
        3,
    ),
)
def test_a_batch_fault_is_one_fault_for_the_whole_frame(play: Play, what: str, kind: str) -> None:
    source = BATCH.format(
        what="self.n = getattr(self, 'n', 0) + 1\n        if self.n == 3: " + what
    )
    result = play(source)
    assert counts(result) == {kind: 2}  # once per leg
    assert result.players[0].retired is None


def test_a_batch_reply_out_of_range_is_a_protocol_fault(play: Play) -> None:
    result = play(BATCH.format(what="replies = replies.astype(np.int64); replies[0] = 10**12"))
    assert set(counts(result)) == {"protocol"}
