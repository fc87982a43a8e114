"""Random games of the Spades reference engine, each checked by the rules spelled out once more."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from tests.reference.spades import (
    BID,
    CardPlayed,
    Decision,
    HandRecord,
    ReferenceView,
    Rules,
    hand_score,
    is_over,
    play_game,
)


def random_decide(source: random.Random) -> Callable[[int, ReferenceView], int]:
    """Return answers of all kinds: legal, held but illegal, and meaningless."""

    def decide(seat: int, view: ReferenceView) -> int:
        if view.kind == BID:
            return source.choice((0, 1, 2, 3, 3, 4, 5, 14))
        return source.choice((*view.hand, *view.legal, 52))

    return decide


def check_hand(record: HandRecord) -> None:
    """Replay a recorded hand card by card, by rules spelled out once more."""
    held = [set(hand) for hand in record.hands]
    assert sorted(number for hand in held for number in hand) == list(range(52))
    assert len(record.tricks) == 13
    leader = (record.dealer + 1) % 4
    won = [0, 0, 0, 0]
    broken = False
    for played in record.tricks:
        assert [seat for seat, _ in played] == [(leader + turn) % 4 for turn in range(4)]
        led = played[0].card // 13
        best = played[0]
        for seat, number in played:
            suit = number // 13
            assert number in held[seat]
            if seat == leader and suit == 3 and not broken:
                assert min(held[seat]) >= 39
            if suit != led:
                assert all(other // 13 != led for other in held[seat])
            held[seat].remove(number)
            broken = broken or suit == 3
            if suit == best.card // 13:
                best = max(best, CardPlayed(seat, number), key=lambda one: one.card)
            elif suit == 3:
                best = CardPlayed(seat, number)
        leader = best.seat
        won[leader] += 1
    assert tuple(won) == record.tricks_won


def check_answer(decision: Decision) -> None:
    """Check what was told against itself, and the answer against what was told."""
    view = decision.view
    assert view.seat == decision.seat
    assert sum(view.tricks_won) == len(view.tricks)
    on_table = [number for played in (*view.tricks, view.trick) for _, number in played]
    assert view.spades_broken == any(number >= 39 for number in on_table)
    assert not set(view.hand) & set(on_table)
    assert view.hand == tuple(sorted(view.hand))
    if view.kind == BID:
        assert decision.legal == (0 <= decision.reply <= 13)
        assert len(view.hand) == 13
        assert view.legal == ()
    else:
        assert decision.legal == (decision.reply in view.legal)
        assert view.legal == tuple(sorted(set(view.legal) & set(view.hand)))
        assert len(view.hand) == 13 - len(view.tricks)


@pytest.mark.parametrize("seed", range(12))
def test_random_games_add_up(seed: int) -> None:
    source = random.Random(seed)
    deck = list(range(52))
    deals = [source.sample(deck, 52) for _ in range(30)]
    rules = Rules(max_hands=30)
    game = play_game(deals, random_decide(source), seed % 4, rules)
    scores = bags = (0, 0)
    for hand, record in enumerate(game.records):
        check_hand(record)
        assert record.dealer == (seed + hand) % 4
        after = [
            hand_score(record.bids[team::2], record.tricks_won[team::2], scores[team], bags[team])
            for team in (0, 1)
        ]
        scores, bags = zip(*after, strict=True)
        assert (scores, bags) == (record.scores, record.bags)
        assert all(0 <= count <= 9 for count in bags)
    for decision in game.decisions:
        check_answer(decision)
    totals = [record.scores for record in game.records]
    assert [is_over(totals[: hand + 1], rules) for hand in range(game.hands)] == [
        *[False] * (game.hands - 1),
        True,
    ]
    assert (game.scores, game.bags) == (scores, bags)
    assert game.winner is None or game.scores[game.winner] > game.scores[1 - game.winner]
    assert (game.winner is None) == (scores[0] == scores[1])
