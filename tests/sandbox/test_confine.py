"""How a process gets confined: the order, the errors, and that nothing of it stays behind."""

from __future__ import annotations

import ctypes
import json
import os
import pwd
import re
import select
import signal
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import psutil
import pytest

from harness.sandbox import isolation, libc, namespaces
from harness.sandbox.isolation import (
    Confinement,
    IsolationError,
    Layers,
    confine,
    prepare,
    readable_paths,
    self_test,
)
from harness.sandbox.privileges import allow_own_proc_files, become, throwaway_uid
from harness.sandbox.probe import FULL, WEAK, probe
from tests.sandbox.world import ORDINARY, Run, World, new_world, open_homes

LEVEL = probe().level
NONE = Layers(namespaces=False, landlock=False, seccomp=False)

needs_full = pytest.mark.skipif(LEVEL != FULL, reason=f"this machine's level is {LEVEL}")
needs_standard = pytest.mark.skipif(LEVEL == WEAK, reason="this machine's level is weak")


@pytest.fixture
def world() -> Iterator[World]:
    with new_world() as world:
        yield world


# --- the self-test -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "layers",
    [
        pytest.param(Layers(), marks=needs_full),
        pytest.param(Layers(namespaces=False), marks=needs_standard),
        pytest.param(Layers(landlock=False), marks=needs_full),
        pytest.param(Layers(seccomp=False), marks=needs_full),
        NONE,
    ],
)
def test_self_test_finds_nothing(layers: Layers, world: World) -> None:
    confinement = Confinement(readable_paths(world.bot), layers=layers)

    def act(world: World) -> object:
        return self_test(
            replace(
                confinement,
                parent=os.getppid(),
                keep_fds=tuple(n for n in range(64) if _is_open(n)),
                scratch=world.scratch,
            )
        )

    outcome = Run(layers=layers)(act, world)
    assert outcome.detail == "()", outcome


def _is_open(number: int) -> bool:
    try:
        os.fstat(number)
    except OSError:
        return False
    return True


@needs_full
@pytest.mark.parametrize("missing", ["namespaces", "landlock", "seccomp"])
def test_self_test_finds_what_a_missing_layer_lets_through(missing: str, world: World) -> None:
    def act(world: World) -> object:
        return self_test(
            Confinement(
                readable_paths(world.bot),
                parent=os.getppid(),
                scratch=world.scratch,
                keep_fds=tuple(n for n in range(64) if _is_open(n)),
            )
        )

    outcome = Run(layers=replace(Layers(), **{missing: False}))(act, world)
    expected = {"namespaces": "see /proc", "landlock": "open /", "seccomp": "system call socket"}
    assert expected[missing] in outcome.detail, outcome


@needs_full
def test_self_test_finds_a_stray_descriptor_and_a_wrong_parent(world: World) -> None:
    def act(_: World) -> object:
        return self_test(Confinement(readable_paths(), parent=1, keep_fds=()))

    outcome = Run()(act, world)
    assert "outlive the parent" in outcome.detail
    assert "use descriptor" in outcome.detail


# --- errors ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("changes", "text"),
    [
        ({"readable": ("/no/such/file",)}, "readable: .*No such file"),
        ({"readable": ("relative",)}, "readable: .*not an absolute"),
        pytest.param({"parent": 1}, "privileges: the parent process 1 is gone", marks=needs_full),
        pytest.param({"scratch": "/usr/lib/scratch"}, "namespaces: ", marks=needs_full),
        ({"core": 4095}, "session: "),
        ({"scratch": "/tmp", "layers": NONE}, "scratch: .*File exists"),
    ],
)
def test_an_error_names_the_layer(changes: dict[str, object], text: str, world: World) -> None:
    outcome = Run()(lambda _: None, world, **changes)
    assert outcome.kind == "broken"
    last = outcome.detail.strip().splitlines()[-1]
    assert last.startswith("harness.sandbox.confinement.IsolationError: "), outcome
    assert re.search(text, last), last


def test_a_second_thread_is_an_error(world: World) -> None:
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            threading.Thread(target=time.sleep, args=(60,), daemon=True).start()
            try:
                confine(Confinement(readable_paths(), parent=os.getppid(), keep_fds=(2, writer)))
            except IsolationError as error:
                os.write(writer, str(error).encode())
        finally:
            os._exit(0)
    os.close(writer)
    with os.fdopen(reader) as pipe:
        assert pipe.read() == "session: 2 threads where there must be one"
    os.waitpid(child, 0)


@needs_full
@pytest.mark.parametrize(
    ("call", "layer"),
    [
        ("unshare", "namespaces"),
        ("mount", "namespaces"),
        ("pivot_root", "namespaces"),
        ("capset", "privileges"),
        ("landlock_create_ruleset", "landlock"),
        ("landlock_restrict_self", "landlock"),
        ("seccomp", "seccomp"),
    ],
)
def test_a_refused_call_is_an_error(
    call: str, layer: str, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A kernel that lacks something, as if it did: never a silent degrade."""
    monkeypatch.delitem(libc.NUMBER, call)
    outcome = Run(prepared=False)(lambda _: None, world)
    assert f"IsolationError: {layer}: " in outcome.detail, outcome


# --- what is left ------------------------------------------------------------------------------


@needs_full
@pytest.mark.parametrize("prepared", [True, False])
def test_nothing_stays(prepared: bool, world: World) -> None:
    def state() -> tuple[object, ...]:
        mounts = Path("/proc/self/mountinfo").read_text(encoding="utf-8")
        scratch = sorted(name for name in os.listdir("/tmp") if "koth-scratch" in name)
        children = psutil.Process().children()  # a zombie would be one
        return mounts, scratch, sorted(os.listdir("/")), os.listdir("/dev/shm"), children

    before = state()
    outcome = Run(prepared=prepared)(lambda _: Path("file").write_text("x"), world)
    assert outcome.detail == "1"
    assert state() == before


@pytest.mark.parametrize("layers", [pytest.param(Layers(), marks=needs_full), NONE])
def test_dies_with_its_zygote(layers: Layers, world: World) -> None:
    """Also when the zygote is killed, and although the bot ignores all signals it can."""
    world.write_files()
    reader, writer = os.pipe()
    zygote = os.fork()
    if zygote == 0:
        try:
            parent = os.getpid()
            bot = os.fork()
            if bot == 0:
                for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
                    signal.signal(number, signal.SIG_IGN)
                confine(
                    Confinement(
                        readable_paths(world.bot),
                        parent=parent,
                        keep_fds=(0, 1, 2, writer),
                        scratch=f"{world.folder}/scratch" if layers == NONE else "/scratch",
                        layers=layers,
                    )
                )
                os.write(writer, b"confined")
                while True:
                    time.sleep(1)
            os.close(writer)
            os.waitpid(bot, 0)
        finally:
            os._exit(0)
    os.close(writer)
    assert os.read(reader, 100) == b"confined"
    os.kill(zygote, signal.SIGKILL)
    os.waitpid(zygote, 0)
    ready, _, _ = select.select([reader], [], [], 10)
    assert ready, "the bot is still alive"
    assert os.read(reader, 1) == b""  # its end of the pipe is closed
    os.close(reader)


@needs_full
def test_descriptors_and_streams(world: World) -> None:
    def act(world: World) -> object:
        return [number for number in range(64) if _is_open(number)]

    outcome = Run()(act, world)
    kept = json.loads(outcome.detail)
    assert set(kept) >= {0, 1, 2, *world.shared}
    assert world.stray not in kept
    assert len(kept) == 3 + len(world.shared) + 1  # and the one that brings the answer


@needs_full
def test_descriptors_on_an_older_kernel(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(libc.NUMBER, "close_range")
    outcome = Run()(lambda _: [number for number in range(64) if _is_open(number)], world)
    assert len(json.loads(outcome.detail)) == 3 + len(world.shared) + 1


def test_missing_streams_lead_nowhere(world: World) -> None:
    def act(_: World) -> object:
        return [os.readlink(f"/proc/self/fd/{number}") for number in (0, 1, 2)]

    reader, writer = os.pipe()
    outcome = Run(layers=NONE)(act, world, keep_fds=tuple(range(3, 64)))
    os.close(reader)
    os.close(writer)
    assert outcome.detail == repr(["/dev/null"] * 3)


@needs_full
def test_the_root_holds_nothing_else(world: World) -> None:
    """Without Landlock, so that the bare namespace shows what is in it."""
    run = Run(layers=Layers(landlock=False))
    top = {path.split("/")[1] for path in readable_paths(world.bot)} | {"usr", "etc", "dev"}
    listed = set(json.loads(run(lambda _: os.listdir("/"), world).detail.replace("'", '"')))
    assert "scratch" in listed
    assert listed - {"scratch", "lib", "lib64"} <= top
    bots = os.path.dirname(world.bot)
    assert run(lambda _: os.listdir(bots), world).detail == "['mine.py']"
    assert run(lambda world: os.listdir(world.folder), world).detail == "['bots']"
    assert run(lambda _: sorted(os.listdir("/dev")), world).detail == "['null', 'urandom']"
    assert run(lambda _: os.listdir("/etc"), world).detail == "['ld.so.cache']"


@needs_full
def test_a_link_means_what_it_points_to(world: World) -> None:
    """Of a bot behind a link its file is shown, not the folder that the file lies in."""
    link, middle = os.path.join(world.folder, "link.py"), os.path.join(world.folder, "middle")
    os.symlink("bots", middle)
    os.symlink("middle/mine.py", link)
    changes = {"readable": readable_paths(link)}
    assert "SECRET" in Run()(lambda _: Path(link).read_text(), world, **changes).detail
    outcome = Run()(lambda _: Path(middle, "rival.py").read_text(), world, **changes)
    assert outcome.kind == "refused"
    outcome = Run()(lambda _: os.stat(os.path.join(middle, "rival.py")), world, **changes)
    assert outcome.kind == "refused"


@needs_full
def test_a_link_in_a_bots_folder_leads_nowhere(world: World) -> None:
    world.write_files()
    folder = os.path.join(world.folder, "bots", "mine")
    os.mkdir(folder)
    os.symlink(world.ledger, os.path.join(folder, "data"))
    for layers in (Layers(), Layers(namespaces=False)):
        outcome = Run(layers=layers)(
            lambda _: Path(folder, "data").read_text(),
            world,
            readable=readable_paths(folder),
        )
        assert outcome.kind == "refused", outcome


def test_a_layout_shows_everything_once(tmp_path: Path) -> None:
    for folder in ("a/b", "a-b", "ab"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "a/b/file").write_text("")
    (tmp_path / "to-a").symlink_to("a")
    (tmp_path / "a/to-ab").symlink_to(tmp_path / "ab")
    here = str(tmp_path)
    names = ("a/b/file", "a/b", "to-a", "a", "a-b", "a/to-ab", "to-a/b/../b", "./a/")
    plan = namespaces.layout([f"{here}/{name}" for name in names])
    assert [tree.real for tree in plan.trees] == [f"{here}/{name}" for name in ("a", "a-b", "ab")]
    assert dict(plan.links) == {f"{here}/to-a": "a"}


def test_links_in_a_circle_are_an_error(world: World) -> None:
    path = os.path.join(world.folder, "circle")
    os.symlink("circle", path)
    with pytest.raises(OSError, match="too many symbolic links"):
        namespaces.resolve(path)


@needs_full
@pytest.mark.parametrize("user", ["root", "user"])
def test_works_without_a_prepared_zygote(user: str, world: World) -> None:
    if user == "root" and os.getuid() != 0:
        pytest.skip("the tests do not run as root")
    outcome = Run(user, prepared=False)(lambda _: os.listdir("."), world)
    assert outcome.detail == "[]", outcome


# --- plain data --------------------------------------------------------------------------------


def test_a_confinement_travels_as_json() -> None:
    confinement = Confinement(
        ("/a", "/b"), parent=7, keep_fds=(3, 4), core=1, uid=5, layers=Layers(seccomp=False)
    )
    text = json.dumps(confinement.to_json())
    assert Confinement.from_json(json.loads(text), parent=7, keep_fds=(3, 4)) == confinement


@pytest.mark.skipif(throwaway_uid() is None, reason="cannot change the user")
def test_throwaway_users_differ_and_never_run_out() -> None:
    users = [throwaway_uid(slot) for slot in (0, 1, 499, 10**9)]
    assert None not in users
    assert len(set(users[:3])) == 3
    for uid in users:
        assert uid is not None
        with pytest.raises(KeyError):
            pwd.getpwuid(uid)


def test_readable_paths_leave_the_project_out() -> None:
    harness = os.path.dirname(os.path.abspath(isolation.__file__)).removesuffix("/sandbox")
    paths = readable_paths("/bots/mine")
    assert paths[-1] == "/bots/mine"
    assert f"{harness}/games" in paths
    for path in (f"{harness}/sandbox", f"{harness}/arena", os.path.dirname(harness)):
        assert not any(path == other or path.startswith(f"{other}/") for other in paths)


@needs_full
@pytest.mark.parametrize("user", ["root", "user"])
def test_prepare_hides_the_zygote_and_leaves_the_network(user: str) -> None:
    """And does not undo that the zygote dies with the arena, which comes first."""
    if user == "root" and os.getuid() != 0:
        pytest.skip("the tests do not run as root")
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            if user == "user" and os.getuid() == 0:
                open_homes()
                become(ORDINARY)
                allow_own_proc_files()
            libc.die_with_parent(os.getppid())
            before = os.readlink("/proc/self/ns/net")
            prepare(Layers(), readable_paths())
            changed = os.readlink("/proc/self/ns/net") != before
            signal_number = ctypes.create_string_buffer(4)
            libc.attempt("prctl", 2, ctypes.addressof(signal_number))  # PR_GET_PDEATHSIG
            state = {
                "left the network": changed,
                "dumpable": libc.attempt("prctl", 3),  # PR_GET_DUMPABLE
                "dies by": int.from_bytes(signal_number.raw, sys.byteorder),
                "user": os.getuid() == 0,
            }
            os.write(writer, json.dumps(state).encode())
        finally:
            os._exit(0)
    os.close(writer)
    with os.fdopen(reader) as pipe:
        assert json.loads(pipe.read()) == {
            "left the network": True,
            "dumpable": 0,
            "dies by": signal.SIGKILL,
            "user": user == "root",
        }
    os.waitpid(child, 0)
