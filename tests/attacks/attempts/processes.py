"""More processes, other programs, threads."""

from __future__ import annotations

import os
import signal
import struct
import subprocess
import sys
import threading
import time

from harness.sandbox.libc import MACHINE
from tests.attacks.attempts.registry import NO_CONTROL, attempt, call, raw
from tests.attacks.target import World


def _as_child(child: int) -> object:
    if child == 0:
        os._exit(0)
    return os.waitpid(child, 0)


@attempt("processes")
def fork(world: World) -> object:
    return _as_child(os.fork())


@attempt("processes")
def clone(world: World) -> object:
    return _as_child(call("clone", signal.SIGCHLD, 0, 0, 0, 0))


@attempt("processes", controls=NO_CONTROL)  # it would borrow the stack of the interpreter
def vfork(world: World) -> object:
    if MACHINE != "x86_64":
        raise OSError("no such call here")
    return _as_child(raw(58))


@attempt("processes")
def clone3(world: World) -> object:
    arguments = struct.pack("=8Q", 0, 0, 0, 0, signal.SIGCHLD, 0, 0, 0)
    return _as_child(call("clone3", arguments, len(arguments)))


@attempt("processes")
def leave_a_daemon_behind(world: World) -> object:
    child = os.fork()
    if child == 0:
        os.setsid()
        if os.fork():
            os._exit(0)
        os._exit(0)
    return os.waitpid(child, 0)


@attempt("processes")
def spawn(world: World) -> object:
    child = os.posix_spawn("/bin/true", ["true"], {})
    return os.waitpid(child, 0)


@attempt("processes")
def run_a_command(world: World) -> object:
    return subprocess.run(["/bin/true"], check=True)


@attempt("processes", controls=NO_CONTROL)  # it would replace the process that reports
def execute(world: World) -> object:
    return os.execv("/bin/true", ["true"])


@attempt("processes", controls=NO_CONTROL)
def execute_the_interpreter(world: World) -> object:
    return os.execv(sys.executable, [sys.executable, "-c", ""])


@attempt("processes")
def start_a_thread(world: World) -> object:
    thread = threading.Thread(target=time.sleep, args=(0,))
    thread.start()
    return thread.join()


@attempt("processes", controls=NO_CONTROL)  # pytest's zygote leads no session
def start_a_session(world: World) -> object:
    return os.setsid()
