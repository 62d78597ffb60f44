"""Of many cases, only some are tried in a run that is to be quick."""

import pytest

from tests.thorough import one_of_each, thorough


def test_all_cases_of_a_kind_but_the_first_are_marked() -> None:
    again = pytest.param("a2", marks=thorough)
    assert one_of_each(["a1", "a2", "b1"], kind=lambda c: c[0]) == ["a1", again, "b1"]
