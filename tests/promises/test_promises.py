"""The page on the promises names each of them, with tests that are there."""

from pathlib import Path

from tests.promises.site import ROOT, Site


def test_promises_page_names_each_promise_test_and_no_missing_files(site: Site) -> None:
    (page,) = (p for p in site.pages if p.source.path.name == "promises.md")
    named = [code.get_text() for code in page.article.select("td:last-child code")]
    there = (file.relative_to(ROOT) for file in ROOT.glob("tests/promises/test_*.py"))
    assert {file.as_posix() for file in there} <= {*named}
    assert [name for name in named if not Path(ROOT, name).exists()] == []
