"""Landlock: what the process may do to files, TCP ports, abstract sockets and signals.

The kernel's own documentation is `Documentation/userspace-api/landlock.rst`. Landlock asks no
privilege, works beneath a container, and only ever takes away. It judges what is opened from now
on, not descriptors that are open already, and it does not forbid `stat` or `chdir`.
"""

from __future__ import annotations

import os
import struct
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Final

from harness.sandbox.libc import attempt, syscall

_CREATE_RULESET_VERSION: Final = 1
_RULE_PATH_BENEATH: Final = 1

EXECUTE: Final = 1 << 0
WRITE_FILE: Final = 1 << 1
READ_FILE: Final = 1 << 2
READ_DIR: Final = 1 << 3
REMOVE_DIR: Final = 1 << 4
REMOVE_FILE: Final = 1 << 5
MAKE_CHAR: Final = 1 << 6
MAKE_DIR: Final = 1 << 7
MAKE_REG: Final = 1 << 8
MAKE_SOCK: Final = 1 << 9
MAKE_FIFO: Final = 1 << 10
MAKE_BLOCK: Final = 1 << 11
MAKE_SYM: Final = 1 << 12
REFER: Final = 1 << 13  # move or link from one folder into another; since ABI 2
TRUNCATE: Final = 1 << 14  # since ABI 3
IOCTL_DEV: Final = 1 << 15  # since ABI 5

# What is handled, that is, forbidden unless a rule allows it, by ABI version.
_HANDLED_FILES: Final = (
    (1, (1 << 13) - 1),
    (2, REFER),
    (3, TRUNCATE),
    (5, IOCTL_DEV),
)
_NET_BIND_AND_CONNECT_TCP: Final = 0b11  # since ABI 4
_SCOPE_ABSTRACT_SOCKETS_AND_SIGNALS: Final = 0b11  # since ABI 6

READ: Final = READ_FILE | READ_DIR
# No links, devices, sockets or fifos: whoever cleans up or looks in afterwards meets only files
# and folders.
SCRATCH: Final = (
    READ | WRITE_FILE | TRUNCATE | MAKE_REG | MAKE_DIR | REMOVE_FILE | REMOVE_DIR | REFER
)
DEVICE: Final = READ_FILE | WRITE_FILE


@lru_cache(maxsize=1)
def abi() -> int:
    """The version of the running kernel's Landlock; 0 if it has none or it is switched off."""
    return max(0, attempt("landlock_create_ruleset", None, 0, _CREATE_RULESET_VERSION))


def restrict(rules: Iterable[tuple[str, int]], opened: Mapping[str, int] | None = None) -> None:
    """Forbids everything that Landlock knows but these rights beneath these paths.

    `opened`: descriptors of paths that are open already, which saves looking them up again.

    Raises `OSError` when the kernel has no Landlock, a path does not exist, or the rights on a file
    include one that only folders can have.
    """
    version = abi()
    if version < 1:
        raise OSError("the kernel has no Landlock")
    handled = sum(rights for since, rights in _HANDLED_FILES if version >= since)
    attributes = struct.pack(
        "=QQQ",
        handled,
        _NET_BIND_AND_CONNECT_TCP if version >= 4 else 0,
        _SCOPE_ABSTRACT_SOCKETS_AND_SIGNALS if version >= 6 else 0,
    )
    # An older kernel takes a longer structure as long as what it does not know is zero.
    ruleset = syscall("landlock_create_ruleset", attributes, len(attributes), 0)
    try:
        for path, rights in rules:
            if opened is not None and path in opened:
                _allow(ruleset, opened[path], rights & handled)
            else:
                target = os.open(path, os.O_PATH | os.O_CLOEXEC)
                try:
                    _allow(ruleset, target, rights & handled)
                finally:
                    os.close(target)
        syscall("landlock_restrict_self", ruleset, 0)
    finally:
        os.close(ruleset)


def _allow(ruleset: int, target: int, rights: int) -> None:
    rule = struct.pack("=Qi", rights, target)
    syscall("landlock_add_rule", ruleset, _RULE_PATH_BENEATH, rule, 0)
