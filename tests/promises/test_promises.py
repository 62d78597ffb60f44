"""The page on the promises names each of them, and counts what is really there."""

import re
from collections.abc import Callable
from pathlib import Path

from tests.promises.site import ROOT, Site
from weave.counts import count, elements
from weave.guide import Guide
from weave.prose.numbers import numbers

PAGE = Path("docs", "reference", "promises.md")
ROW = re.compile(r"^\| (?P<promise>.+) `(?P<test>tests/.+)` \| (?P<today>.+) \|$")
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


def rows() -> list[re.Match[str]]:
    lines = (ROOT / PAGE).read_text(encoding="utf-8").splitlines()
    return [match for line in lines if (match := ROW.match(line))]


def test_each_file_of_promises_is_named_and_each_file_named_is_there() -> None:
    named = [row["test"] for row in rows()]
    assert len(set(named)) == len(named)
    there = {
        path.relative_to(ROOT).as_posix() for path in ROOT.glob("tests/promises/test_*")
    }
    assert there <= set(named)
    assert [name for name in named if not (ROOT / name).exists()] == []


def test_no_promise_stands_without_its_number(guide: Guide) -> None:
    stated = numbers(guide.pages[PAGE])
    for row in rows():
        assert "<data" in row["today"], row["promise"]
        assert re.sub(r"<data.+?</data>", "", row["today"]).strip(), row["promise"]
    assert len(stated) >= len(rows()) > 20


def test_the_counts_are_those_of_the_built_site(site: Site, guide: Guide) -> None:
    counted = {what: count(guide, what) for what in ON_THE_SITE}
    assert counted == {what: seen(site) for what, seen in ON_THE_SITE.items()}


def test_what_is_counted_of_the_tests_is_what_python_finds(guide: Guide) -> None:
    from tests.promises.test_07_every_law import DERIVATIVES
    from tests.promises.test_12_the_checks_can_fail import LIES

    law = elements(guide, "tests/promises/test_07_every_law.py", "DERIVATIVES")
    lie = elements(guide, "tests/promises/lies.yml")
    assert (law, lie) == (len(DERIVATIVES), len(LIES))
