"""`koth simulate`: play a deal of a game without decisions, and say what comes of it."""

from __future__ import annotations

import json
from collections.abc import Sequence

import click

from harness.cli.options import json_option
from harness.wording import counted

_GAMES = ("camicia",)
"""Games that a deal alone decides."""


class _DecksAreNoOptions(click.Command):
    """A deck may begin with a dash or be `--`: only the known options are options."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        known = {name for parameter in self.get_params(ctx) for name in parameter.opts}
        known |= set(self.get_help_option_names(ctx))
        options = [word for word in args if word in known]
        return super().parse_args(
            ctx, [*options, "--", *(word for word in args if word not in known)]
        )


@click.command(cls=_DecksAreNoOptions)
@click.argument("game", type=click.Choice(_GAMES))
@click.argument("decks", nargs=-1, required=True, metavar="DEAL | DECK_A DECK_B")
@click.option("--trace", "traced", is_flag=True, help="Show every card and every trick.")
@json_option
def simulate(game: str, decks: Sequence[str], traced: bool, as_json: bool) -> int:
    """Play one deal of GAME; DECK_A starts.

    A deck is its cards from the top, `-` for a number card, as in `---AJ--Q`, or ranks separated
    by spaces or commas: `"2 A 7 8 Q 10"`. DEAL is two decks with a `/` between them. Decks may have
    any size, from one card on.
    """
    from harness.errors import UserError
    from harness.games.camicia import trace
    from harness.games.camicia.deals import DealError, parse_deal, parse_deck

    try:
        if len(decks) == 1:
            a, b = parse_deal(decks[0])
        elif len(decks) == 2 and not any("/" in deck for deck in decks):
            a, b = parse_deck(decks[0], "deck A"), parse_deck(decks[1], "deck B")
        else:
            raise UserError(
                "expected a deal with its `/`, or two decks without one; found "
                f"{' and '.join(map(repr, decks))}"
            )
    except DealError as error:
        raise UserError(str(error)) from None
    for name, deck in (("deck A", a), ("deck B", b)):
        if not deck:
            raise UserError(f"{name} is empty; expected one card at least")
    outcome = trace.simulate(a, b)
    if as_json:
        steps = {"trace": [step._asdict() for step in trace.trace(a, b)]} if traced else {}
        click.echo(json.dumps({**outcome._asdict(), **steps}, ensure_ascii=False))
        return 0
    if traced:
        _show(a, b)
    cards, tricks = counted(outcome.cards, "card"), counted(outcome.tricks, "trick")
    click.echo(f"{outcome.status}: {cards}, {tricks}")
    return 0


def _show(a: str, b: str) -> None:
    """The steps as columns."""
    from harness.games.camicia.trace import trace

    width = max(len(a) + len(b), len("pile"))
    form = f"{{:>5}}  {{:<{width}}}  {{:<{width}}}  {{:<{width}}}  {{:<6}}  {{}}"
    click.echo(form.format("round", "A", "B", "pile", "owes", ""))
    click.echo(form.format(1, a, b, "", "", "the deal").rstrip())
    for step in trace(a, b):
        owes = f"{step.debtor} {step.owes}" if step.owes else ""
        click.echo(form.format(step.round, step.a, step.b, step.pile, owes, step.event).rstrip())
