"""What the BS reference engine tells a bot: every expectation was worked out by hand."""

from __future__ import annotations

from tests.reference.bs import Called, Laid, ReferenceView, play_game
from tests.reference.bs_script import RAINBOW, SORTED, Turn, never_drawn, play


def test_everything_told_in_the_middle_of_a_game() -> None:
    game = play(
        Turn((0, 3)),
        Turn((6, 3), callers=(3,), draws=(("card", 13, 0),)),
        Turn((9, 9)),
        Turn((12,)),
        rounds=1,
    )
    events = (
        Laid(0, 0, 2),
        Laid(1, 1, 2),
        Called(3, 1, True, 1, 4),
        Laid(2, 2, 2),
    )
    assert game.of("call", 0)[1] == ReferenceView(
        kind="call",
        seat=0,
        hand=(0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2),
        hand_sizes=(11, 15, 11, 12),
        pile_size=3,
        mover=2,
        rank=2,
        laid=2,
        events=events,
    )
    assert game.of("lay", 3)[0] == ReferenceView(
        kind="lay",
        seat=3,
        hand=(10, 10, 10, 10, 11, 11, 11, 11, 12, 12, 12, 12),
        hand_sizes=(11, 15, 11, 12),
        pile_size=3,
        mover=3,
        rank=3,
        laid=0,
        events=events,
    )


def test_the_start_and_the_end_of_every_round_are_told() -> None:
    told: list[ReferenceView] = []

    def decide(seat: int, view: ReferenceView) -> object:
        return (view.rank,) if view.kind == "lay" else False

    def tell(seat: int, view: ReferenceView) -> None:
        assert seat == view.seat
        told.append(view)

    play_game(RAINBOW, decide, never_drawn, 2, tell)
    kinds = [(view.kind, view.seat) for view in told]
    assert kinds == [(kind, seat) for kind in ("start", "round", "round") for seat in range(4)]
    assert [view.hand for view in told[:4]] == list(RAINBOW)
    assert {view.events for view in told[:4]} == {()}
    assert {(view.mover, view.rank, view.pile_size) for view in told[:4]} == {(0, 0, 0)}
    assert {(view.mover, view.rank, view.pile_size) for view in told[4:8]} == {(0, 4, 4)}
    assert {(view.mover, view.rank, view.pile_size) for view in told[8:]} == {(0, 8, 8)}


def test_a_round_whose_fourth_turn_wins_is_not_told() -> None:
    told = []

    def decide(seat: int, view: ReferenceView) -> object:
        return (view.hand if seat == 3 else view.hand[:1]) if view.kind == "lay" else False

    play_game(SORTED, decide, never_drawn, tell=lambda seat, view: told.append(view.kind))
    assert told == ["start"] * 4
