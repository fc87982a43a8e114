"""Scripted sessions of Azi for the tests of the reference engine: cards by name, and decks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tests.reference.azi import DealOutcome, ReferenceView, Rules, play_session

THREE = Rules(seats=3)
FOUR = Rules(seats=4)
BAD_ANSWERS: list[Any] = [None, "1", 1.0, True, -2, 1000]


def card(name: str) -> int:
    """A card by its name, such as h6 or sT: hearts, diamonds, spades; 6789TJQKA."""
    return "hds".index(name[0]) * 9 + "6789TJQKA".index(name[1])


def cards(names: str) -> tuple[int, ...]:
    return tuple(card(name) for name in names.split())


def deck_of(rules: Rules, hands: dict[int, str], turn_up: str = "hQ") -> list[int]:
    """Return a deck that deals these hands by seat; other places get the cards left, in order."""
    named = {card(turn_up), *(c for hand in hands.values() for c in cards(hand))}
    rest = [number for number in range(27) if number not in named]
    deck: list[int] = []
    for seat in range(rules.seats):
        deck += cards(hands[seat]) if seat in hands else [rest.pop(0) for _ in range(rules.deal)]
    return [*deck, card(turn_up), *rest]


def win_for(rules: Rules, seat: int) -> list[int]:
    """A deck in which `seat` has nothing but high trumps, and so takes the first two tricks."""
    return deck_of(rules, {seat: "hA hK hJ"})


def azi_for(rules: Rules, leader: int = 0) -> list[int]:
    """A deck in which `leader`, if it leads, and the two seats to its left take a trick each."""
    hands = {0: "dA s6 s7", 1: "d6 sA s8", 2: "d7 s9 h6", 3: "d8 d9 dT"}
    seats = range(rules.seats)
    return deck_of(rules, {(leader + step) % rules.seats: hands[step] for step in seats})


def play(
    rules: Rules,
    *decks: list[int],
    bets: Sequence[tuple[int, Any]] = (),
    plays: Sequence[tuple[int, Any]] | None = None,
    discards: dict[int, Any] | None = None,
    enters: Sequence[tuple[int, Any]] = (),
    stacks: Sequence[int] | None = None,
    first_opener: int = 0,
) -> list[DealOutcome]:
    """Play a session in which exactly these seats are asked, in this order, for bets and entries.

    Without `plays` everybody plays the first legal card in the order dealt.
    """
    waiting = {"bet": list(bets), "enter": list(enters), "play": list(plays or ())}

    def decide(seat: int, view: ReferenceView) -> Any:
        assert seat == view.seat
        if view.kind == "discard":
            assert discards is not None
            return discards[seat]
        if view.kind == "play" and plays is None:
            return view.legal[0]
        assert waiting[view.kind], f"a question too many: {view}"
        expected, reply = waiting[view.kind].pop(0)
        assert seat == expected, view
        return reply

    outcomes = play_session(rules, decks, decide, stacks, first_opener)
    assert not any(waiting.values()), f"answers nobody asked for: {waiting}"
    return outcomes


def asked(outcome: DealOutcome, kind: str, seat: int | None = None) -> list[ReferenceView]:
    """Return the views of the questions of this kind, of all seats or one."""
    views = [decision.view for decision in outcome.decisions if decision.view.kind == kind]
    return [view for view in views if seat is None or view.seat == seat]
