"""Transcripts of Pazaak: whole ones kept as files, and many against the reference engine's facts.

`python -m tests.games.test_pazaak_transcript` writes the files anew; read them before keeping them.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from harness.arena import job
from harness.games.frames import EXCEPTION, PROTOCOL, UNANSWERED
from harness.games.pazaak import END, STAND, View
from harness.games.pazaak.about import VARIANTS, PazaakRules
from harness.games.pazaak.game import GAME
from harness.games.pazaak.transcript import transcript
from tests.games.cards import pazaak_deal, pazaak_words, rows_of
from tests.games.lockstep import Decision, Played, deals_of, play
from tests.reference import pazaak as reference
from tests.reference.pazaak import ReferenceView

TEXT, ORIGINAL = VARIANTS["text"], VARIANTS["original-2015"]
GOLDEN = Path(__file__).parent / "golden"
NAMES = ("Nestor", "Bastila")


def decided(codes: Iterable[int]) -> list[job.Decision]:
    """Decisions with these replies, as far as a transcript looks at them."""
    records = np.zeros(1, GAME.questions[0].reply)
    made = []
    for code in codes:
        records["code"] = code
        made.append(job.Decision(-1, 0, b"", records[0].copy(), 0))
    return made


@dataclass(frozen=True)
class Script:
    """A game laid out card by card: of every hand, the top of the deck and the replies."""

    rules: PazaakRules
    sides: tuple[list[int], list[int]]
    hands: list[tuple[list[int], list[int]]]

    @property
    def words(self) -> NDArray[np.uint32]:
        return pazaak_words(self.rules, self.sides, [cards for cards, _ in self.hands])

    @property
    def replies(self) -> list[int]:
        return [reply for _, replies in self.hands for reply in replies]

    def tell(self, rows: int = 99, replies: list[int] | None = None) -> list[str]:
        """The transcript, with `rows` rows of words dealt out at a time."""
        words = self.words
        return list(
            transcript(
                self.rules,
                words[:rows],
                lambda refill: words[refill * rows : (refill + 1) * rows],
                decided(self.replies if replies is None else replies),
                NAMES,
            )
        )


SIDES = ([1, 2, 3, 4], [5, 4, 3, 2])
SIDES_2015 = ([1, 2, 3, 4, 5], [5, 4, 3, 2, 1])

SCRIPTS = {
    "text": Script(
        TEXT,
        SIDES,
        [
            ([10, 9, 8, 7], [END, END, STAND, 3]),  # a side card wins
            ([10, 10, 8, 8], [END, END, STAND, STAND]),  # a tie
            ([9, 8, 4, 7, 6], [END, END, END, STAND, END]),  # active above a stander
            ([10, 10, 9, 9, 5, 6], [END, END, END, END, END, STAND]),  # both bust
            ([10, 10, 10, 9], [END, END, STAND, STAND]),
            ([7, 10, 9, 8, 3, 5], [END, END, END, END, STAND, STAND]),  # one bust
        ],
    ),
    "original-2015": Script(
        ORIGINAL,
        SIDES_2015,
        [
            ([10, 10, 8, 10], [END, END, STAND]),  # the last card stands unasked and wins
            ([10, 10, 10, 10], [END, END]),  # both stand unasked
            ([10, 9, 10, 3, 7], [END, END, END, 1]),  # one stands unasked, the other plays on
            ([9, 8], [STAND, STAND]),
            ([9, 8], [STAND, STAND]),
            ([9, 8], [5, STAND]),
        ],
    ),
    "illegal-and-bust": Script(
        TEXT,
        SIDES,
        [
            ([10, 9, 10], [9, END, END]),  # never held
            ([10, 1, 9, 1, 2, 1], [END, END, END, END, 3, END]),  # bust, and a card used up
            ([8, 8], [3, EXCEPTION]),  # held no more
            ([9, 9], [PROTOCOL, UNANSWERED]),
            ([7, 9], [STAND, -7]),
        ],
    ),
}


@pytest.mark.parametrize("name", SCRIPTS)
def test_a_transcript_is_the_one_on_file(name: str) -> None:
    expected = (GOLDEN / f"{name}.txt").read_text(encoding="utf-8")
    assert SCRIPTS[name].tell() == expected.splitlines()


@pytest.mark.parametrize("name", SCRIPTS)
@pytest.mark.parametrize("rows", [1, 2, 3])
def test_words_that_had_to_be_continued_tell_the_same_game(name: str, rows: int) -> None:
    script = SCRIPTS[name]
    even = replace(script, hands=[*script.hands, ([], []), ([], [])])  # whole continuations
    assert even.tell(rows) == script.tell()


def test_a_game_without_its_last_replies_breaks_off() -> None:
    script = SCRIPTS["text"]
    whole = script.tell()
    for n in range(len(script.replies)):
        *told, last = script.tell(replies=script.replies[:n])
        assert told == whole[: len(told)]
        assert last == "The game breaks off here."


# Against the reference. Both transcripts are boiled down to facts.

_WHO = "(Player one|Player two)"
_OURS = {
    "standings": r"Hand \d+; standings: Player one (\d+), Player two (\d+)\.",
    "dealt": _WHO + r" has .+ and is dealt (\d+): .+ \((\d+)\)\.",
    "illegal": _WHO + r" (?:illegally .+|gives .+|raises .+), and so stands\.",
    "plays": _WHO + r" plays (\d+) and stands: .+ \((\d+)\)\.",
    "won": _WHO + r" wins the hand(?: with|,) .+\.",
}
_THEIRS = {
    "standings": r"Hand \d+, standings (\d+) to (\d+)\.",
    "dealt": _WHO + r" is dealt (\d+): .+ = (\d+)\.",
    "illegal": _WHO + r" answers .+, which is illegal, and so stands\.",
    "plays": _WHO + r" plays (\d+) and stands: .+ = (\d+)\.",
    "won": _WHO + r" wins the hand, .+\.",
}
_BOTH = {
    "ends": _WHO + r" ends its turn\.",
    "stands": _WHO + r" stands\.",
    "unasked": _WHO + r" stands on (\d+) unasked\.",
    "bust": _WHO + r" bombs out with (\d+)\.",
    "tied": r"The hand is tied, (\d+) to (\d+)\.",
    "game": _WHO + r" wins the game, (\d+) to (\d+)\.",
}
_SAID_ONCE = r"New game.*|Player (?:one|two) draws .+"


def facts(lines: Iterable[str], patterns: dict[str, str]) -> Iterator[tuple[str, ...]]:
    for line in lines:
        found = [
            (kind, *match.groups())
            for kind, pattern in (patterns | _BOTH).items()
            if (match := re.fullmatch(pattern, line))
        ]
        if not found:
            assert re.fullmatch(_SAID_ONCE, line), line
            continue
        (fact,) = found
        if fact[0] == "game" and patterns is _THEIRS and fact[1] == "Player two":
            fact = (*fact[:2], fact[3], fact[2])  # we name the winner's score first
        yield fact


def referenced(played: Played, rules: PazaakRules, deal: int) -> reference.Game:
    replies = iter(played.decisions[deal])

    def decide(seat: int, told: ReferenceView) -> int:
        return next(replies).reply  # type: ignore[return-value]

    rows = rows_of(played.deals, played.words, deal)
    return reference.play_game(
        reference.Rules(**rules.model_dump()), *pazaak_deal(rules, rows), decide
    )


def told(played: Played, rules: PazaakRules, deal: int, names: tuple[str, str]) -> list[str]:
    made: list[Decision] = played.decisions[deal]
    return list(
        transcript(
            rules,
            played.words[deal],
            lambda refill: played.deals.more(deal, refill),
            decided(decision.reply for decision in made),  # type: ignore[misc]
            names,
        )
    )


def erratic(seed: int) -> reference.Decide:
    rng = random.Random(seed)

    replies = [*range(-4, 7), EXCEPTION, PROTOCOL, UNANSWERED]

    def decide(seat: int, view: View | ReferenceView) -> int:
        if rng.random() < 0.15:
            return rng.choice(replies)
        return END if view.total < 15 else STAND

    return decide


# A first card can make the target here: hands, and the most of a game, without a question.
TWO_RANKS = PazaakRules(main_ranks=2, main_copies=12, target=2, auto_stand=True)
THREE_RANKS = PazaakRules(main_ranks=3, main_copies=8, target=3, auto_stand=True)


@pytest.mark.parametrize(
    "rules",
    [TEXT, ORIGINAL, TWO_RANKS, THREE_RANKS],
    ids=["text", "original-2015", "two ranks", "three ranks"],
)
@pytest.mark.parametrize("rows", [1, 13])
def test_a_transcript_tells_the_facts_of_the_reference(rules: PazaakRules, rows: int) -> None:
    key, deals = b"transcript".ljust(32), 100
    source = replace(deals_of(GAME, rules, key, deals), rows=rows)
    played = play(GAME, rules, key, deals, 20, erratic(rows), source=source)
    for deal in range(deals):
        lines = told(played, rules, deal, ("Player one", "Player two"))
        expected = referenced(played, rules, deal).transcript
        assert list(facts(lines, _OURS)) == list(facts(expected, _THEIRS))


if __name__ == "__main__":
    for name, script in SCRIPTS.items():
        (GOLDEN / f"{name}.txt").write_text("\n".join([*script.tell(), ""]), encoding="utf-8")
