"""Transcripts of BS: a whole one kept as a file, and many against the reference engine's events.

`python -m tests.games.test_bs_transcript` writes the file anew; read it before keeping it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np
import pytest

from harness.arena.job import Decision
from harness.games.bs import SEATS, View
from harness.games.bs.about import BsRules
from harness.games.bs.game import GAME
from harness.games.bs.transcript import transcript
from harness.games.frames import EXCEPTION
from tests.games.bs_tables import Dealer, manners
from tests.games.lockstep import Decision as Made
from tests.games.lockstep import Played, play
from tests.reference import bs as reference

TEXT = BsRules()
GOLDEN = Path(__file__).parent / "golden" / "bs.txt"
NAMES = ("Ann", "Bob", "Cid", "Dot")


def records(made: Iterable[Made]) -> Iterator[Decision]:
    """The decisions as a watched game has them."""
    for decision in made:
        wire = GAME.questions[decision.question].wire
        record = np.zeros(1, GAME.questions[decision.question].reply)
        reply = decision.reply
        payload = memoryview(record.view(np.uint8))[2:]
        record["code"] = reply if type(reply) is int else wire.encode(reply, payload)
        yield Decision(decision.seat, decision.question, b"", record[0], decision.how)


def told(played: Played, deal: int, made: list[Made], rules: BsRules = TEXT) -> list[str]:
    words, more = played.words[deal], lambda refill: played.deals.more(deal, refill)
    return list(transcript(rules, words, more, records(made), NAMES))


def golden() -> list[str]:
    """A short game with every kind of line."""
    turns: dict[tuple[int, int], object] = {(2, 2): [], (3, 3): None, (4, 0): [0] * 5}
    calls: dict[tuple[int, int], object] = {(1, 3): EXCEPTION, (1, 0): True, (1, 2): True}
    calls[2, 3] = True

    def decide(seat: int, view: View) -> object:
        if view.number:
            return calls.get((view.turn, seat), view.turn == 5 and seat == 2)
        if view.turn == 6:
            return view.hand
        true = [view.rank] * view.hand.count(view.rank)
        return turns.get((view.turn, seat), true or view.hand[:2])

    played = play(GAME, TEXT, b"golden".ljust(32), 1, 1, decide)
    return told(played, 0, played.decisions[0])


def test_a_transcript_is_the_one_on_file() -> None:
    assert golden() == GOLDEN.read_text(encoding="utf-8").splitlines()


# Boiled down to facts, both accounts of a game are the same.


def facts(lines: list[str]) -> Iterator[tuple[object, ...]]:
    who = f"({'|'.join(NAMES)})"
    for line in lines:
        if match := re.fullmatch(rf"{who} holds .+ and lays ([\d ]+).*\. Pile: \d+\.", line):
            yield "lays", NAMES.index(match[1]), len(match[2].split())
        elif match := re.fullmatch(rf"It was (.+): {who} takes the pile of (\d+) cards?\.", line):
            yield "takes", match[1] == "a lie", NAMES.index(match[2]), int(match[3])
        elif match := re.fullmatch(rf"(?:.+; )?{who} (?:calls|is drawn)\.", line):
            yield "calls", NAMES.index(match[1])
        elif match := re.fullmatch(rf"{who} has no card left and wins\.", line):
            yield "wins", NAMES.index(match[1])


def expected(game: reference.Outcome) -> Iterator[tuple[object, ...]]:
    for event in game.events:
        if isinstance(event, reference.Laid):
            yield "lays", event.seat, event.number
        else:
            yield "calls", event.caller
            yield "takes", event.lie, event.taker, event.cards
    if game.winner is not None:
        yield "wins", game.winner


@pytest.mark.parametrize("how", [(0.2, 0.5, 0.1), (0.5, 0.8, 0.0)])
@pytest.mark.parametrize("rounds", [5, 1000])
def test_a_transcript_tells_the_events_of_the_reference(
    how: tuple[float, float, float], rounds: int
) -> None:
    rules = BsRules(max_rounds=rounds)
    played = play(GAME, rules, b"transcript".ljust(32), 15, 15, manners(4, *how))
    for deal in range(15):
        dealer = Dealer(played, deal)
        made = played.decisions[deal]
        replies = [iter([d for d in made if d.seat == seat]) for seat in range(SEATS)]

        def decide(seat: int, view: reference.ReferenceView) -> object:
            dealer.turn += view.kind == "lay"  # noqa: B023
            return next(replies[seat]).reply  # noqa: B023

        game = reference.play_game(dealer.hands, decide, dealer.draw, rounds)
        lines = told(played, deal, played.decisions[deal], rules)
        assert list(facts(lines)) == list(expected(game))
        if game.winner is None:
            assert lines[-1] == f"Nobody has won after {rounds} rounds."


def test_who_has_no_decision_left_forfeits_and_the_rules_play_for_it() -> None:
    played = play(GAME, TEXT, b"forfeit".ljust(32), 5, 5, manners(5, 0.1, 0.5, 0.0))
    long = [deal for deal in range(5) if len(played.decisions[deal]) > 4 * 10]
    assert len(long) > 1
    for deal in long:
        whole = told(played, deal, played.decisions[deal])
        kept = [d for d in played.decisions[deal] if d.seat != 1 or d.view.turn < 9]
        lines = told(played, deal, kept)
        at = lines.index("Bob forfeits the game: it cannot win, and the rules play for it.")
        assert lines[: at - 8] == whole[: at - 8]
        assert "Turn 10: Bob is to lay rank 9." in lines[: at + 1]
        assert not lines[-1].startswith("Bob has no card left and wins")


if __name__ == "__main__":
    GOLDEN.write_text("\n".join([*golden(), ""]), encoding="utf-8")
