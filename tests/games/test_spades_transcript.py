"""Transcripts of Spades: a whole one kept as a file, and many against the reference engine's facts.

`python -m tests.games.test_spades_transcript` writes the file anew; read it before keeping it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from harness.arena.job import Decision
from harness.games.frames import EXCEPTION, PROTOCOL, UNANSWERED
from harness.games.spades import BidView, card, name, rank
from harness.games.spades.about import SpadesRules
from harness.games.spades.game import GAME
from harness.games.spades.transcript import transcript
from tests.games.cards import Rigged
from tests.games.lockstep import Played, play
from tests.games.spades_tables import SHORT, compare, erratic, words_of
from tests.reference.spades import HandRecord, Outcome

GOLDEN = Path(__file__).parent / "golden" / "spades.txt"
NAMES = ("Hard", "Normal", "Easy", "Normal")
PLACES = ("North", "East", "South", "West")
TWO_HANDS = SpadesRules(max_hands=2)

SUITS = [" ".join(rank_ + suit for rank_ in "23456789TJQKA") for suit in "SCDH"]
"""Seat 0 holds all spades."""


def scripted() -> Played:
    """A hand in which much goes wrong, and one in which North takes every trick."""
    deals = [[card(each) for names in hand for each in names.split()] for hand in (SHORT, SUITS)]
    words = words_of(deals, first_dealer=3)
    bids = [iter(each) for each in ([5, 13], [EXCEPTION, 0], [14, 0], [0, 0])]
    plays: list[Iterator[Any]] = [
        iter([card("AS"), PROTOCOL, card("AC")]),  # no spade may be led yet
        iter([card("8C"), card("7C"), UNANSWERED]),
        iter([card("JD"), card("TS"), 77]),
        iter([card("2S"), card("9S"), card("KS"), -5]),
    ]

    def decide(seat: int, view: Any) -> Any:
        if isinstance(view, BidView):
            return next(bids[seat])
        return next(plays[seat], min(view.legal, key=rank))

    source = Rigged(bytes(32), 1, *words.shape, words)
    played = play(GAME, TWO_HANDS, source.key, 1, 1, decide, source=source)
    compare(played, TWO_HANDS, 0)
    return played


@cache
def scripted_game() -> Played:
    return scripted()


def told(played: Played, deal: int, rules: SpadesRules, decisions: int | None = None) -> list[str]:
    """The transcript of a game, or of what its first decisions make of it."""
    made = []
    for each in played.decisions[deal][:decisions]:
        reply = np.zeros(1, GAME.questions[each.question].reply)
        reply["code"] = each.reply
        made.append(Decision(each.seat, each.question, b"", reply[0], each.how))

    def more(refill: int) -> Any:
        return played.deals.more(deal, refill)

    return list(transcript(rules, played.words[deal], more, made, NAMES))


def test_a_transcript_is_the_one_on_file() -> None:
    assert told(scripted_game(), 0, TWO_HANDS) == GOLDEN.read_text(encoding="utf-8").splitlines()


def test_a_forfeited_game_breaks_off_and_nobody_is_blamed() -> None:
    """Who forfeits is the arena's to say: a bot may be retired when its opponent is asked."""
    played = scripted_game()
    made = played.decisions[0]
    whole = told(played, 0, TWO_HANDS)
    for n in range(len(made)):
        *lines, last = told(played, 0, TWO_HANDS, n)
        assert last == "The game breaks off here."
        begun = lines.pop() if lines[-1] not in whole else None  # a trick in progress
        assert lines == whole[: len(lines)]
        if begun is not None:
            assert any(line.startswith(begun.removesuffix(".")) for line in whole)


# Against the reference, fact by fact.


def expected(game: Outcome, rules: SpadesRules) -> Iterator[str]:
    """Every line that tells of no illegal answer, made from the reference's records."""
    for number, hand in enumerate(game.records, 1):
        yield f"Hand {number}, dealt by {PLACES[hand.dealer]}."
        yield from _played(hand)
        for team, who in ((0, "North-South"), (1, "East-West")):
            seats = (team, team + 2)
            bid, took = (sum(each[s] for s in seats) for each in (hand.bids, hand.tricks_won))
            nils = ", ".join(
                f"{PLACES[s]} {'failed' if hand.tricks_won[s] else 'made'} nil"
                for s in seats
                if hand.bids[s] == 0
            )
            yield (
                f"{who} bid {bid} and took {took}{f' ({nils})' if nils else ''}: "
                f"{hand.scores[team]} points, bags: {hand.bags[team]}."
            )
    one, two = game.scores
    if game.winner is None:
        yield f"The game is drawn, {one} to {two}."
    else:
        who = ("North-South", "East-West")[game.winner]
        yield f"{who} win the game, {max(one, two)} to {min(one, two)}."


def _played(hand: HandRecord) -> Iterator[str]:
    for number, trick in enumerate(hand.tricks, 1):
        leader = hand.tricks[number][0].seat if number < 13 else None
        cards = ", ".join(f"{PLACES[each.seat]} {name(each.card)}" for each in trick)
        won = f"; {PLACES[leader]} wins it." if leader is not None else ""
        yield f"Trick {number}: {cards}{won}"


UNTOLD = "|".join(
    [
        r"New game: .*",
        r"\w+ holds .*",
        r"\w+ bids (\d+|nil)\.",
        r"\w+ (illegally|raises|gives) .* (counts|played)\.",
    ]
)


@pytest.mark.parametrize("rules", [SpadesRules(), SpadesRules(max_hands=3, win_at=90)])
def test_a_transcript_tells_the_facts_of_the_reference(rules: SpadesRules) -> None:
    deals = 25
    played = play(GAME, rules, b"transcript".ljust(32), deals, 10, erratic(8, wrong=0.05, nils=0.3))
    for deal in range(deals):
        lines = [line for line in told(played, deal, rules) if not re.fullmatch(UNTOLD, line)]
        wanted = list(expected(compare(played, rules, deal), rules))
        assert len(lines) == len(wanted)
        for line, fact in zip(lines, wanted, strict=True):
            assert line == fact if fact.endswith(".") else line.startswith(fact)


def test_every_bid_and_every_illegal_answer_is_told() -> None:
    rules = SpadesRules()
    played = play(GAME, rules, b"illegal".ljust(32), 25, 10, erratic(9, wrong=0.2))
    for deal in range(25):
        made = played.decisions[deal]
        lines = told(played, deal, rules)
        wrong = [line for line in lines if re.match(r"\w+ (illegally|raises|gives) ", line)]
        assert len(wrong) == sum(not each.legal for each in made)
        bids = [
            line for line in lines if re.match(r"\w+ bids ", line) or line.endswith(": 1 counts.")
        ]
        assert len(bids) == sum(each.question == 0 for each in made)


if __name__ == "__main__":
    text = "\n".join([*told(scripted(), 0, TWO_HANDS), ""])
    GOLDEN.write_text(text, encoding="utf-8")
