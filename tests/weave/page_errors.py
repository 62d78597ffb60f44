"""Errors of a page that a test writes."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.weave.conftest import ROOT
from weave.check import check_page
from weave.errors import WeaveError
from weave.guide import Guide
from weave.results import RunResults

PAGE = Path("docs/index.md")  # one that the navigation has


def first_error(text: str) -> tuple[int, str]:
    """Return the line and the message of the first error of a page."""
    with pytest.raises(WeaveError) as raised:
        raise min(iterate_errors(text), key=lambda error: error.line)
    assert str(raised.value).startswith(f"{PAGE}:{raised.value.line}: ")
    return raised.value.line, raised.value.problem


def iterate_errors(text: str) -> Iterator[WeaveError]:
    """Yield the errors of a page, without running its blocks."""
    guide = Guide(ROOT, text_overrides={PAGE: text})
    try:
        for finding in check_page(guide, guide.read_page(PAGE), RunResults()):
            if isinstance(finding, WeaveError):
                yield finding
    except WeaveError as error:
        yield error
