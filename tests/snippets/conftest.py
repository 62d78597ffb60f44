"""What the tests of the whole programs share."""

from pathlib import Path

import pytest

from snippets import step0
from snippets.records.record import ORIGINAL_NAMES
from tests.models import Start


@pytest.fixture
def original_names() -> Path:
    """The original's 32,033 names, which are not ours to ship."""
    if not ORIGINAL_NAMES.exists():
        pytest.skip(f"the original's names are not at {ORIGINAL_NAMES}")
    return ORIGINAL_NAMES


@pytest.fixture(scope="session")
def counted() -> Start:
    """Step 0, once it has counted a thousand names."""
    start = Start(step0)
    start.losses(1000)
    return start
