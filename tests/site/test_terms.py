"""Glossary terms on a page: tooltips, and links without scripts."""

from playwright.sync_api import Page, expect

from tests.site.accessibility import (
    AXE_COLOUR_RULES,
    AXE_RULES,
    assert_no_axe_violations,
    set_colour_scheme,
)
from weave.guide import Guide
from weave.prose.glossary import Glossary

PAGE = "autograd/backward/"
TOOLTIP = "[role=tooltip]"
CHECKED_SELECTOR = f"{TOOLTIP}, a.term"  # the rest of the page stands


def get_meaning(guide: Guide, anchor: str) -> str:
    return next(t.definition for t in Glossary(guide).terms if t.anchor == anchor)


def test_hover_or_focus_shows_the_meaning_of_a_term(
    tab: Page, address: str, guide: Guide
) -> None:
    tab.goto(address + PAGE)
    node = tab.locator('a.term[href$="#node"]')
    card = tab.locator(TOOLTIP)
    for show_it in (node.hover, node.focus):
        show_it()
        expect(card).to_have_text(get_meaning(guide, "node"))
        assert_no_axe_violations(tab, AXE_RULES, CHECKED_SELECTOR)
        tab.keyboard.press("Escape")
        expect(card).to_have_css("opacity", "0")
        tab.mouse.move(5, 5)
        node.blur()
        expect(card).to_have_count(0)
    set_colour_scheme(tab, "dark")
    node.hover()
    expect(card).to_be_visible()
    assert_no_axe_violations(tab, AXE_COLOUR_RULES, CHECKED_SELECTOR)


def test_term_is_a_link_with_a_title_without_scripts(
    tab_without_scripts: Page, address: str, guide: Guide
) -> None:
    tab_without_scripts.goto(address + PAGE)
    node = tab_without_scripts.locator('a.term[href$="#node"]')
    expect(node).to_have_attribute("title", get_meaning(guide, "node"))
    node.click()
    tab_without_scripts.wait_for_url("**/reference/glossary/#node")
    expect(tab_without_scripts.locator("dt#node")).to_be_in_viewport()
