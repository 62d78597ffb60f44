"""Every block of the guide is a test, and what takes long is left to CI."""

from __future__ import annotations

import contextlib
import os
import sys
import tempfile
from collections.abc import Generator
from typing import Any

import pytest
import pytest_codeblocks.plugin

from weave.codeblocks import extract_from_file

pytest_codeblocks.plugin.extract_from_file = extract_from_file

# The tests start hundreds of processes: none is to compile again what it imports.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False


CHOOSING = ("keyword", "markexpr", "lf", "failedfirst")  # -k, -m, --lf, --ff
TOO_LONG = pytest.mark.skip(
    reason="takes long: name its file, or set MICROGPT_THOROUGH=1, as CI does"
)


def of_every_day(config: pytest.Config) -> bool:
    """Tell whether all tests were asked for, and not for once what takes long too.

    CI always wants all of them. So does whoever names a path, even that of `tests`, an
    expression or a mark, or wants those that failed.
    """
    worker = getattr(config, "workerinput", None)
    if worker is not None:
        return bool(worker["of_every_day"])
    if os.environ.get("CI") == "true" or "MICROGPT_THOROUGH" in os.environ:
        return False
    named = config.args_source is pytest.Config.ArgsSource.ARGS
    return not named and not any(map(config.getoption, CHOOSING))


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """Tell a process of tests what the one that starts it knows."""
    node.workerinput["of_every_day"] = of_every_day(node.config)


def pytest_collection_modifyitems(
    config: pytest.Config, items: list[pytest.Item]
) -> None:
    """Leave out what takes long."""
    if of_every_day(config):
        for item in items:
            if item.get_closest_marker("thorough"):
                item.add_marker(TOO_LONG)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None]:
    """Run a block in an empty folder: what it writes is no part of the project."""
    if not isinstance(item, pytest_codeblocks.plugin.TestBlock):
        return (yield)
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        return (yield)
