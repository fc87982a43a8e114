"""`koth records`: the published long games of Camicia, and whether they are what they claim."""

from __future__ import annotations

import json

import click

from harness.cli.options import json_option


@click.command()
@click.option("--verify", is_flag=True, help="Replay every deal; exit status 1 if one differs.")
@json_option
def records(verify: bool, as_json: bool) -> int:
    """List the published records of Camicia: the longest known games that end, and loops.

    With --verify every deal is played, and what comes of it compared with what is claimed.
    """
    from harness.games.camicia.records import records as published

    rows, wrong = [], 0
    for record in published():
        row = {"deal": record.deal, **record.claimed._asdict()}
        row |= {"who": record.who, "year": record.year}
        if verify:
            found = record.replay()
            row["verified"] = found == record.claimed
            wrong += not row["verified"]
            if found != record.claimed:
                row["found"] = found._asdict()
        rows.append(row)
    if as_json:
        click.echo(json.dumps(rows, indent=2, ensure_ascii=False))
    else:
        _show(rows, verify)
    return 1 if wrong else 0


def _show(rows: list[dict[str, object]], verify: bool) -> None:
    from harness.cli.screen import console, say
    from harness.cli.words import table

    made = table("deal", "", ">cards", ">tricks", *(["replayed"] if verify else []), ">year", "by")
    for row in rows:
        replayed = []
        if verify:
            replayed = ["the same" if row["verified"] else f"differs: {row['found']}"]
        made.add_row(
            *(str(row["deal"]), str(row["status"]), f"{row['cards']:,}", f"{row['tricks']:,}"),
            *(*replayed, str(row["year"]), str(row["who"])),
        )
    console().print(made)
    if verify:
        same = sum(row["verified"] is True for row in rows)
        say(f"{same} of {len(rows)} records replayed as published")
