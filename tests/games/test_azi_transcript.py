"""Transcripts of Azi: one kept as a file, and many against what the reference engine says.

`python -m tests.games.test_azi_transcript` writes the file anew; read it before keeping it.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import numpy as np
import pytest

from harness.arena.job import Decision
from harness.games.azi import View
from harness.games.azi.about import AziRules
from harness.games.azi.game import GAME
from harness.games.azi.transcript import transcript
from harness.games.frames import EXCEPTION
from tests.games import lockstep
from tests.games.azi_tables import hand, rigged, session_words
from tests.games.lockstep import Played, play
from tests.games.test_azi_rules import KEY, compare, manners

GOLDEN = Path(__file__).parent / "golden" / "azi.txt"
NAMES = ("Ann", "Bob", "Cid", "Dot", "Eve", "Fay")

RULES = AziRules(seats=3, stack=12, session_deals=6, azi_entry="half_bank")
DEALS = [
    (["h6 dA sA", "h7 d7 s7", "hA d6 s6"], "hK"),
    (["hK s9 d8", "s8 dA d9", "sA d10 h9"], "h7"),
    (["h6 d8 s8", "d9 s9 hK", "sA h7 d7"], "hA"),
    (["h6 dA sA", "h7 d7 s7", "hA d6 s6"], "hK"),
    (["h6 dA sA", "h7 d7 s7", "hA d6 s6"], "hK"),
    (["h6 dA sA", "h7 d7 s7", "hA d6 s6"], "hK"),
]


def decisions(made: Iterable[lockstep.Decision]) -> list[Decision]:
    """As the arena keeps them."""
    kept = []
    for decision in made:
        reply = np.zeros(1, GAME.questions[decision.question].reply)
        reply["code"] = decision.reply
        kept.append(Decision(decision.seat, decision.question, b"", reply[0], decision.how))
    return kept


def tell(played: Played, rules: AziRules, deal: int, made: list[Decision]) -> list[str]:
    words = played.words[deal]
    names = NAMES[: rules.seats]
    return list(transcript(rules, words, lambda n: played.deals.more(deal, n), made, names))


def scripted(seat: int, view: View) -> int:
    """A little of everything: raises, folds, a short call, a fault and a wrong card."""
    if view.entering:
        return 0
    if view.legal_mask:
        wrong = view.deal_number == 0 and seat == 1
        return hand("hQ")[0] if wrong else view.legal[-1]
    if view.deal_number == 2 and seat == 0:
        return EXCEPTION
    if view.deal_number == 3 and view.may_fold:
        return -1
    if not view.may_call or (len(view.bets) == 1 and view.most):
        return min(view.most, view.least + view.deal_number)
    return 0


def golden() -> list[str]:
    played = play(
        GAME, RULES, KEY, 1, 1, scripted, source=rigged(RULES, session_words(RULES, 0, DEALS))
    )
    return tell(played, RULES, 0, decisions(played.decisions[0]))


def test_a_transcript_is_the_one_on_file() -> None:
    assert golden() == GOLDEN.read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize(
    "rules",
    [
        AziRules(),
        AziRules(seats=6, deal=4, azi_entry="half_bank", session_deals=30),
        AziRules(seats=3, azi_entry="trick_players", max_azi=1, opener_may_fold=True),
    ],
)
def test_transcripts_tell_what_the_reference_says(rules: AziRules) -> None:
    played = play(GAME, rules, KEY, 6, 3, manners(3, 0.1, 0.05, 0.3))
    for deal in range(6):
        outcomes = compare(played, rules, deal)
        lines = tell(played, rules, deal, decisions(played.decisions[deal]))
        stacks = outcomes[-1].stacks
        listed = ", ".join(
            f"{name} {chips}" for name, chips in zip(NAMES, stacks, strict=False) if chips
        )
        assert lines[-1] == f"The session is over: {listed}."
        assert sum(line.startswith("Deal ") for line in lines) == len(outcomes)
        azi = sum(outcome.winner is None for outcome in outcomes)
        assert sum(line.endswith("Azi.") for line in lines) == azi
        back = sum(any(outcome.returned) for outcome in outcomes)
        assert sum(line.startswith("The bank goes back") for line in lines) == back
        tricks = sum(len(outcome.tricks) for outcome in outcomes)
        assert sum(line.endswith("takes the trick.") for line in lines) == tricks
        winners = [NAMES[outcome.winner] for outcome in outcomes if outcome.winner is not None]
        told = [line.split()[0] for line in lines if " wins the deal" in line]
        assert told == winners


def test_a_seat_whose_decisions_end_has_forfeited() -> None:
    rules = AziRules(seats=3, session_deals=4)
    played = play(GAME, rules, KEY, 1, 1, manners(4, 0.0, 0.0, 0.2))
    made = [d for d in decisions(played.decisions[0]) if d.seat != 1]
    lines = tell(played, rules, 0, made)
    assert sum("Bob forfeits" in line for line in lines) == 1
    assert not any(line.startswith(("Bob calls", "Bob plays")) for line in lines)
    assert lines[-1].startswith("The session is over")


if __name__ == "__main__":
    GOLDEN.write_text("\n".join(golden()) + "\n", encoding="utf-8")
