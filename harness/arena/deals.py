"""Deals: from the secret of an event to the random words every game is dealt from.

Nothing here knows a bot, a score or a history. The chain, each step a one-way function:

    secret --HMAC-SHA256--> block key --HMAC-SHA256--> one key per purpose --ChaCha20--> words

Row r of deal d is a pure function of (block key, d, r): the first rows of all deals of a block lie
at fixed offsets in one keystream, later rows of a deal in a keystream of its own. So the legs of a
deal may use different numbers of rows and still see the same cards.
"""

from __future__ import annotations

import hashlib
import hmac
import json
from dataclasses import dataclass
from typing import Any

import numpy as np
from cryptography.hazmat.primitives.ciphers import Cipher
from cryptography.hazmat.primitives.ciphers.algorithms import ChaCha20
from numpy.typing import NDArray

ALGORITHM = 1
"""Version of everything in this module; part of every commitment."""

SECRET_BYTES = 32
_ZEROS = bytes(1 << 16)  # encrypted piece by piece, to stay in the cache


def canonical(value: Any) -> bytes:
    """JSON with one spelling: what is hashed must not depend on a writer's mood."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True).encode()


def derive(key: bytes, *labels: Any) -> bytes:
    """A 32-byte key from `key` and labels (strings, numbers, lists of them)."""
    return hmac.new(key, canonical(labels), hashlib.sha256).digest()


def commitment(secret: bytes, event: str, entrants: list[str], rules: Any) -> str:
    """SHA-256, in hex, over the secret and what it will be used for.

    `entrants` are the content hashes of the bots; their order does not matter.
    """
    facts = canonical(["koth commitment", ALGORITHM, event, sorted(entrants), rules])
    return hashlib.sha256(secret + facts).hexdigest()


def keystream(key: bytes, size: int) -> bytearray:
    """The first `size` bytes of the ChaCha20 keystream of a 32-byte key, nonce and counter zero.

    Every key is used for one keystream only, so the constant nonce repeats nothing.
    """
    stream = bytearray(size)
    encryptor = Cipher(ChaCha20(key, bytes(16)), mode=None).encryptor()
    with memoryview(stream) as view:
        for start in range(0, size, len(_ZEROS)):
            part = view[start : start + len(_ZEROS)]
            encryptor.update_into(memoryview(_ZEROS)[: len(part)], part)
    return stream


@dataclass(frozen=True)
class Deals:
    """The random words of a block of deals."""

    key: bytes
    """The block key."""
    deals: int
    rows: int
    """Rows dealt out at a time."""
    words: int
    """Words per row, uint32."""

    def first(self) -> NDArray[np.uint32]:
        """The first rows of all deals: uint32, shape (deals, rows, words)."""
        size = self.deals * self.rows * self.words * 4
        stream = keystream(derive(self.key, "deals"), size)
        return np.frombuffer(stream, "<u4").reshape(self.deals, self.rows, self.words)

    def more(self, deal: int, refill: int) -> NDArray[np.uint32]:
        """Rows `refill * rows` and on of one deal, refill >= 1: uint32, shape (rows, words)."""
        stream = keystream(derive(self.key, "more", deal, refill), self.rows * self.words * 4)
        return np.frombuffer(stream, "<u4").reshape(self.rows, self.words)
