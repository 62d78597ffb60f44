"""The heads of attention in a reader's hands: its steps, its cuts, its numbers."""

from __future__ import annotations

import pytest
from playwright.sync_api import BrowserContext, Locator, expect

from tests.site.browsing import LONG, strength
from tests.thorough import thorough
from widgets.heads.model import Heads, heads

# All widgets together are looked at every day.
pytestmark = thorough

PAGE = "transformer/heads-in-code"
# All that each row of the picture shows
ROWS = """rows => rows.map(row => {
  const of = (part, look) => [...row.querySelectorAll(part)].map(look);
  return {
    name: row.dataset.name,
    widths: of(".fill", x => parseFloat(x.style.width) || 0),
    written: of("b", x => x.innerText),
    shades: of(".entry", x => parseFloat(x.style.getPropertyValue("--shade")) || 0),
    below: of(".entry", x => x.classList.contains("below")),
    taken: of(".band", x => x.matches(".taken, .taken *")),
  };
})"""
SINGLE = ("x", "query", "gathered", "output", "returned")


def opened(context: BrowserContext, address: str) -> Locator:
    """Open the page of the widget, and wait until it can be touched."""
    tab = context.new_page()
    tab.goto(f"{address}{PAGE}/")
    figure = tab.locator("[data-widget=heads]")
    figure.scroll_into_view_if_needed()
    expect(figure).to_have_attribute("data-alive", "", timeout=LONG)
    return figure


def rows_of(shown: Heads, position: int, at: int) -> list[tuple[str, list[float]]]:
    """The vectors of the picture from top to bottom, with the numbers that are there."""
    step, now = shown["steps"][at], shown["positions"][position]

    def single(name: str) -> tuple[str, list[float]]:
        return name, now[name] if name in step["holds"] else []  # type: ignore[literal-required]

    def cached(name: str, vectors: list[list[float]]) -> list[tuple[str, list[float]]]:
        count = position + (name.removesuffix("s") in step["holds"])
        return [(name, v if i < count else []) for i, v in enumerate(vectors)]

    done = step["gathered"] // shown["head_dim"]
    weights = [
        [head[i] for head in now["weights"][:done]] if i <= position else []
        for i in range(len(shown["tokens"]))
    ]
    return [
        single("x"),
        single("query"),
        *cached("keys", shown["keys"]),
        *(("weights", each) for each in weights),
        *cached("values", shown["values"]),
        ("gathered", now["gathered"][: step["gathered"]]),
        single("output"),
        single("returned"),
    ]


def limit(shown: Heads, name: str) -> float:
    """The number at which a cell of such a vector is strongest."""
    vectors = (
        [each[name] for each in shown["positions"]]  # type: ignore[literal-required]
        if name in SINGLE
        else shown[name]  # type: ignore[literal-required]
    )
    return max(abs(x) for vector in vectors for x in vector)


def assert_step(figure: Locator, shown: Heads, position: int, at: int) -> None:
    """Line, words and every cell of the picture are Python's at a step."""
    step, now = shown["steps"][at], shown["positions"][position]
    expect(figure.locator(".words")).to_have_text(now["says"][at])
    expect(figure.locator(".count")).to_have_text(f"{at} of {len(shown['steps']) - 1}")
    lit = figure.locator(".code .lit .number").all_inner_texts()
    assert lit == ([str(step["line"])] if step["line"] else [])
    rows = figure.locator("[data-row]").evaluate_all(ROWS)
    expected = rows_of(shown, position, at)
    assert len(rows) == len(expected)
    heads_taken = (
        range(shown["n_head"])
        if step["head"] < 0
        else range(step["head"], step["head"] + 1)
    )
    for row, (name, values) in zip(rows, expected, strict=True):
        assert row["name"] == name
        if name == "weights":
            assert row["widths"] == pytest.approx([100 * w for w in values], abs=0.06)
            assert row["written"] == (
                [f"{w:.2f}" for w in values] if shown["n_head"] <= 8 else []
            )
        else:
            most = limit(shown, name)
            missing = [0] * (16 - len(values))
            expected_shades = [abs(strength(x, most)) for x in values] + missing
            assert row["shades"] == expected_shades, name
            assert row["below"] == [x < 0 for x in values] + [False] * len(missing)
        whole = name in ("x", "output", "returned")
        marked = range(shown["n_head"]) if whole else heads_taken
        takes = name in step["takes"]
        taken = [takes and i in marked for i in range(shown["n_head"])]
        assert row["taken"] == taken, name


def test_attention_is_walked_line_by_line(
    context: BrowserContext, address: str
) -> None:
    figure = opened(context, address)
    shown = heads("emma", 4)
    last = len(shown["steps"]) - 1
    assert_step(figure, shown, 4, last)
    figure.get_by_role("button", name="To the start").press("Enter")
    on = figure.get_by_role("button", name="One step on")
    for at in range(last):
        assert_step(figure, shown, 4, at)
        on.press("Enter")
    expect(on).to_be_focused()
    spoken = figure.locator(".player [role=status]")
    expect(spoken).to_have_text(shown["positions"][4]["says"][last])
    # Another token of the name, at the same line, without Python
    figure.locator("input[type=range]").press("Home")
    for _ in range(9):
        on.press("Enter")
    read = figure.get_by_role("group", name="The token that attention reads")
    for position in (0, 2):
        read.get_by_role("button").nth(position).press("Enter")
        assert_step(figure, shown, position, 9)
    # The theme's search has a worker of its own.
    workers = [worker.url for worker in figure.page.workers]
    assert not [url for url in workers if "/workers/search." not in url]


def test_each_number_can_be_read_by_keys_and_by_mouse(
    context: BrowserContext, address: str
) -> None:
    figure = opened(context, address)
    shown = heads("emma", 4)
    reading, picture = figure.locator(".reading"), figure.locator(".vectors")
    spoken = figure.locator(".picture-of-heads [role=status]")
    now = shown["positions"][4]

    def number(value: float) -> str:
        return f"{value:#.3g}".replace("-", "−")

    figure.locator("[data-name=query] .entry").nth(3).click()
    figure.locator(".words").hover()
    expect(reading).to_contain_text(
        f"number 3, of head 0, is {number(now['query'][3])}"
    )
    picture.press("ArrowUp")
    picture.press("Home")
    expect(reading).to_have_text(f"x: number 0 is {number(now['x'][0])}")
    picture.press("ArrowDown")
    for _ in range(5):
        picture.press("ArrowRight")
    says = f"query: number 5, of head 1, is {number(now['query'][5])}"
    expect(reading).to_have_text(says)
    expect(spoken).to_have_text(says)
    for _ in range(3):
        picture.press("ArrowDown")
    expect(reading).to_have_text(
        "key of m at position 2: number 5, of head 1, is " + number(shown["keys"][2][5])
    )
    for _ in range(5):
        picture.press("ArrowDown")
    picture.press("ArrowRight")
    expect(reading).to_have_text(
        f"attention weight of m at position 2: in head 2 is {now['weights'][2][2]:.3f}"
    )
    picture.press("End")
    for _ in range(10):
        picture.press("ArrowDown")
    expect(reading).to_contain_text("what attention returns: number 15")
    picture.press("ArrowDown")
    expect(figure.locator(".entry.picked")).to_have_count(1)
    # By mouse: passing over reads, pressing keeps
    row = figure.locator("[data-name=gathered] .entry")
    row.nth(9).hover()
    says = f"gathered: number 9, of head 2, is {number(now['gathered'][9])}"
    expect(reading).to_have_text(says)
    row.nth(9).click()
    figure.locator(".words").hover()
    expect(reading).to_have_text(says)
    figure.get_by_role("button", name="To the start").click()
    expect(reading).to_have_text("gathered: number 9, of head 2, is not there yet")


def test_other_cuts_and_names_come_from_python_and_nonsense_is_refused(
    context: BrowserContext, address: str
) -> None:
    figure = opened(context, address)
    before = heads("emma", 4)
    field = figure.get_by_label("A name", exact=True)
    refusal = figure.locator(".refusal")
    field.fill("e mma")
    expect(refusal).to_contain_text("does not know the character ' '", timeout=LONG)
    assert_step(figure, before, 4, len(before["steps"]) - 1)
    field.fill("annabella")
    expect(refusal).to_have_text("type at most 8 letters: this has 9")
    field.fill("kylie")
    group = figure.get_by_role("group", name="Number of heads")
    for n_head in (1, 16):
        group.get_by_role("button", name=str(n_head), exact=True).click()
        shown = heads("kylie", n_head)
        last = len(shown["steps"]) - 1
        expect(figure.locator(".count")).to_have_text(f"{last} of {last}", timeout=LONG)
        expect(figure.locator(".words")).to_have_text(shown["positions"][5]["says"][-1])
        expect(figure.locator(".stale")).to_have_count(0)
        assert_step(figure, shown, 5, last)
    expect(refusal).to_have_text("")
    scale = figure.locator("input[type=range]")
    scale.press("Home")
    for _ in range(14):
        scale.press("ArrowRight")
    assert_step(figure, heads("kylie", 16), 5, 14)
