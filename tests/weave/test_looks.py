"""What the theme's sheet is left with is all that the guide's pages need."""

import re
from pathlib import Path

import pytest
from lxml import html
from playwright.sync_api import Browser

from tests.promises.site import Site
from tests.site.browsing import PHONE, wait_for
from tests.thorough import thorough
from weave.publish.looks import (
    ABSENT,
    OF_THE_THEME,
    SHEETS,
    sheet_of_the_theme,
    without_the_absent,
)

CLASSES = "[...new Set([...document.all].flatMap(x => [...x.classList]))]"


def is_absent(name: str) -> bool:
    return re.match(ABSENT, name, re.VERBOSE) is not None


@pytest.mark.parametrize(
    ("sheet", "left"),
    [
        ("a{b:c}", "a{b:c}"),
        (".tabbed-set{b:c}a{b:c}", "a{b:c}"),
        ("a,.tabbed-set>b,i{b:c}", "a,i{b:c}"),
        ("[dir=rtl] a,[dir=ltr] a{b:c}", "[dir=ltr] a{b:c}"),
        ("a:not(.tabbed-set,.tip){b:c}", "a:not(.tabbed-set,.tip){b:c}"),
        (".tips,.tip>a{b:c}", ".tips{b:c}"),
        ("@media print{.tip{b:c}a{b:c}}", "@media print{a{b:c}}"),
        ("@media print{.tip{b:c}}", ""),
        ("@keyframes tip{0%{b:c}to{b:d}}", "@keyframes tip{0%{b:c}to{b:d}}"),
        (
            ':root{--a:url("x)}");--b:url(y);--c:1}i{b:var(--b)}',
            ":root{--b:url(y);--c:1}i{b:var(--b)}",
        ),
    ],
)
def test_what_names_the_absent_goes_and_all_else_stays(
    sheet: str, left: str, tmp_path: Path
) -> None:
    file = tmp_path / "sheet.css"
    file.write_text(sheet, encoding="utf-8")
    assert without_the_absent(file) == left


@pytest.mark.parametrize("pattern", OF_THE_THEME)
def test_the_site_has_the_theme_s_sheet_without_the_absent(
    site: Site, pattern: str
) -> None:
    (shown,) = (site.folder / SHEETS).glob(pattern)
    theirs = sheet_of_the_theme(pattern)
    assert shown.name == theirs.name
    assert shown.read_text("utf-8") == without_the_absent(theirs)
    assert shown.stat().st_size < 0.6 * theirs.stat().st_size


def test_no_page_has_what_was_left_out(site: Site) -> None:
    for file in site.folder.rglob("*.html"):
        page = html.parse(file).getroot()
        assert page.get("dir") in (None, "ltr")
        colours = page.xpath("//@data-md-color-primary | //@data-md-color-accent")
        assert {*colours} <= {"custom"}
        classes = {name for each in page.xpath("//@class") for name in each.split()}
        assert not [name for name in classes if is_absent(name)], file


@thorough
def test_scripts_bring_nothing_that_was_left_out(
    browser: Browser, address: str
) -> None:
    with browser.new_context(viewport=PHONE) as context:
        tab = context.new_page()
        for page in ("", "autograd/backward/", "labs/ablations/", "reference/api/"):
            tab.goto(address + page)
            wait_for(tab, "!document.documentElement.matches('.no-js')")
            tab.get_by_role("button", name="Search").or_(
                tab.locator("[for=__search]")
            ).first.click()
            tab.locator(".md-search__input").fill("gradient")
            tab.locator(".md-search-result__item").first.wait_for()
            names = tab.evaluate(CLASSES)
            assert not [name for name in names if is_absent(name)], page


def test_the_styles_of_the_guide_name_nothing_that_was_left_out(site: Site) -> None:
    ours = (site.folder / "styles/guide.css").read_text("utf-8")
    names = re.findall(r"\.([a-z][\w-]*)", ours)
    assert "md-typeset" in names
    assert not [name for name in names if is_absent(name)]
