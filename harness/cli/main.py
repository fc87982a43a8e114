"""The command `koth`.

Exit status: 0 done; 1 a negative answer of `check` or `verify`; 2 wrong usage, config or bots, or a
folder that cannot be written; 3 a fault of koth itself; 130 interrupted, by Ctrl-C or SIGTERM.
Every command's module is imported only when it runs, so that `koth --help` costs nothing.
"""

from __future__ import annotations

import importlib
import os
import signal
import sys
import traceback

import click

from harness import __version__

DONE, NEGATIVE, WRONG_USAGE, HARNESS_FAULT, INTERRUPTED = 0, 1, 2, 3, 130

# Command -> module that has it under the name `command`, or `<name>_command`.
_COMMANDS = {
    "cup": ("harness.cli.event", "cup"),
    "league": ("harness.cli.event", "league"),
    "tables": ("harness.cli.event", "tables"),
    "duel": ("harness.cli.duel", "duel"),
    "check": ("harness.cli.check", "check"),
    "replay": ("harness.cli.replay", "replay"),
    "hunt": ("harness.cli.hunt", "hunt"),
    "simulate": ("harness.cli.simulate", "simulate"),
    "records": ("harness.cli.records", "records"),
    "new": ("harness.cli.new", "new"),
    "bots": ("harness.cli.bots", "bots"),
    "doctor": ("harness.cli.doctor", "doctor"),
    "standings": ("harness.cli.standings", "standings"),
    "verify": ("harness.cli.verify", "verify"),
}

_HELP = {
    "cup": "Play an elimination cup.",
    "league": "Play a league: every pair one match.",
    "tables": "Play at tables of several: line-ups drawn from all bots.",
    "duel": "Play one match of two bots.",
    "check": "Try a bot out before an event.",
    "replay": "Show any game of a match, move by move.",
    "hunt": "Hunt for the longest game of Camicia.",
    "simulate": "Play a deal of Camicia, a game without decisions.",
    "records": "List the published records of Camicia, and replay them.",
    "new": "Write a first bot to start from.",
    "bots": "List the bots and what is wrong with any.",
    "doctor": "Show what sandbox this machine can give.",
    "standings": "Show an event's standings, also without some of its bots.",
    "verify": "Check published results against secret and bots.",
}


class _Lazy(click.Group):
    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in _COMMANDS:
            return None
        module, attribute = _COMMANDS[name]
        command = getattr(importlib.import_module(module), attribute)
        assert isinstance(command, click.Command)
        return command

    # The list of commands would import every one of them.
    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, _HELP[name]) for name in _COMMANDS])


@click.command(cls=_Lazy, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="koth")
def koth() -> None:
    """King-of-the-Hill arena for card-game bots."""


def main() -> None:
    """Entry point: run a command and turn its end into an exit status."""
    from harness.errors import UserError

    if sys.platform != "linux":
        click.echo("koth: bots are sandboxed by the Linux kernel; on Windows use WSL", err=True)
        sys.exit(WRONG_USAGE)
    # A scheduler or a shutdown asks politely: stop as for Ctrl-C, and say how to go on.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        status = koth.main(standalone_mode=False)
    except UserError as error:
        # It may quote what a bot says of itself.
        from harness.reports.text import visible

        click.echo("koth: " + visible(str(error), keep="\n"), err=True)
        sys.exit(WRONG_USAGE)
    except click.ClickException as error:
        error.show()
        sys.exit(WRONG_USAGE)
    except (KeyboardInterrupt, click.Abort):
        click.echo("interrupted", err=True)
        sys.exit(INTERRUPTED)
    except BrokenPipeError:  # whoever read our output has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # for the flush at exit
        sys.exit(DONE)
    except Exception:  # noqa: BLE001 (an uncaught one would exit with 1, which means something else)
        traceback.print_exc()
        sys.exit(HARNESS_FAULT)
    sys.exit(status if isinstance(status, int) else DONE)


if __name__ == "__main__":
    main()
