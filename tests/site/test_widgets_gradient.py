"""The gradient by hand, its check and training, in the hands of a reader."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Locator, expect

from tests.site.browsing import LONG, outline, shades, strengths
from tests.thorough import thorough
from widgets.by_hand.model import model as by_hand_
from widgets.gradient_check.model import model as gradient_check_
from widgets.train_here.model import model as train_here_

# All widgets together are looked at every day.
pytestmark = thorough

PAGES = {
    "by_hand": "gradient-descent/analytic-gradient",
    "gradient_check": "gradient-descent/gradient-check",
    "train_here": "gradient-descent/training",
}


def opened(context: BrowserContext, address: str, name: str) -> Locator:
    """Open the page of a widget, and wait until it can be touched."""
    tab = context.new_page()
    tab.goto(f"{address}{PAGES[name]}/")
    figure = tab.locator(f"[data-widget={name}]")
    figure.scroll_into_view_if_needed()
    expect(figure).to_have_attribute("data-alive", "")
    return figure


def at_rest(figure: Locator) -> None:
    """Wait until Python has answered all that it was asked."""
    expect(figure.locator(".python")).to_have_attribute("data-busy", "false")
    expect(figure.locator(".python [role=status]")).to_have_text("")


def number(text: str) -> float:
    """Read a number as readers see it."""
    text = text.replace("−", "-").replace("⁻", "-").replace(" × 10", "e")
    for value, digit in enumerate("⁰¹²³⁴⁵⁶⁷⁸⁹"):
        text = text.replace(digit, str(value))
    return float(text)


@cache
def gradient_check(name: str, source: str, passes: int) -> Any:
    *_, result = gradient_check_.gradient_check(name, source, passes)
    return result


@cache
def train_here(steps: int, rate: float, seed: int) -> Any:
    *_, result = train_here_.train_here(steps, rate, seed)
    return result


def assert_step(figure: Locator, result: by_hand_.ByHand, at: int) -> None:
    """Line, words and vectors are Python's at a step; later ones stand empty."""
    step = result["steps"][at]
    expect(figure.locator(".words")).to_have_text(step["says"])
    expect(figure.locator(".line.lit .number")).to_have_text(str(step["line"]))
    now = {s["wrote"]: s["values"] for s in result["steps"][: at + 1] if s["wrote"]}
    for strip in figure.locator(".vector").all():
        name = strip.locator("code").inner_text()
        values = now.get(name, [0])
        limit = max(map(abs, values)) or 1
        assert shades(strip) == strengths([values], limit)
        of, shown = strip.locator(".of").inner_text(), strip.locator(".number")
        if name not in now:
            expect(shown).to_have_text("–")
            continue
        index = (
            int(of.split()[-1])
            if of[-1].isdigit()
            else result["tokens"].index(of.partition(",")[0])
        )
        expected = now[name][index]
        assert number(shown.inner_text()) == pytest.approx(expected, rel=1e-3)
    grown = {each["matrix"] for each in result["steps"][: at + 1]}
    of_row = {"wte": result["token"], "fc2": result["target"]}
    for matrix in result["matrices"]:
        name = matrix["name"]
        picture = figure.locator(f".gradient-of.{name}")
        cells = matrix["after" if name in grown else "before"]
        values_ = [[float(value) for value in row] for row in cells]
        assert shades(picture) == strengths(values_, 99)
        limit = picture.locator(".of").inner_text().rpartition("±")[2]
        assert number(limit) == pytest.approx(matrix["limit"], rel=0.051)
        rows = enumerate(picture.locator(".names.down span").all_inner_texts())
        named = {row: text for row, text in rows if text}
        row = of_row.get(name)
        assert named == ({} if row is None else {row: result["tokens"][row]})


def test_the_gradient_by_hand_goes_line_by_line(
    context: BrowserContext, address: str
) -> None:
    asked: list[str] = []
    figure = opened(context, address, "by_hand")
    figure.page.on("request", lambda request: asked.append(request.url))
    result = by_hand_.by_hand("emma", 2, "untrained")
    last = len(result["steps"]) - 1
    assert_step(figure, result, last)
    on = figure.get_by_role("button", name="One step on")
    on.press("Home")
    for at in range(last + 1):
        assert_step(figure, result, at)
        written = figure.locator(".vector.now code")
        wrote = result["steps"][at]["wrote"]
        expect(written).to_have_text([wrote] if wrote else [])
        grown = figure.locator(".gradient-of.now code")
        matrix = result["steps"][at]["matrix"]
        expect(grown).to_have_text([f'gradient["{matrix}"]'] if matrix else [])
        on.press("Enter")
    expect(on).to_be_focused()
    spoken = figure.locator(".player [role=status]")
    expect(spoken).to_have_text(result["steps"][last]["says"])
    strip = figure.get_by_role("application", name=re.compile("^d_logits"))
    strip.focus()
    strip.press("Home")
    strip.press("ArrowRight")
    assert_step(figure, result, last)
    expect(figure.locator(".vector .of").last).to_have_text("b")
    assert not [url for url in asked if "pyodide" in url]


def test_what_is_chosen_while_python_loads_is_all_asked(
    context: BrowserContext, address: str
) -> None:
    figure = opened(context, address, "by_hand")
    figure.get_by_label("Network").select_option("trained")
    figure.get_by_role("button", name="m → a").click()
    at_rest(figure)
    result = by_hand_.by_hand("emma", 4, "trained")
    assert_step(figure, result, len(result["steps"]) - 1)
    expect(figure.get_by_label("Network")).to_have_value("trained")


def test_other_pairs_and_networks_are_asked_of_python(
    context: BrowserContext, address: str
) -> None:
    figure = opened(context, address, "by_hand")
    figure.get_by_role("button", name="One step back").press("Enter")
    figure.get_by_role("button", name="m → a").click()
    at_rest(figure)
    result = by_hand_.by_hand("emma", 4, "untrained")
    assert_step(figure, result, len(result["steps"]) - 2)
    figure.get_by_label("Network").select_option("trained")
    at_rest(figure)
    assert_step(figure, by_hand_.by_hand("emma", 4, "trained"), 9)
    field = figure.get_by_label("A name", exact=True)
    for typed, says in (("", "one letter or more"), ("x æ", "does not know")):
        field.fill(typed)
        field.press("Enter")
        expect(figure.locator(".refusal")).to_contain_text(says)
        expect(field).to_have_value(typed)
        assert_step(figure, by_hand_.by_hand("emma", 4, "trained"), 9)
    field.fill("jo")
    field.press("Enter")
    at_rest(figure)
    expect(figure.locator(".refusal")).to_have_text("")
    assert_step(figure, by_hand_.by_hand("jo", 1, "trained"), 9)
    pairs = figure.locator(".pairs button")
    expect(pairs).to_have_text(["BOS → j", "j → o", "o → BOS"])


def assert_checked(figure: Locator, result: gradient_check_.GradientCheck) -> None:
    """Both slopes of the parameter that is shown, and what is wrong, are Python's."""
    place = figure.locator(".readout caption").inner_text().partition(",")[0]
    name, row, column = re.split(r"[\[\]]+", place.rstrip("]"))
    matrix = next(m for m in result["matrices"] if m["name"] == name)
    flat = int(row) * matrix["columns"] + int(column)
    texts = figure.locator(".readout td").all_inner_texts()
    if flat in matrix["places"]:
        index = matrix["places"].index(flat)
        keys = ("numerical", "analytic")
        for text, key in zip(texts[:2], keys, strict=True):
            expected = matrix[key][index]  # type: ignore[literal-required]
            # A nudge's rounding is a machine's own.
            assert number(text) == pytest.approx(expected, rel=2e-3, abs=2e-8)
        gap = matrix["gaps"][index]
        assert number(texts[2]) == pytest.approx(gap, rel=0.06, abs=2e-8)
    else:
        assert texts[0] == "not nudged yet"
    for one in result["matrices"]:
        head = figure.locator(f".gaps.{one['name']} .head span")
        said = f"{one['wrong']} of {len(one['places'])} wrong"
        expect(head).to_have_text(said if one["wrong"] else "no difference")
        wrong = {
            divmod(place, one["columns"])
            for place, gap in zip(one["places"], one["gaps"], strict=True)
            if gap > result["tolerance"]
        }
        assert shades(figure.locator(f".gaps.{one['name']}")).keys() == wrong
    largest = max(one["largest"] for one in result["matrices"])
    verdict = figure.locator(".verdict").inner_text()
    _, _, said = re.split(r"(more than|up to) ", verdict.partition(". ")[0])
    assert number(said) == pytest.approx(largest, rel=0.06, abs=2e-9)
    assert_points(figure, result)


def assert_points(figure: Locator, result: gradient_check_.GradientCheck) -> None:
    """A point lies as far to the right, and up, as both slopes say; a cross is wrong."""
    of = result["matrices"]
    limit = max(abs(x) for one in of for x in one["numerical"] + one["analytic"])
    ends = [float(limit), -float(limit)]
    for text, end in zip(
        figure.locator(".plot-of-both svg text").all_text_contents(), ends, strict=True
    ):
        assert number(text) == pytest.approx(end, rel=0.06)
    for name, crossed in (("right", False), ("wrong", True)):
        expected = {
            (8 + 152 * (1 + across / limit), 320 - (8 + 152 * (1 + up / limit)))
            for one in of
            for across, up, gap in zip(
                one["numerical"], one["analytic"], one["gaps"], strict=True
            )
            if (gap > result["tolerance"]) == crossed
        }
        paths = figure.locator(f".plot-of-both path.{name}").all()
        drawn = {
            (float(x), float(y))
            for path in paths
            for x, y in re.findall(
                r"M(-?[\d.]+) (-?[\d.]+)", path.get_attribute("d") or ""
            )
        }
        places = {(round(x), round(y)) for x, y in expected}
        assert all(near(point, drawn) for point in places)
        assert all(near(point, places) for point in drawn)


def near(point: tuple[float, float], others: set[Any]) -> bool:
    """Say whether one of the points is within a pixel."""
    x, y = point
    return any((x + i, y + j) in others for i in (0, -1, 1) for j in (0, -1, 1))


def test_the_check_shows_a_seventh_at_first_and_any_of_it_can_be_picked(
    context: BrowserContext, address: str
) -> None:
    figure = opened(context, address, "gradient_check")
    result = gradient_check("anna", "", 1)
    assert_checked(figure, result)
    expect(figure.locator(".verdict")).to_contain_text("455 of 3184 parameters")
    cells = figure.get_by_role("application", name=re.compile("^wte"))
    cells.press("Home")
    for key in ("ArrowDown", "ArrowRight", "ArrowRight", "ArrowDown"):
        cells.press(key)
        assert_checked(figure, result)
    caption = figure.locator(".readout caption")
    expect(caption).to_contain_text("of the embedding of c")
    # The point that lies furthest up and to the right is found by the mouse.
    square = figure.locator(".plot-of-both svg")
    box = square.bounding_box()
    assert box is not None
    best = max(
        (slope, m["name"], place)
        for m in result["matrices"]
        for slope, place in zip(m["numerical"], m["places"], strict=True)
    )
    every = [abs(x) for m in result["matrices"] for x in m["numerical"] + m["analytic"]]
    scale = box["width"] / 320
    across = (8 + 304 * (1 + best[0] / max(every)) / 2) * scale
    square.hover(position={"x": across, "y": box["height"] - across})
    columns = next(m["columns"] for m in result["matrices"] if m["name"] == best[1])
    at = f"{best[1]}[{best[2] // columns}][{best[2] % columns}]"
    expect(caption).to_contain_text(at)
    assert_checked(figure, result)


def test_each_broken_line_spoils_what_python_says_it_spoils(
    context: BrowserContext, address: str
) -> None:
    figure = opened(context, address, "gradient_check")
    field = figure.get_by_label("A name", exact=True)
    field.fill("aa")  # of few pairs, so that nudges take less time
    field.press("Enter")
    expect(figure.locator(".verdict")).to_contain_text("All 3184 parameters nudged")
    at_rest(figure)
    program = gradient_check_.PROGRAM
    choice = figure.get_by_label("Break a line")
    for way in gradient_check_.BREAKS[1:5]:
        choice.select_option(label=way["name"])
        source = program.replace(way["old"], way["new"])
        result = gradient_check("aa", source, 7)
        wrong = sum(matrix["wrong"] for matrix in result["matrices"])
        expect(figure.locator(".verdict")).to_contain_text(f"{wrong} of 3184 slopes")
        at_rest(figure)
        assert_checked(figure, result)
        expect(figure.locator(".change .come")).to_contain_text(way["new"])
        expect(figure.locator(".change .gone")).to_contain_text(way["old"])
    spoken = figure.locator(".widget.gradient_check > .stage > [role=status]")
    expect(figure.locator("span.sr-only[role=status]").last).to_contain_text("wrong")
    assert spoken.count() <= 1


def test_own_code_is_compiled_refused_and_stopped(
    context: BrowserContext, address: str
) -> None:
    figure = opened(context, address, "gradient_check")
    verdict = figure.locator(".verdict")
    before = verdict.inner_text()
    figure.get_by_role("button", name="Edit the code").press("Enter")
    editor = figure.get_by_role("textbox", name=re.compile("Code of the gradient"))
    expect(editor).to_be_focused()
    editor.fill("def analytic_gradient(tokens, weights)")
    figure.page.keyboard.press("Shift+Enter")
    refusal = figure.locator(".refusal")
    expect(refusal).to_have_text("line 1: expected ':'")
    expect(figure.locator(".editor .wrong")).to_have_count(1)
    expect(figure.locator(".seen.stale")).to_have_count(1)
    assert verdict.inner_text() == before
    editor.fill("while True: pass")
    figure.get_by_role("button", name="Check this code").click()
    stop = figure.get_by_role("button", name="Stop")
    stop.press("Enter")
    expect(figure.locator(".python [role=status]")).to_have_text("stopped")
    editor.fill("def analytic_gradient(tokens, weights): return zeros_like(weights)")
    figure.page.keyboard.press("Shift+Enter")
    expect(refusal).to_have_text("")
    expect(verdict).to_contain_text("slopes are wrong, by up to")
    figure.page.keyboard.press("Escape")
    expect(figure.get_by_label("Break a line")).to_be_focused()
    figure.get_by_role("button", name="Back to the program").click()
    expect(verdict).to_contain_text("No slope differs")


def assert_run(figure: Locator, result: train_here_.TrainHere, step: int) -> None:
    """The tables have what Python says, at a step and at each look."""
    expect(figure.locator(".readout caption").first).to_have_text(f"Step {step:,}")
    cells = figure.locator(".readout").first.locator("tbody td").all_inner_texts()
    keys = ("counting", "network", "counting_mean", "network_mean")
    for text, key in zip(cells, keys, strict=True):
        values = result[key]  # type: ignore[literal-required]
        if step <= len(values):
            assert number(text) == pytest.approx(values[step - 1], abs=1.1e-3)
    says = f"names, at temperature {train_here_.TEMPERATURE}"
    expect(figure.locator(".looks thead th").last).to_have_text(says)
    rows = figure.locator(".looks tbody tr").all()
    for row, look in zip(rows, result["looks"], strict=False):
        texts = row.locator("th, td").all_inner_texts()
        assert texts[0] == f"{look['step']:,}"
        assert number(texts[1]) == pytest.approx(look["counting"], abs=6e-4)
        assert number(texts[2]) == pytest.approx(look["network"], abs=6e-4)
        assert texts[3] == ", ".join(name or "(empty)" for name in look["samples"])


def assert_curves(figure: Locator, result: train_here_.TrainHere) -> None:
    """Both curves go through the means, on one scale, and have their names."""
    means = result["counting_mean"], result["network_mean"]
    highest, lowest = max(map(max, means)), min(map(min, means))
    drawn = [outline(figure.locator(f"path.line.s{n}")) for n in (1, 2)]
    bottom, top = (
        pick(y for points in drawn for _, y in points) for pick in (max, min)
    )
    for points, values in zip(drawn, means, strict=True):
        across = [1000 * i / (len(values) - 1) for i in range(len(values))]
        assert [x for x, _ in points] == pytest.approx(across, abs=0.06)
        share = (bottom - top) / (highest - lowest)
        up = [bottom - share * (value - lowest) for value in values]
        assert [y for _, y in points] == pytest.approx(up, abs=0.3)
    names = [figure.locator(f".plane .name.s{n}").inner_text().strip() for n in (1, 2)]
    assert names == ["counting", "network"]


def outcome(result: train_here_.TrainHere) -> str:
    last = result["looks"][-1]
    return (
        f"After {last['step']:,} steps, on {result['held_out']:,} names that neither has seen: "
        f"counting {last['counting']:.3f}, the network {last['network']:.3f} nats per token."
    )


def test_the_recorded_run_stands_there_and_another_is_trained(
    context: BrowserContext, address: str
) -> None:
    figure = opened(context, address, "train_here")
    (recorded,) = train_here_.train_here(1000, 1, 42, recorded=True)
    assert_run(figure, recorded, 1000)
    assert_curves(figure, recorded)
    expect(figure.locator(".verdict")).to_have_text(outcome(recorded))
    scale = figure.get_by_role("slider", name="Step")
    scale.press("Home")
    for step in (1, 2):
        assert_run(figure, recorded, step)
        scale.press("ArrowRight")
    for label, value in (("steps", "110"), ("learning rate", "0,5"), ("seed", "3")):
        figure.get_by_label(label, exact=True).fill(value)
    figure.get_by_label("seed", exact=True).press("Enter")
    result = train_here(110, 0.5, 3)
    expect(figure.locator(".verdict")).to_have_text(outcome(result))
    at_rest(figure)
    assert_run(figure, result, 110)
    for typed, reason in (("0", "a positive number"), ("fast", "a positive number")):
        figure.get_by_label("learning rate", exact=True).fill(typed)
        figure.get_by_role("button", name="Train", exact=True).click()
        expect(figure.locator(".refusal")).to_contain_text(reason)
        assert_run(figure, result, 110)


def test_training_can_be_stopped_and_what_there_is_stays(
    context: BrowserContext, address: str
) -> None:
    figure = opened(context, address, "train_here")
    figure.get_by_role("button", name="another seed").click()
    scale = figure.get_by_role("slider", name="Step")
    figure.page.wait_for_function(
        "slider => [...Array(49).keys()].map(i => `${20 + 20 * i}`)"
        ".includes(slider.value)",
        arg=scale.element_handle(),
        timeout=LONG,
    )
    figure.get_by_role("button", name="Stop").press("Enter")
    expect(figure.locator(".python [role=status]")).to_have_text("stopped")
    taken = int(scale.input_value())
    assert 20 <= taken < 1000
    assert_run(figure, {**train_here(1000, 1, 43), "looks": []}, taken)
    figure.get_by_role("button", name="three times the rate").click()
    expect(figure.locator(".verdict")).to_contain_text("which has no logarithm")
