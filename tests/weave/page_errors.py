"""The errors that weave reports on a page that a test writes."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.processes import ROOT
from weave.check import check_page, check_pages
from weave.errors import WeaveError
from weave.fences.base import RenderContext
from weave.guide import Guide
from weave.render import render_to_markdown_lines
from weave.results import RunResults

PAGE_PATH = Path("docs/index.md")  # a page in the navigation


def first_error(
    text: str, path: Path = PAGE_PATH, phase: str = "checking"
) -> tuple[int, str]:
    """Return the line and the message of the first error of a page."""
    with pytest.raises(WeaveError) as raised:
        raise min(iterate_errors(text, path, phase), key=lambda error: error.line)
    assert str(raised.value).startswith(f"{path}:{raised.value.line}: ")
    return raised.value.line, raised.value.problem


def iterate_errors(
    text: str, path: Path = PAGE_PATH, phase: str = "checking"
) -> Iterator[WeaveError]:
    """Yield the errors of checking (without running), running or rendering a page."""
    guide = Guide(ROOT, text_overrides={path: text})
    if phase == "running":
        report = check_pages(guide, [path])
        yield from [*report.errors, *report.corrections]
        return
    try:
        page = guide.read_page(path)
        if phase == "rendering":
            list(render_to_markdown_lines(RenderContext(guide, page, str)))
        else:
            yield from check_page(guide, page, RunResults())
    except WeaveError as error:
        yield error
