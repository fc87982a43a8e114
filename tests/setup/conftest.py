"""A checkout with nothing real about it but the files under test.

Its folder `bin` is the whole PATH: the shell's everyday tools, and stand-ins for Python.
"""

from __future__ import annotations

import shlex
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SET_UP_FILES = ("Makefile", "pyproject.toml", "requirements.lock", "setup", ".ci")
TOOLS = ("awk", "bash", "cat", "cut", "dirname", "find", "make", "mkdir", "rm", "sh")
TOOLS += ("sha256sum", "touch", "uname")

# Answers what setup/find-python asks, as the version it stands for, and makes environments whose
# commands only note down how they were called.
PYTHON = """\
import pathlib, sys
sys.version_info = {version}
sys.version = str(sys.version_info)
sys.executable, sys.prefix = {path!r}, sys.base_prefix
if not {able}:
    sys.modules["ensurepip"] = None
match sys.argv[1:]:
    case ["-c", code]:
        exec(code)
    case ["-m", "venv", "--clear", folder]:
        commands = pathlib.Path(folder, "bin")
        commands.mkdir(parents=True, exist_ok=True)
        with open("calls", "a") as calls:
            print("venv", file=calls)
        for name in ("python", "koth"):
            path = commands / name
            path.write_text({noting!r})
            path.chmod(0o755)
"""
NOTING = """\
#!/bin/sh
{ printf '%s|' "${0##*/}" "$@"; echo; } >>calls
[ ! -e broken ] || case "$*" in *"$(cat broken)"*) exit 1 ;; esac
"""


@dataclass(frozen=True)
class Checkout:
    folder: Path
    bin: Path

    def python(self, name: str, version: tuple[int, ...], *, able: bool = True) -> Path:
        """Adds the command `name`, a stand-in for that version of Python."""
        path = self.bin / name
        acted = self.bin.with_name(f"{name}.py")
        acted.write_text(PYTHON.format(version=version, path=str(path), able=able, noting=NOTING))
        self.script(name, f'exec {shlex.quote(sys.executable)} {shlex.quote(str(acted))} "$@"')
        return path

    def script(self, name: str, text: str) -> None:
        """Adds or replaces a command written in shell."""
        path = self.bin / name
        path.unlink(missing_ok=True)
        path.write_text(f"#!/bin/sh\n{text}\n")
        path.chmod(0o755)

    def run(self, *command: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            command,
            cwd=self.folder,
            env={"PATH": str(self.bin)},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )

    def make(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        return self.run("make", *arguments)

    def calls(self) -> list[str]:
        """What the environment's commands were called with since the last time, in order."""
        path = self.folder / "calls"
        lines = path.read_text().splitlines() if path.exists() else []
        path.unlink(missing_ok=True)
        return lines


@pytest.fixture
def checkout(tmp_path: Path) -> Checkout:
    folder = tmp_path / "it's a checkout"
    folder.mkdir()
    for name in SET_UP_FILES:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, folder / name)
        else:
            shutil.copy(ROOT / name, folder)
    commands = tmp_path / "bin"
    commands.mkdir()
    for tool in TOOLS:
        found = shutil.which(tool)
        assert found, f"{tool} is not installed"
        (commands / tool).symlink_to(found)
    return Checkout(folder, commands)
