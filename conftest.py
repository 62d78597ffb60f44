"""Every block of the guide is a test."""

import os
import sys
from pathlib import Path

import pytest
import pytest_codeblocks.plugin

from weave.publish.generated_files import write_generated_files
from weave.pytest_blocks import extract_from_file

pytest_codeblocks.plugin.extract_from_file = extract_from_file

# The tests start hundreds of processes: none is to compile again what it imports.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False


def pytest_configure(config: pytest.Config) -> None:
    """Write what a fresh clone lacks."""
    first = not hasattr(config, "workerinput")  # before the workers start
    if first and Path("mkdocs.yml").exists():
        write_generated_files(config.rootpath)
