"""Removing what a bot left in a scratch folder that is not a mount."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import pytest

from harness.sandbox.confinement import Layers
from harness.sandbox.scratch import remove_scratch, scratch_path


def test_where_it_is() -> None:
    assert scratch_path(Layers()) == "/scratch"
    one, other = (scratch_path(Layers(namespaces=False)) for _ in range(2))
    assert one != other
    assert not os.path.exists(one)


def test_a_missing_one_is_fine(tmp_path: Path) -> None:
    remove_scratch(str(tmp_path / "none"))


def test_files_and_folders(tmp_path: Path) -> None:
    scratch = tmp_path / "scratch"
    (scratch / "a" / "b").mkdir(parents=True)
    (scratch / "a" / "b" / "c").write_text("x")
    (scratch / "d").write_text("x")
    remove_scratch(str(scratch))
    assert os.listdir(tmp_path) == []


def test_links_are_removed_not_followed(tmp_path: Path) -> None:
    """A bot cannot make any; a mistake of ours might let one."""
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "precious").write_text("x")
    scratch = tmp_path / "scratch"
    (scratch / "a").mkdir(parents=True)
    (scratch / "link").symlink_to(outside)
    (scratch / "a" / "link").symlink_to(outside / "precious")
    remove_scratch(str(scratch))
    assert os.listdir(tmp_path) == ["outside"]
    assert (outside / "precious").read_text() == "x"


@pytest.mark.skipif(os.getuid() == 0, reason="root may look into every folder")
def test_folders_that_forbid_looking_in(tmp_path: Path) -> None:
    _closed_folders(tmp_path)


def _closed_folders(tmp_path: Path) -> None:
    scratch = tmp_path / "scratch"
    (scratch / "a" / "b").mkdir(parents=True)
    for folder in ("a/b", "a", "."):
        os.chmod(scratch / folder, 0)
    remove_scratch(str(scratch))
    assert not scratch.exists()


def test_folders_that_forbid_looking_in_as_a_user(tmp_path: Path) -> None:
    if os.getuid() != 0:
        pytest.skip("see the test before")
    os.chown(tmp_path, 65_533, 65_533)
    for parent in tmp_path.parents:
        if parent == Path(tempfile.gettempdir()):
            break
        os.chmod(parent, 0o755)
    child = os.fork()
    if child == 0:
        status = 1
        try:
            os.setresuid(65_533, 65_533, 65_533)
            _closed_folders(tmp_path)
            status = 0
        finally:
            os._exit(status)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def test_deeper_than_a_path_and_a_recursion_can_go(tmp_path: Path) -> None:
    here = os.open(".", os.O_RDONLY)
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    os.chdir(scratch)
    try:
        for _ in range(1100):
            os.mkdir("deep")
            os.chdir("deep")
        Path("file").write_text("x")
    finally:
        os.fchdir(here)
        os.close(here)
    remove_scratch(str(scratch))
    assert os.listdir(tmp_path) == []
