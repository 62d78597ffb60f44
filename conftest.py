"""Every block of the guide is a test."""

import os
import sys
from collections.abc import Generator
from pathlib import Path

import pytest
import pytest_codeblocks.plugin

from weave.codeblocks import Test, extract_from_file
from weave.publish.generated import write_generated
from weave.run import PAGES

pytest_codeblocks.plugin.extract_from_file = extract_from_file
PAGES.set_forkserver_preload(["weave.codeblocks"])

# The tests start hundreds of processes: none is to compile again what it imports.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False


def pytest_configure(config: pytest.Config) -> None:
    """Write what a fresh clone lacks."""
    first = not hasattr(config, "workerinput")  # before the workers start
    if first and Path("mkdocs.yml").exists():
        write_generated(config.rootpath)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None]:
    """Let the blocks of a chain run in a process of their own."""
    if isinstance(item, pytest_codeblocks.plugin.TestBlock):
        item.runtest = Test(item.name, item.obj).run
    return (yield)
