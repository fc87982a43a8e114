"""`koth doctor`: what sandbox this machine can give, and what koth runs on."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import click

from harness.cli.options import json_option


@click.command()
@json_option
def doctor(as_json: bool) -> int:
    """Show what sandbox this machine can give, and what koth runs on.

    Every layer is applied to a child process, which then tries what the layer must prevent.
    """
    from harness.sandbox.probe import probe

    report, machine = probe().to_json(), _machine()
    if as_json:
        click.echo(json.dumps({"sandbox": report, **machine}, indent=2))
    else:
        _show(report, machine)
    return 0


def _machine() -> dict[str, Any]:
    import os
    import platform
    import sys
    from importlib.metadata import PackageNotFoundError, version

    import psutil

    from harness import __version__
    from harness.arena.cache import cache_folder

    packages = {}
    for name in ("numpy", "numba", "cryptography", "click", "pydantic", "pyyaml", "rich", "jinja2"):
        try:
            packages[name] = version(name)
        except PackageNotFoundError:
            packages[name] = "missing"
    folder = os.environ.get("NUMBA_CACHE_DIR") or str(cache_folder())
    return {
        "koth": __version__,
        "python": platform.python_version(),
        "python_path": sys.executable,
        "packages": packages,
        "kernel": f"{platform.system()} {platform.release()} {platform.machine()}",
        "cores": os.cpu_count(),
        "cores_usable": len(os.sched_getaffinity(0)),
        "memory_mb": psutil.virtual_memory().total >> 20,
        "memory_free_mb": psutil.virtual_memory().available >> 20,
        "compiled_cache": folder,
        "compiled_cache_warm": os.path.isdir(folder),
    }


_LEVELS = {
    "full": "bots see nothing but their own file, and can change nothing",
    "standard": "bots are confined, but share the machine's names for processes and files",
    "weak": "bots may read and change what is not theirs; events need --allow-weak-sandbox",
}


# The layers that lift a machine from the level named here to the next one.
_LACKING = {"standard": ("namespaces",), "weak": ("landlock", "seccomp")}
_NEXT = {"standard": "full", "weak": "standard"}


def way_up(report: dict[str, Any]) -> Iterator[str]:
    """How to get to the next level, and whatever else could be better; a line each."""
    level = report["level"]
    wanting = [f for f in report["findings"] if not f["ok"] and f["advice"]]
    wanting.sort(key=lambda finding: finding["layer"] not in _LACKING.get(level, ()))
    yield f"To get to {_NEXT[level]}:" if level in _NEXT else "There is no higher level."
    for finding in wanting:
        aside = "" if finding["layer"] in _LACKING.get(level, ()) else "besides, "
        yield f"  {aside}{finding['layer']}: {finding['advice']}"


def _show(report: dict[str, Any], machine: dict[str, Any]) -> None:
    from rich.text import Text

    from harness.cli.screen import console, say
    from harness.cli.words import table

    level = report["level"]
    say(f"Sandbox: {level} ({_LEVELS.get(level, '')})", "bold")
    made = table("layer", "", "what was found")
    for finding in report["findings"]:
        made.add_row(
            finding["layer"],
            Text("yes") if finding["ok"] else Text("no", "red"),
            Text(finding["detail"], overflow="fold"),
        )
    made.columns[2].no_wrap = False
    console().print(made)
    for line in way_up(report):
        say(line)
    packages = ", ".join(f"{name} {version}" for name, version in machine["packages"].items())
    cache = "" if machine["compiled_cache_warm"] else " (empty: the first match compiles the rules)"
    say("")
    say(f"koth {machine['koth']}, Python {machine['python']} ({machine['python_path']})")
    say(packages)
    say(
        f"{machine['kernel']}; {machine['cores_usable']} of {machine['cores']} cores; "
        f"{machine['memory_free_mb']:,} of {machine['memory_mb']:,} MB memory free"
    )
    say(f"compiled rules: {machine['compiled_cache']}{cache}")
