"""What this machine's kernel and container let koth isolate, found out by trying, and the level.

Versions and settings promise little: a container may refuse what the kernel offers, and a security
module may let a namespace be made but nothing be done in it. So every layer is applied to a forked
child that then attempts what the layer must forbid.

    full       namespaces, Landlock and seccomp
    standard   Landlock and seccomp, no namespaces (Docker, Ubuntu 24.04 as a user)
    weak       no Landlock or no seccomp
"""

from __future__ import annotations

import errno
import fcntl
import json
import os
import signal
import socket
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from typing import Any, Final

from harness.sandbox import landlock, namespaces, policy, privileges, seccomp
from harness.sandbox.confinement import Confinement, Layers, readable_paths
from harness.sandbox.isolation import confine, self_test
from harness.sandbox.libc import MACHINE, NUMBER, attempt
from harness.sandbox.scratch import remove_scratch, scratch_path

FULL: Final = "full"
STANDARD: Final = "standard"
WEAK: Final = "weak"

_AT_FDCWD: Final = -100
_F_SEAL_FUTURE_WRITE: Final = 0x10  # the `fcntl` module has no name for it
_CLONE_SIGHAND: Final = 0x800  # without CLONE_VM: an error, so that trying it forks nothing


@dataclass(frozen=True)
class Finding:
    """One layer: whether it works here, what it withstood or why not, and what would help."""

    layer: str
    ok: bool
    detail: str
    advice: str = ""


@dataclass(frozen=True)
class Report:
    """The level, the layers that make it, and whether root's bots can each be another user."""

    level: str
    layers: Layers
    throwaway_uid: bool
    findings: tuple[Finding, ...]

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


def probe() -> Report:
    """Tries everything (under 100 ms) and never raises: what fails is in the report."""
    found = {finding.layer: finding for finding in (_namespaces(), _landlock(), _seccomp())}
    layers = Layers(**{layer: finding.ok for layer, finding in found.items()})
    uid = privileges.throwaway_uid()
    wrong, user = _together(layers, uid), _user(uid)
    if wrong and uid is not None and not _together(layers, None):
        # Another user cannot do what root can, reach the interpreter for example.
        user = Finding("user", False, wrong, "install Python where every user may read it")
        wrong, uid = "", None
        layers = replace(layers, user=False)
    if wrong and layers.namespaces:
        found["namespaces"] = Finding("namespaces", False, wrong, _namespace_advice())
        layers = replace(layers, namespaces=False)
        wrong = _together(layers, uid)
    together = Finding(
        "together", not wrong, wrong or "a confined child could do nothing forbidden"
    )
    level = WEAK
    if layers.landlock and layers.seccomp and not wrong:
        level = FULL if layers.namespaces else STANDARD
    findings = (*found.values(), user, _seals(), _pidfd(), _clock(), together)
    return Report(level, layers, uid is not None, findings)


def _in_child(act: Callable[[int], object]) -> tuple[Any, str]:
    """What `act` returns (through JSON) in a forked child, and the text of its failure, if any.

    `act` gets the number of the descriptor that its answer will go through.
    """
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            try:
                answer = json.dumps([act(writer), ""])
            except Exception as error:  # noqa: BLE001 (whatever it is, it is the answer)
                answer = json.dumps([None, str(error) or repr(error)])
            os.write(writer, answer.encode())
        finally:
            os._exit(0)
    os.close(writer)
    with os.fdopen(reader, "rb") as pipe:
        text = pipe.read()
    _, status = os.waitpid(child, 0)
    if not text:
        return None, f"the child ended with status {os.waitstatus_to_exitcode(status)}"
    result, failure = json.loads(text)
    return result, failure


def _judge(
    layer: str, acts: Callable[[int], dict[str, bool]], advice: Callable[[], str]
) -> Finding:
    """Applies a layer and tries acts, of which none may succeed."""
    outcome, error = _in_child(acts)
    if error:
        return Finding(layer, False, error, advice())
    succeeded = [act for act, success in outcome.items() if success]
    if succeeded:
        return Finding(layer, False, f"did not prevent: {', '.join(succeeded)}", advice())
    return Finding(layer, True, f"withstood: {', '.join(outcome)}")


def _opens(path: str, flags: int) -> bool:
    return attempt("openat", _AT_FDCWD, path.encode(), flags | os.O_CLOEXEC, 0o600) >= 0


def _landlock() -> Finding:
    parent = os.getpid()

    def acts(_: int) -> dict[str, bool]:
        privileges.no_new_privileges()
        landlock.restrict([])
        outcome = {
            "read a file": _opens("/etc/passwd", os.O_RDONLY),
            "list a folder": _opens("/", os.O_RDONLY | os.O_DIRECTORY),
            "write a file": _opens("/tmp", os.O_WRONLY | os.O_TMPFILE),
        }
        if landlock.abi() >= 6:
            outcome["signal the parent"] = attempt("kill", parent, 0) == 0
        return outcome

    finding = _judge("landlock", acts, _landlock_advice)
    version = f"ABI {landlock.abi()}, " if finding.ok else ""
    return replace(finding, detail=version + finding.detail)


def _landlock_advice() -> str:
    answer = attempt("landlock_create_ruleset", None, 0, 1)
    if answer == -errno.EOPNOTSUPP:
        return "the kernel has Landlock switched off: add `landlock` to its boot parameter `lsm=`"
    if answer == -errno.EPERM:
        return "the container forbids it: a newer Docker or podman allows Landlock"
    return "needs Linux 5.13 or newer, built with Landlock"


def _seccomp() -> Finding:
    parent = os.getpid()

    def acts(_: int) -> dict[str, bool]:
        privileges.no_new_privileges()
        seccomp.install(policy.BOT, os.getpid())
        stopped = (-errno.EPERM, -errno.ENOSYS)
        return {
            "make a socket": attempt("socket", -1, 0, 0) not in stopped,
            "fork": attempt("clone", _CLONE_SIGHAND) not in stopped,
            "execute": attempt("execve", None, None, None) not in stopped,
            "trace": attempt("ptrace", -1, -1) not in stopped,
            "signal the parent": attempt("kill", parent, 0) == 0,
        }

    return _judge("seccomp", acts, _seccomp_advice)


def _seccomp_advice() -> str:
    if not NUMBER:
        return f"koth knows the system calls of x86_64 and aarch64, not those of {MACHINE}"
    return "needs a kernel built with CONFIG_SECCOMP_FILTER, and a container that allows it"


def _namespaces() -> Finding:
    def acts(_: int) -> dict[str, bool]:
        as_user = not privileges.holds(privileges.CAP_SYS_ADMIN)
        namespaces.unshare(as_user=as_user)
        interfaces = {name for _, name in socket.if_nameindex()}
        namespaces.enter_fresh_root(
            namespaces.layout(namespaces.system_paths()),
            scratch="/scratch",
            scratch_bytes=1 << 20,
            scratch_files=16,
            owner=(os.getuid(), os.getgid()),
        )
        return {
            "see processes": os.path.lexists("/proc"),
            "see other files": os.path.lexists("/etc/passwd"),
            "see a network": interfaces != {"lo"},
            "write in the root": _opens("/", os.O_WRONLY | os.O_TMPFILE),
            "fill the disk": os.statvfs("/scratch").f_blocks > (1 << 20) // 4096,
        }

    return _judge("namespaces", acts, _namespace_advice)


def _namespace_advice() -> str:
    def setting(name: str) -> str:
        try:
            with open(f"/proc/sys/{name.replace('.', '/')}", encoding="ascii") as file:
                return file.read().strip()
        except OSError:
            return ""

    if os.path.exists("/.dockerenv") or os.path.exists("/run/.containerenv"):
        return (
            "this is a container: start it with `--cap-add SYS_ADMIN --security-opt"
            " seccomp=unconfined --security-opt apparmor=unconfined`, or run koth outside"
        )
    for name, bad in (
        ("kernel.apparmor_restrict_unprivileged_userns", "1"),
        ("kernel.unprivileged_userns_clone", "0"),
        ("user.max_user_namespaces", "0"),
    ):
        if setting(name) == bad:
            good = {"1": "0", "0": "1"}[bad] if name.startswith("kernel") else "10000"
            return f"`sudo sysctl -w {name}={good}`, or start koth as root"
    return "start koth as root, or on a kernel with user namespaces"


def _together(layers: Layers, uid: int | None) -> str:
    """Confines a child as a bot would be; the text of what went wrong, if anything."""
    parent = os.getpid()
    scratch = scratch_path(layers)

    def acts(answer: int) -> list[str]:
        confinement = Confinement(
            readable=readable_paths(),
            parent=parent,
            keep_fds=(0, 1, 2, answer),
            scratch=scratch,
            uid=uid,
            layers=layers,
        )
        confine(confinement)
        return list(self_test(confinement))

    succeeded, failure = _in_child(acts)
    if not layers.namespaces:
        remove_scratch(scratch)
    return failure or ("did not prevent: " + ", ".join(succeeded) if succeeded else "")


def _user(uid: int | None) -> Finding:
    if uid is not None:
        return Finding("user", True, "every bot runs as another user who owns nothing")
    if os.geteuid() != 0:
        return Finding("user", True, f"bots run as user {os.geteuid()}, who is not root")
    return Finding(
        "user",
        False,
        "bots run as root, though without root's capabilities",
        "start koth as an ordinary user, or give the container CAP_SETUID and CAP_SETGID",
    )


def _seals() -> Finding:
    """Without seals a bot could shrink the memory it shares with the arena, and crash it."""
    memory = -1
    try:
        memory = os.memfd_create("probe", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
        os.ftruncate(memory, 4096)
        seals = fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_GROW | fcntl.F_SEAL_SEAL | _F_SEAL_FUTURE_WRITE
        fcntl.fcntl(memory, fcntl.F_ADD_SEALS, seals)
        try:
            os.ftruncate(memory, 0)
        except PermissionError:
            return Finding("sealed memory", True, "withstood: shrink shared memory")
        return Finding(
            "sealed memory", False, "a seal did not hold", "needs a genuine Linux kernel"
        )
    except OSError as error:
        return Finding("sealed memory", False, str(error), "needs Linux 5.1 or newer")
    finally:
        if memory >= 0:
            os.close(memory)


def _pidfd() -> Finding:
    """A process number may be handed out again before a kill arrives; a pidfd may not."""
    try:
        handle = os.pidfd_open(os.getpid())
        signal.pidfd_send_signal(handle, 0)
        os.close(handle)
    except OSError as error:
        return Finding("pidfd", False, str(error), "needs Linux 5.3 or newer")
    return Finding("pidfd", True, "processes are ended by handle, never by number")


def _clock() -> Finding:
    """The CPU time of another process, by the clock that the kernel keeps for it."""
    try:
        time.clock_gettime((~os.getpid()) << 3 | 2)
    except OSError as error:
        return Finding("CPU clock", False, str(error), "needs a genuine Linux kernel")
    return Finding("CPU clock", True, "a bot's CPU time is read from the kernel")
