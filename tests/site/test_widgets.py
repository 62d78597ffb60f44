"""What widgets share, tried in one of them: a player, maps, boxes, and slow Python."""

import re
from operator import add, sub

from playwright.sync_api import BrowserContext, Locator, Page, Position, Route, expect
from pytest import approx

from microgpt import load_model
from snippets.step1 import softmax
from tests.engine.web_engine import read_tokens
from tests.marks import thorough
from tests.models import encode_name
from tests.site.widget_page import OpenWidget, WidgetPage, parse_number
from widgets.transformer.model import BOXES

pytestmark = thorough

FORWARD_PASS_PAGE = "transformer/forward-pass/"
# Boxes whose numbers have another name in the engine
ACTIVATION_OF_BOX = {"rmsnorm": "input", "attention_rmsnorm": "attentionInput"}
ACTIVATION_OF_BOX |= {"attention": "afterAttention", "mlp_rmsnorm": "mlpInput"}
ACTIVATION_OF_BOX |= {"relu": "mlpActivations", "mlp": "output"}


def test_player_obeys_keys_keeps_focus_and_autoplays(open_widget: OpenWidget) -> None:
    widget = open_widget("graph")
    on, count = widget.button("One step on"), widget.find(".count")
    widget.press("To the start")
    widget.press_keys(on, "Enter", "ArrowRight")
    expect(count).to_have_text("2 of 8")
    for key, at in (("End", 8), ("Enter", 8), ("Home", 0)):
        widget.tab.keyboard.press(key)
        expect(count).to_have_text(f"{at} of 8")
        expect(on).to_be_focused()
    widget.press("Play")
    expect(count).to_have_text("8 of 8")
    expect(widget.button("Play")).to_be_visible()


def test_press_before_a_widget_has_loaded_takes_effect(tab: Page, address: str) -> None:
    held_routes: list[Route] = []
    tab.route("**/assets/widget-*.js", lambda route: held_routes.append(route))
    tab.goto(f"{address}attention/scores/")
    button = tab.get_by_role("button", name="untrained")
    with tab.expect_request("**/assets/widget-*.js"):
        button.click()
    expect(button).to_have_attribute("aria-pressed", "false")
    for route in held_routes:
        route.continue_()
    expect(button).to_have_attribute("aria-pressed", "true")


def get_cell_centre(cells: Locator, row: int, column: int) -> Position:
    """Return the position of the centre of a cell in a heat map of 27 × 27."""
    width, height = cells.evaluate("x => [x.clientWidth, x.clientHeight]")
    return {"x": (column + 0.5) * width / 27, "y": (row + 0.5) * height / 27}


def test_heat_map_cell_is_shown_on_hover_click_or_tap(
    open_widget: OpenWidget, open_widget_on_phone: OpenWidget
) -> None:
    widget = open_widget_on_phone("count_table")
    cells = widget.find(".cells")
    cells.tap(position=get_cell_centre(cells, 18, 0))
    expect(widget.find(".cell-count")).to_contain_text("s, then a:")
    widget = open_widget("count_table")
    cells, cell_count = widget.find(".cells"), widget.find(".cell-count")
    cells.hover(position=get_cell_centre(cells, 0, 13))
    expect(cell_count).to_have_text(re.compile("^a, then n: "))
    widget.find(".legend").first.hover()
    expect(cell_count).to_have_text(re.compile("^m, then a: "))
    cells.click(position=get_cell_centre(cells, 4, 12))
    widget.find(".legend").first.hover()
    expect(cell_count).to_have_text(re.compile("^e, then m: "))


def test_every_transformer_box_shows_package_numbers(open_widget: OpenWidget) -> None:
    widget = open_widget("transformer", FORWARD_PASS_PAGE)
    model, tokens = load_model()[0], encode_name("emma")[:4]
    activations = read_tokens(model, 4, tokens)
    [layer] = activations["layers"]
    now = {of: rows[-1] for of, rows in layer.items()}
    wte = [p.data for p in model.weights["wte"][tokens[-1]]]
    wpe = [p.data for p in model.weights["wpe"][3]]
    boxes = {
        "wte": wte,
        "wpe": wpe,
        "sum": [*map(add, wte, wpe)],
        **{of: now[of] for of in ("query", "key", "value")},
        **{f"head{i}": now["headOutputs"][4 * i : 4 * i + 4] for i in range(4)},
        **{box: now[of] for box, of in ACTIVATION_OF_BOX.items()},
        "cache": [x for t in range(4) for x in (*layer["key"][t], *layer["value"][t])],
        "attn_wo": [*map(sub, now["afterAttention"], now["input"])],
        "fc2": [*map(sub, now["output"], now["afterAttention"])],
        "lm_head": activations["logits"][-1],
        "softmax": softmax(activations["logits"][-1]),
    }
    for box in {*BOXES} - {"fc1"}:  # of which ReLU shows a part
        widget.find(f".at-{box}").press("Enter")
        expect(widget.find(f".at-{box}[aria-expanded=true]")).to_be_visible()
        texts = widget.find(".panel .vector-strip .name").all_text_contents()
        shown = [parse_number(text.split()[-1]) for text in texts]
        assert shown == approx(boxes[box], abs=0.0051)


def test_transformer_player_opens_the_boxes_in_order(open_widget: OpenWidget) -> None:
    widget = open_widget("transformer", FORWARD_PASS_PAGE)
    letter = widget.find(".letters [aria-pressed=true]")
    widget.press("To the start")
    for at, box in enumerate(BOXES):
        expect(widget.find(".open")).to_have_class(re.compile(f"at-{box}( |$)"))
        expect(widget.find(".pending")).to_have_count(len(BOXES) - at - 1)
        expect(letter).to_have_text("m")
        widget.press("One step on")
    expect(widget.find(".open, .pending")).to_have_count(0)  # all are computed


def test_slow_python_can_be_stopped_and_retried(
    fresh_context: BrowserContext, address: str
) -> None:
    # In the shared context, Python might already run.
    widget = WidgetPage.open(fresh_context, address, "graph")
    widget.tab.route("**/python_stdlib.zip", lambda route: None)  # never answered
    widget.press("Another expression")
    expect(widget.find(".python-status")).to_have_attribute("data-busy", "false")
    widget.type_text("a = 3; b = a * a", "Expression", enter=False)
    button = widget.find(".python-status button")
    expect(button).to_be_visible()  # before, a press would do nothing
    expect(button).to_have_text("Stop")
    button.press("Enter")
    expect(button).to_have_text("Try again")
    expect(widget.find(".python-status [role=status]")).to_have_text("stopped")
    widget.tab.unroute("**/python_stdlib.zip")
    button.press("Enter")
    expect(button).to_have_attribute("aria-disabled", "true")
    expect(widget.find(".stale")).to_have_count(0)
    expect(widget.find(".caption")).to_contain_text("b is 9")
    expect(button).to_be_focused()
    widget.tab.keyboard.press("Tab")
    expect(button).to_be_hidden()
