"""Every output shown is what the block above it prints."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.promises.site import Site, can_run
from tests.site.browsing import WRITTEN
from weave.check import findings
from weave.findings import Report
from weave.guide import Guide
from weave.kinds.block import Block
from weave.page import Page
from weave.run import Results


@pytest.mark.parametrize("page", WRITTEN, ids=str)
def test_checking_a_page_finds_nothing_untrue(
    page: Path, guide: Guide, results_of: Callable[[Page], Results]
) -> None:
    source = guide.read("docs" / page)
    results = results_of(source)
    report = Report([], [])
    report.add(findings, guide, source, results)
    report.raise_if_any()


def test_outputs_of_the_built_site_are_what_the_blocks_print(
    site: Site, results_of: Callable[[Page], Results]
) -> None:
    compared = 0
    for page in site.pages:
        if not Block.on(page.source) or not can_run(page.source):
            continue
        printed = results_of(page.source).outputs
        shown = [pre.get_text() for pre in page.article.select(".cell > pre.output")]
        expected = [text for _, text in sorted(printed.items()) if text]
        assert shown == expected, page.source.path
        compared += len(shown)
    assert compared
