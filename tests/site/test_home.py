"""The home page trains a GPT, and continues names."""

import re

from playwright.sync_api import Browser, Page, expect

from tests.marks import thorough
from widgets.trainer.model import recorded_run


@thorough
def test_home_trains_a_gpt_without_python(fresh_tab: Page, address: str) -> None:
    tab, urls = fresh_tab, list[str]()
    tab.on("request", lambda request: urls.append(request.url))
    tab.set_viewport_size({"width": 1280, "height": 800})
    tab.goto(address)
    widget = tab.locator("[data-widget=live_gpt]")
    button = widget.get_by_role("button", name="Invent a name")
    link = widget.get_by_role("link", name="Link to this name")
    expect(widget.locator(".progress")).to_contain_text("0 names read")
    # At its end it samples the names of the recorded run.
    expect(widget.locator(".model-facts")).to_contain_text("in your browser, in ")
    expect(button).to_have_attribute("aria-disabled", "false")
    names = recorded_run("adam-30k")["evaluations"][-1]["names"]
    learnt = [name or "(nothing)" for name in names[:4]]
    expect(widget.locator(".samples span")).to_have_text(learnt)
    for part in (button, widget.locator("svg"), tab.get_by_text("The short path:")):
        box = part.bounding_box()
        assert box and box["y"] + box["height"] < 800
    # The page samples a first name by itself.
    expect(link).to_be_visible()
    assert "pyodide" not in f"{urls}"
    # The next name begins with the typed letters, and its link replays it.
    field = widget.get_by_label("How does your name begin?")
    field.fill("K9")
    field.press("Enter")
    refused = widget.get_by_text("Type letters from a to z, not “9”.")
    expect(refused).to_be_visible()
    field.fill(" Mar ")
    button.click()
    expect(widget.locator(".sampled b")).to_have_text(re.compile("^mar"))
    expect(link).to_be_visible()
    expect(refused).not_to_be_visible()
    name = widget.locator(".sampled b").inner_text()
    tab.goto(tab.url.partition("?")[0] + (link.get_attribute("href") or ""))
    expect(widget.locator(".sampled b")).to_have_text(name)
    expect(field).to_have_value("mar")


def test_home_trains_only_on_request_with_reduced_motion(
    browser: Browser, address: str, long_expect_timeout: None
) -> None:
    with browser.new_context(reduced_motion="reduce") as context:
        tab = context.new_page()
        tab.goto(address)
        widget = tab.locator("[data-widget=live_gpt]")
        expect(widget).to_have_attribute("data-hydrated", "")
        facts = widget.locator(".model-facts")
        expect(facts).to_contain_text("when this page was made")
        widget.get_by_role("button", name="Invent a name").click()
        expect(facts).to_contain_text("in your browser, in")
        expect(widget.get_by_role("link", name="Link to this name")).to_be_visible()
