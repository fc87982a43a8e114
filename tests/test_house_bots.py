"""The Pazaak house bots against the text they were written from, rule by rule."""

from __future__ import annotations

import ast
import importlib.util
import random
import sys
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from harness.games.pazaak import END, STAND, Player, View

BOTS = Path(__file__).parents[1] / "bots" / "pazaak"
SIDE_CARDS = range(1, 6)


class Case(NamedTuple):
    """A rule of the text, a view to which it applies, and the reply it demands.

    A tuple of replies stands for the toss of a coin: all of them must come up, and nothing else.
    """

    rule: str
    view: View
    reply: int | tuple[int, ...]


def see(
    mine: int | tuple[int, ...],
    theirs: int | tuple[int, ...],
    side: tuple[int, ...] = (),
    *,
    action: int | None = END,
    wins: tuple[int, int] = (0, 0),
    opponent_side_cards: int = 4,
) -> View:
    """A view of two hands, given as cards or as totals alone, an active opponent by default."""
    hand = mine if isinstance(mine, tuple) else cards_making(mine)
    opponent_hand = theirs if isinstance(theirs, tuple) else cards_making(theirs)
    return View(
        wins=wins[0],
        opponent_wins=wins[1],
        first=action is None,
        hand=hand,
        opponent_hand=opponent_hand,
        side_hand=side,
        opponent_side_cards=opponent_side_cards,
        opponent_action=action if opponent_hand else None,
        opponent_played=False,
        total=sum(hand),
        opponent_total=sum(opponent_hand),
        hand_number=sum(wins),
        game_number=0,
    )


def cards_making(total: int) -> tuple[int, ...]:
    """A hand of `total`, tens first."""
    return (10,) * (total // 10) + ((total % 10,) if total % 10 else ())


def plausible_view(rng: random.Random) -> View:
    """A view as games have them, from the decks of the text or those of `original-2015`."""
    copies, side_cards = rng.choice([(4, 4), (5, 5)])
    deck = [rank for rank in range(1, 11) for _ in range(copies)]
    rng.shuffle(deck)

    def dealt(least: int) -> list[int]:
        hand: list[int] = []
        cards = rng.randint(least, 7)
        while len(hand) < cards and sum(hand) < 20:
            hand.append(deck.pop())
        return hand

    hand, opponent_hand = dealt(1), dealt(0)
    action = rng.choice([END, STAND]) if opponent_hand else None
    played = action == STAND and rng.random() < 0.3
    if played:
        opponent_hand.append(rng.choice(SIDE_CARDS))
    return View(
        wins=rng.randint(0, 2),
        opponent_wins=rng.randint(0, 2),
        first=action is None or rng.random() < 0.5,
        hand=tuple(hand),
        opponent_hand=tuple(opponent_hand),
        side_hand=tuple(rng.choices(SIDE_CARDS, k=rng.randint(0, side_cards))),
        opponent_side_cards=rng.randint(0, side_cards - played),
        opponent_action=action,
        opponent_played=played,
        total=sum(hand),
        opponent_total=sum(opponent_hand),
        hand_number=rng.randint(0, 6),
        game_number=rng.randint(0, 9),
    )


def plausible_views(count: int, seed: str = "views") -> list[View]:
    rng = random.Random(seed)
    return [plausible_view(rng) for _ in range(count)]


@cache
def load(file: str) -> type[Player]:
    """The one bot of a file in `bots/pazaak`."""
    spec = importlib.util.spec_from_file_location(Path(file).stem, BOTS / file)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    [bot] = [
        member
        for member in vars(module).values()
        if isinstance(member, type)
        and member.__module__ == module.__name__
        and issubclass(member, Player)
    ]
    return bot


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "case" in metafunc.fixturenames:
        assert metafunc.cls
        metafunc.parametrize("case", metafunc.cls.cases, ids=lambda case: case.rule)


class HouseBot:
    """What holds for every house bot; a subclass names the file, the bot and the cases."""

    file: str
    name: str
    cases: tuple[Case, ...]

    @pytest.fixture
    def bot_class(self) -> type[Player]:
        return load(self.file)

    @pytest.fixture
    def bot(self, bot_class: type[Player]) -> Any:
        return bot_class.make("seed", "/nonexistent")

    def test_case(self, bot: Player, case: Case) -> None:
        expected = {case.reply} if isinstance(case.reply, int) else set(case.reply)
        assert {bot.respond(case.view) for _ in range(64)} == expected

    def test_has_a_name_and_says_where_it_comes_from(self, bot_class: type[Player]) -> None:
        source = ast.parse((BOTS / self.file).read_text())
        assert bot_class.name == self.name
        assert "51731" in (ast.get_docstring(source) or "")
        assert bot_class.__doc__

    def test_imports_nothing_but_the_game_and_what_every_sandbox_has(self) -> None:
        imported = set()
        for node in ast.walk(ast.parse((BOTS / self.file).read_text())):
            if isinstance(node, ast.Import):
                imported |= {alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom):
                imported.add(node.module or ".")
        imported -= {"harness.games.pazaak"}
        assert {name.partition(".")[0] for name in imported} <= sys.stdlib_module_names | {"numpy"}

    def test_replies_are_legal(self, bot: Player) -> None:
        for view in plausible_views(2000):
            reply = bot.respond(view)
            assert type(reply) is int
            assert reply in (END, STAND, *view.side_hand), view

    def test_same_views_and_seed_same_replies(self, bot_class: type[Player]) -> None:
        one, other = (bot_class.make("seed", "/nonexistent") for _ in range(2))
        for view in plausible_views(2000):
            assert one.respond(view) == other.respond(view), view

    def test_stands_on_twenty_or_more(self, bot: Player) -> None:
        for view in plausible_views(2000):
            if view.total >= 20:
                assert bot.respond(view) == STAND, view


class TestDumbBold(HouseBot):
    file = "dumb_bold.py"
    name = "Dumb Bold Player"
    cases = (
        Case("below 20", see(1, ()), END),
        Case("below 20, side card or not", see(19, 18, (1,), action=STAND), END),
        Case("20", see(20, 5), STAND),
        Case("over 20", see(23, 5), STAND),
    )


class TestDumbCautious(HouseBot):
    file = "dumb_cautious.py"
    name = "Dumb Cautious Player"
    cases = (
        Case("below 15", see(14, 20, (5,), action=STAND), END),
        Case("15", see(15, 18), STAND),
        Case("over 20", see(22, 5), STAND),
    )


class TestBastila(HouseBot):
    file = "bastila.py"
    name = "Bastila"
    cases = (
        Case("play: the last card landing on 17..20", see(15, 9, (5, 2, 1)), 2),
        Case("play: 17 will do", see(12, 9, (5,)), 5),
        Case("play: at any total", see(19, 9, (1,)), 1),
        Case("play: not below 17, not over 20", see(16, 9, (5,)), STAND),
        Case("play: 20 already", see(20, 9, (1, 2)), STAND),
        Case("estimate (220-13)/(40-2) is 5: 18 is not past 18", see(13, 20), END),
        Case("estimate (220-14)/(40-2) is 5: 19", see(14, 20), STAND),
        Case("estimate (220-12)/(40-8) is 6", see((1, 1, 1, 1, 2, 2, 2, 2), 9), END),
        Case("estimate (220-13)/(40-5) is 5", see((1, 2, 2, 3, 5), 9), END),
        Case("estimate (220-13)/(40-6) is 6", see((1, 2, 2, 2, 3, 3), 9), STAND),
        Case("estimate: no look at the opponent", see(14, 18, action=STAND), STAND),
    )


class TestAustinPowers(HouseBot):
    file = "austin_powers.py"
    name = "Austin Powers"
    # 19 from a ten and a nine: four aces are safe, far less than a fifth of what is unseen
    nineteen = (10, 9)
    cases = (
        Case("1: 20", see(20, 5), STAND),
        Case("1: over 20", see(21, 5, (1,)), STAND),
        Case("1: the opponent over 20", see(8, 21, (5,)), STAND),
        Case("1: opponent done below", see(16, 15, (4,), action=STAND), STAND),
        Case("1: not when the opponent goes on", see(16, 15, (4,)), 4),
        Case("2: opponent done, first card that beats", see(15, 17, (1, 2, 3, 4), action=STAND), 3),
        Case("2: first before exact", see(17, 17, (1, 3), action=STAND), 1),
        Case("2: first, be it exact", see(17, 17, (3, 1), action=STAND), 3),
        Case("2: not over 20", see(17, 18, (5, 4, 2), action=STAND), 2),
        Case("2: a tie is no win", see(8, 13, (5,), action=STAND), END),
        Case("2: exact in any case", see(17, 5, (1, 3)), 3),
        Case("2: exact also ties", see(17, 20, (1, 3), action=STAND), 3),
        Case("3: dangerous", see(nineteen, 12, wins=(0, 1)), END),
        Case("3: not when level on wins", see(nineteen, 12, wins=(1, 1)), STAND),
        Case("3: not when ahead on wins", see(nineteen, 12, wins=(2, 1)), STAND),
        Case("3: not before the opponent acted", see(nineteen, (), wins=(0, 1)), STAND),
        Case("3: opponent stands ahead", see(nineteen, 20, action=STAND, wins=(0, 1)), END),
        Case("3: opponent stands level", see(nineteen, 19, action=STAND, wins=(0, 1)), END),
        Case("3: one safe card left", see((9, 10), (1, 1, 1, 9), wins=(0, 1)), END),
        Case("3: no safe card left", see((1, 8, 10), (1, 1, 1, 9), wins=(0, 1)), STAND),
        Case("3: ten or less", see(10, 18, wins=(0, 1)), END),
        Case("3: ten or less, ahead", see(10, (), wins=(2, 1)), END),
        Case("3: 7 of 35 is not over 20 %", see((1, 7, 10), (10, 9)), STAND),
        Case("3: 7 of 34 is", see((1, 7, 10), (10, 5, 4)), END),
        # aces 4, twos 0 rather than -1, threes 3: 7 of 33 is over 20 %, 6 of 32 would not be
        Case("3: counts clamped at 0", see((7, 10), (2, 2, 2, 2, 2, 3)), END),
        Case("4: else", see(19, 5), STAND),
    )


class TestNestor(HouseBot):
    file = "nestor.py"
    name = "Nestor"
    cases = (
        Case("1: 20", see(20, 5), STAND),
        Case("1: over 20", see(22, 5), STAND),
        Case("2: ahead of a stander", see(16, 15, (4,), action=STAND), STAND),
        Case("2: the first card that beats", see(15, 17, (2, 1, 3, 5), action=STAND), 3),
        Case("2: beats within 20", see(17, 18, (5, 3, 2), action=STAND), 3),
        Case("2: level, any card beats", see(17, 17, (2,), action=STAND), 2),
        Case("2: else a card that ties", see(15, 17, (1, 2), action=STAND), 2),
        Case("2: ties 20", see(15, 20, (5,), action=STAND), 5),
        Case("2: else draw", see(12, 18, (5,), action=STAND), END),
        Case("2: else draw, even when level", see(19, 19, (2,), action=STAND), END),
        Case("2: else draw, against a bust too", see(16, 22, (5,), action=STAND), END),
        Case("3: exact", see(15, 12, (1, 5)), 5),
        Case("3: exact before 4", see(17, 20, (3,)), 3),
        Case("4: opponent on 20", see(19, 20, (3,)), END),
        Case("5: below ten", see(9, 19, (5,)), END),
        # 38 unseen, the opponent cannot pass ten: standing 10; drawing (4*19 + 34*4)/38 = 5.6
        Case("6: 19 against nothing", see((10, 9), (), (2,)), STAND),
        # 39 unseen, three tens: standing (36*10 + 3*1)/39 = 9.3; drawing 19, nothing busts
        Case("6: 10 against nothing", see((10,), (), (2,)), END),
        # standing loses whatever comes, and so pays 0; a lost draw pays 4
        Case("6: behind", see(19, 23), END),
        # opponent's bust counts as the bigger number: standing (17*10 + 4*1)/36 = 4.8, where
        # drawing gets 17/36 * (16*19 + 20*4)/36 = 5.0 out of its first part alone
        Case("6: the quirk", see((10, 6), (10, 5)), END),
        # 36 unseen: standing (32*10 + 4*1)/36 = 9; drawing (12*19 + 24*4)/36 = 9
        Case("6: equal sums", see((4, 4, 9), (7,)), STAND),
        # 35 unseen: standing (31*10 + 4*1)/35 = 8.97; drawing (12*19 + 23*4)/35 = 9.14
        Case("6: a little larger", see((4, 4, 4, 5), (7,)), END),
    )

    def test_rule_six_is_the_formula(self, bot: Player) -> None:
        replies = []
        for view in plausible_views(30_000, "nestor"):
            undecided = (
                view.opponent_action != STAND
                and 10 <= view.total < 20
                and view.opponent_total != 20
                and 20 - view.total not in view.side_hand
            )
            if undecided:
                standing, drawing = standing_and_drawing(view)
                replies.append(bot.respond(view))
                assert replies[-1] == (END if drawing > standing else STAND), view
        assert replies.count(END) > 2000
        assert replies.count(STAND) > 200


def standing_and_drawing(view: View) -> tuple[Fraction, Fraction]:
    """Nestor's two sums as the text has them, in slow and exact fractions."""
    me, opp = view.total, view.opponent_total
    visible = view.hand + view.opponent_hand
    n = {rank: max(0, 4 - visible.count(rank)) for rank in range(1, 11)}
    total = sum(n.values())
    p = Fraction(sum(n[r] for r in n if opp + r > 20), total)

    def pay(mine: int, theirs: int, win: int, draw: int, lose: int) -> int:
        if mine > 20:
            return draw if theirs > 20 else lose
        return win if mine > theirs else draw if mine == theirs else lose

    def standing_pay(theirs: int) -> int:
        return pay(me, theirs, 10, 1, 0)

    standing = p * standing_pay(opp)
    standing += Fraction(sum(n[r] * standing_pay(opp + r) for r in n), total)

    drawing = Fraction(0)
    for s in n:
        left = {**n, s: n[s] - 1}
        drawn = p * pay(me + s, opp, 19, 9, 4)
        drawn += Fraction(sum(left[r] * pay(me + s, opp + r, 19, 9, 4) for r in n), total - 1)
        drawing += Fraction(n[s], total) * drawn
    return standing, drawing


class TestCincinnatiKid(HouseBot):
    file = "cincinnati_kid.py"
    name = "The Cincinnati Kid"
    cases = (
        Case("1: the opponent over 20", see(5, 21, (5,)), STAND),
        Case("1: over 20", see(21, 5), STAND),
        Case("1: 20", see(20, 5), STAND),
        Case("2: ten or less", see(10, 12, (5,)), END),
        Case("2: ten or less, ahead of a stander", see(10, 9, action=STAND), END),
        Case("3: the largest card that fits", see(15, 12, (1, 3, 4, 2)), 4),
        Case("3: the exact card", see(15, 12, (4, 5, 1)), 5),
        Case("3: too large cards do not count", see(16, 12, (5, 3)), 3),
        Case("3: 18 is not past 18", see(14, 12, (4,)), END),
        Case("3: ties", see(17, 19, (2,)), 2),
        Case("3: not below the opponent", see(16, 20, (3,)), END),
        Case("3: no card, no play", see(19, 12), STAND),
        Case("3: when ahead already", see(18, 5, (1,)), 1),
        Case("3: before 4", see(16, 13, (4,), action=STAND), 4),
        Case("4: behind, best ties", see(13, 17, (1, 4), action=STAND), 4),
        Case("4: behind, best beats", see(12, 15, (4, 3), action=STAND), 4),
        Case("4: behind, best falls short", see(12, 18, (5,), action=STAND), END),
        Case("4: behind, no card", see(18, 19, (3,), action=STAND), END),
        Case("4: level, the smallest card", see(13, 13, (5, 2, 3), action=STAND), 2),
        Case("4: level, the smallest that fits", see(15, 15, (3, 2), action=STAND), 2),
        Case("4: level, none fits", see(17, 17, (4, 5), action=STAND), STAND),
        Case("4: level, no card", see(13, 13, action=STAND), STAND),
        Case("4: ahead", see(11, 9, (3,), action=STAND), STAND),
        Case("5: behind an active opponent", see(19, 20, (3,)), END),
        Case("6: opponent on ten or less", see(17, 10), END),
        Case("7: level on 18", see(18, 18), STAND),
        Case("8: below 18, ahead", see(17, 12), END),
        Case("8: below 18, level", see(17, 17), END),
        Case("8: 18 and ahead", see(18, 12), STAND),
    )


class TestT3M4(HouseBot):
    file = "t3_m4.py"
    name = "T3-M4"
    cases = (
        Case("over 20", see(21, 5), STAND),
        Case("20", see(20, 5), STAND),
        Case("20 against 20", see(20, 20), STAND),
        Case("need over ten", see(9, 18, (5,)), END),
        Case("need over ten, before a bust of the opponent", see(9, 22), END),
        Case("need of ten is not over ten", see(10, 22), STAND),
        Case("opponent over 20, before an exact card", see(16, 21, (4,)), STAND),
        Case("opponent on 20, exact card", see(16, 20, (3, 4)), 4),
        Case("opponent on 20, no exact card", see(16, 20, (3,)), END),
        Case("exact card", see(16, 5, (1, 4)), 4),
        Case("exact card, ahead of a stander", see(16, 5, (1, 4), action=STAND), 4),
        Case("done: ahead", see(16, 15, (3,), action=STAND), STAND),
        Case("done: first card that beats", see(14, 16, (2, 5, 3), action=STAND), 5),
        Case("done: beats and fits", see(17, 18, (5, 2), action=STAND), 2),
        Case("done: level, a card beats", see(15, 15, (2,), action=STAND), 2),
        Case("done: tie at 2-2", see(14, 16, (2,), action=STAND, wins=(2, 2)), 2),
        Case("done: tie at 1-2", see(14, 16, (2,), action=STAND, wins=(1, 2)), 2),
        Case("done: tie at 0-2", see(14, 16, (1, 2), action=STAND, wins=(0, 2)), 2),
        Case("done: tie at 1-1", see(14, 16, (2,), action=STAND, wins=(1, 1)), END),
        Case("done: tie at 2-1", see(14, 18, (4,), action=STAND, wins=(2, 1)), END),
        Case(
            "done: tie at 0-1, two side cards more",
            see(14, 16, (1, 2, 1), action=STAND, wins=(0, 1), opponent_side_cards=1),
            (END, 2),
        ),
        Case(
            "done: tie at 0-1, one side card more",
            see(14, 16, (1, 2, 1), action=STAND, wins=(0, 1), opponent_side_cards=2),
            END,
        ),
        Case(
            "done: tie at 1-1, two side cards more",
            see(14, 16, (1, 2, 1), action=STAND, wins=(1, 1), opponent_side_cards=1),
            END,
        ),
        Case("done: no tie, over 17", see(12, 18, (5,), action=STAND), STAND),
        Case("done: no tie, 15 to 17", see(11, 17, (5,), action=STAND), (END, STAND)),
        Case("done: no tie, 14", see(10, 14, (3,), action=STAND), END),
        Case("done: level, no card", see(18, 18, action=STAND), END),
        Case("behind: ties over 17, opponent on 2", see(15, 18, (3,), wins=(0, 2)), 3),
        Case("behind: ties over 17, opponent on 1", see(15, 18, (3,), wins=(0, 1)), STAND),
        Case("behind: ties over 14, level on wins", see(13, 17, (4,), wins=(1, 1)), 4),
        Case("behind: ties over 14, behind on wins", see(13, 15, (2,), wins=(0, 1)), 2),
        Case("behind: ties over 14, ahead on wins", see(13, 15, (2,), wins=(1, 0)), (END, STAND)),
        Case("behind: ties 14", see(12, 14, (2,), wins=(0, 2)), END),
        Case("behind: beats", see(15, 18, (4,), wins=(0, 2)), END),
        Case("behind: the last card counts, beats", see(13, 15, (2, 3)), END),
        Case("behind: the last card counts, ties", see(13, 15, (3, 2)), 2),
        Case("behind: too small a card does not", see(13, 15, (2, 1)), 2),
        Case("behind: too large a card does not", see(17, 18, (1, 4), wins=(0, 2)), 1),
        Case("behind: none, over 17", see(12, 18, (5,)), STAND),
        Case("behind: none, 17", see(12, 17, (4,)), (END, STAND)),
        Case("behind: none, 15", see(12, 15), (END, STAND)),
        Case("behind: none, 14", see(12, 14), END),
        Case("otherwise: ahead", see(19, 10, (2,)), END),
        Case("otherwise: level", see(18, 18, (1,)), END),
        Case("otherwise: opponent yet to act", see(19, ()), END),
    )

    def test_the_coin_is_fair(self, bot: Player) -> None:
        ends = sum(bot.respond(see(12, 17)) == END for _ in range(10_000))
        assert 4800 < ends < 5200
