"""Makes every block of the guide's pages a test of pytest-codeblocks."""

import os
import sys
from pathlib import Path

import pytest
import pytest_codeblocks.plugin

from weave.publish.generated_files import write_generated_files
from weave.pytest_blocks import extract_from_file

pytest_codeblocks.plugin.extract_from_file = extract_from_file

# The tests start hundreds of processes, which start faster with compiled modules.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False


def pytest_configure(config: pytest.Config) -> None:
    """Write the generated files, which a fresh clone doesn't have."""
    is_worker = hasattr(config, "workerinput")  # of pytest-xdist
    if not is_worker and Path("mkdocs.yml").exists():
        write_generated_files(config.rootpath)
