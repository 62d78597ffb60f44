"""What a term means, where a page first uses it."""

from playwright.sync_api import Browser, Page, expect

from tests.site.accessibility import COLOURS, RULES, assert_no_fault, show
from tests.site.browsing import PHONE
from tests.thorough import thorough
from weave.guide import Guide
from weave.prose.glossary import Glossary

PAGE = "autograd/backward/"
CARD = ".term-card"
SHOWN = f"{CARD}, a.term"  # the rest of the page stands


def said_of(guide: Guide, anchor: str) -> str:
    return next(t.meaning for t in Glossary(guide).terms if t.anchor == anchor)


def test_mouse_and_keyboard_show_what_a_term_means(
    tab: Page, address: str, guide: Guide
) -> None:
    tab.goto(address + PAGE)
    node, slope = (tab.locator(f'a.term[href$="#{t}"]') for t in ("node", "derivative"))
    card = tab.locator(CARD)
    expect(card).to_be_hidden()
    node.hover()
    expect(card).to_have_text(said_of(guide, "node"))
    expect(node).to_have_accessible_description(said_of(guide, "node"))
    # It stays while the pointer is on it, and not when the pointer has gone.
    card.hover()
    tab.wait_for_timeout(500)
    expect(card).to_be_visible()
    tab.mouse.move(5, 5)
    expect(card).to_be_hidden()
    node.hover()
    expect(card).to_be_visible()
    tab.keyboard.press("Escape")
    expect(card).to_be_hidden()
    # With the keys: from one term to the next, away with Escape, there with Enter.
    tab.mouse.move(5, 5)
    node.focus()
    tab.keyboard.press("Tab")
    expect(slope).to_be_focused()
    expect(card).to_have_text(said_of(guide, "derivative"))
    assert_no_fault(tab, RULES, SHOWN)
    show(tab, "dark")
    assert_no_fault(tab, COLOURS, SHOWN)
    node.focus()
    tab.keyboard.press("Tab")
    expect(card).to_be_visible()
    tab.keyboard.press("Escape")
    expect(card).to_be_hidden()
    tab.keyboard.press("Enter")
    tab.wait_for_url("**/reference/glossary/#derivative")


@thorough
def test_the_first_touch_explains_and_the_second_follows(
    browser: Browser, address: str, guide: Guide
) -> None:
    with browser.new_context(viewport=PHONE, has_touch=True, is_mobile=True) as context:
        tab = context.new_page()
        tab.goto(address + PAGE)
        card = tab.locator(CARD)
        for term in tab.locator("a.term:visible").all():
            term.tap()
            expect(card).to_be_visible()
            box = card.bounding_box()
            assert box and box["x"] >= 0 and box["x"] + box["width"] <= PHONE["width"]
            card.tap()
            expect(card).to_be_hidden()
        term.tap()
        expect(card).to_be_visible()
        tab.locator("h1").tap()
        expect(card).to_be_hidden()
        chain_rule = tab.locator('a.term[href$="#chain-rule"]:visible')
        chain_rule.tap()
        expect(card).to_contain_text(said_of(guide, "chain-rule"))
        chain_rule.tap()
        tab.wait_for_url("**/reference/glossary/#chain-rule")


def test_without_scripts_a_term_is_a_link_with_a_title(
    without_scripts: Page, address: str, guide: Guide
) -> None:
    without_scripts.goto(address + PAGE)
    node = without_scripts.locator('a.term[href$="#node"]')
    expect(node).to_have_attribute("title", said_of(guide, "node"))
    node.click()
    without_scripts.wait_for_url("**/reference/glossary/#node")
    expect(without_scripts.locator("dt#node")).to_be_in_viewport()
