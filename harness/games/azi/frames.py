"""How Azi's questions travel: one kind of record for all of them, decoded into `View`s."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from itertools import repeat

from harness.games.azi.cards import CARDS, name
from harness.games.azi.view import (
    CALL,
    FACTS,
    FOLD,
    MOST_RAISES,
    MOST_SAID,
    MOST_SEATS,
    TRICKS,
    View,
    bets_of,
    chips_of,
    members,
    tricks_of,
)
from harness.games.frames import (
    INT_REPLY,
    TRUTHS,
    Question,
    Record,
    Spellings,
    template,
    wrong_card,
)

OBSERVATION = Record(
    (
        # Sets of cards and seats are masks: bit c for card c, bit s for seat s.
        ("game_number", "<u4"),
        ("hand", "<u4"),
        ("legal", "<u4"),  # the legal cards; 0 where bets are asked
        ("bank", "<u2"),
        ("cost", "<u2"),
        ("least", "<u2"),
        ("most", "<u2"),
        ("azi", "<u2"),
        ("deal_number", "<u2"),
        ("stacks", "<u2", (MOST_SEATS,)),
        ("stakes", "<u2", (MOST_SEATS,)),
        ("contributions", "<u2", (MOST_SEATS,)),
        ("raises", "<u2", (MOST_RAISES * MOST_SEATS,)),  # chips of bets and raises in order
        ("turn_up", "i1"),
        ("seat", "u1"),
        ("seats", "u1"),
        ("players", "u1"),
        ("may_fold", "u1"),
        ("may_call", "u1"),
        ("entering", "u1"),
        ("said", "u1"),  # how many of `log` count
        ("leaders", "u1", (TRICKS,)),  # of each trick, the seat + 1; 0: not begun
        ("played", "u1", (TRICKS * MOST_SEATS,)),  # trick by trick the cards + 1 by seat; 0: none
        ("log", "u1", (MOST_SAID,)),  # seat, and 8 times FOLDED, CALLED or RAISED
    )
)

_form = struct.Struct(
    f"<3I 6H 12s 12s 12s {2 * MOST_RAISES * MOST_SEATS}s b 7B {TRICKS}s {TRICKS * MOST_SEATS}s "
    f"{MOST_SAID}s {OBSERVATION.size - OBSERVATION.offsets['']}x"
)


_A_CARD = f"an int from 0 to {CARDS - 1}, a card of view.legal"


def views(raw: bytes) -> Iterator[View]:
    """The views of a frame, in order."""
    return map(tuple.__new__, repeat(View), _form.iter_unpack(raw))


_sets, _chips = Spellings(members), Spellings(chips_of)
_bets, _tricks = Spellings(bets_of), Spellings(tricks_of)
_spelled = template(FACTS)
_spelled_bet = template(fact for fact in FACTS if fact != "legal")


def _spell(view: View, *legal: str) -> tuple[object, ...]:
    seats = view.seats
    return (
        *(view.seat, seats, _sets[view.hand_mask], view.turn_up, _sets[view.players_mask]),
        *(_chips[view.packed_stacks, seats], view.bank, _chips[view.packed_stakes, seats]),
        _chips[view.packed_contributions, seats],
        _bets[view.packed_said[: view.said], view.packed_raises],
        _tricks[view.packed_leaders, view.packed_played, seats],
        *(view.azi, *legal, TRUTHS[view.number_entering], view.cost, view.least, view.most),
        *(TRUTHS[view.number_may_fold], TRUTHS[view.number_may_call]),
        *(view.deal_number, view.game_number),
    )


def spell(raw: bytes) -> Iterator[str]:
    """The facts of the views as JSON, in the same order."""
    return (_spelled % _spell(view, _sets[view.legal_mask]) for view in views(raw))


def spell_bets(raw: bytes) -> Iterator[str]:
    """The same without `legal`, which would list every number of chips.

    What is legal is said by `may_fold`, `may_call`, `least` and `most`.
    """
    return (_spelled_bet % _spell(view) for view in views(raw))


def _wrong_card(view: View, answer: int) -> str:
    return wrong_card(answer, view.hand, view.legal, cards=CARDS, name=name)


def _wrong_bet(view: View, answer: int) -> str:
    chips = f"chips from {view.least} to {view.most}" if view.most else ""
    may = [f"FOLD ({FOLD})"] * view.may_fold + [f"CALL ({CALL})"] * view.may_call
    return (
        f"has {view.stacks[view.seat]} chips, of which CALL takes {view.cost}; answered {answer}; "
        f"expected {' or '.join([*may, *([chips] if chips else [])])}"
    )


QUESTIONS = tuple(
    Question(
        method=method,
        observation=OBSERVATION,
        reply=INT_REPLY,
        views=views,
        expected=expected,
        spell=how,
        wrong=wrong,
    )
    for method, expected, how, wrong in (
        ("discard", _A_CARD, spell, _wrong_card),
        ("bet", f"an int: FOLD ({FOLD}), CALL ({CALL}) or chips", spell_bets, _wrong_bet),
        ("play", _A_CARD, spell, _wrong_card),
    )
)
DISCARD, BET, PLAY = range(3)
"""The numbers of the questions."""
