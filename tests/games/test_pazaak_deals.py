"""The deals of Pazaak: who gets which cards in which seat, whatever anybody replies."""

from __future__ import annotations

from harness.games.pazaak.about import PazaakRules
from harness.games.pazaak.game import GAME
from tests.games.lockstep import Played, play
from tests.games.pazaak_tables import TEXT, alternating, careless


def first_cards(played: Played) -> dict[tuple[object, ...], object]:
    """The first card either seat was seen to get in every hand, and its side hand at the start."""
    seen: dict[tuple[object, ...], object] = {}
    for deal, made in enumerate(played.decisions):
        for decision in made:
            view = decision.view
            seen.setdefault((deal, decision.seat, view.hand_number), view.hand[0])
            seen.setdefault((deal, decision.seat, "side"), view.side_hand)
    return seen


def test_other_replies_are_dealt_the_same_cards() -> None:
    """Other replies use up other numbers of cards and hands, in this game and in those before it
    on the lane; deals, hands and side hands stay what they are."""
    rules = PazaakRules(wins_needed=12)
    legs = [
        play(GAME, rules, b"legs".ljust(32), 60, lanes, decide, leg=leg)
        for leg, lanes, decide in [(0, 7, alternating), (1, 7, careless), (1, 60, careless)]
    ]
    alike = 0
    seen = [first_cards(leg) for leg in legs]
    for key in seen[0].keys() & seen[1].keys():
        assert seen[0][key] == seen[1][key]
        alike += 1
    assert alike > 60 * 2 * 12
    assert any(leg.starved[deal] for leg in legs[:2] for deal in range(60))
    assert seen[1] == seen[2]


def test_results_do_not_depend_on_the_number_of_lanes() -> None:
    played = [play(GAME, TEXT, b"lanes".ljust(32), 90, lanes, careless) for lanes in (1, 8, 90)]
    for other in played[1:]:
        assert (other.scores == played[0].scores).all()
        for one, two in zip(played[0].decisions, other.decisions, strict=True):
            assert [(d.seat, d.view[:-1], d.reply) for d in one] == [
                (d.seat, d.view[:-1], d.reply) for d in two
            ]


def test_another_key_is_another_deal() -> None:
    hands = {
        play(GAME, TEXT, bytes([k]) * 32, 1, 1, careless).decisions[0][0].view.side_hand
        + play(GAME, TEXT, bytes([k]) * 32, 1, 1, careless).decisions[0][0].view.hand
        for k in range(40)
    }
    assert len(hands) > 30


def test_over_two_legs_both_players_sit_in_both_seats_of_a_deal() -> None:
    one, two = (play(GAME, TEXT, bytes(32), 20, 5, careless, leg=leg) for leg in (0, 1))
    assert (one.seating == two.seating[:, ::-1]).all()
    assert {tuple(seats) for seats in one.seating.tolist()} == {(0, 1), (1, 0)}
    for made in one.decisions:
        assert all(decision.view.first == (decision.seat == 0) for decision in made)


def test_games_are_numbered_on_their_lane() -> None:
    played = play(GAME, TEXT, b"numbers".ljust(32), 50, 8, careless)
    games: dict[int, list[int]] = {}
    for made in played.decisions:  # a lane takes deals in rising order
        assert len({(decision.lane, decision.view.game_number) for decision in made}) == 1
        games.setdefault(made[0].lane, []).append(made[0].view.game_number)
    assert sum(map(len, games.values())) == 50
    assert all(numbers == list(range(len(numbers))) for numbers in games.values())
