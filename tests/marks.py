"""Marks for what takes long: CI runs the thorough tests, GitHub the others each night.

A plain run of `pytest`, which is `poe test`, leaves out both; `poe test-all` leaves out
only the nightly ones.
"""

from collections.abc import Callable, Hashable, Iterable
from typing import TypeVar

import pytest

Case = TypeVar("Case")
thorough = pytest.mark.thorough
nightly = pytest.mark.nightly
# Fixtures of the built site; Zensical makes the same pages, which is compared each night.
SITE_FIXTURE_PARAMS = ["site", pytest.param("zensical_site", marks=nightly)]


def mark_all_but_first(
    cases: Iterable[Case],
    key: Callable[[Case], Hashable] = lambda case: None,
    mark: pytest.MarkDecorator = thorough,
) -> list[object]:
    """Return all cases for `parametrize`, marked but for the first of each kind.

    Without a way to tell kinds apart, all cases are of one kind.
    """
    known = set()
    params: list[object] = []
    for case in cases:
        again = key(case) in known
        params.append(pytest.param(case, marks=mark) if again else case)
        known.add(key(case))
    return params
