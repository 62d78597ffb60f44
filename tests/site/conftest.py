"""A test of what stories tell fails where it no longer finds it."""

from collections.abc import Iterator

import pytest

from tests.site.stories import FOUND


@pytest.fixture
def all_is_found() -> Iterator[None]:
    """Whatever a test looks for in stories stands somewhere."""
    FOUND.clear()
    yield
    assert [pattern for pattern, times in FOUND.items() if times == 0] == []
