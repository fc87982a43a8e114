"""Scripted games of Pazaak for the tests of the reference engine: hands card by card."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from tests.reference.pazaak import ORIGINAL_2015, STAND, TEXT, Game, ReferenceView, Rules, play_game

ONE_HAND = replace(TEXT, wins_needed=1)
ONE_HAND_2015 = replace(ORIGINAL_2015, wins_needed=1)
SIDE_HANDS = ((1, 2, 3, 4), (5, 4, 3, 2))
SIDE_HANDS_2015 = ((1, 2, 3, 4, 5), (5, 4, 3, 2, 1))


@dataclass(frozen=True)
class Hand:
    """The top cards of a deck, and each player's answers: as many as it must be asked for."""

    top: tuple[int, ...]
    one: tuple[int, ...]
    two: tuple[int, ...]


ONE_WINS = Hand(top=(10, 9), one=(STAND,), two=(STAND,))
TWO_WINS = Hand(top=(9, 10), one=(STAND,), two=(STAND,))
TIE = Hand(top=(9, 9), one=(STAND,), two=(STAND,))


def whole_deck(rules: Rules, top: Sequence[int] = ()) -> list[int]:
    """Return the main deck of `rules` with the given cards on top and the others in order."""
    rest = [rank for rank in range(1, rules.main_ranks + 1) for _ in range(rules.main_copies)]
    for card in top:
        rest.remove(card)
    return [*top, *rest]


def play(
    *hands: Hand,
    rules: Rules = ONE_HAND,
    side_hands: tuple[tuple[int, ...], tuple[int, ...]] = SIDE_HANDS,
) -> Game:
    """Play a game of exactly these hands, in which nobody is asked more or less than it answers."""
    answers: tuple[list[int], list[int]] = ([], [])

    def deck_of_hand(number: int) -> list[int]:
        assert not any(answers), "an answer nobody asked for"
        answers[0].extend(hands[number].one)
        answers[1].extend(hands[number].two)
        return whole_deck(rules, hands[number].top)

    def decide(seat: int, view: ReferenceView) -> int:
        assert answers[seat], "a question too many"
        return answers[seat].pop(0)

    game = play_game(rules, side_hands, deck_of_hand, decide)
    assert not any(answers), "an answer nobody asked for"
    assert len(game.hand_results) == len(hands)
    return game


def views(game: Game, seat: int) -> list[ReferenceView]:
    """Return what one player was told, question by question."""
    return [decision.view for decision in game.decisions if decision.seat == seat]
