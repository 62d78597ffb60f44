"""Errors of a page that a test writes."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.weave.conftest import ROOT
from weave.check import check_page
from weave.errors import WeaveError
from weave.guide import Guide
from weave.results import RunResults

PAGE_PATH = Path("docs/index.md")  # one that the navigation has


def first_error(text: str, path: Path = PAGE_PATH) -> tuple[int, str]:
    """Return the line and the message of the first error of a page."""
    with pytest.raises(WeaveError) as raised:
        raise min(iterate_errors(text, path), key=lambda error: error.line)
    assert str(raised.value).startswith(f"{path}:{raised.value.line}: ")
    return raised.value.line, raised.value.problem


def iterate_errors(text: str, path: Path = PAGE_PATH) -> Iterator[WeaveError]:
    """Yield the errors of a page, without running its blocks."""
    guide = Guide(ROOT, text_overrides={path: text})
    try:
        for finding in check_page(guide, guide.read_page(path), RunResults()):
            if isinstance(finding, WeaveError):
                yield finding
    except WeaveError as error:
        yield error
