"""What takes long: it is tested by CI, and here where somebody asks for it."""

from __future__ import annotations

import os
from collections.abc import Callable, Hashable, Iterable
from typing import TypeVar

import pytest

Case = TypeVar("Case")
thorough = pytest.mark.skipif(
    "MICROGPT_THOROUGH" not in os.environ,
    reason="takes long: set MICROGPT_THOROUGH=1, as CI does",
)


def one_of_each(
    cases: Iterable[Case], kind: Callable[[Case], Hashable]
) -> list[object]:
    """Return all cases for `parametrize`, only the first of each kind for every day."""
    known = set()
    params: list[object] = []
    for case in cases:
        again = kind(case) in known
        params.append(pytest.param(case, marks=thorough) if again else case)
        known.add(kind(case))
    return params
