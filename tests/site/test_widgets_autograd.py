"""The graph of autograd: what moves, what fingers touch, and links to it."""

import re
from collections.abc import Callable
from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import BrowserContext, expect

from tests.site.browsing import PHONE, TOO_WIDE
from tests.site.figure import Figure, Open
from tests.thorough import thorough

pytestmark = thorough

RECORDING, ONE_NODE = "autograd/recording/", "efficiency/one-node/"


def test_a_pulse_travels_unless_motion_is_unwanted(open_figure: Open) -> None:
    figure = open_figure("graph", RECORDING)
    running = (
        "document.getAnimations().filter(a => a.animationName === 'travel').length"
    )
    figure.press("To the start", "One step on")
    assert figure.tab.evaluate(running) == 2
    figure.tab.emulate_media(reduced_motion="reduce")
    figure.press("One step on")
    expect(figure.find(".pulse")).to_have_count(2)
    figure.tab.wait_for_function(f"{running} === 0")


def test_a_node_tells_its_story_where_it_is_touched(
    touching: Callable[[str], Figure], open_figure: Open
) -> None:
    figure = touching("graph")
    c = figure.find(".node").nth(2)
    c.tap()
    story = figure.find(".story p")
    expect(story).to_have_count(1)  # its gradient hasn't come yet
    expect(story).to_contain_text("c = a + b is 5")
    figure.press("One step on")
    expect(story).to_have_count(0)
    figure.slide("", "End")
    c.tap()
    expect(story.last).to_contain_text("Gradient 2: if c rises by 0.1")
    # By keyboard: one stop, and arrow keys within the picture
    figure = open_figure("graph", RECORDING)
    expect(figure.find(".node[tabindex='0']")).to_have_count(1)
    figure.find(".node").nth(3).focus()
    expect(figure.find(".story")).to_contain_text("The result")
    figure.tab.keyboard.press("ArrowUp")
    expect(figure.find(".story")).to_contain_text("c = a + b")
    picked = figure.find(".node.picked .title")
    expect(picked).to_have_text("c")
    for key, title in (("ArrowUp", "b"), ("ArrowRight", "b"), ("ArrowLeft", "a")):
        figure.tab.keyboard.press(key)
        expect(picked).to_have_text(title)


def test_a_link_to_how_the_graph_stands_can_be_copied(open_figure: Open) -> None:
    figure = open_figure("graph", f"{RECORDING}?graph.open=walks&graph.at=3")
    figure.press("node by node")
    figure.tab.evaluate(
        "() => { navigator.clipboard.writeText = async (text) => { window.copied = text; }; }"
    )
    figure.press("Copy a link")
    expect(figure.find(".foot [role=status]").first).to_have_text(
        "The address of this graph is copied."
    )
    copied = parse_qs(urlsplit(figure.tab.evaluate("copied")).query)
    assert copied == {
        "graph.open": ["walks"],
        "graph.walk": ["node by node"],
        "graph.at": ["end"],
    }


def test_a_wide_graph_scrolls_in_its_frame_on_a_phone(
    context: BrowserContext, address: str
) -> None:
    figure = Figure.open(context, address, "graph", ONE_NODE)
    figure.tab.set_viewport_size(PHONE)
    canvas = figure.find(".canvas")
    assert canvas.evaluate("each => each.scrollWidth > each.clientWidth")
    assert figure.tab.evaluate(TOO_WIDE) <= 0
    # What a step is about comes into view.
    figure.press("To the start", *["One step on"] * 6)
    last = figure.find(".node.strong .title", re.compile("b1"))
    expect(last).to_be_in_viewport()
    for panel in ("Change", "Another", "Line by line", "Without an order"):
        figure.press(panel)
        assert figure.tab.evaluate(TOO_WIDE) <= 0, panel
