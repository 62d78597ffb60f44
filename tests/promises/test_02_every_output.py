"""Every output shown is what the block above it prints."""

from __future__ import annotations

from collections.abc import Callable

from tests.promises.site import Site
from weave.check import Report
from weave.page import Page
from weave.run import Results


def test_checking_every_page_finds_nothing_untrue(report: Report) -> None:
    report.raise_if_any()


def test_outputs_of_the_built_site_are_what_the_blocks_print(
    site: Site, results_of: Callable[[Page], Results]
) -> None:
    compared = 0
    for page in site.pages:
        if not page.source.blocks:
            continue
        printed = results_of(page.source).outputs
        shown = [pre.get_text() for pre in page.article.select(".cell > pre.output")]
        expected = [text for _, text in sorted(printed.items()) if text]
        assert shown == expected, page.source.path
        compared += len(shown)
    assert compared
