"""The whole model, trained by a reader: begun, stopped, gone on with, taken away."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, expect

from snippets.records.record import together
from tests.site.browsing import PHONE, shades, strengths
from tests.thorough import thorough
from widgets.train_gpt.model import TrainGpt, train_gpt

# All widgets together are looked at every day.
pytestmark = thorough

PAGE = "adam/training/"
OWN = "\n".join(f"{a}{b}{c}" for a in "bdk" for b in "aeo" for c in ("na", "l", "mi"))


@cache
def python(**given: Any) -> TrainGpt:
    return together(train_gpt(**{"steps": 1000, "seed": 42, "name": "emma", **given}))


def opened(context: BrowserContext, address: str) -> Locator:
    """Open the page, and wait until the widget can be touched."""
    tab = context.new_page()
    tab.goto(address + PAGE)
    widget = tab.locator(".widget.train_gpt")
    widget.scroll_into_view_if_needed()
    tab.locator(".widget.train_gpt[data-alive]").wait_for()
    return widget


def press(widget: Locator, name: str) -> None:
    """Press a button with the keyboard."""
    widget.get_by_role("button", name=name, exact=True).press("Enter")


def rests(widget: Locator) -> None:
    expect(widget.locator("[data-busy=true]")).to_have_count(0)


def train(widget: Locator, steps: int, seed: int) -> None:
    widget.get_by_label("steps", exact=True).fill(str(steps))
    field = widget.get_by_label("seed", exact=True)
    field.fill(str(seed))
    field.press("Enter")


def expect_complete(widget: Locator, steps: int) -> None:
    says = widget.locator(".says")
    expect(says).to_have_text(f"The run of {steps:,} steps is complete.")


def step_to(widget: Locator, step: int, last: int) -> None:
    """Move the cursor of the curves with the keyboard."""
    scale = widget.locator(".scrub input")
    scale.press("End" if step > last / 2 else "Home")
    for _ in range(min(last - step, step - 1)):
        scale.press("ArrowLeft" if step > last / 2 else "ArrowRight")


def expect_losses(widget: Locator, run: TrainGpt, step: int, column: int) -> None:
    expect(widget.locator(".readout caption").first).to_have_text(f"Step {step:,}")
    rows = widget.locator(".readout").first.locator("tbody tr")
    for row, values in ((0, run["losses"]), (1, run["means"])):
        shown = float(rows.nth(row).locator("td").nth(column).inner_text())
        assert shown == pytest.approx(values[step - 1], abs=1.1e-3)


def expect_looks(widget: Locator, run: TrainGpt) -> None:
    rows = widget.locator(".looks tbody tr")
    steps = [text for text in rows.locator("th").all_inner_texts() if text != "–"]
    assert len(steps) == len(run["looks"])
    for row, look in zip(rows.all(), run["looks"], strict=False):
        expect(row.locator("th")).to_have_text(f"{look['step']:,}")
        cells = row.locator("td")
        loss = look["held_out"]
        if loss is None:
            expect(cells.first).to_have_text("–")
        else:
            assert float(cells.first.inner_text()) == pytest.approx(loss, abs=1.1e-3)
        expect(cells.last).to_have_text(
            ", ".join(name or "(empty)" for name in look["samples"])
        )


def expect_inside(widget: Locator, run: TrainGpt, step: int, matrix: str) -> None:
    """Sizes, both maps of a matrix and the attention are Python's after a step."""
    place = [state["step"] for state in run["states"]].index(step)
    state = run["states"][place]
    expect(widget.locator(".inside > .title")).to_have_text(
        f"Inside the model, after step {step:,}"
    )
    expect(widget.locator(".inside .stale")).to_have_count(0)
    expect(widget.locator(".matrices caption")).to_contain_text(state["document"])
    rows = widget.locator(".matrices tbody tr")
    for row, (size, slope) in zip(
        rows.all(),
        zip(state["sizes"].values(), state["slopes"].values(), strict=True),
        strict=True,
    ):
        texts = row.locator("td").all_inner_texts()
        assert [float(text) for text in texts] == pytest.approx([size, slope], rel=0.06)
    maps = widget.locator(".maps .heat-map")
    weights, slopes = state["weights"][matrix], state["gradient"][matrix]
    known = [each["weights"][matrix] for each in run["states"]]
    assert_map(maps.first, weights, largest(w for each in known for w in each))
    assert_map(maps.last, slopes, largest(slopes))
    heads = widget.locator(".heads .heat-map")
    expect(heads).to_have_count(4)
    for head, table in zip(heads.all(), run["attention"][place], strict=True):
        assert_map(head, table, 1.0)


def largest(rows: Any) -> float:
    return max(abs(x) for row in rows for x in row)


def assert_map(heat_map: Locator, values: list[list[float]], limit: float) -> None:
    """A number that lies between two shades may take either: a browser's differ."""
    if len(values) > 2 * len(values[0]):
        values = [list(column) for column in zip(*values, strict=True)]
    found, expected = shades(heat_map), strengths(values, limit)
    for cell in found.keys() | expected.keys():
        assert abs(found.get(cell, 0) - expected.get(cell, 0)) <= 9, cell
    same = sum(found.get(cell) == shade for cell, shade in expected.items())
    assert same >= 0.98 * len(expected)


def test_the_recorded_run_is_looked_into(context: BrowserContext, address: str) -> None:
    widget = opened(context, address)
    asked: list[str] = []
    widget.page.on("request", lambda request: asked.append(request.url))
    page, recorded = python(task="page"), python(task="recorded")
    expect(widget.locator(".about")).to_have_text(
        "The recorded run: 5,676 names · 27 tokens · 4,192 parameters"
    )
    expect_looks(widget, page)
    expect_inside(widget, page, 1000, "wpe")
    height = widget.bounding_box()
    for step in (1000, 990, 1, 12):
        step_to(widget, step, 1000)
        expect_losses(widget, page, step, 0)
    cell = widget.locator(".maps .cells").first
    cell.focus()
    for key in ("ArrowDown", "ArrowDown", "ArrowRight"):
        cell.press(key)
    weight = page["states"][0]["weights"]["wpe"][2][1]
    here = widget.locator(".here").first
    expect(here).to_contain_text(f"wpe[2][1]: weight {weight:.3f}".replace("-", "−"))
    head = widget.locator(".heads .cells").nth(2)
    head.focus()
    head.press("ArrowDown")
    expect(widget.locator(".attention .here")).to_contain_text("head 2")
    assert not [url for url in asked if "pyodide" in url]
    # What the page does not carry, Python has.
    widget.get_by_label("mlp_fc1").check()
    rests(widget)
    expect_inside(widget, recorded, 1000, "layer0.mlp_fc1")
    player = widget.locator(".player input")
    player.press("Home")
    expect_inside(widget, recorded, 0, "layer0.mlp_fc1")
    widget.get_by_label("wte").check()
    for _ in range(7):
        player.press("ArrowRight")
    expect_inside(widget, recorded, recorded["states"][7]["step"], "wte")
    # Another name, and none.
    anna = python(task="recorded", name="annalena")
    field = widget.get_by_label("A name", exact=True)
    field.fill("annalena")
    expect(widget.locator(".attention .title")).to_contain_text("annalena")
    expect_inside(widget, anna, recorded["states"][7]["step"], "wte")
    for name, reason in (("", "one letter or more"), ("x1", "does not know")):
        field.fill(name)
        expect(widget.locator(".word .refusal")).to_contain_text(reason)
        expect(widget.locator(".attention .title")).to_contain_text("annalena")
    press(widget, "emma")
    expect(widget.locator(".word .refusal")).to_be_empty()
    expect_inside(widget, recorded, recorded["states"][7]["step"], "wte")
    after = widget.bounding_box()
    assert height is not None and after is not None
    assert after["height"] == pytest.approx(height["height"], abs=1)


def test_a_run_is_stopped_saved_opened_and_gone_on_with(
    context: BrowserContext, address: str, tmp_path: Path
) -> None:
    widget = opened(context, address)
    tab = widget.page
    whole = python(steps=260, seed=7)
    for name in ("Go on", "Save the run"):
        expect(widget.get_by_role("button", name=name)).to_have_attribute(
            "aria-disabled", "true"
        )
    train(widget, 260, 7)
    progress = widget.locator(".progress span")
    expect(progress).to_have_text(re.compile(r"^step 1[1-9]\d of 260 .* left$"))
    stop = widget.locator(".settings").get_by_role("button", name="Stop")
    stop.press("Enter")
    says = widget.locator(".says")
    expect(says).to_have_text(
        re.compile(r"^Stopped after step 1[1-9]\d\. Step 100 is kept")
    )
    expect(tab.locator(":focus")).to_have_text("Train")
    file = tmp_path / "microgpt-run.json"
    with tab.expect_download() as download:
        press(widget, "Save the run")
    assert download.value.suggested_filename == file.name
    download.value.save_as(file)
    press(widget, "Go on")
    expect_complete(widget, 260)
    rests(widget)
    for step in (260, 255, 3):
        step_to(widget, step, 260)
        expect_losses(widget, whole, step, 1)
    expect_looks(widget, whole)
    expect_inside(widget, whole, 260, "wpe")
    # The same from the file, as in another visit.
    widget.get_by_label("Open a run").set_input_files(file)
    expect(says).to_have_text(
        "The run stands at step 100 of 260, and can go on from there."
    )
    expect(widget.get_by_label("seed", exact=True)).to_have_value("7")
    press(widget, "Go on")
    expect_complete(widget, 260)
    rests(widget)
    expect_losses(widget, whole, 260, 1)
    expect_looks(widget, {**whole, "looks": whole["looks"][1:]})
    # And by the command line.
    log = tmp_path / "losses.jsonl"
    line = [sys.executable, "-m", "microgpt", "train", "--resume", str(file)]
    line += ["--stop-after", "120", "--losses", str(log)]
    done = subprocess.run(line, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    records = [json.loads(each) for each in log.read_text().splitlines()]
    assert [each["step"] for each in records] == list(range(101, 121))
    assert [each["loss"] for each in records] == pytest.approx(
        whole["losses"][100:120], abs=6e-4
    )


def test_names_of_the_reader_are_learnt_and_leave_for_nowhere(
    context: BrowserContext, address: str, tmp_path: Path
) -> None:
    widget = opened(context, address)
    sent: list[str] = []
    widget.page.on(
        "request",
        lambda request: (
            sent.append(request.url)
            if request.method != "GET" or not request.url.startswith(address)
            else None
        ),
    )
    press(widget, "your own")
    refusal = widget.locator(".numbers .refusal")
    text = widget.get_by_label("Your names, one on each line")
    binary = tmp_path / "names.txt"
    binary.write_bytes(bytes(range(256)))
    press(widget, "Train")
    expect(refusal).to_contain_text("20 or more; these are 0")
    text.fill("emma\nanna")
    press(widget, "Train")
    expect(refusal).to_contain_text("20 or more; these are 2")
    widget.get_by_label("Take them from a file").set_input_files(binary)
    press(widget, "Train")
    expect(refusal).to_contain_text("this is not text")
    expect(widget.locator(".about")).to_contain_text("The recorded run")
    names = tmp_path / "own.txt"
    names.write_text(OWN, encoding="utf-8")
    widget.get_by_label("Take them from a file").set_input_files(names)
    expect(text).to_have_value(OWN)
    train(widget, 40, 42)
    expect_complete(widget, 40)
    rests(widget)
    run = python(names=OWN, steps=40)
    expect(refusal).to_be_empty()
    expect(widget.locator(".about")).to_contain_text("Your run: 27 names · 11 tokens")
    expect(widget.locator(".looks caption")).to_contain_text("none is held out")
    expect_losses(widget, run, 40, 1)
    expect_looks(widget, run)
    expect_inside(widget, run, 40, "wpe")
    # Another run leaves nothing of the one before it.
    train(widget, 30, 7)
    expect_complete(widget, 30)
    rests(widget)
    run = python(names=OWN, steps=30, seed=7)
    expect_losses(widget, run, 30, 1)
    expect_looks(widget, run)
    expect_inside(widget, run, 30, "wpe")
    # What is no run is refused, and what there is stays.
    for content, reason in (
        ("", "this file is damaged, or not a model file"),
        ("{}", "this file is not a model file of microgpt"),
        (python(steps=2)["checkpoint"], "trained on other documents"),
    ):
        (tmp_path / "run.json").write_text(content, encoding="utf-8")
        widget.get_by_label("Open a run").set_input_files(tmp_path / "run.json")
        expect(refusal).to_contain_text(reason)
        expect_losses(widget, run, 30, 1)
    for field, value, reason in (
        ("steps", "0", "steps: choose from 1 to 3,000"),
        ("steps", "many", "steps: a whole number is needed"),
        ("seed", "-1", "seed: choose from 0"),
    ):
        before = widget.get_by_label(field, exact=True).input_value()
        widget.get_by_label(field, exact=True).fill(value)
        press(widget, "Train")
        expect(refusal).to_contain_text(reason)
        widget.get_by_label(field, exact=True).fill(before)
    assert not sent


def test_without_javascript_the_recorded_run_stands(
    browser: Browser, address: str
) -> None:
    context = browser.new_context(java_script_enabled=False, viewport=PHONE)
    tab = context.new_page()
    tab.goto(address + PAGE)
    widget = tab.locator(".widget.train_gpt")
    expect(widget.locator(".plane .line.s1")).to_be_visible()
    page = python(task="page")
    expect_losses(widget, page, 1000, 0)
    expect_looks(widget, page)
    expect_inside(widget, page, 1000, "wpe")
    for control in widget.locator("button, input, select, textarea").all():
        expect(control).to_be_hidden()
    context.close()
