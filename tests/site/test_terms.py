"""Glossary terms on a page: tooltips, and links without scripts."""

import re

from playwright.sync_api import Page, expect

from tests.site.accessibility import (
    AXE_COLOUR_RULES,
    AXE_RULES,
    assert_no_axe_violations,
    set_colour_scheme,
)
from weave.guide import Guide
from weave.prose.glossary import Glossary

TERMS_PAGE = "autograd/backward/"
TOOLTIP_AND_TERMS_CSS = "[role=tooltip], a.term"


def test_term_shows_its_meaning(tab: Page, address: str, guide: Guide) -> None:
    tab.goto(address + TERMS_PAGE)
    node = tab.locator('a.term[href$="#node"]')
    card = tab.get_by_role("tooltip")
    (meaning,) = (t.definition for t in Glossary(guide).terms if t.anchor == "node")
    for show_it in (node.hover, node.focus):
        show_it()
        expect(card).to_have_text(meaning)
        assert_no_axe_violations(tab, AXE_RULES, TOOLTIP_AND_TERMS_CSS)
        tab.keyboard.press("Escape")
        expect(card).to_have_css("opacity", "0")
        tab.mouse.move(5, 5)
        node.blur()
        expect(card).to_have_count(0)
    set_colour_scheme(tab, "dark")
    node.hover()
    expect(card).to_be_visible()
    assert_no_axe_violations(tab, AXE_COLOUR_RULES, TOOLTIP_AND_TERMS_CSS)


def test_term_is_a_link_without_scripts(
    tab_without_scripts: Page, address: str
) -> None:
    tab_without_scripts.goto(address + TERMS_PAGE)
    node = tab_without_scripts.locator('a.term[href$="#node"]')
    expect(node).to_have_attribute("title", re.compile("."))
    node.click()
    tab_without_scripts.wait_for_url("**/reference/glossary/#node")
    expect(tab_without_scripts.locator("dt#node")).to_be_in_viewport()
