"""Marks of slow tests: CI runs the thorough ones, a job each night the nightly ones.

Plain `pytest`, which is `poe test`, leaves out both; `poe test-all` leaves out only the
nightly ones.
"""

from collections.abc import Callable, Hashable, Iterable
from typing import TypeVar

import pytest

Case = TypeVar("Case")
thorough = pytest.mark.thorough
nightly = pytest.mark.nightly
# Fixtures of the built site; nightly tests compare the pages that Zensical builds.
SITE_FIXTURE_PARAMS = ["site", pytest.param("zensical_site", marks=nightly)]


def mark_all_but_first(
    cases: Iterable[Case],
    key: Callable[[Case], Hashable] = lambda case: None,
    mark: pytest.MarkDecorator = thorough,
) -> list[object]:
    """Return all cases for `parametrize`, with a mark on all but the first of each key.

    By default, all cases have the same key.
    """
    known = set()
    params: list[object] = []
    for case in cases:
        again = key(case) in known
        params.append(pytest.param(case, marks=mark) if again else case)
        known.add(key(case))
    return params
