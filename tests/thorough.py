"""What takes long: CI runs it, and whoever names its file or asks for it; and what takes
so long that CI runs it once a week.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Hashable, Iterable
from typing import TypeVar

import pytest

Case = TypeVar("Case")
thorough = pytest.mark.thorough  # left out by conftest.py
slow = pytest.mark.skipif(
    "MICROGPT_SLOW" not in os.environ, reason="takes minutes; set MICROGPT_SLOW=1"
)


def one_of_each(
    cases: Iterable[Case], kind: Callable[[Case], Hashable] = lambda case: None
) -> list[object]:
    """Return all cases for `parametrize`, only the first of each kind for every day.

    Without a way to tell kinds apart, all cases are of one kind.
    """
    known = set()
    params: list[object] = []
    for case in cases:
        again = kind(case) in known
        params.append(pytest.param(case, marks=thorough) if again else case)
        known.add(kind(case))
    return params
