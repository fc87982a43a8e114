"""`koth new`: a first bot to start from."""

from __future__ import annotations

import json
import keyword
import re
import shlex
import unicodedata
from pathlib import Path

import click

from harness.cli.options import bots_option, game_argument

_MOST_CHARACTERS = 100  # of a bot's name, as in an event


@click.command()
@game_argument
@click.argument("name")
@bots_option
def new(game: str, name: str, bots_folder: Path) -> int:
    """Write a commented bot of that NAME that plays, and say what to do next.

    It lands in bots/GAME/, in a file named after it: My Bot in my_bot.py. Nothing is overwritten.
    """
    from harness import games
    from harness.errors import UserError

    if not 1 <= len(name.strip()) <= _MOST_CHARACTERS or not name.isprintable():
        raise UserError(
            f"NAME: expected 1 to {_MOST_CHARACTERS} characters that can be seen, found {name!r}"
        )
    stem = file_stem(name)
    if stem in ("", "bot"):
        why = "no file can be called so"
        if stem:
            why = "bot.py is the main file of a bot that is a folder"
        raise UserError(f"NAME {name!r}: {why}; choose a name with other letters or digits")
    path = bots_folder / game / f"{stem}.py"
    if path.exists() or path.with_suffix("").exists():
        raise UserError(f"{path} is there already; choose another NAME, or move it away")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("x", encoding="utf-8") as file:
            file.write(source(game, name))
    except OSError as error:
        raise UserError(f"{path}: cannot be written: {error.strerror}") from error
    folder = [] if bots_folder == Path("bots") else ["--bots", str(bots_folder)]
    click.echo(f"{path}: a bot that plays. Change it, and see what it is worth:")
    click.echo("")
    about = games.describe(game)
    if about.hunted:
        play = ["hunt", "--only", name]
        told = "what is wrong with it and what it finds in ten seconds, the", "second lets it hunt."
    elif about.pairs is None:
        play = ["tables", game]
        told = (
            "what is wrong with it and where it stands, the second seats",
            "it at tables with all other bots; `koth bots` lists them.",
        )
    else:
        play = ["duel", game, stem, "BOT"]
        told = (
            "what is wrong with it and where it stands, the second plays a",
            "match against any other BOT; `koth bots` lists them.",
        )
    for words in (["check", game, stem], play):
        click.echo("    " + shlex.join(["koth", *words, *folder]))
    click.echo("")
    click.echo(f"The first tells {told[0]}")
    click.echo(told[1])
    return 0


def file_stem(name: str) -> str:
    """`My Bot` -> `my_bot`; accents are dropped, and whatever else is no ASCII letter or digit."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    return "_".join(re.findall(r"[a-z0-9]+", plain.lower()))


def source(game: str, name: str) -> str:
    """The game's template, filled in."""
    from jinja2 import Environment, StrictUndefined

    from harness import games

    template = (Path(games.__file__).parent / game / "new_bot.py.j2").read_text(encoding="utf-8")
    words = re.findall(r"[A-Za-z0-9]+", file_stem(name).replace("_", " "))
    class_name = "".join(word.capitalize() for word in words)
    if class_name[0].isdigit():
        class_name = "Bot" + class_name
    # A class called like something the file uses would hide it.
    if keyword.iskeyword(class_name) or re.search(rf"\b{class_name}\b", template):
        class_name += "Bot"
    environment = Environment(undefined=StrictUndefined, keep_trailing_newline=True)
    # A title ends up in a docstring, where quotes and backslashes mean something.
    return environment.from_string(template).render(
        title=re.sub(r'["\\]', "", name),
        class_name=class_name,
        name=json.dumps(name, ensure_ascii=False),
    )
