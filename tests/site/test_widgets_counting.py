"""Names, tokens, counts and probabilities in a reader's hands: they are Python's."""

from __future__ import annotations

import math
import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, expect
from weave.widgets import read_widget

from tests.promises.site import ROOT
from tests.site.browsing import LONG, PHONE, shades, strengths
from tests.thorough import thorough
from weave.page import read_page
from widgets.count_table.model import model as count_table_
from widgets.dataset.model import model as dataset_
from widgets.next_letter.model import model as next_letter_
from widgets.tokens.model import model as tokens_

# All widgets together are looked at every day.
pytestmark = thorough

PAGES = {
    "dataset": "counting/dataset",
    "tokens": "counting/tokens",
    "count_table": "counting/counts",
    "next_letter": "counting/probabilities",
}


def opened(context: BrowserContext, address: str, name: str) -> Locator:
    """Open the page of a widget, and wait until it can be touched."""
    tab = context.new_page()
    tab.goto(f"{address}{PAGES[name]}/")
    figure = tab.locator(f"[data-widget={name}]")
    figure.scroll_into_view_if_needed()
    expect(figure).to_have_attribute("data-alive", "")
    return figure


def parameters(name: str) -> dict[str, Any]:
    """What the page says the widget begins with."""
    path = Path("docs", f"{PAGES[name]}.md")
    page = read_page(path, (ROOT / path).read_text(encoding="utf-8"))
    fences = (fence for fence in page.fences if fence.language == "widget")
    return next(
        widget.parameters
        for widget in (read_widget(page, fence) for fence in fences)
        if widget.name == name
    )


count_table = cache(count_table_.count_table)
next_letter = cache(next_letter_.next_letter)


def field(figure: Locator) -> Locator:
    return figure.locator("input[type=text]")


def assert_found(figure: Locator, result: dataset_.Dataset) -> None:
    """The search shows what Python found."""
    expect(figure.locator(".says")).to_have_text(result["says"])
    expect(figure.locator("ul.examples li")).to_have_text(result["examples"])
    lengths = "; ".join(
        f"{x['letters']} letters: {x['found']} of {x['all']:,}"
        for x in result["lengths"]
    )
    expect(figure.locator(".lengths")).to_have_attribute(
        "aria-label", f"Lengths of the names found. {lengths}"
    )
    for row, length in zip(
        figure.locator(".length").all(), result["lengths"], strict=True
    ):
        expect(row.locator(".letters")).to_have_text(str(length["letters"]))
        expect(row.locator(".count")).to_have_text(str(length["found"] or ""))
        high = [
            row.locator(one).evaluate("x => x.getBoundingClientRect().height")
            for one in (".found", ".all")
        ]
        shares = length["share"], length["share_of_all"]
        assert high[0] * shares[1] == pytest.approx(high[1] * shares[0], abs=1)


def test_pieces_of_names_are_searched_by_keyboard(
    context: BrowserContext, address: str
) -> None:
    figure = opened(context, address, "dataset")
    given = parameters("dataset")
    assert_found(figure, dataset_.dataset(**given))
    field(figure).fill("Na ")
    field(figure).press("Enter")
    assert_found(figure, dataset_.dataset("na", "anywhere"))
    expect(figure.locator("mark").first).to_have_text("na")
    field(figure).press("Tab")
    for where, name in (("start", "at the start"), ("end", "at the end")):
        figure.page.keyboard.press("Tab")
        button = figure.get_by_role("button", name=name)
        expect(button).to_be_focused()
        figure.page.keyboard.press("Enter")
        assert_found(figure, dataset_.dataset("na", where))  # type: ignore[arg-type]
        expect(button).to_have_attribute("aria-pressed", "true")
    field(figure).fill("a")
    found = dataset_.dataset("a", "end")
    assert_found(figure, found)
    assert any("a" in name[:-1] for name in found["examples"])
    marked = figure.locator("ul.examples li").evaluate_all(
        "all => all.map(x => x.innerHTML)"
    )
    assert marked == [f"{name[:-1]}<mark>a</mark>" for name in found["examples"]]
    field(figure).fill("na")
    field(figure).press("Enter")
    assert_found(figure, dataset_.dataset("na", "end"))
    field(figure).fill("zoë")
    expect(figure.locator(".refusal")).to_have_text(
        "no name has the character 'ë': type letters from a to z"
    )
    assert_found(figure, dataset_.dataset("na", "end"))
    expect(figure.locator(".answer")).to_have_class(re.compile("stale"))
    field(figure).fill("xq")
    assert_found(figure, dataset_.dataset("xq", "end"))
    expect(figure.locator(".refusal")).to_have_text("")
    expect(figure.locator(".answer")).not_to_have_class(re.compile("stale"))


def chips(figure: Locator, within: str) -> list[tuple[str, int]]:
    shown = figure.locator(f"{within} .chip")
    names = shown.locator(".name").all_inner_texts()
    numbers = shown.locator(".number").all_inner_texts()
    return list(zip(names, map(int, numbers), strict=True))


def assert_tokens(figure: Locator, name: str) -> None:
    """The chips are the tokens of a name, and the pairs its questions."""
    result = tokens_.tokens(name)
    expect(figure.locator(".title [role=status]")).to_have_text(result["says"])
    expect(figure.locator(".answer")).not_to_have_class(re.compile("stale"))
    title = figure.locator(".answer .title").first
    expect(title).to_have_text(f"document(“{name}”): {result['says']}")
    document = [(one["name"], one["token"]) for one in result["document"]]
    assert chips(figure, ".document") == document
    pairs = [pair[end] for pair in result["pairs"] for end in ("question", "answer")]  # type: ignore[literal-required]
    assert chips(figure, ".pairs") == [(one["name"], one["token"]) for one in pairs]


def test_a_typed_name_becomes_tokens_and_questions(
    context: BrowserContext, address: str
) -> None:
    figure = opened(context, address, "tokens")
    assert_tokens(figure, parameters("tokens")["name"])
    field(figure).fill("olivia")
    assert_tokens(figure, "olivia")
    for nonsense, says in (
        ("zoë", "the tokenizer does not know the character 'ë'"),
        ("x" * 30, "type at most 24 letters: this has 30"),
        ("<b>", "the tokenizer does not know the character '<'"),
    ):
        field(figure).fill(nonsense)
        expect(figure.locator(".refusal")).to_contain_text(says)
        expect(figure.locator(".answer")).to_have_class(re.compile("stale"))
        expect(figure.locator(".title [role=status]")).to_contain_text("6 letters")
    field(figure).fill("")
    field(figure).press("Enter")
    assert_tokens(figure, "")
    figure.get_by_role("button", name="Zoe").press("Enter")
    expect(figure.locator(".refusal")).to_contain_text("type 'zoe', in small letters")


def assert_table(
    figure: Locator, result: count_table_.CountTable, size: int, cell: str
) -> None:
    """The map has a colour where Python counted, and the cell its count."""
    table = next(t for t in result["tables"] if t["names"] == size)
    tokens = result["tokens"]
    name, follower = cell.split()
    token, target = tokens.index(name), tokens.index(follower)
    count = table["counts"][token][target]
    times = {0: "never", 1: "once"}.get(count, f"{count:,} times")
    expect(figure.locator(".what")).to_have_text(f"{name}, then {follower}: {times}")
    names = "1 name" if size == 1 else f"{size:,} names"
    expect(figure.locator(".verdict")).to_have_text(
        f"{names}, {table['pairs']:,} pairs; {table['zeros']} of the 729 cells are 0."
    )
    largest = max(map(max, table["counts"]))
    values = [[float(count) for count in row] for row in table["counts"]]
    assert shades(figure) == strengths(values, largest, math.log1p)
    middle = math.floor(math.sqrt(1 + largest) - 1 + 0.5)
    ends = [f"{end:,}" for end in (0, middle, largest)]
    expect(figure.locator(".legend .ends span")).to_have_text(ends)
    expect(figure.locator(".axes span")).to_have_text(
        ["↓ the token that came", "→ the token that came next"]
    )
    examples = [
        result["names"][place]
        for place in result["examples"][token][target]
        if result["orders"][place] < size
    ]
    expect(figure.locator(".filled .name")).to_have_text(examples)
    row = table["counts"][token]
    most = sorted(range(27), key=lambda i: (-row[i], i))[:6]
    followers = [f"{tokens[i]}\u00a0{row[i]:,}" for i in most if row[i] > 0]
    listed = figure.locator(".row").inner_text()
    assert re.findall(r"\w+\u00a0[\d,]*\d", listed) == followers
    more = len(row) - row.count(0) - 6
    rest = re.findall(r"and (\d+) others, none more often", listed)
    assert rest == [str(more)] * (more > 0)


def at_a_glance(result: count_table_.CountTable, names: int) -> str:
    """Say what a map of the table shows to who sees it: its size and its extremes."""
    tokens = result["tokens"]
    table = next(t for t in result["tables"] if t["names"] == names)
    most = max(map(max, table["counts"]))
    cells = [
        (a, b)
        for a, row in zip(tokens, table["counts"], strict=True)
        for b, count in zip(tokens, row, strict=True)
        if count == most
    ]
    largest = f"{most:,}, in {len(cells)} cells"
    if len(cells) == 1:
        largest = "{0:,}: {1}, then {2}: {0:,} times".format(most, *cells[0])
    zeros = f"0, in {table['zeros']} cells"
    return f"27 rows, 27 columns; smallest {zeros}; largest {largest}"


def test_any_cell_of_the_table_is_reached_by_keyboard(
    context: BrowserContext, address: str
) -> None:
    figure = opened(context, address, "count_table")
    result = count_table(**parameters("count_table"))
    assert_table(figure, result, 1000, "m a")
    cells = figure.locator(".cells")
    cells.focus()
    for key, cell in (
        ("ArrowDown", "n a"),
        ("ArrowRight", "n b"),
        ("ArrowUp", "m b"),
        ("ArrowLeft", "m a"),
        ("ArrowLeft", "m a"),
        ("End", "m BOS"),
        ("ArrowRight", "m BOS"),
        ("Home", "m a"),
    ):
        cells.press(key)
        assert_table(figure, result, 1000, cell)
    cells.press("ArrowDown")
    said = figure.locator(".heat-map [role=status]")
    counts = next(t for t in result["tables"] if t["names"] == 1000)["counts"]
    expect(said).to_have_text(f"n, then a: {counts[13][0]} times")
    for size, button in ((1, "1 name"), (10, "10"), (5676, "all 5,676")):
        figure.get_by_role("button", name=button, exact=True).press("Enter")
        assert_table(figure, result, size, "n a")
        expect(cells).to_have_attribute("aria-description", at_a_glance(result, size))


def test_a_row_is_chosen_by_its_letter_and_shows_what_follows_most_often(
    context: BrowserContext, address: str
) -> None:
    figure = opened(context, address, "count_table")
    result = count_table(**parameters("count_table"))
    group = figure.get_by_role("radiogroup", name="Row: the token that came")
    group.get_by_role("radio", name="m", exact=True).press("q")
    expect(group.get_by_role("radio", name="q", exact=True)).to_be_focused()
    assert_table(figure, result, 1000, "q u")
    figure.page.keyboard.press("End")
    expect(group.get_by_role("radio", name="BOS")).to_be_checked()
    first = figure.locator(".what strong").last.inner_text()
    row = next(t for t in result["tables"] if t["names"] == 1000)["counts"][26]
    assert row[result["tokens"].index(first)] == max(row)
    figure.page.keyboard.press("ArrowLeft")
    expect(group.get_by_role("radio", name="z", exact=True)).to_be_checked()
    again = figure.get_by_role("button", name="shuffle again")
    again.press("Enter")
    other = count_table(parameters("count_table")["seed"] + 1)
    zeros = next(t for t in other["tables"] if t["names"] == 1000)["zeros"]
    expect(figure.locator(".verdict")).to_contain_text(f"{zeros} of the 729 cells")
    cell = " ".join(figure.locator(".what strong").all_inner_texts())
    assert_table(figure, other, 1000, cell)


def middle(figure: Locator, row: int, column: int) -> dict[str, float]:
    """Return where a cell is, from the corner of the map."""
    box = figure.locator(".cells").bounding_box()
    assert box is not None
    x = box["width"] * (column + 0.5) / 27
    return {"x": x, "y": box["height"] * (row + 0.5) / 27}


def test_a_mouse_looks_and_a_press_stays(context: BrowserContext, address: str) -> None:
    figure = opened(context, address, "count_table")
    result = count_table(**parameters("count_table"))
    cells = figure.locator(".cells")
    cells.hover(position=middle(figure, 0, 13))  # type: ignore[arg-type]
    assert_table(figure, result, 1000, "a n")
    figure.locator(".legend").first.hover()
    assert_table(figure, result, 1000, "m a")
    cells.click(position=middle(figure, 4, 12))  # type: ignore[arg-type]
    figure.locator(".legend").first.hover()
    assert_table(figure, result, 1000, "e m")
    assert figure.locator(".names.down .at").inner_text() == "e"
    assert figure.locator(".names.across .at").inner_text() == "m"


def test_a_finger_picks_a_cell(browser: Browser, address: str) -> None:
    context = browser.new_context(viewport=PHONE, has_touch=True, is_mobile=True)
    context.set_default_timeout(LONG)
    figure = opened(context, address, "count_table")
    figure.locator(".cells").tap(position=middle(figure, 18, 0))  # type: ignore[arg-type]
    assert_table(figure, count_table(**parameters("count_table")), 1000, "s a")
    context.close()


def percent(p: float) -> str:
    if p == 0:
        return "0"
    return "<0.1 %" if p < 0.0005 else f"{100 * p:.1f} %"


def assert_row(figure: Locator, smoothing: float, names: int, pair: str) -> None:
    """The bars are the probabilities after a token, and the formula gives one of them."""
    result = next_letter(smoothing, names)
    tokens = result["tokens"]
    name, follower = pair.split()
    token, target = tokens.index(name), tokens.index(follower)
    row = result["rows"][token]
    counts, sum_ = result["counts"][token], result["sums"][token]
    formula = figure.locator(".formula")
    expect(formula).to_contain_text(
        f"{name}, then {follower}: ({counts[target]:,} + {smoothing:,}) / "
        f"({sum_:,} + 27 × {smoothing:,}) = "
    )
    values = figure.locator(".bars .value").all_inner_texts()
    impossible = figure.locator(".bars .none .name").all_inner_texts()
    if not row:
        assert values == ["–"] * 27
        assert impossible == []
        return
    for shown, p in zip(values, row, strict=True):
        if shown != percent(p):  # rounded from five digits, or from all
            assert float(shown.split()[0]) == pytest.approx(100 * p, abs=0.06)
    assert impossible == [t for t, p in zip(tokens, row, strict=True) if p == 0]
    shown = float(formula.inner_text().split("=")[1])
    assert shown == pytest.approx(row[target], rel=0.005)
    wide = figure.locator(".bars .fill").evaluate_all(
        "all => all.map(x => parseFloat(x.style.width))"
    )
    full = float(figure.locator(".note").inner_text().split()[4]) / 100
    assert full >= max(row)
    assert wide == pytest.approx([100 * p / full for p in row], abs=0.1)


def slide(figure: Locator, label: str, *keys: str) -> None:
    slider = figure.get_by_label(label, exact=False).and_(
        figure.locator("input[type=range]")
    )
    for key in keys:
        slider.press(key)


def test_smoothing_and_the_number_of_names_change_the_row(
    context: BrowserContext, address: str
) -> None:
    figure = opened(context, address, "next_letter")
    assert parameters("next_letter") == {"smoothing": 1, "names": 1000}
    assert_row(figure, 1, 1000, "q u")
    expect(figure.locator(".says")).to_have_text(
        "After 1,000 names, q has come 8 times. 23 of the 27 tokens have not followed "
        "it; each of them gets 2.9 %."
    )
    slide(figure, "smoothing", "Home")
    assert_row(figure, 0, 1000, "q u")
    expect(figure.locator(".says")).to_contain_text(
        "23 of the 27 tokens have not followed it, and so are impossible."
    )
    slide(figure, "names", "Home")
    assert_row(figure, 0, 0, "q u")
    expect(figure.locator(".says")).to_contain_text("0 divided by 0 is no probability")
    slide(figure, "smoothing", "End")
    assert_row(figure, 1000, 0, "q u")
    slide(figure, "names", "End")
    assert_row(figure, 1000, 5676, "q u")
    slide(figure, "smoothing", "Home", "ArrowRight")
    assert_row(figure, 0.01, 5676, "q u")


def test_any_token_and_any_follower_can_be_picked_without_python(
    newcomer: BrowserContext, address: str
) -> None:
    figure = opened(newcomer, address, "next_letter")
    figure.page.route("**/pyodide*/**", lambda route: route.abort())
    came = figure.get_by_role("radiogroup", name="The token that came")
    came.get_by_role("radio", name="q", exact=True).press("a")
    assert_row(figure, 1, 1000, "a u")
    bars = figure.get_by_role("radiogroup", name="What comes after a")
    bars.get_by_role("radio").nth(20).press("ArrowDown")
    assert_row(figure, 1, 1000, "a v")
    expect(bars.get_by_role("radio").nth(21)).to_be_focused()
    bars.get_by_role("radio").nth(13).check()
    assert_row(figure, 1, 1000, "a n")
    came.get_by_role("radio", name="BOS").check()
    assert_row(figure, 1, 1000, "BOS n")
