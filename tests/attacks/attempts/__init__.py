"""What a hostile bot would try, one tiny function each; returning at all means it succeeded.

An attempt fails by `OSError`, `MemoryError` or `RuntimeError`, or by the death of the process. It
must do no harm when it does succeed, since each also runs free, as the control that shows that it
could.
"""

# Importing a family registers its attempts.
from tests.attacks.attempts import (  # noqa: F401
    files,
    memory,
    network,
    privileges,
    proc,
    processes,
    scratch,
    signals,
)
from tests.attacks.attempts.registry import ATTEMPTS, GAPS, Act, Attempt

__all__ = ("ATTEMPTS", "GAPS", "Act", "Attempt")
