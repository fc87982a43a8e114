"""Simple Pazaak played by the letter: the rules text as a plain, slow program.

The fast engine is judged against this one, so nothing here comes from it, or imports from the
harness at all. Citations: "Cards", "Hand 1-5", "Judging 1-5", "Told", "Transcript" are the sections
of the rules text, with the numbers it gives its sentences.

A game is a function of the cards and the answers: nothing here is random. Who calls `play_game`
shuffles, and says through `decide` what a player answers. Seat 0 is player one, seat 1 player two.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

END = 0
"""End the turn: another card next round."""
STAND = -1
"""Keep the total: no more cards, no more questions in this hand. A reply above 0 PLAYs a card."""


@dataclass(frozen=True)
class Rules:
    """The counts that Cards makes parameters, and what else a variant may change."""

    main_copies: int = 4
    main_ranks: int = 10
    side_copies: int = 2
    side_ranks: int = 5
    side_hand: int = 4
    target: int = 20
    """Over it is a bust."""
    wins_needed: int = 3
    auto_stand: bool = False
    """Hand 5: a dealt card that makes exactly `target` stands the player without asking."""


TEXT = Rules()
ORIGINAL_2015 = Rules(main_copies=5, side_copies=3, side_hand=5, auto_stand=True)


@dataclass(frozen=True)
class ReferenceView:
    """Told: the eight facts, then what follows from them."""

    wins: int
    opponent_wins: int
    first: bool
    hand: tuple[int, ...]
    """The cards on the table in the order they came, a played side card included."""
    opponent_hand: tuple[int, ...]
    side_hand: tuple[int, ...]
    """The side cards still held, in the order they were drawn."""
    opponent_side_cards: int
    opponent_action: int | None
    """END or STAND, never PLAY; None before the opponent's first action in this hand."""
    opponent_played: bool
    total: int
    opponent_total: int
    hand_number: int
    """Hands finished in this game, ties included."""


class Decision(NamedTuple):
    """One question and its answer, as it was given."""

    seat: int
    view: ReferenceView
    reply: int
    legal: bool


@dataclass(frozen=True)
class Game:
    """A finished game."""

    winner: int
    hands: tuple[int, int]
    """Hands won by either seat; tied hands are in neither number."""
    decisions: list[Decision]
    hand_results: list[int | None]
    """The seat that won each hand, None for a tie."""
    transcript: list[str]


Decide = Callable[[int, ReferenceView], int]


class DeckExhausted(RuntimeError):
    """A card was due and the main deck is empty: the rules do not say what happens then.

    With the parameters of the text it cannot be. Before a last round nobody is bust, so the cards
    on the table make 40 at most, and sixteen of the lowest (1 1 1 1 to 4 4 4 4) make just that; the
    last round takes two more. Five copies of each, as in the 2015 variant, make it one more.
    """


@dataclass
class _Player:
    """One player's side of the table. The first three outlast a hand, the others do not."""

    name: str
    side_hand: list[int]
    wins: int = 0
    hand: list[int] = field(default_factory=list)
    standing: bool = False
    action: int | None = None
    played: bool = False

    @property
    def total(self) -> int:
        return sum(self.hand)

    def start_hand(self) -> None:
        self.hand = []
        self.standing = False
        self.action = None
        self.played = False

    def end(self) -> None:
        self.action = END

    def stand(self) -> None:
        self.standing = True
        self.action = STAND

    def play(self, card: int) -> None:
        """Hand 2: the card is added to the hand, and the player then stands.

        Told: the opponent sees a STAND, and that a card was played. Cards: it is gone for the game.
        """
        self.side_hand.remove(card)  # of two equal cards, the one drawn first
        self.hand.append(card)
        self.played = True
        self.stand()

    def __str__(self) -> str:
        return f"({' '.join(map(str, self.hand))}) = {self.total}"


@dataclass(frozen=True)
class _Verdict:
    """A judged hand; `winner` None is a tie."""

    winner: int | None


@dataclass
class _Table:
    """A game in progress."""

    rules: Rules
    players: tuple[_Player, _Player]
    decide: Decide
    decisions: list[Decision] = field(default_factory=list)
    hand_results: list[int | None] = field(default_factory=list)
    transcript: list[str] = field(default_factory=list)

    def say(self, line: str) -> None:
        self.transcript.append(line)

    @property
    def standings(self) -> str:
        one, two = self.players
        return f"{one.wins} to {two.wins}"


def play_game(
    rules: Rules,
    side_hands: Sequence[Sequence[int]],
    deck_of_hand: Callable[[int], Sequence[int]],
    decide: Decide,
) -> Game:
    """Play hands until one player has won `rules.wins_needed` of them.

    `side_hands` are player one's and player two's cards in the order drawn; `deck_of_hand(h)`
    is the whole shuffled main deck of hand h, top card first. Hands count from 0, ties included,
    and each deck is asked for once. Ties are replayed without limit, as the text has it.

    Raises ValueError for cards that `rules` cannot deal, DeckExhausted if a deck runs out.
    """
    one, two = (_checked_side_hand(rules, cards) for cards in side_hands)
    players = (_Player("Player one", one), _Player("Player two", two))
    table = _Table(rules, players, decide)
    table.say("New game.")
    while all(player.wins < rules.wins_needed for player in players):
        deck = _checked_deck(rules, deck_of_hand(len(table.hand_results)))
        winner = _play_hand(table, deck)
        table.hand_results.append(winner)
        if winner is not None:  # tied hands do not count
            players[winner].wins += 1
    winner = 0 if players[0].wins == rules.wins_needed else 1
    table.say(f"{players[winner].name} wins the game, {table.standings}.")
    return Game(
        winner=winner,
        hands=(players[0].wins, players[1].wins),
        decisions=table.decisions,
        hand_results=table.hand_results,
        transcript=table.transcript,
    )


def _play_hand(table: _Table, deck: list[int]) -> int | None:
    """Hand 1: player one acts, then player two, then the hand is judged; repeat."""
    table.say(f"Hand {len(table.hand_results)}, standings {table.standings}.")
    for player in table.players:
        player.start_hand()
    while True:
        _act(table, 0, deck)
        _act(table, 1, deck)  # also after a bust of player one: it may bust too
        verdict = _judge(table.rules, table.players)
        if verdict is not None:
            _announce(table, verdict)
            return verdict.winner


def _act(table: _Table, seat: int, deck: list[int]) -> None:
    """Hand 2: one card, then one question. A player who stood is skipped."""
    player = table.players[seat]
    if player.standing:
        return
    _deal(table, player, deck)
    # Hand 5.
    if table.rules.auto_stand and player.total == table.rules.target:
        player.stand()
        table.say(f"{player.name} stands on {player.total} unasked.")
        return
    # Hand 4: a bust player is asked like any other.
    view = _view(table, seat)
    reply = table.decide(seat, view)
    legal = reply in (END, STAND) or reply in player.side_hand
    table.decisions.append(Decision(seat, view, reply, legal))
    if not legal:
        # Hand 3: a PLAY of a card not held is a STAND; so is a reply that means nothing.
        player.stand()
        table.say(f"{player.name} answers {reply}, which is illegal, and so stands.")
    elif reply == END:
        player.end()
        table.say(f"{player.name} ends its turn.")
    elif reply == STAND:
        player.stand()
        table.say(f"{player.name} stands.")
    else:
        before = str(player)
        player.play(int(reply))
        table.say(f"{player.name} plays {reply} and stands: {before}, then {player}.")


def _deal(table: _Table, player: _Player, deck: list[int]) -> None:
    """Move the top card of the shared deck to the player's hand."""
    if not deck:
        raise DeckExhausted(f"no card left for {player.name}, who has {player}")
    before = str(player)
    card = deck.pop(0)
    player.hand.append(card)
    table.say(f"{player.name} is dealt {card}: {before}, then {player}.")


def _view(table: _Table, seat: int) -> ReferenceView:
    """Told: what the player in `seat` knows when it is asked."""
    own = table.players[seat]
    opponent = table.players[1 - seat]
    return ReferenceView(
        wins=own.wins,
        opponent_wins=opponent.wins,
        first=seat == 0,
        hand=tuple(own.hand),
        opponent_hand=tuple(opponent.hand),
        side_hand=tuple(own.side_hand),
        opponent_side_cards=len(opponent.side_hand),
        opponent_action=opponent.action,
        opponent_played=opponent.played,
        total=own.total,
        opponent_total=opponent.total,
        hand_number=len(table.hand_results),
    )


def _judge(rules: Rules, players: tuple[_Player, _Player]) -> _Verdict | None:
    """Judging: the verdict after both have acted, None to play on."""
    one, two = players
    one_bust = one.total > rules.target
    two_bust = two.total > rules.target
    # Judging 1: exactly one over the target, the other wins.
    if one_bust and not two_bust:
        return _Verdict(1)
    if two_bust and not one_bust:
        return _Verdict(0)
    # Judging 2: both over, a tie.
    if one_bust and two_bust:
        return _Verdict(None)
    # Judging 3: both standing, the higher total wins, equal is a tie.
    if one.standing and two.standing:
        if one.total == two.total:
            return _Verdict(None)
        return _Verdict(0 if one.total > two.total else 1)
    # Judging 4: one standing, the other active with a strictly higher total wins at once.
    if two.standing and one.total > two.total:
        return _Verdict(0)
    if one.standing and two.total > one.total:
        return _Verdict(1)
    # Judging 5: otherwise play on.
    return None


def _announce(table: _Table, verdict: _Verdict) -> None:
    """Transcript: who bombed out or won the hand."""
    for player in table.players:
        if player.total > table.rules.target:
            table.say(f"{player.name} bombs out with {player.total}.")
    one, two = table.players
    totals = f"{one.total} to {two.total}"
    if verdict.winner is None:
        table.say(f"The hand is tied, {totals}.")
    else:
        table.say(f"{table.players[verdict.winner].name} wins the hand, {totals}.")


def _checked_side_hand(rules: Rules, cards: Sequence[int]) -> list[int]:
    """Cards: a side hand is drawn from a pool of `side_copies` each of 1..`side_ranks`."""
    hand = [int(card) for card in cards]
    pool = Counter(dict.fromkeys(range(1, rules.side_ranks + 1), rules.side_copies))
    if len(hand) != rules.side_hand or not Counter(hand) <= pool:
        raise ValueError(f"not a side hand of these rules: {hand}")
    return hand


def _checked_deck(rules: Rules, cards: Sequence[int]) -> list[int]:
    """Cards: the main deck holds `main_copies` each of 1..`main_ranks`, every hand anew."""
    deck = [int(card) for card in cards]
    whole = dict.fromkeys(range(1, rules.main_ranks + 1), rules.main_copies)
    if Counter(deck) != Counter(whole):
        raise ValueError(f"not a main deck of these rules: {deck}")
    return deck
