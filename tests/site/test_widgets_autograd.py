"""What readers see in the graph of autograd is what Python computes."""

import json
import re
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import parse_qs, quote, urlsplit

import pytest
from playwright.sync_api import BrowserContext, expect

from microgpt.autograd import topological_order
from microgpt.cli.expression import evaluate
from tests.site import see
from tests.site.browsing import PHONE, TOO_WIDE
from tests.site.figure import Figure, Open
from tests.site.see import Seen
from tests.thorough import thorough
from widgets._drawing import short
from widgets.graph.model import graph

# All widgets together are looked at every day.
pytestmark = thorough

RECORDING, BACKWARD = "autograd/recording/", "autograd/backward/"
ORDER, ONE_NODE = "autograd/order/", "efficiency/one-node/"
FIRST = "a = 2; b = 3; c = a + b; d = c * a"
DOUBLED = "a = 1; b = a + a; c = b + b"
EXPRESSIONS = (
    "x = 1; y = log(1 + exp(x))",
    "a = 2; b = a ** 3 / 4 - 1",
    "2 * -3 + 4 ** 2",
    FIRST,
)
DATA, GRAD = ".node .data .value", ".node .gradient .value"
PARTS = """all => all.map(part => {
  const {x, y, width, height} = part.getBoundingClientRect();
  const frame = part.ownerSVGElement.getBoundingClientRect();
  return [x - frame.x, y - frame.y, width, height].map(Math.round);
})"""


def computed(expression: str) -> Seen:
    """What the boxes of a graph should show at the end, in the package's own order."""
    output, _ = evaluate(expression)
    output.backward()
    nodes = topological_order(output)
    return {
        DATA: [short(node.data) for node in nodes],
        GRAD: [short(node.grad) for node in nodes],
    }


def steps_of(play: Any, name: str, fine: bool = False) -> Iterator[Seen]:
    """What is to be seen at each step of a play."""
    (walk,) = (each for each in play["walks"] if each["name"] == name)
    steps = [step for step in walk["steps"] if fine or step["main"]]
    for at, step in enumerate(steps):
        there = [since <= at for since in play["since"]]
        grads = [g if exists else "" for g, exists in zip(step["grads"], there)]
        if step["addend"]:
            grads[step["node"]] += f" {step['addend']}"
        for node, right in walk["wrong"].items() if step is steps[-1] else ():
            grads[int(node)] += f", should be {right}"
        labels = [
            edge["local_grad"] if there[edge["target"]] else ""
            for edge in play["edges"]
        ]
        for edge in step["edges"]:
            labels[edge] = step["product"] or labels[edge]
        yield {
            DATA: [
                node["data"] if exists else ""
                for node, exists in zip(play["nodes"], there)
            ],
            GRAD: grads,
            ".edge text": labels,
            ".says > span:first-child": step["says"],
            see.count(".edge.strong"): len(step["edges"]),
            see.count(".says.astray"): int(
                step["astray"] or (step is steps[-1] and walk["wrong"] != {})
            ),
        }


def address_of(figure: Figure) -> dict[str, str]:
    """What the page's address says of the graph, once it has been written."""
    figure.tab.wait_for_timeout(600)
    return {k: v[0] for k, v in parse_qs(urlsplit(figure.tab.url).query).items()}


def test_a_graph_plays_forward_and_back_and_nothing_moves(open_figure: Open) -> None:
    figure = open_figure("graph", RECORDING)
    play: Any = graph(FIRST)["steps"]
    steps = list(steps_of(play, "in order"))
    figure.shows(steps[2])  # as the page has it: all values, no gradient yet
    shapes = figure.find(".picture .box, .picture .line")
    before, height = shapes.evaluate_all(PARTS), figure.height()
    figure.walks(steps)
    figure.shows(computed(FIRST))
    assert shapes.evaluate_all(PARTS) == before, "the layout moved"
    assert figure.height() == height
    expect(figure.find(".player [role=status]")).to_have_text(
        str(steps[-1][".says > span:first-child"])
    )
    figure.slide("", 1)
    figure.shows(steps[1])
    figure.choose("Speed", "250")
    figure.press("Play")
    expect(figure.find(".count")).to_have_text("8 of 8")
    figure.shows(steps[-1])
    assert not figure.asked_python()


def test_a_pulse_travels_unless_motion_is_unwanted(open_figure: Open) -> None:
    figure = open_figure("graph", RECORDING)
    running = (
        "document.getAnimations().filter(a => a.animationName === 'travel').length"
    )
    figure.press("To the start", "One step on")
    assert figure.tab.evaluate(running) == 2
    figure.tab.emulate_media(reduced_motion="reduce")
    figure.press("One step on")
    figure.shows({see.count(".pulse"): 2})
    assert figure.tab.evaluate(running) == 0


def test_numbers_are_moved_and_the_play_stays_where_it_is(open_figure: Open) -> None:
    figure = open_figure("graph", RECORDING)
    figure.press("One step on", "One step on", "One step on", "One step on")
    figure.shows({".count": "6 of 8"})
    figure.press("Change the numbers")
    story = figure.find(".story")
    expect(story).to_contain_text("if a rises by 0.1, d rises by about 0.7.Tried:")
    figure.slider("b").focus()
    expect(story).to_contain_text("b is 3, an input.")
    shapes = figure.find(".picture .box, .picture .line")
    before = shapes.evaluate_all(PARTS)
    figure.slide("b", "Home")
    moved = "a = 2; b = -5; c = a + b; d = c * a"
    figure.shows(list(steps_of(graph(moved)["steps"], "in order"))[6])
    figure.shows({".count": "6 of 8"})
    assert shapes.evaluate_all(PARTS) == before, "the layout moved"
    assert address_of(figure) == {
        "graph.expression": moved,
        "graph.open": "numbers",
        "graph.at": "6",
    }


def test_an_input_can_leave_the_domain_and_come_back(open_figure: Open) -> None:
    figure = open_figure("graph", RECORDING)
    for text, after in (
        ("2 ** 2 + 1", "(-5) ** 2 + 1"),  # a power keeps its meaning
        ("x = 2; y = log(x)", None),
    ):
        figure.press("Another expression")
        figure.type(text, "Expression")
        figure.shows(computed(text))
        figure.press("Change the numbers")
        figure.slide(text[0], "Home")
        if after:
            figure.shows(computed(after))
            continue
        figure.refuses("not a finite number")
        expect(figure.slider("x")).to_be_enabled()
        figure.slide("x", "End")
        figure.shows({**computed("x = 5; y = log(x)"), see.count(".refusal"): 0})


def test_another_expression_is_played_and_a_wrong_one_refused(
    open_figure: Open,
) -> None:
    figure = open_figure("graph", RECORDING)
    figure.press("Another expression")
    for expression in EXPRESSIONS:
        figure.type(expression, "Expression")
        figure.shows(computed(expression))
    figure.press("doubled, doubled")
    play: Any = graph(DOUBLED)["steps"]
    figure.shows(computed(DOUBLED))
    figure.walks(steps_of(play, "in order"))
    figure.type("a = 2; b = a + foo", "Expression")
    figure.shows({GRAD: computed(DOUBLED)[GRAD]}, refusal="foo has no value")
    figure.press("Another expression")
    figure.refuses("foo has no value")  # also with the field away


def test_line_by_line_the_listing_is_lit_and_lists_grow(open_figure: Open) -> None:
    figure = open_figure("graph", BACKWARD)
    shown: Any = graph(FIRST)
    figure.shows({".count": "3 of 8"})
    figure.press("Line by line")
    fine = shown["steps"]["walks"][0]["steps"]
    figure.shows(
        {".count": f"3 of {len(fine) - 1}", **see.listing(fine[3], shown["functions"])}
    )
    names = shown["steps"]["names"]
    on = figure.button("One step on")
    on.focus()
    for step, seen in list(zip(fine, steps_of(shown["steps"], "in order", True)))[4:]:
        figure.tab.keyboard.press("Enter")
        chips = [
            names[node]
            for name in ("path", "seen", "order")
            for node in step["lists"].get(name, [])
        ]
        figure.shows({**seen, **see.listing(step), ".chip:not(.empty)": chips})
    listed = figure.tab.locator("#listing-value-backward [data-linenos]").last
    last = (listed.get_attribute("data-linenos") or "").strip()
    assert last in {str(step["line"]) for step in fine}
    # Without the lines it stays at the same number.
    figure.slide("", 41)
    figure.press("Line by line")
    figure.shows({".count": "6 of 8", see.count(".code"): 0})


def test_walks_without_an_order_end_with_wrong_gradients(open_figure: Open) -> None:
    figure = open_figure("graph", ORDER)
    play: Any = graph(**figure.given)["steps"]
    expect(figure.button("edge by edge")).to_have_attribute("aria-pressed", "true")
    for name, end in (
        ("edge by edge", "6, should be 4"),
        ("node by node", "8, should be 4"),
        ("in order", "4"),
    ):
        figure.press(name)
        seen = list(steps_of(play, name))
        figure.shows({**seen[-1], see.count(".row.wrong"): int(end != "4")})
        assert figure.read(GRAD)[0] == end
        figure.walks(seen)
    assert not figure.asked_python()
    figure.press("edge by edge", "Without an order")  # its panel closes
    figure.shows({GRAD: ["4", "2", "1"], see.count(".astray"): 0})
    figure.press("Another expression")
    figure.type(f"{DOUBLED}; d = c + c; e = d + d; f = e + e", "Expression")
    figure.shows({DATA: ["1", "2", "4", "8", "16", "32"]})
    figure.press("Without an order")
    figure.shows({".says > span:first-child": see.containing("62 additions")})


def test_a_sum_of_products_becomes_one_node_and_falls_apart(open_figure: Open) -> None:
    figure = open_figure("graph", ONE_NODE)
    shown: Any = graph(**figure.given)
    figure.shows({".saved": shown["saved"], see.count(".node"): 5})
    figure.walks(steps_of_dots(shown["dots"]))
    figure.press("One node per product")
    figure.shows({**computed(figure.given["expression"]), see.count(".saved"): 0})
    assert not figure.asked_python()
    figure.press("Another expression", "used twice")
    figure.shows(computed(FIRST))
    expect(figure.find(".more")).not_to_contain_text("One node per product")


def steps_of_dots(play: Any) -> Iterator[Seen]:
    """The same, but for the order in which the arrows stand in the picture."""
    for seen in steps_of(play, "in order"):
        del seen[".edge text"]
        yield seen


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
    figure.shows({see.count(".node[tabindex='0']"): 1})
    figure.find(".node").nth(3).focus()
    expect(figure.find(".story")).to_contain_text("The result")
    figure.tab.keyboard.press("ArrowUp")
    expect(figure.find(".story")).to_contain_text("c = a + b")
    expect(figure.find(".node.picked .title")).to_have_text("c")


def test_the_address_keeps_how_the_graph_stands(
    open_figure: Open, context: BrowserContext, address: str
) -> None:
    figure = open_figure("graph", RECORDING)
    assert address_of(figure) == {}
    figure.press("Line by line", "One step on")
    assert address_of(figure) == {"graph.open": "lines", "graph.at": "3"}
    typed = "a = 1; b = a + a; c = b * b"
    query = f"?graph.expression={quote(typed)}&graph.open=walks&graph.at=7"
    figure = Figure.open(context, address, "graph", f"{RECORDING}{query}")
    figure.shows(list(steps_of(graph(typed)["steps"], "edge by edge"))[7])
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
        "graph.expression": [typed],
        "graph.open": ["walks"],
        "graph.walk": ["node by node"],
        "graph.at": ["end"],
    }


@pytest.mark.parametrize(
    ("query", "refusal"),
    [
        ("graph.open=drawer&graph.walk=sideways&graph.at=-3", ""),
        ("graph.at=9999&graph.open=walks&graph.walk=constructor", ""),
        ("graph.expression=a%20%3D%202%3B%20a%20%2B", "invalid syntax"),
        ("graph.expression=%3Cimg%20src%3Dx%3E&graph.open=numbers", "invalid syntax"),
    ],
)
def test_nonsense_in_the_address_is_passed_over_or_refused(
    context: BrowserContext, address: str, query: str, refusal: str
) -> None:
    figure = Figure.open(context, address, "graph", f"{RECORDING}?{query}")
    figure.shows({DATA: computed(FIRST)[DATA]}, refusal=refusal or None)
    figure.press("To the start")
    figure.shows({".count": "0 of 8"}, refusal=refusal or None)
    if "walks" in query:
        expect(figure.button("edge by edge")).to_have_attribute("aria-pressed", "true")


def test_two_graphs_on_a_page_stand_for_themselves(
    context: BrowserContext, address: str
) -> None:
    """A page that has its graph twice: each keeps its state under a name."""
    tab = context.new_page()

    def doubled(route: Any) -> None:
        html = route.fetch().text()
        start = html.index('<figure class="widget graph"')
        end = html.index("</figure>", start) + len("</figure>")
        body = html[:end] + html[start:end] + html[end:]
        route.fulfill(body=body, content_type="text/html")

    tab.route(f"**/{RECORDING}*", doubled)
    tab.goto(f"{address}{RECORDING}?graph.at=4&graph2.at=6&graph2.open=lines")
    counts = []
    for figure in tab.locator(".widget.graph").all():
        figure.scroll_into_view_if_needed()
        expect(figure).to_have_attribute("data-alive", "")
        counts.append(figure.locator(".count"))
    expect(counts[0]).to_have_text("4 of 8")
    expect(counts[1]).to_contain_text("6 of 4")
    tab.locator(".widget.graph").last.get_by_role("button", name="To the start").click()
    tab.wait_for_timeout(600)
    assert parse_qs(urlsplit(tab.url).query) == {
        "graph.at": ["4"],
        "graph2.at": ["0"],
        "graph2.open": ["lines"],
    }
    ids = tab.locator("[id]").evaluate_all("all => all.map(each => each.id)")
    assert len(set(ids)) == len(ids), json.dumps(ids)


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
