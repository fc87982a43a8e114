"""One deal of Azi against the rules text: every expectation here was worked out by hand."""

from __future__ import annotations

from typing import Any

import pytest

from tests.reference.azi import CALL, FOLD, Bet, Play, Rules
from tests.reference.azi_script import (
    BAD_ANSWERS,
    FOUR,
    THREE,
    asked,
    card,
    cards,
    deck_of,
    play,
    win_for,
)

# Rules 1 and 2: antes and cards.


def test_everybody_pays_the_ante_and_the_winner_gets_the_bank() -> None:
    rules = Rules(seats=3, ante=5)
    (deal,) = play(rules, win_for(rules, 1), bets=[(0, 5), (1, CALL), (2, CALL)])
    assert asked(deal, "bet")[0].stacks == (95, 95, 95)
    assert asked(deal, "bet")[0].bank == 15
    assert deal.contributions == (10, 10, 10)
    assert deal.paid == (0, 30, 0)
    assert deal.stacks == (90, 120, 90)
    assert deal.bank == 0


def test_a_seat_that_cannot_pay_the_ante_is_not_dealt_in() -> None:
    rules = Rules(seats=4, ante=5)
    bets = [(0, 5), (2, CALL), (3, FOLD)]
    (deal,) = play(rules, win_for(rules, 2), bets=bets, stacks=(20, 4, 20, 20))
    assert deal.players == (0, 2, 3)
    assert deal.contributions == (10, 0, 10, 5)
    assert asked(deal, "play", 2)[0].cards == cards("hA hK hJ")  # its places are its own
    assert deal.stacks == (10, 4, 35, 15)


def test_no_deal_with_fewer_than_two_seats() -> None:
    assert play(THREE, win_for(THREE, 0), stacks=(100, 0, 0)) == []
    deals = play(
        Rules(seats=2, ante=50),
        *(win_for(Rules(seats=2), 0), win_for(Rules(seats=2), 0)),
        bets=[(0, 50), (1, CALL)],
    )
    assert [deal.stacks for deal in deals] == [(200, 0)]


def test_the_cards_of_a_deck() -> None:
    deck = [*range(26, -1, -1)]
    (deal,) = play(THREE, deck, bets=[(0, 1), (1, CALL), (2, CALL)])
    views = {view.seat: view for view in asked(deal, "bet")}
    assert [views[seat].cards for seat in range(3)] == [(26, 25, 24), (23, 22, 21), (20, 19, 18)]
    assert {view.turn_up for view in views.values()} == {17}
    assert deal.turn_up == 17


def test_four_cards_and_a_secret_discard_before_the_betting() -> None:
    rules = Rules(seats=3, deal=4)
    deck = deck_of(rules, {0: "hA hK hJ s6", 1: "s7 s8 s9 sT", 2: "d6 d7 d8 h7"})
    discards = {0: card("s6"), 1: card("s8"), 2: card("h7")}
    (deal,) = play(rules, deck, discards=discards, bets=[(0, 1), (1, CALL), (2, CALL)])
    assert [decision.view.kind for decision in deal.decisions[:4]] == ["discard"] * 3 + ["bet"]
    views = asked(deal, "discard")
    assert [view.cards for view in views] == [view.legal for view in views]
    assert views[1].cards == cards("s7 s8 s9 sT")
    assert views[1].bank == 3
    assert asked(deal, "bet", 1)[0].cards == cards("s7 s9 sT")
    assert asked(deal, "bet", 2)[0].cards == cards("d6 d7 d8")
    assert deal.winner == 0


@pytest.mark.parametrize("reply", [*BAD_ANSWERS, card("dA")])
def test_an_illegal_discard(reply: Any) -> None:
    rules = Rules(seats=2, deal=4)
    deck = deck_of(rules, {0: "h6 sK s9 hA", 1: "h9 h7 hT hK"})
    (deal,) = play(rules, deck, discards={0: reply, 1: reply}, bets=[(0, 1), (1, FOLD)])
    assert asked(deal, "bet", 0)[0].cards == cards("h6 sK hA")
    assert asked(deal, "bet", 1)[0].cards == cards("h9 hT hK")
    assert [decision.legal for decision in deal.decisions] == [False, False, True, True]


# Rules 3 and 4: bets.


def test_the_betting_starts_left_of_the_last_winner() -> None:
    deals = play(
        FOUR,
        *(win_for(FOUR, 1), win_for(FOUR, 3), win_for(FOUR, 3)),
        bets=[
            *((2, 1), (3, CALL), (0, CALL), (1, CALL)),
            *((2, 1), (3, CALL), (0, CALL), (1, CALL)),
            *((0, 1), (1, CALL), (2, CALL), (3, CALL)),
        ],
        first_opener=2,
    )
    assert [deal.players for deal in deals] == [(2, 3, 0, 1), (2, 3, 0, 1), (0, 1, 2, 3)]
    assert [deal.leader for deal in deals] == [2, 2, 0]


def test_a_first_opener_who_is_not_dealt_in() -> None:
    bets = [(3, 1), (0, CALL), (2, CALL)]
    (deal,) = play(FOUR, win_for(FOUR, 0), bets=bets, stacks=(9, 0, 9, 9), first_opener=3)
    assert deal.players == (3, 0, 2)
    (deal,) = play(
        FOUR,
        win_for(FOUR, 0),
        bets=[(2, 1), (3, CALL), (0, CALL)],
        stacks=(9, 0, 9, 9),
        first_opener=1,
    )
    assert deal.players == (2, 3, 0)


def test_a_raise_asks_everybody_else_again() -> None:
    bets = [(0, 4), (1, CALL), (2, 3), (3, FOLD), (0, CALL), (1, 10), (2, CALL), (0, FOLD)]
    (deal,) = play(FOUR, win_for(FOUR, 2), bets=bets)
    assert deal.bets == (
        *(Bet(0, "bet", 4), Bet(1, "call", 4), Bet(2, "raise", 7), Bet(3, "fold", 0)),
        *(Bet(0, "call", 3), Bet(1, "raise", 13), Bet(2, "call", 10), Bet(0, "fold", 0)),
    )
    assert deal.leader == 1
    assert deal.contributions == (8, 18, 18, 1)
    assert deal.stacks == (92, 82, 127, 99)
    assert [play.seat for play in deal.tricks[0]] == [1, 2]


def test_what_is_legal_in_the_betting() -> None:
    rules = Rules(seats=3, ante=2, min_bet=5, min_raise=3)
    bets = [(0, 6), (1, 4), (2, CALL), (0, CALL)]
    (deal,) = play(rules, win_for(rules, 0), bets=bets, stacks=(20, 30, 14))
    views = asked(deal, "bet")
    assert [view.legal for view in views] == [(), *[(FOLD, CALL)] * 3]
    assert views[0].amounts == range(5, 19)
    assert views[1].amounts == range(3, 23)  # 28 chips, 6 of them to call
    assert views[2].amounts == range(3, 3)  # 12 chips, 10 to call: not enough to raise by 3
    assert views[3].amounts == range(3, 9)
    assert deal.bets[2] == Bet(2, "call", 10)


@pytest.mark.parametrize("rules", [Rules(seats=2, ante=3), Rules(seats=2, min_bet=3)])
@pytest.mark.parametrize("reply", [*BAD_ANSWERS, CALL, FOLD, 2, 100])
def test_an_illegal_opening_is_the_minimum_bet(rules: Rules, reply: Any) -> None:
    (deal,) = play(rules, win_for(rules, 0), bets=[(0, reply), (1, FOLD)])
    assert deal.bets[0] == Bet(0, "bet", 3)
    assert [decision.legal for decision in deal.decisions] == [False, True]


@pytest.mark.parametrize("reply", [*BAD_ANSWERS, 1, 92])
def test_an_illegal_bid_is_a_call(reply: Any) -> None:
    rules = Rules(seats=2, min_raise=2)
    (deal,) = play(rules, win_for(rules, 0), bets=[(0, 8), (1, reply)])
    assert deal.bets[1] == Bet(1, "call", 8)
    assert deal.decisions[1].legal is False


def test_an_illegal_bid_of_a_short_player_is_all_it_has() -> None:
    (deal,) = play(THREE, win_for(THREE, 0), bets=[(0, 8), (1, 5), (2, FOLD)], stacks=(50, 6, 50))
    assert deal.bets[1] == Bet(1, "short", 5)
    assert deal.decisions[1].legal is False


def test_three_bets_or_raises_each() -> None:
    rules = Rules(seats=2)
    bets = [(0, 1), (1, 1), (0, 1), (1, 1), (0, 1), (1, 1), (0, 1)]
    (deal,) = play(rules, win_for(rules, 0), bets=bets)
    views = asked(deal, "bet")
    assert [len(view.amounts) > 0 for view in views] == [True] * 6 + [False]
    assert deal.decisions[6].legal is False
    assert deal.bets[6] == Bet(0, "call", 1)
    assert deal.leader == 1
    assert deal.contributions == (7, 7)


def test_calls_are_not_limited_and_do_not_count_as_raises() -> None:
    bets = [(0, 1), (1, CALL), (2, 1), (0, CALL), (1, CALL)]
    (deal,) = play(Rules(seats=3, max_raises=1), win_for(THREE, 0), bets=bets)
    views = asked(deal, "bet")
    assert [len(view.amounts) > 0 for view in views] == [True, True, True, False, True]


def test_an_opener_may_fold_where_the_rules_say_so() -> None:
    rules = Rules(seats=3, opener_may_fold=True)
    (deal,) = play(rules, win_for(rules, 2), bets=[(0, FOLD), (1, 7), (2, CALL)])
    assert asked(deal, "bet")[1].legal == (FOLD,)
    assert asked(deal, "bet")[1].amounts == range(1, 100)
    assert deal.leader == 1
    assert deal.stacks == (99, 92, 109)
    (deal,) = play(rules, win_for(rules, 0), bets=[(0, FOLD), (1, FOLD)])
    assert deal.winner == 2
    assert deal.stacks == (99, 99, 102)


# Rules 5: short of the bet.


def test_a_short_player_stays_in_without_the_lead_and_gets_its_part() -> None:
    # The first payout example: 40 against 100 and 100, the ante included.
    bets = [(0, 99), (1, CALL), (2, CALL)]
    (deal,) = play(THREE, win_for(THREE, 1), bets=bets, stacks=(200, 40, 200))
    assert deal.bets == (Bet(0, "bet", 99), Bet(1, "short", 39), Bet(2, "call", 99))
    assert deal.leader == 0
    assert deal.contributions == (100, 40, 100)
    assert deal.paid == (60, 120, 60)
    assert deal.stacks == (160, 120, 160)


def test_a_short_winner_and_a_folded_stake() -> None:
    # The second: 35 short, 100 and 100, 20 folded.
    stacks = (200, 200, 35, 200)
    bets = [(3, 19), (0, CALL), (1, 80), (2, CALL), (3, FOLD), (0, CALL)]
    (deal,) = play(FOUR, win_for(FOUR, 2), bets=bets, stacks=stacks, first_opener=3)
    assert deal.contributions == (100, 100, 35, 20)
    assert deal.paid == (65, 65, 112, 13)
    assert deal.stacks == (165, 165, 112, 193)


def test_the_matched_payout_is_a_parameter() -> None:
    rules = Rules(seats=4, payout="matched")
    bets = [(3, 19), (0, CALL), (1, 80), (2, CALL), (3, FOLD), (0, CALL)]
    stacks = (200, 200, 35, 200)
    (deal,) = play(rules, win_for(rules, 2), bets=bets, stacks=stacks, first_opener=3)
    assert deal.paid == (65, 65, 125, 0)


def test_a_stack_equal_to_the_call_is_a_full_call() -> None:
    bets = [(0, 39), (1, CALL), (2, CALL)]
    (deal,) = play(THREE, win_for(THREE, 1), bets=bets, stacks=(200, 40, 200))
    assert deal.bets[1] == Bet(1, "call", 39)
    assert deal.paid == (0, 120, 0)


def test_an_all_in_player_is_not_asked_again() -> None:
    bets = [(0, 4), (1, CALL), (2, 10), (0, CALL)]
    (deal,) = play(THREE, win_for(THREE, 0), bets=bets, stacks=(50, 3, 50))
    assert deal.stacks == (35 + 33, 0, 35)
    assert deal.leader == 2


def test_one_may_raise_an_all_in_player_for_the_lead() -> None:
    rules = Rules(seats=2)
    (deal,) = play(rules, win_for(rules, 0), bets=[(0, 9), (1, 5)], stacks=(10, 50))
    assert deal.leader == 1
    assert deal.contributions == (10, 15)
    assert deal.paid == (20, 5)


def test_a_player_without_chips_after_the_ante_stays_in_unasked() -> None:
    bets = [(0, 1), (2, CALL)]
    (deal,) = play(THREE, win_for(THREE, 1), bets=bets, stacks=(50, 1, 50))
    assert deal.players == (0, 1, 2)
    assert deal.contributions == (2, 1, 2)
    assert deal.winner == 1
    assert deal.paid == (1, 3, 1)


def test_an_opener_without_chips_stays_in_unasked_and_the_next_opens() -> None:
    (deal,) = play(THREE, win_for(THREE, 0), bets=[(1, 6), (2, CALL)], stacks=(1, 50, 50))
    assert deal.bets == (Bet(1, "bet", 6), Bet(2, "call", 6))
    assert deal.leader == 1
    assert deal.paid == (3, 6, 6)


@pytest.mark.parametrize("reply", [CALL, *BAD_ANSWERS, 1, 2, FOLD])
def test_an_opener_short_of_the_minimum_is_all_in_and_the_next_opens(reply: Any) -> None:
    rules = Rules(seats=3, min_bet=10)
    bets = [(0, reply), (1, 12), (2, CALL)]
    (deal,) = play(rules, win_for(rules, 0), bets=bets, stacks=(3, 50, 50))
    view = asked(deal, "bet")[0]
    assert (view.legal, view.amounts) == ((CALL,), range(0))
    assert deal.bets == (Bet(0, "short", 2), Bet(1, "bet", 12), Bet(2, "call", 12))
    assert deal.leader == 1
    assert deal.decisions[0].legal == (reply == CALL)


def test_a_short_opener_may_fold_where_openers_may() -> None:
    rules = Rules(seats=3, min_bet=10, opener_may_fold=True)
    bets = [(0, FOLD), (1, FOLD)]
    (deal,) = play(rules, win_for(rules, 0), bets=bets, stacks=(3, 50, 50))
    assert asked(deal, "bet")[0].legal == (FOLD, CALL)
    assert deal.winner == 2
    assert deal.stacks == (2, 49, 52)


# Rules 6: who leads.


def test_all_but_one_folded() -> None:
    (deal,) = play(THREE, win_for(THREE, 0), bets=[(0, 5), (1, 5), (2, FOLD), (0, FOLD)])
    assert deal.winner == 1
    assert deal.leader is None
    assert deal.tricks == ()
    assert deal.stacks == (94, 107, 99)


@pytest.mark.parametrize(
    ("stacks", "leader"), [((3, 5, 4), 1), ((5, 5, 3), 0), ((5, 3, 5), 2), ((1, 1, 1), 2)]
)
def test_nobody_able_to_bet_in_full_the_highest_stake_leads(
    stacks: tuple[int, ...], leader: int
) -> None:
    rules = Rules(seats=3, min_bet=10)
    bets = [(seat, CALL) for seat in (2, 0, 1) if stacks[seat] > 1]
    (deal,) = play(rules, win_for(rules, 0), bets=bets, stacks=stacks, first_opener=2)
    assert deal.leader == leader
    assert deal.contributions == stacks


def test_the_tricks_of_a_deal() -> None:
    deck = deck_of(THREE, {0: "s9 dA h7", 1: "s6 hA d7", 2: "h6 d9 dT"})
    plays = [
        *((0, card("s9")), (1, card("s6")), (2, card("h6"))),
        *((2, card("dT")), (0, card("dA")), (1, card("d7"))),
        *((0, card("h7")), (1, card("hA")), (2, card("d9"))),
    ]
    (deal,) = play(THREE, deck, bets=[(0, 1), (1, CALL), (2, CALL)], plays=plays)
    assert deal.tricks == tuple(
        tuple(Play(seat, played) for seat, played in plays[at : at + 3]) for at in (0, 3, 6)
    )
    assert deal.winner is None
    legal = [view.legal for view in asked(deal, "play")]
    assert legal[:3] == [cards("s9 dA h7"), cards("s6"), cards("h6")]
    assert legal[3:6] == [cards("d9 dT"), cards("dA"), cards("d7")]


@pytest.mark.parametrize("reply", [*BAD_ANSWERS, card("hA"), card("s9")])
def test_an_illegal_card_is_the_lowest_legal_one(reply: Any) -> None:
    rules = Rules(seats=2)
    deck = deck_of(rules, {0: "s9 s8 dA", 1: "sQ hA s7"})
    plays = [(0, card("s9")), (1, reply), *((0, card("s8")), (1, card("sQ")))]
    plays += [(1, card("hA")), (0, card("dA"))]
    (deal,) = play(rules, deck, bets=[(0, 1), (1, CALL)], plays=plays)
    assert deal.tricks[0][1] == Play(1, card("s7"))
    assert [d.legal for d in deal.decisions if d.view.kind == "play"][:2] == [True, False]


def test_an_illegal_lead_is_the_lowest_card_of_the_hand() -> None:
    rules = Rules(seats=2)
    deck = deck_of(rules, {0: "s9 h7 d8", 1: "hA hK hJ"})
    plays = [(0, None), (1, card("hJ")), (1, card("hK")), (0, card("s9"))]
    (deal,) = play(rules, deck, bets=[(0, 1), (1, CALL)], plays=plays)
    assert deal.tricks[0][0] == Play(0, card("h7"))
    assert deal.winner == 1


def test_two_tricks_win_and_the_third_is_not_played() -> None:
    (deal,) = play(THREE, win_for(THREE, 2), bets=[(0, 1), (1, CALL), (2, CALL)])
    assert [len(trick) for trick in deal.tricks] == [3, 3]
    assert deal.winner == 2
    deck = deck_of(THREE, {0: "dA s6 s7", 1: "d6 sA s8", 2: "d7 s9 d8"})
    (deal,) = play(THREE, deck, bets=[(0, 1), (1, CALL), (2, CALL)])
    assert len(deal.tricks) == 3
    assert deal.winner == 1
