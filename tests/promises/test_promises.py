"""The page on the promises names each of them, and counts what is really there."""

import re
from collections.abc import Callable

from tests.promises.site import ROOT, Site
from weave.counts import count
from weave.guide import Guide

ROW = re.compile(r"^\| .+ `(tests/\S+)` \| .+ \|$", re.MULTILINE)
SHOWN = ".cell:not([data-exercise])"


def found(site: Site, selector: str) -> int:
    return sum(len(page.article.select(selector)) for page in site.pages)


# What the page counts from the Markdown, and how the built site shows it.
ON_THE_SITE: dict[str, Callable[[Site], int]] = {
    "pages": lambda site: len([page for page in site.pages if page.file.exists()]),
    "outputs": lambda site: found(site, f"{SHOWN} > pre.output"),
    "numbers": lambda site: found(site, "data[value]:not(.recap *)"),
    "listings": lambda site: found(site, "figure.listing"),
    "pictures": lambda site: found(site, "figure.still"),
    "differences": lambda site: found(site, "figure.changes"),
    "exercises": lambda site: found(site, ".exercise"),
    "pages with blocks": lambda site: sum(
        bool(page.article.select(f"{SHOWN} .run")) for page in site.pages
    ),
}


def test_each_file_of_promises_is_named_and_each_file_named_is_there() -> None:
    page = ROOT / "docs" / "reference" / "promises.md"
    named = ROW.findall(page.read_text(encoding="utf-8"))
    there = (file.relative_to(ROOT) for file in ROOT.glob("tests/promises/test_*.py"))
    assert {file.as_posix() for file in there} <= {*named}
    assert [name for name in named if not (ROOT / name).exists()] == []


def test_the_counts_are_those_of_the_built_site(site: Site, guide: Guide) -> None:
    counted = {what: count(guide, what) for what in ON_THE_SITE}
    assert counted == {what: seen(site) for what, seen in ON_THE_SITE.items()}
