"""Azi by the letter: the rules text as a plain, slow program.

The fast engine is judged against this one, so nothing here comes from it, or imports from the
harness at all. Citations: "Rules 1-8", "Payout", "Told" and "The end" (the paragraph about short
openers, the end of a session and illegal answers) are the sections of the rules text.

A session is a function of the decks and the answers: nothing here is random. Seats are numbered
clockwise: the left of seat s is s + 1. Cards, tricks and the payout are in `azi_cards`, rules,
views and outcomes in `azi_told`.

Readings, where the text leaves room:

R1.  A seat has fixed places in the deck, whoever else is dealt in: seat s gets
     deck[s * deal : (s + 1) * deal], and the turn-up is deck[seats * deal].
R2.  The betting order of a deal is the dealt-in seats clockwise from the first opener: the left of
     the winner of the last won deal, until there is one `first_opener`, which is drawn once for the
     session; if that seat is not dealt in, the next that is. An Azi, or a bank given back, moves
     nothing.
R3.  Discards are asked in betting order, and nobody learns anything of another's.
R4.  A seat with no chips left is never asked for a bet, opener or not: it stays in. An opener with
     chips, but fewer than `min_bet`, is asked like anybody (CALL is its one legal answer, and FOLD
     where openers may fold): it is all-in, has not opened, and the next player opens.
R5.  Where `opener_may_fold`, the next player in betting order is the opener then. The last one left
     has won unasked, as always.
R6.  The opening bet is one of the three bets or raises. Having used them up, or having less than
     what is missing and `min_raise`, one can call or fold only.
R7.  Raising is allowed when all others are all-in: betting is for the right to lead. An all-in
     player who is raised is short from then on, and keeps what it called with in the bank.
R8.  After an opening bet or a raise by k everybody else still in who has chips is asked again,
     clockwise from its left. Without one the betting ends when all have been asked once.
R9.  "The highest stake leads" goes by the chips paid in this deal, among those still in.
R10. Every win is settled by the ledger of the chain, also one by folds: "takes the bank" is the
     case c_w = S, the only one outside a chain. In a chain the winner may be short though it paid
     every bet of its last deal, because it folded in one before.
R11. The last card of a hand is asked for like any other.
R12. `azi_entry: trick_players`: the three who took the tricks of the Azi are dealt in, if solvent.
     `half_bank`: so are they, and every other seat that can pay half the carried bank (rounded up)
     and the ante is asked, kind "enter", 1 to pay and 0 (also for anything illegal) to stay out.
     They are asked in the order R2, before any of them or an ante is paid, so all see the same
     bank and price. The price counts as contribution to the chain, not as stake of the deal.
R13. With fewer than two seats to deal in, no deal can be played. A carried bank then goes back by
     contribution, as at the end of a session, which makes enough of them solvent again: the session
     goes on with a new chain. Without a carried bank the session is over.
R14. "The lowest card" is the one of the lowest rank, trump or not; the six on stage is the highest.
     Of equal ranks it is the one of the first suit (hearts, diamonds, spades).
R15. "Azi deals in a row" counts those before the deal; a bank given back starts it at 0 again.
R16. An answer is a whole number; True and False are none, though Python counts them as 1 and 0.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace

from tests.reference.azi_cards import (
    CARDS,
    Play,
    legal_cards,
    lowest,
    lowest_discard,
    payout,
    trick_winner,
)
from tests.reference.azi_told import (
    CALL,
    FOLD,
    Action,
    Bet,
    DealOutcome,
    Decision,
    Kind,
    ReferenceView,
    Rules,
)

__all__ = [
    "CALL",
    "FOLD",
    "Bet",
    "DealOutcome",
    "Decide",
    "Decision",
    "Play",
    "ReferenceView",
    "Rules",
    "payout",
    "play_session",
]

Decide = Callable[[int, ReferenceView], object]


@dataclass
class _Table:
    """A session in progress."""

    rules: Rules
    decide: Decide
    stacks: list[int]
    opener: int
    """The left of the winner of the last won deal, dealt in or not."""
    chips: int = 0
    bank: int = 0
    ledger: list[int] = field(default_factory=list)
    azi_count: int = 0
    takers: tuple[int, ...] = ()
    """Who took the tricks of the Azi before."""
    decisions: list[Decision] = field(default_factory=list)
    """Of the deal in progress, or about to begin."""
    outcomes: list[DealOutcome] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.chips = sum(self.stacks)
        self.ledger = [0] * self.rules.seats

    def clockwise(self, seats: Iterable[int]) -> list[int]:
        """The seats in the order of R2."""
        return sorted(seats, key=lambda seat: (seat - self.opener) % self.rules.seats)

    def pay(self, seat: int, amount: int) -> None:
        self.stacks[seat] -= amount
        self.bank += amount
        self.ledger[seat] += amount
        self.check()

    def pay_out(self, amounts: Sequence[int]) -> None:
        """Empty the bank: with that the chain is over."""
        self.stacks = [stack + amount for stack, amount in zip(self.stacks, amounts, strict=True)]
        self.bank -= sum(amounts)
        self.ledger = [0] * self.rules.seats
        self.azi_count = 0
        self.takers = ()
        self.check()

    def check(self) -> None:
        """Rules 1: nothing is taken out, and nothing comes in."""
        assert min(self.stacks) >= 0
        assert self.bank == sum(self.ledger)
        assert self.bank + sum(self.stacks) == self.chips

    def ask(self, view: ReferenceView, substitute: int) -> int:
        reply = self.decide(view.seat, view)
        legal = view.allows(reply)
        self.decisions.append(Decision(view.seat, view, reply, legal))
        return reply if legal and isinstance(reply, int) else substitute


@dataclass
class _Deal:
    """A deal in progress. The lists have an item per seat."""

    order: list[int]
    """The seats dealt in, in betting order."""
    hands: list[list[int]]
    turn_up: int
    players: list[int]
    """The seats still in, in betting order."""
    stakes: list[int]
    bet: list[int]
    """The stakes without the antes."""
    raises: list[int]
    highest: int = 0
    """The highest bet; 0 before there is one."""
    last_raiser: int | None = None
    leader: int | None = None
    bets: list[Bet] = field(default_factory=list)
    tricks: list[list[Play]] = field(default_factory=list)


def play_session(
    rules: Rules,
    deals: Iterable[Sequence[int]],
    decide: Decide,
    stacks: Sequence[int] | None = None,
    first_opener: int = 0,
) -> list[DealOutcome]:
    """Play a deal with each deck, an Azi's new deal included, and return what became of each.

    `deals` are shuffled decks of the cards 0..26; `stacks` are chips per seat, `rules.stack` each
    if None. `decide(seat, view)` answers "discard" and "play" with a card, "bet" with FOLD, CALL
    or chips above 0, "enter" with 0 or 1. Decks that no two seats can pay for stay unplayed (R13).

    Raises ValueError for a deck, stacks or an opener that `rules` do not allow.
    """
    start = [rules.stack] * rules.seats if stacks is None else list(stacks)
    if len(start) != rules.seats or min(start) < 0 or not 0 <= first_opener < rules.seats:
        raise ValueError(f"{rules.seats} seats, but stacks {start} and opener {first_opener}")
    table = _Table(rules, decide, start, first_opener)
    for deck in deals:
        if sorted(deck) != list(range(CARDS)):
            raise ValueError(f"a deck is the cards 0..{CARDS - 1}, not {deck}")
        prices = _entry_prices(table)
        if len(prices) < 2 and table.bank > 0:
            _give_back(table)
            prices = _entry_prices(table)
        if len(prices) < 2:
            break
        _play_deal(table, deck, prices)
    if table.bank > 0:
        _give_back(table)  # The end: a bank that is still carried goes back
    return table.outcomes


def _entry_prices(table: _Table) -> dict[int, int]:
    """Rules 1 and 8: the seats to deal in, and what each pays besides the ante."""
    rules = table.rules
    solvent = [seat for seat in range(rules.seats) if table.stacks[seat] >= rules.ante]
    if table.azi_count == 0 or rules.azi_entry == "all":
        return dict.fromkeys(solvent, 0)
    prices = {seat: 0 for seat in solvent if seat in table.takers}
    if rules.azi_entry == "trick_players":
        return prices
    price = (table.bank + 1) // 2
    able = [seat for seat in solvent if table.stacks[seat] >= price + rules.ante]
    players = tuple(table.clockwise(prices))
    for seat in table.clockwise(set(able) - set(table.takers)):
        view = ReferenceView(
            kind="enter",
            seat=seat,
            cards=(),
            turn_up=None,
            players=players,
            stacks=tuple(table.stacks),
            bank=table.bank,
            stakes=(0,) * rules.seats,
            contributions=tuple(table.ledger),
            bets=(),
            tricks=(),
            azi_count=table.azi_count,
            legal=(0, 1),
        )
        if table.ask(view, 0) == 1:
            prices[seat] = price
    return prices


def _give_back(table: _Table) -> None:
    """Everybody takes back exactly its own contribution; the last deal's outcome says so."""
    returned = tuple(table.ledger)
    table.pay_out(returned)
    last = table.outcomes[-1]
    table.outcomes[-1] = replace(last, returned=returned, stacks=tuple(table.stacks), bank=0)


def _play_deal(table: _Table, deck: Sequence[int], prices: dict[int, int]) -> None:
    """Rules 1 to 8: antes, cards, discards, bets, tricks, and who gets what."""
    rules = table.rules
    order = table.clockwise(prices)
    places = [deck[seat * rules.deal : (seat + 1) * rules.deal] for seat in range(rules.seats)]
    deal = _Deal(
        order=order,
        hands=[list(cards) if seat in prices else [] for seat, cards in enumerate(places)],
        turn_up=deck[rules.seats * rules.deal],
        players=list(order),
        stakes=[0] * rules.seats,
        bet=[0] * rules.seats,
        raises=[0] * rules.seats,
    )
    for seat in order:
        table.pay(seat, prices[seat] + rules.ante)
        deal.stakes[seat] = rules.ante
    if rules.deal == 4:
        _discard(table, deal)
    _bet(table, deal)
    if len(deal.players) == 1:
        winner: int | None = deal.players[0]
    else:
        winner = _play_tricks(table, deal)
    _settle(table, deal, winner)


def _view(
    table: _Table,
    deal: _Deal,
    kind: Kind,
    seat: int,
    legal: tuple[int, ...],
    amounts: range = range(0),
) -> ReferenceView:
    """Told: what the player in `seat` knows when it is asked for one of these answers."""
    return ReferenceView(
        kind=kind,
        seat=seat,
        cards=tuple(deal.hands[seat]),
        turn_up=deal.turn_up,
        players=tuple(deal.players),
        stacks=tuple(table.stacks),
        bank=table.bank,
        stakes=tuple(deal.stakes),
        contributions=tuple(table.ledger),
        bets=tuple(deal.bets),
        tricks=tuple(tuple(trick) for trick in deal.tricks),
        azi_count=table.azi_count,
        legal=legal,
        amounts=amounts,
    )


def _discard(table: _Table, deal: _Deal) -> None:
    """Rules 2: with four cards everybody discards one in secret, before the betting."""
    for seat in deal.order:
        hand = deal.hands[seat]
        view = _view(table, deal, "discard", seat, tuple(hand))
        hand.remove(table.ask(view, lowest_discard(hand, deal.turn_up)))


def _bet(table: _Table, deal: _Deal) -> None:
    """Rules 3 to 6: ask until all who are in have paid the highest bet, or have no chips."""
    to_ask = list(deal.order)
    while to_ask and len(deal.players) > 1:
        seat = to_ask.pop(0)
        if table.stacks[seat] == 0:
            continue
        opening = deal.last_raiser is None
        reply = _ask_for_bet(table, deal, seat)
        if reply == FOLD:
            deal.players.remove(seat)
            deal.bets.append(Bet(seat, "fold", 0))
        elif reply == CALL:
            missing = (table.rules.lowest_bet if opening else deal.highest) - deal.bet[seat]
            short = table.stacks[seat] < missing
            _pay_bet(table, deal, seat, "short" if short else "call", missing)
        else:
            deal.highest += reply
            deal.last_raiser = seat
            deal.raises[seat] += 1
            missing = deal.highest - deal.bet[seat]
            _pay_bet(table, deal, seat, "bet" if opening else "raise", missing)
            at = deal.players.index(seat)
            to_ask = deal.players[at + 1 :] + deal.players[:at]


def _ask_for_bet(table: _Table, deal: _Deal, seat: int) -> int:
    """Ask a player with chips; returns FOLD, CALL, or the chips of a legal bet or raise."""
    rules = table.rules
    stack = table.stacks[seat]
    if deal.last_raiser is None:
        fold = (FOLD,) if rules.opener_may_fold else ()
        if stack < rules.lowest_bet:
            return table.ask(_view(table, deal, "bet", seat, (*fold, CALL)), CALL)
        bets = range(rules.lowest_bet, stack + 1)
        return table.ask(_view(table, deal, "bet", seat, fold, bets), rules.lowest_bet)
    missing = deal.highest - deal.bet[seat]
    raises = range(0)
    if deal.raises[seat] < rules.max_raises:
        raises = range(rules.min_raise, stack - missing + 1)
    return table.ask(_view(table, deal, "bet", seat, (FOLD, CALL), raises), CALL)


def _pay_bet(table: _Table, deal: _Deal, seat: int, action: Action, missing: int) -> None:
    amount = min(missing, table.stacks[seat])
    table.pay(seat, amount)
    deal.stakes[seat] += amount
    deal.bet[seat] += amount
    deal.bets.append(Bet(seat, action, amount))


def _play_tricks(table: _Table, deal: _Deal) -> int | None:
    """Rules 6 to 8: play until somebody has two tricks; None if three players have one each.

    Two players cannot have one each of three tricks, so a deal of two always ends in a win.
    """
    if deal.last_raiser is not None:
        leader = deal.last_raiser
    else:  # nobody could bet in full; max takes the first of equals
        leader = max(deal.players, key=lambda seat: deal.stakes[seat])
    deal.leader = leader
    taken: list[int] = []
    while len(taken) < 3:
        leader = _play_trick(table, deal, leader)
        taken.append(leader)
        if taken.count(leader) == 2:
            return leader
    table.takers = tuple(taken)
    return None


def _play_trick(table: _Table, deal: _Deal, leader: int) -> int:
    """Rules 6 and 7: one card of everybody still in, clockwise from the leader."""
    at = deal.players.index(leader)
    trick: list[Play] = []
    deal.tricks.append(trick)
    for seat in deal.players[at:] + deal.players[:at]:
        hand = deal.hands[seat]
        led = trick[0].card if trick else None
        legal = legal_cards(hand, led, deal.turn_up)
        view = _view(table, deal, "play", seat, legal)
        card = table.ask(view, lowest(legal, deal.turn_up))
        hand.remove(card)
        trick.append(Play(seat, card))
        table.check()
    return trick_winner(trick, deal.turn_up)


def _settle(table: _Table, deal: _Deal, winner: int | None) -> None:
    """Rules 8 and Payout: pay the winner, or carry the bank, but not for ever."""
    rules = table.rules
    contributions = tuple(table.ledger)
    paid = [0] * rules.seats
    azi_count = 0
    if winner is None:
        table.azi_count += 1
        azi_count = table.azi_count
    else:
        paid = payout(contributions, winner, rules.payout)
        table.pay_out(paid)
        table.opener = (winner + 1) % rules.seats
    outcome = DealOutcome(
        players=tuple(deal.order),
        turn_up=deal.turn_up,
        leader=deal.leader,
        winner=winner,
        bets=tuple(deal.bets),
        tricks=tuple(tuple(trick) for trick in deal.tricks),
        contributions=contributions,
        paid=tuple(paid),
        returned=(0,) * rules.seats,
        stacks=tuple(table.stacks),
        bank=table.bank,
        azi_count=azi_count,
        decisions=tuple(table.decisions),
    )
    table.outcomes.append(outcome)
    table.decisions = []
    if azi_count == rules.max_azi:
        _give_back(table)
