"""Counting a name, its loss, and names that are drawn, in the hands of a reader."""

from __future__ import annotations

from functools import cache
from itertools import pairwise

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.site.browsing import styles
from tests.thorough import thorough
from widgets.counting.model import Counting, counting
from widgets.name_loss.model import name_loss
from widgets.sampler.model import sampler

# All widgets together are looked at every day.
pytestmark = thorough

PAGES = {
    "counting": "counting/training/",
    "name_loss": "counting/loss/",
    "sampler": "counting/sampling/",
}
count = cache(counting)


def opened(tab: Page, address: str, name: str) -> Locator:
    """Open the page of a widget, and wait until it can be touched."""
    tab.goto(address + PAGES[name])
    widget = tab.locator(f".widget.{name}")
    widget.scroll_into_view_if_needed()
    tab.locator(f".widget.{name}[data-alive]").wait_for()
    return widget


def type_in(widget: Locator, label: str, text: str) -> None:
    field = widget.get_by_label(label, exact=True)
    field.fill(text)
    field.press("Enter")


def step_to(widget: Locator, step: int) -> None:
    """Go to a step with the keyboard alone."""
    widget.get_by_role("button", name="To the start").press("Enter")
    on = widget.get_by_role("button", name="One step on")
    for _ in range(step):
        on.press("Enter")
    expect(widget.locator(".player .count")).to_have_text(
        f"{step} of {widget.locator('input[type=range]').get_attribute('max')}"
    )


def height(widget: Locator) -> int:
    box = widget.bounding_box()
    assert box is not None
    return round(box["height"])


# Counting


def expect_counted(widget: Locator, result: Counting, chosen: int, step: int) -> None:
    """The row, the table, the lit line and the words are what Python says."""
    start, now = result["starts"][chosen], result["steps"][step]
    place = now["pair"] if now["pair"] is not None else 0 if step == 0 else -1
    pair = start["pairs"][place]
    row = pair["before"] if step == 0 else pair["after"]
    name = result["tokens"][pair["target"]]
    counts = [str(count) for count in row["counts"]]
    expect(widget.locator(".column .count")).to_have_text(counts)
    expect(widget.locator(".column.lit .name")).to_have_text(name)
    expect(widget.locator(".column .name")).to_have_text(result["tokens"])
    came = result["tokens"][pair["token"]]
    expect(widget.locator(".title b")).to_have_text(came)
    expect(widget.locator(".readout thead th").first).to_have_text(f"{came} → {name}")
    at_work = [came, name] if now["pair"] is not None else []
    expect(widget.locator(".document .now")).to_have_text(at_work)
    lines = [line for each in result["functions"] for line in each["lines"]]
    expect(widget.locator(".code .text")).to_have_text(
        [x["text"].strip() for x in lines]
    )
    expect(widget.locator(".code .lit .number")).to_have_text(str(now["line"]))
    expect(widget.locator(".code .waiting .number")).to_have_text(
        [str(line) for line in now["waiting"]]
    )
    cells = widget.locator(".readout tbody tr")
    for side, shown in ((0, pair["before"]), (1, pair["after"])):
        texts = [line.locator("td").nth(side).inner_text() for line in cells.all()]
        if side == 1 and step == 0:
            assert texts == ["–"] * 3
        else:
            assert texts == [
                f"{shown['counts'][pair['target']]} + 1 of {shown['total']}",
                f"{shown['p'][pair['target']]:.4f}",
                f"{shown['others']:.4f}",
            ]
    words = widget.locator(".words")
    if step == 0:
        expect(words).to_contain_text(f"its loss is {start['loss']:.4f}")
    elif now["pair"] is None:
        expect(words).to_contain_text(f"would give “{spelt(result)}”")
        expect(words).to_contain_text(f"{start['again']:.4f}")
    else:
        before, after = pair["before"], pair["after"]
        at = pair["target"]
        expect(words).to_have_text(
            f"{came} → {name}: the count goes from {before['counts'][at]} to "
            f"{after['counts'][at]}, the probability from {before['p'][at]:.4f} to "
            f"{after['p'][at]:.4f}. The others of the row share {after['others']:.4f}."
        )


def spelt(result: Counting) -> str:
    return "".join(result["tokens"][token] for token in result["document"][1:-1])


def bars(widget: Locator) -> list[float]:
    return widget.locator(".column .fill").evaluate_all(
        "all => all.map(bar => parseFloat(bar.style.height))"
    )


def test_a_name_is_counted_before_python_is_loaded(tab: Page, address: str) -> None:
    asked: list[str] = []
    tab.on("request", lambda request: asked.append(request.url))
    widget = opened(tab, address, "counting")
    result = count("emma")
    expect_counted(widget, result, 0, 1)
    sizes = {height(widget)}
    for chosen, learnt in enumerate(("none", "10", "100", "1,000")):
        widget.get_by_role("button", name=learnt, exact=True).press("Enter")
        for step in range(len(result["steps"])):
            step_to(widget, step)
            expect_counted(widget, result, chosen, step)
            sizes.add(height(widget))
    assert len(sizes) == 1, "the widget grows or shrinks"
    spoken = widget.locator(".player [role=status]")
    expect(spoken).to_contain_text("Every pair is counted")
    step_to(widget, 4)
    pairs = result["starts"][-1]["pairs"]
    tab.wait_for_function(
        "document.getAnimations().every(each => !(each instanceof CSSTransition))"
    )
    most = max(
        p for pair in pairs for row in ("before", "after") for p in pair[row]["p"]
    )
    expected = [100 * p / most for p in pairs[3]["after"]["p"]]
    assert bars(widget) == pytest.approx(expected, abs=0.06)
    was = [100 * p / most for p in pairs[3]["before"]["p"]]
    assert styles(widget.locator(".column .was"), "bottom") == pytest.approx(
        was, abs=0.06
    )
    assert not [url for url in asked if "pyodide" in url]


def test_another_name_is_counted_and_nonsense_is_refused(
    tab: Page, address: str
) -> None:
    widget = opened(tab, address, "counting")
    type_in(widget, "A name", "anna")
    expect(widget.locator(".document > span")).to_have_text(
        ["BOS", "a", "n", "n", "a", "BOS"]
    )
    for step in (1, 5, 6):
        step_to(widget, step)
        expect_counted(widget, count("anna"), 0, step)
    for text, reason in (
        ("zoë", "does not know the character 'ë'"),
        ("", "one letter or more"),
        ("a" * 40, "at most 16 letters: this has 40"),
        ("<b>", "does not know the character '<'"),
        ("EMMA", "type 'emma', in small letters"),
    ):
        type_in(widget, "A name", text)
        expect(widget.locator(".refusal")).to_contain_text(reason)
        expect(widget.locator(".stale")).to_have_count(1)
        expect_counted(widget, count("anna"), 0, 6)
    widget.get_by_role("button", name="emma", exact=True).click()
    expect(widget.locator(".refusal")).to_be_empty()
    expect(widget.locator(".stale")).to_have_count(0)
    expect_counted(widget, count("emma"), 0, 1)


# The loss of a name


def expect_scored(widget: Locator, name: str, chosen: int, step: int) -> None:
    result = name_loss(name)
    model, tokens = result["models"][chosen], result["tokens"]
    questions = model["questions"]
    expect(widget.locator("caption")).to_contain_text(
        f"“{name}” scored by a model that has learnt {model['learnt']:,} names"
    )
    rows = widget.locator(".readout tbody tr")
    expect(rows).to_have_count(len(questions))
    over = 0
    for place, question in enumerate(questions):
        expected = [f"{tokens[question['token']]} → {tokens[question['target']]}"]
        asked = place < step
        over += asked and question["loss"] > result["blind"]
        expected += [f"{question['p']:.4f}"] if asked else [""]
        expected += [""]
        expected += [f"{question['loss']:.4f}", near(question["choice"])] * asked
        expected += ["", ""] * (not asked)
        expect(rows.nth(place).locator("th, td")).to_have_text(expected)
    expect(widget.locator("tbody .fill")).to_have_count(step)
    losses = [q["loss"] for each in result["models"] for q in each["questions"]]
    full = 1.04 * max(result["blind"], *losses)
    long = [q["loss"] for q in questions[:step]]
    long.append(questions[step - 1]["mean"] if step else 0.0)
    assert styles(widget.locator(".track .fill"), "width") == pytest.approx(
        [100 * loss / full for loss in long], abs=0.06
    )
    blind = styles(widget.locator(".track .blind"), "left")
    share = 100 * result["blind"] / full
    assert blind == pytest.approx([share] * (step + 1), abs=0.06)
    expect(widget.locator(".note")).to_contain_text(
        f"blind guess, {result['blind']:.4f}"
    )
    expect(widget.locator("tbody .fill.over")).to_have_count(over)
    mean = [f"mean of {step}", ""]
    last = questions[step - 1]
    mean += [f"{last['mean']:.4f}", near(last["mean_choice"])] if step else ["–", "–"]
    expect(widget.locator("tfoot :is(th, td)")).to_have_text(mean)


def near(choice: float) -> str:
    return f"{choice:.1f}"


def test_the_loss_of_a_name_adds_up_before_python_is_loaded(
    tab: Page, address: str
) -> None:
    asked: list[str] = []
    tab.on("request", lambda request: asked.append(request.url))
    widget = opened(tab, address, "name_loss")
    expect_scored(widget, "emma", 3, 5)
    size = height(widget)
    for chosen, learnt in enumerate(("0", "10", "100", "1,000")):
        widget.get_by_role("button", name=learnt, exact=True).press("Enter")
        expect_scored(widget, "emma", chosen, 5)
        assert height(widget) == size
    for step in (0, 1, 3):
        step_to(widget, step)
        expect_scored(widget, "emma", 3, step)
        assert height(widget) == size
    expect(widget.locator(".player [role=status]")).to_contain_text(
        "m → m: probability 0.0107, loss 4.5362, as unsure as a fair choice among 93.3"
    )
    assert not [url for url in asked if "pyodide" in url]


def test_the_loss_of_another_name_and_of_none(tab: Page, address: str) -> None:
    widget = opened(tab, address, "name_loss")
    type_in(widget, "A name", "xavier")
    expect_scored(widget, "xavier", 3, 7)
    step_to(widget, 2)
    expect_scored(widget, "xavier", 3, 2)
    type_in(widget, "A name", "x y")
    expect(widget.locator(".refusal")).to_contain_text(
        "does not know the character ' '"
    )
    expect_scored(widget, "xavier", 3, 2)


# Sampling


def expect_drawn(widget: Locator, seed: int, step: int) -> None:
    result = sampler(seed)
    names = result["names"]
    draws = [(i, n) for i, of in enumerate(names) for n in range(len(of["draws"]))]
    which, nth = draws[max(0, step - 1)]
    draw = names[which]["draws"][nth]
    token = result["tokens"][draw["drawn"]]
    expect(widget.locator(".title b")).to_have_text(result["tokens"][draw["token"]])
    lengths = widget.locator(".piece").evaluate_all(
        "all => all.map(piece => parseFloat(piece.style.width))"
    )
    cuts = [0.0, *result["cuts"][draw["token"]]]
    expected = [100 * (b - a) for a, b in pairwise(cuts)]
    assert lengths == pytest.approx(expected, abs=0.001)
    names_of_pieces = widget.locator(".piece").all_text_contents()
    for text, of, wide in zip(names_of_pieces, result["tokens"], lengths, strict=True):
        assert text == of or (text == "" and wide < 10)
    expect(widget.locator(".growing .label")).to_have_text(f"Name {which + 1}")
    letters = widget.locator(".letter")
    if step == 0:
        expect(widget.locator(".point, .piece.hit")).to_have_count(0)
        expect(letters).to_have_count(0)
    else:
        at = widget.locator(".point").evaluate("point => parseFloat(point.style.left)")
        assert at == pytest.approx(100 * draw["number"], abs=0.001)
        expect(widget.locator(".words")).to_contain_text(
            f"{draw['number']:.5f} falls on {token}, "
            f"from {draw['start']:.5f} to {draw['end']:.5f} (p {draw['p']:.4f})"
        )
        line = widget.locator(".pieces").bounding_box()
        hit = widget.locator(".piece.hit").bounding_box()
        point = widget.locator(".point").bounding_box()
        assert line is not None
        assert hit is not None
        assert point is not None
        middle = point["x"] + point["width"] / 2
        assert hit["x"] - 1.5 <= middle <= hit["x"] + hit["width"] + 1.5
        drawn = [one["drawn"] for one in names[which]["draws"][: nth + 1]]
        expect(letters).to_have_text([result["tokens"][one] for one in drawn])
    ended = which + (nth == len(names[which]["draws"]) - 1) if step else 0
    shown = [of["name"] or "no letter" for of in names[:ended]]
    expect(widget.locator(".sampled li")).to_have_text(
        shown + [""] * (len(names) - ended)
    )


def test_letters_and_names_are_drawn_before_python_is_loaded(
    tab: Page, address: str
) -> None:
    asked: list[str] = []
    tab.on("request", lambda request: asked.append(request.url))
    widget = opened(tab, address, "sampler")
    sizes = {height(widget)}
    names = sampler(42)["names"]
    lengths = [len(name["draws"]) for name in names]
    expect_drawn(widget, 42, 1)
    letter = widget.get_by_role("button", name="One letter")
    for step in range(2, lengths[0] + 2):
        letter.press("Enter")
        expect_drawn(widget, 42, step)
        sizes.add(height(widget))
    whole = widget.get_by_role("button", name="A whole name")
    for named in (2, 3):
        whole.press("Enter")
        expect_drawn(widget, 42, sum(lengths[:named]))
        sizes.add(height(widget))
    expect(widget.locator(".choices [role=status]")).to_contain_text(
        f"The name is “{names[2]['name']}”."
    )
    widget.get_by_role("button", name="All twenty names").press("Enter")
    expect_drawn(widget, 42, sum(lengths))
    expect(letter).to_have_attribute("aria-disabled", "true")
    letter.press("Enter")
    expect_drawn(widget, 42, sum(lengths))
    step_to(widget, 0)
    expect_drawn(widget, 42, 0)
    sizes.add(height(widget))
    assert len(sizes) == 1, "the widget grows or shrinks"
    assert not [url for url in asked if "pyodide" in url]


def test_another_seed_draws_other_names_and_nonsense_none(
    tab: Page, address: str
) -> None:
    widget = opened(tab, address, "sampler")
    type_in(widget, "seed", "2024")
    whole = widget.get_by_role("button", name="A whole name")
    expect(widget.locator(".point > span")).to_have_text(
        f"{sampler(2024)['names'][0]['draws'][0]['number']:.5f}"
    )
    expect_drawn(widget, 2024, 1)
    for _ in range(11):
        whole.press("Enter")
    steps = sum(len(name["draws"]) for name in sampler(2024)["names"][:11])
    expect(widget.locator(".words")).to_contain_text("ends before it begins")
    expect_drawn(widget, 2024, steps)
    for text in ("-1", "one", "", "1e99", "2.5"):
        type_in(widget, "seed", text)
        expect(widget.locator(".refusal")).to_contain_text("seed: ")
        expect_drawn(widget, 2024, steps)
