"""The Camicia reference engine against the rules text, the published records and hand-played games.

Every expectation of a short game was worked out by hand.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence

import pytest

from tests.reference.camicia import FINISHED, LOOP, Result, Step, parse_deck, simulate

DECK = 36 * "-" + 4 * "JQKA"

# Deal, and what its finders published: status, cards, tricks. Who and when in the last column.
RECORDS = [
    (
        "---JQ---K-A----A-J-K---QK-/-J-----------AJQA----K---Q",
        Result(FINISHED, 5790, 805),
        "Michael Kleber, 1999",
    ),
    (
        "A-QK------Q----KA-----J---/-JAK----A--Q----J---QJ--K-",
        Result(FINISHED, 6913, 960),
        "Truman Collins, 2006",
    ),
    (
        "K-KK----K-A-----JAA--Q--J-/---Q---Q-J-----J------AQ--",
        Result(FINISHED, 7157, 1007),
        "Richard Mann and Nicolas Wu, 2007",
    ),
    (
        "-J-------Q------A--A--QKK-/-A-Q--J--J---Q--AJ-K---K--",
        Result(FINISHED, 7224, 1016),
        "Reed Nessler, 2012",
    ),
    (
        "-J------Q------AAA-----QQ-/K----JA-----------KQ-K-JJK",
        Result(FINISHED, 7959, 1122),
        "William Rucklidge, 2014",
    ),
    (
        "----K---A--Q-A--JJA------J/-----KK---------A-JK-Q-Q-Q",
        Result(FINISHED, 7972, 1106),
        "Reed Nessler, 2021",
    ),
    (
        "---AJ--Q---------QAKQJJ-QK/-----A----KJ-K--------A---",
        Result(FINISHED, 8344, 1164),
        "Reed Nessler, 2022",
    ),
    (
        "---K---Q-KQAJ-----AAJ--J--/----------Q----KQ-J-----KA",
        Result(LOOP, 474, 66),
        "Brayden Casella, 2024",
    ),
    (
        "-----------------KA------J/Q-K---Q-KQQJ----A-KAAJ--J-",
        Result(LOOP, 484, 68),
        "the same cycle from another deal, 2024",
    ),
]


def traced(a: str | Sequence[str], b: str | Sequence[str]) -> tuple[Result, list[Step]]:
    """Play a game and return its trace as well."""
    trace: list[Step] = []
    return simulate(a, b, trace), trace


def alike(deck: Sequence[str]) -> tuple[str, ...]:
    """Return a deck with its number cards as one mark."""
    return tuple(card if card in "JQKA" else "-" for card in deck)


# The examples of the text.


def test_the_finished_example() -> None:
    assert simulate("2 A 7 8 Q 10", "3 4 5 6 K 9 J") == Result(FINISHED, 13, 1)


def test_the_loop_example() -> None:
    assert simulate("J 2 3", "4 J 5") == Result(LOOP, 8, 3)


def test_equal_decks_with_another_player_to_start_are_no_loop() -> None:
    result, trace = traced("- J -", "- - J -")
    assert result == Result(FINISHED, 13, 3)
    starts = [step for step in trace if not step.pile]
    assert (starts[0].deck_a, starts[0].deck_b) == (starts[2].deck_a, starts[2].deck_b)
    assert (starts[0].player, starts[2].player) == (0, 1)


@pytest.mark.parametrize(("deal", "expected"), [record[:2] for record in RECORDS])
def test_published_records(deal: str, expected: Result) -> None:
    a, b = deal.split("/")
    assert len(a) == len(b) == 26
    assert Counter(a + b) == Counter(DECK)
    assert simulate(a, b) == expected


# Laying and paying.


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        ("2", "3", Result(FINISHED, 2, 1)),
        ("2 4", "3", Result(FINISHED, 3, 1)),
        ("2 4", "3 5 6", Result(FINISHED, 4, 1)),
    ],
)
def test_a_player_without_a_card_ends_the_game(a: str, b: str, expected: Result) -> None:
    assert simulate(a, b) == expected


@pytest.mark.parametrize(("card", "price"), [("J", 1), ("Q", 2), ("K", 3), ("A", 4)])
def test_the_price_of_a_payment_card(card: str, price: int) -> None:
    # All B has is the price: A takes it, and then holds all cards.
    assert simulate([card], price * "-") == Result(FINISHED, 1 + price, 1)
    # One card more, and B still has it, but A opens the next round with its payment card again
    # and takes it.
    result, trace = traced([card], (price + 1) * "-")
    assert result == Result(FINISHED, 3 + price, 2)
    second = next(step for step in trace if step.round == 2)
    assert second.deck_a == (card, *price * "-")
    assert second.deck_b == ("-",)


def test_a_payment_that_cannot_be_made_gives_the_pile_away() -> None:
    result, trace = traced("A 2 3", "4 5")
    assert result == Result(FINISHED, 3, 1)
    assert trace[-1].deck_a == ("2", "3", "A", "4", "5")


def test_a_payment_card_stops_the_payment_and_is_paid_for_itself() -> None:
    # B owes four, lays 2 and K; A then owes three for it, and nothing is left of the four.
    result, trace = traced("A 3 4 5 6", "2 K 7")
    # Then 7, 6 and A, for which A has nothing.
    assert result == Result(FINISHED, 9, 2)
    second = next(step for step in trace if step.round == 2)
    # B took six cards: A 2 K 3 4 5.
    assert second.deck_a == ("6",)
    assert second.deck_b == ("7", "A", "2", "K", "3", "4", "5")
    assert second.player == 1


def test_the_last_owed_card_may_be_a_payment_card() -> None:
    # B owes one and lays J; A owes one and lays Q; B owes two and has one: A takes all.
    assert simulate("J Q 5", "J 4") == Result(FINISHED, 4, 1)


def test_a_player_whose_last_card_was_a_payment_card_is_still_in() -> None:
    # A lays its only card; B pays 2 and 3; A is back with three cards, and takes 4 as well.
    assert simulate("Q", "2 3 4") == Result(FINISHED, 5, 2)


def test_a_last_payment_card_laid_while_paying_keeps_its_player_in() -> None:
    # B pays with its last card, a Jack; A pays 2 for it; B holds J J 2 against A's 3.
    result, trace = traced("J 2 3", "J")
    assert result == Result(FINISHED, 5, 2)
    second = next(step for step in trace if step.round == 2)
    assert second.deck_b == ("J", "J", "2")
    assert trace[-1].deck_b == ("J", "2", "J", "3")


def test_the_taker_starts_the_next_round() -> None:
    _, trace = traced("2 3 4", "Q 5 6")
    assert [step.player for step in trace if not step.pile][:2] == [0, 1]


def test_the_pile_goes_under_the_deck_in_pile_order() -> None:
    _, trace = traced("2 4 J 7 8", "3 5 6 9 10")
    second = next(step for step in trace if step.round == 2)
    assert second.deck_a == ("7", "8", "2", "3", "4", "5", "J", "6")
    assert second.deck_b == ("9", "10")


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        ("", "-J", Result(FINISHED, 0, 1)),
        ("-J", "", Result(FINISHED, 1, 1)),
        ("", "", Result(FINISHED, 0, 1)),
    ],
)
def test_an_empty_deck_is_a_player_who_cannot_lay(a: str, b: str, expected: Result) -> None:
    assert simulate(a, b) == expected


# The loop.


def test_number_cards_count_as_alike() -> None:
    # The example's cycle: at its end, other number cards lie where the first ones lay.
    _, trace = traced("J 2 3", "4 J 5")
    starts = [step for step in trace if not step.pile]
    assert starts[1] == Step(2, ("2", "3", "J", "4"), ("J", "5"), (), 0, 0)
    assert starts[3] == Step(4, ("4", "5", "J", "2"), ("J", "3"), (), 0, 0)
    assert trace[-1] == starts[3]


def test_payment_cards_are_not_alike() -> None:
    # As in the loop example, but for a Queen: J 2, then 3 Q 4 J 5 leave B without a card.
    assert simulate("J 3 4", "2 Q 5") == Result(FINISHED, 7, 2)


@pytest.mark.parametrize("seed", range(20))
def test_ranks_change_nothing_but_the_names_of_number_cards(seed: int) -> None:
    source = random.Random(seed)
    deck = source.sample(DECK, 52)
    named = [source.choice(("2", "5", "9", "10")) if card == "-" else card for card in deck]
    a, b = "".join(deck[:26]), "".join(deck[26:])
    assert simulate(a, b) == simulate(named[:26], named[26:])


# The trace.


def test_the_trace_of_the_finished_example() -> None:
    result, trace = traced("2 A 7 8 Q 10", "3 4 5 6 K 9 J")
    shown = [(len(step.deck_a), len(step.deck_b), step.player, step.owes) for step in trace]
    assert result.tricks == 1
    assert shown == [
        (6, 7, 0, 0),
        (5, 7, 1, 0),  # 2
        (5, 6, 0, 0),  # 3
        (4, 6, 1, 4),  # A
        (4, 5, 1, 3),  # 4
        (4, 4, 1, 2),  # 5
        (4, 3, 1, 1),  # 6
        (4, 2, 0, 3),  # K
        (3, 2, 0, 2),  # 7
        (2, 2, 0, 1),  # 8
        (1, 2, 1, 2),  # Q
        (1, 1, 1, 1),  # 9
        (1, 0, 0, 1),  # J
        (0, 0, 1, 0),  # 10: paid in full, the pile is B's
        (0, 13, 1, 0),
    ]
    assert trace[3] == Step(
        round=1,
        deck_a=("7", "8", "Q", "10"),
        deck_b=("4", "5", "6", "K", "9", "J"),
        pile=("2", "3", "A"),
        player=1,
        owes=4,
    )
    assert trace[-1].deck_b == tuple(parse_deck("2 3 A 4 5 6 K 7 8 Q 9 J 10"))


@pytest.mark.parametrize("seed", range(60))
def test_random_games_add_up(seed: int) -> None:
    source = random.Random(seed)
    size = source.randint(4, 14)
    deck = source.choices("---JQKA", k=size)
    cut = source.randint(1, size - 1)
    result, trace = traced(deck[:cut], deck[cut:])
    for step in trace:
        assert Counter(step.deck_a + step.deck_b + step.pile) == Counter(deck)
    starts = [step for step in trace if not step.pile]
    assert result.tricks == len(starts) - 1
    assert result.cards == len(trace) - len(starts)
    assert [step.round for step in starts] == list(range(1, len(starts) + 1))
    states = [(alike(step.deck_a), alike(step.deck_b), step.player) for step in starts]
    if result.status == LOOP:
        assert states[-1] in states[:-1]
        assert len(set(states[:-1])) == len(states) - 1
    else:
        assert not (trace[-1].deck_a and trace[-1].deck_b)
        assert len(set(states)) == len(states)


def test_random_games_of_few_cards_show_both_endings() -> None:
    source = random.Random(7)
    statuses = {
        simulate(deck[:4], deck[4:]).status
        for deck in (source.choices("--J", k=8) for _ in range(200))
    }
    assert statuses == {FINISHED, LOOP}


# Deal text.


@pytest.mark.parametrize(
    ("text", "cards"),
    [
        ("--J-A", ["-", "-", "J", "-", "A"]),
        ("2 10 J", ["2", "10", "J"]),
        ("2,10,J", ["2", "10", "J"]),
        (" 2, 10,\tJ\n", ["2", "10", "J"]),
        ("- J -", ["-", "J", "-"]),
        ("10", ["10"]),
        ("7", ["7"]),
        ("JQ", ["J", "Q"]),
        ("", []),
    ],
)
def test_decks_as_text(text: str, cards: list[str]) -> None:
    assert parse_deck(text) == cards


@pytest.mark.parametrize("deck", ["--j", "1 2", "11", "--x-", "JQ 2", "2;3", ["2", ""], ["-J"]])
def test_what_is_not_a_card_is_refused(deck: str | list[str]) -> None:
    with pytest.raises(ValueError, match="not a card"):
        simulate(deck, "--")


def test_the_decks_given_stay_as_they_are() -> None:
    a, b = ["J", "2", "3"], ["4", "J", "5"]
    simulate(a, b)
    assert (a, b) == (["J", "2", "3"], ["4", "J", "5"])
