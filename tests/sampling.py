"""Long lists of cases: a sample in `make test`, all of them in `make test-all`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest


def sampled(cases: Sequence[Any], quick: int) -> list[Any]:
    """The cases for `parametrize`, all but the first `quick` of them marked slow."""
    rest = [
        pytest.param(*(case if isinstance(case, tuple) else (case,)), marks=pytest.mark.slow)
        for case in cases[quick:]
    ]
    return [*cases[:quick], *rest]
