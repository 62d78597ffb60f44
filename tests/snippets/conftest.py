"""What the tests of the whole programs share."""

from __future__ import annotations

from pathlib import Path

import pytest

from snippets.records.record import ORIGINAL_NAMES


@pytest.fixture
def original_names() -> Path:
    """The original's 32,033 names, which are not ours to ship."""
    if not ORIGINAL_NAMES.exists():
        pytest.skip(f"the original's names are not at {ORIGINAL_NAMES}")
    return ORIGINAL_NAMES
