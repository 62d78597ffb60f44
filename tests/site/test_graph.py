"""The graph widget: its player, expressions, addresses and touch."""

import re
from urllib.parse import parse_qs, quote, urlsplit

from playwright.sync_api import expect

from tests.marks import thorough
from tests.site.browsing import OVERFLOW_PX_JS, PHONE_SIZE
from tests.site.widget_page import OpenWidget

pytestmark = thorough

BACKWARD_PAGE = "autograd/backward/"


def test_graph_player_steps_forward_and_backward(open_widget: OpenWidget) -> None:
    widget = open_widget("graph", BACKWARD_PAGE)
    widget.press("To the start")
    widget.expect_texts("c, add: not computed yet", "a is 2 and b is 3.")
    height = widget.bounding_box(".widget-view")["height"]
    for sentence, node in (
        ("c = a + b is 5. It notes its slopes: 1 for a and 1 for b.", "c, add: data 5"),
        ("d = c * a is 10. It notes its slopes: 2 for c", "d, multiply: data 10"),
        (
            "Now back: nudge d, and it moves by the nudge",
            "d, multiply: data 10, grad 0",
        ),
        ("The gradient of c goes from 0 to 2, and is", "d, multiply: data 10, grad 1"),
        ("of a goes from 0 to 5; 1 more to come.", "c, add: data 5, grad 2"),
        ("The gradient of a goes from 5 to 7, and is complete.", "a: data 2, grad 5"),
        ("The gradient of b goes from 0 to 2, and is complete.", "a: data 2, grad 7"),
        ("every gradient is complete: 7 for a and 2 for b.", "b: data 3, grad 2"),
    ):
        widget.press("One step on").expect_texts(sentence, node)
        assert widget.bounding_box(".widget-view")["height"] == height
    widget.move_slider("", 1)
    widget.expect_texts("c = a + b is 5.", "d, multiply: not computed yet")
    widget.press("Change the numbers").move_slider("b", "Home")
    widget.expect_texts("c = a + b is −3.")
    expect(widget.tab).to_have_url(re.compile("graph.open=numbers"))


def test_graph_plays_typed_expression_or_shows_error(open_widget: OpenWidget) -> None:
    widget = open_widget("graph", BACKWARD_PAGE).press("Another expression")
    for typed, sentence in (
        ("a = 2; b = a + foo", 'character 16: foo has no value: put \\"foo = 1;\\"'),
        ("+".join(["1"] * 60), "the graph has 119 nodes, and 40 fit in here"),
        ("<img src=x onerror=alert(1)>", "character 1: cannot read"),
    ):
        widget.type_text(typed, "Expression").expect_texts(sentence, "[invalid]")
        assert widget.find(".canvas.stale").count() == 1
    for typed, sentence in (
        ("2 * -3 + 4 ** 2", "The result is 10, and every gradient is complete."),
        ("x = 2; y = log(x)", "y is 0.693147, and every gradient is complete: 0.5"),
    ):
        widget.type_text(typed, "Expression").expect_texts(sentence)
    widget.press("Change the numbers").move_slider("x", "Home")
    widget.expect_texts("character 17: log needs a number above 0, such as 2, got -5")
    widget.move_slider("x", "End")
    widget.expect_texts("y is 1.60944, and every gradient is complete: 0.2")
    widget.press("Another expression")
    for example in widget.find("[aria-label=Examples] button").all_inner_texts():
        widget.press(example)
        widget.expect_texts(f'button "{example}" [pressed]', "is complete")


def test_graph_state_is_restored_from_its_address(open_widget: OpenWidget) -> None:
    """Valid parts of an address are used, and invalid ones are ignored."""
    for address, shown in (
        ("expression=a%20%3D%202%3B%20a%20%2B", "11: the expression ends after '+'"),
        ("expression=%3Cb%3E&graph.open=numbers", "character 1: cannot read"),
        ("open=numbers&graph.at=3", "Now back: nudge d, and it moves by the nudge"),
        ("open=walks&graph.at=constructor", "every gradient is complete: 7 for a"),
        ("at=9999", "every gradient is complete: 7 for a"),
    ):
        widget = open_widget("graph", f"{BACKWARD_PAGE}?graph.{address}")
        widget.expect_texts(shown)
    widget.press("Change the numbers").move_slider("", 4)
    widget.tab.evaluate("void (navigator.clipboard.writeText = async x => copied = x)")
    widget.press("Copy a link").expect_texts("The address of this graph is copied.")
    query = parse_qs(urlsplit(widget.tab.evaluate("copied")).query)
    assert query == {"graph.open": ["numbers"], "graph.at": ["4"]}


def test_tapped_or_focused_node_is_explained(
    open_widget_on_phone: OpenWidget, open_widget: OpenWidget
) -> None:
    widget = open_widget_on_phone("graph")
    c = widget.find(".node").nth(2)
    c.tap()
    explanation = widget.find(".explanation p")
    expect(explanation).to_have_count(1)  # its gradient hasn't come yet
    expect(explanation).to_contain_text("c = a + b is 5")
    widget.press("One step on")
    expect(explanation).to_have_count(0)
    widget.move_slider("", "End")
    c.tap()
    expect(explanation.last).to_contain_text("Gradient 2: if c rises by 0.1")
    # By keyboard: one stop, and arrow keys within the picture
    widget = open_widget("graph", BACKWARD_PAGE)
    expect(widget.find(".node[tabindex='0']")).to_have_count(1)
    widget.find(".node").nth(3).focus()
    expect(widget.find(".explanation")).to_contain_text("d = c * a is 10")
    selected = widget.find(".node.selected .title")
    for key, title in (("Up", "c"), ("Left", "b"), ("Right", "c"), ("Down", "d")):
        widget.tab.keyboard.press(f"Arrow{key}")
        expect(selected).to_have_text(title)


def test_wide_graph_scrolls_in_its_frame_on_a_phone(open_widget: OpenWidget) -> None:
    wide = quote("a0 = 1; b0 = 3; a1 = 2; b1 = -4; z = a0 * b0 + a1 * b1")
    widget = open_widget("graph", f"{BACKWARD_PAGE}?graph.expression={wide}")
    widget.expect_texts("z is −5, and every gradient is complete")
    widget.tab.set_viewport_size(PHONE_SIZE)
    canvas = widget.find(".canvas")
    assert canvas.evaluate("each => each.scrollWidth > each.clientWidth")
    assert widget.tab.evaluate(OVERFLOW_PX_JS) <= 0
    # The picture scrolls to the node of a step.
    widget.press("To the start", *["One step on"] * 6)
    last = widget.find(".node.strong .title", re.compile("b1"))
    expect(last).to_be_in_viewport()
    for panel in ("Change", "Another"):
        widget.press(panel)
        assert widget.tab.evaluate(OVERFLOW_PX_JS) <= 0, panel
