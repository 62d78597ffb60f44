"""Attention in a reader's hands: its matrices, and the sum behind each number."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Locator, expect
from weave.widgets import read_widget

from tests.promises.site import ROOT
from tests.site.browsing import LONG, shades, strengths
from tests.thorough import thorough
from weave.page import read_page
from widgets.attention.model import Attention, AttentionHead, attention

# All widgets together are looked at every day.
pytestmark = thorough

PAGE = "attention/scores"
MAPS = ["scores", "weights", "outputs"]
PROGRAMS = {"step3": "Step 3", "step6": "the whole model"}


def opened(context: BrowserContext, address: str) -> Locator:
    """Open the page of the widget, and wait until it can be touched."""
    tab = context.new_page()
    tab.goto(f"{address}{PAGE}/")
    figure = tab.locator("[data-widget=attention]")
    figure.scroll_into_view_if_needed()
    expect(figure).to_have_attribute("data-alive", "", timeout=LONG)
    return figure


def given() -> dict[str, Any]:
    """What the page says the widget begins with."""
    path = Path("docs", f"{PAGE}.md")
    page = read_page(path, (ROOT / path).read_text(encoding="utf-8"))
    (fence,) = (fence for fence in page.fences if fence.language == "widget")
    return read_widget(page, fence).parameters


def heads(seen: Attention, program: str, weights: str) -> list[AttentionHead]:
    (model,) = (
        model
        for model in seen["models"]
        if (model["program"], model["weights"]) == (program, weights)
    )
    return model["heads"]


def choose(figure: Locator, program: str, weights: str, head: int) -> None:
    for group, name in (("Model", PROGRAMS[program]), ("Weights", weights)):
        buttons = figure.get_by_role("group", name=group)
        buttons.get_by_role("button", name=name, exact=True).click()
    figure.get_by_role("group", name="Head").get_by_role("button").nth(head).click()


def cells(figure: Locator, name: str) -> Locator:
    return figure.locator(".map").nth(MAPS.index(name)).locator(".cells")


def click(
    figure: Locator, name: str, row: int, column: int, shape: tuple[int, int]
) -> None:
    """Press on the middle of a cell of a matrix with so many rows and columns."""
    target = cells(figure, name)
    box = target.bounding_box()
    assert box is not None
    rows, columns = shape
    x = (column + 0.5) * box["width"] / columns
    y = (row + 0.5) * box["height"] / rows
    target.click(position={"x": x, "y": y})


def number(text: str) -> float:
    return float(text.strip().lstrip("×").replace("−", "-"))


def table(figure: Locator, part: str) -> list[list[str]]:
    """Return the texts of the numbers in each row of the table."""
    texts: list[list[str]] = figure.locator(f".row {part} tr").evaluate_all(
        "all => all.map(x => [...x.querySelectorAll('td')].map(y => y.textContent))"
    )
    return texts


def called(seen: Attention, place: int) -> str:
    return f"{seen['tokens'][place]} ({place})"


def assert_matrices(
    figure: Locator, seen: Attention, program: str, weights: str, index: int
) -> None:
    """Each cell of each matrix is as strong as Python's number, and no others exist."""
    head = heads(seen, program, weights)[index]
    both = [
        each
        for state in ("untrained", "trained")
        for each in heads(seen, program, state)
    ]
    limits = {
        name: max(abs(x) for each in both for row in each[name] for x in row)
        for name in ("scores", "outputs")
    }
    for name in MAPS:
        values = head[name]  # type: ignore[literal-required]
        expected = strengths(values, limits.get(name, 1.0))
        assert shades(figure.locator(".map").nth(MAPS.index(name))) == expected, name
    edge = [
        point
        for row, values in enumerate(head["weights"])
        for point in (f"{len(values)} {row}", f"{len(values)} {row + 1}")
    ]
    corners = ",".join(["0 0", *edge, f"0 {len(edge) // 2}"])
    stairs = figure.locator("polygon.exists")
    one = len(head["weights"]) == 1
    assert stairs.evaluate_all("all => all.map(x => x.getAttribute('points'))") == (
        [] if one else [corners, corners]
    )


def assert_sums(
    figure: Locator,
    seen: Attention,
    head: AttentionHead,
    row: int,
    key: int,
    index: int,
) -> None:
    """Products, sums, shares and the average are Python's."""
    query, answer = head["queries"][row], head["keys"][key]
    lines = figure.locator(".products li").evaluate_all(
        "all => all.map(x => [...x.children].map(y => y.textContent))"
    )
    assert [number(line[0]) for line in lines] == query
    assert [number(line[1]) for line in lines] == answer
    products = [q * k for q, k in zip(query, answer, strict=True)]
    assert [number(line[2]) for line in lines] == pytest.approx(products, abs=0.00051)
    expect(figure.locator(".products .what")).to_have_text(
        f"query of {called(seen, row)} × key of {called(seen, key)}, number by number"
    )
    dot, score = figure.locator(".products .sum b").all_inner_texts()
    assert (number(dot), number(score)) == (
        head["dots"][row][key],
        head["scores"][row][key],
    )
    expect(figure.locator(".products .sum")).to_contain_text(
        f"× {head['scale']:g} (1/√{len(query)})"
    )

    body = table(figure, "tbody")
    assert len(body) == len(seen["tokens"])
    for other, texts in enumerate(body):
        if other > row:
            assert texts == ["–"] * 5
            continue
        of_score, exp, weight, value, product = map(number, texts)
        assert of_score == head["scores"][row][other]
        assert exp == head["exps"][row][other]
        assert weight == head["weights"][row][other]
        assert value == head["values"][other][index]
        assert product == pytest.approx(weight * value, abs=0.00051)
    ((_, total, whole, _, output),) = table(figure, "tfoot")
    assert number(total) == head["total"][row]
    assert number(whole) == head["weights_sum"][row]
    assert number(output) == head["outputs"][row][index]
    expect(figure.locator(".row caption")).to_have_text(f"{called(seen, row)} asks")
    expect(figure.locator(".row .now th")).to_have_text(called(seen, key))
    expect(figure.locator(".row thead")).to_contain_text(f"value[{index}]")


def test_every_matrix_and_every_sum_is_pythons_without_asking_it(
    newcomer: BrowserContext, address: str
) -> None:
    figure = opened(newcomer, address)
    requests: list[str] = []
    newcomer.on("request", lambda request: requests.append(request.url))
    seen = attention(**given())
    count = len(seen["tokens"])
    expect(figure.locator(".title").first).to_have_text(
        "emma, Step 3, trained: its one head, 16 numbers wide"
    )
    weights = heads(seen, "step3", "trained")[0]["weights"][-1]
    assert_matrices(figure, seen, "step3", "trained", 0)
    first = weights.index(max(weights))
    assert_sums(figure, seen, heads(seen, "step3", "trained")[0], count - 1, first, 0)
    for program, state, index in (
        ("step3", "untrained", 0),
        ("step6", "untrained", 1),
        ("step6", "trained", 2),
    ):
        choose(figure, program, state, index)
        head = heads(seen, program, state)[index]
        assert_matrices(figure, seen, program, state, index)
        width = len(head["values"][0])
        for row, key, at in ((3, 1, width - 1), (2, 2, 1)):
            click(figure, "outputs", row, at, (count, width))
            lit = figure.locator(".code .lit .number")
            expect(lit).to_have_text(str(seen["lines"]["outputs"]))
            click(figure, "scores" if at == 1 else "weights", row, key, (count, count))
            expect(lit).to_have_text(str(seen["lines"]["weights"]))
            assert_sums(figure, seen, head, row, key, at)
    expect(figure.locator(".title").first).to_have_text(
        "emma, the whole model, trained: layer 0, head 2, 4 numbers wide"
    )
    assert not [url for url in requests if "pyodide" in url]


def test_by_keyboard_the_future_does_not_exist(
    context: BrowserContext, address: str
) -> None:
    figure = opened(context, address)
    seen = attention(**given())
    (head,) = heads(seen, "step3", "trained")
    says = figure.locator(".says")
    scores = cells(figure, "scores")
    scores.focus()
    scores.press("Home")
    for _ in range(2):
        scores.press("ArrowUp")
    scores.press("ArrowRight")
    assert_sums(figure, seen, head, 2, 1, 0)
    dot, score = head["dots"][2][1], head["scores"][2][1]
    text = f"m (2) asks, e (1) is asked: the products add up to {dot:.3f}. Times 0.25, that is the score {score:.3f}."
    expect(says).to_have_text(text.replace("-", "−"))
    scores.press("ArrowRight")
    scores.press("ArrowRight")
    none = "There is no such number: when m (2) asks, m (3) has not been read yet."
    expect(says).to_have_text(none)
    expect(figure.locator(".map").first.locator("[role=status]")).to_have_text(none)
    assert_sums(figure, seen, head, 2, 2, 0)
    assert scores.evaluate("x => x === document.activeElement")

    # The weights stand at the same cell, and tell their own sum
    weights = cells(figure, "weights")
    weights.press("ArrowLeft")
    exp, total, share = head["exps"][2][1], head["total"][2], head["weights"][2][1]
    score, most = head["scores"][2][1], head["largest"][2]
    minus = f"+ {-most:.3f}" if most < 0 else f"− {most:.3f}"
    opened_with = f"exp({score:.3f} {minus}) is {exp:.3f}. Of {total:.3f}, the sum"
    expect(says).to_contain_text(opened_with.replace("-", "−"))
    expect(says).to_contain_text(f"the weight {share:.3f} of e (1)")
    outputs = cells(figure, "outputs")
    outputs.press("End")
    column = [value[15] for value in head["values"][:3]]
    for each in (head["outputs"][2][15], min(column), max(column)):
        expect(says).to_contain_text(f"{each:.3f}".replace("-", "−"))
    assert_sums(figure, seen, head, 2, 1, 15)

    # A wide head's numbers do not all exist in a narrow one
    choose(figure, "step6", "trained", 3)
    assert_sums(figure, seen, heads(seen, "step6", "trained")[3], 2, 1, 3)
    figure.get_by_label("is asked", exact=True).select_option("0")
    figure.get_by_label("number of the output").select_option("2")
    asks = figure.get_by_label("asks", exact=True)
    asks.select_option("1")
    assert_sums(figure, seen, heads(seen, "step6", "trained")[3], 1, 0, 2)
    spoken = figure.locator(".seen > .sr-only[role=status]")
    expect(spoken).to_contain_text("e (1)")
    expect(figure.get_by_label("is asked", exact=True).locator("option")).to_have_count(
        2
    )


def test_another_name_is_read_by_python_and_nonsense_refused(
    context: BrowserContext, address: str
) -> None:
    figure = opened(context, address)
    choose(figure, "step6", "trained", 2)
    field = figure.get_by_label("A name", exact=True)
    refusal = figure.locator(".refusal")
    field.fill("zoë")
    expect(refusal).to_contain_text("does not know the character 'ë'", timeout=LONG)
    assert_matrices(figure, attention(**given()), "step6", "trained", 2)
    field.fill("")
    expect(refusal).to_have_text("type a name: one letter or more")
    field.fill("abcdefghijklmnop")
    expect(refusal).to_have_text("type at most 15 letters: this has 16")
    field.fill("christopher")
    expect(figure.locator(".title").first).to_contain_text("christopher,", timeout=LONG)
    expect(figure.locator(".stale")).to_have_count(0)
    expect(refusal).to_have_text("")
    seen = attention("christopher", "step6", "trained")
    head = heads(seen, "step6", "trained")[2]
    # exp rounds differently from one C library to the next: a shade may be another.
    last = table(figure, "tbody")
    assert [number(row[2]) for row in last] == pytest.approx(
        head["weights"][11], abs=0.0011
    )
    assert number(table(figure, "tfoot")[0][4]) == pytest.approx(
        head["outputs"][11][0], abs=0.0011
    )
    best = max(range(12), key=lambda key: head["weights"][11][key])
    expect(figure.locator(".row .now th")).to_have_text(called(seen, best))
