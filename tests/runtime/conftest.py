"""The fixture that all tests of the runner use."""

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from runtime import runner


@pytest.fixture(autouse=True)
def isolated_runner() -> Iterator[None]:
    """Restore folder, standard input and the guide's modules after a test."""
    folder, stdin = Path.cwd(), sys.stdin
    modules = runner.remove_guide_modules()
    yield
    os.chdir(folder)
    sys.stdin = stdin
    runner.remove_guide_modules()
    sys.modules.update(modules)
