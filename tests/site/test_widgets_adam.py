"""What readers see in the widgets of Adam is what Python computes."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any
from unittest.mock import ANY

from playwright.sync_api import Request, expect
from pytest import approx

from snippets.records.record import together
from tests.site import see
from tests.site.figure import Figure, Open
from tests.site.see import Seen
from tests.thorough import thorough
from widgets.race.model import race
from widgets.running_mean.model import running_mean
from widgets.train_gpt.model import train_gpt

# All widgets together are looked at every day.
pytestmark = thorough


mean_of = cache(running_mean)


def means(result: Any, step: int) -> Seen:
    """Both tables of the running mean, and all its curves."""
    keys = ["values", "mean"]
    also = ["share", "corrected"] if result["corrected"] else []
    steps = f"{result['half']} step{'s' if result['half'] > 1 else ''}"
    facts = [result[key] for key in ("newest", "window", "held")]
    moves = [result[key] for key in ("series_moves", "mean_moves")]
    near = [approx(fact, rel=0.01, abs=0.0006) for fact in facts + moves]
    curves = [*keys, *also[1:]]
    values = [value for key in curves for value in result[key]]
    low, high = values.index(min(values)), values.index(max(values))

    def read(lines: list[list[tuple[float, float]]]) -> list[float]:
        """All values, on the scale that the lowest and the highest point tell."""
        heights = [y for line in lines for _, y in line]
        scale = (values[high] - values[low]) / (heights[high] - heights[low])
        return [values[low] + scale * (y - heights[low]) for y in heights]

    now = [see.rounded(result[key][step - 1], 3) for key in keys + also]
    return {
        ".readout caption": [f"Step {step:,}", ANY],
        see.numbers(".readout td"): [*now, *near[:3], steps, *near[3:]],
        see.outline(".plane path.line"): see.reading_all(
            read, approx(values, abs=0.01)
        ),
    }


def test_running_mean(open_figure: Open) -> None:
    for page, beta, corrected in (
        ("adam/momentum/", 0.85, False),
        ("adam/bias-correction/", 0.95, True),
    ):
        figure = open_figure("running_mean", page=page)
        result: Any = mean_of(beta, "jump", corrected)
        figure.shows(means(result, 5))
        size = figure.height()
        for key, step in (("Home", 1), ("ArrowRight", 2), ("End", 100)):
            figure.slide("Step", key)
            figure.shows(means(result, step))
        figure.press("One step back")
        figure.shows(means(result, 99))
        said = figure.find(".scrub [role=status]")
        expect(said).to_contain_text("step 99: gradient ")
        assert figure.height() == size
        assert not figure.asked_python()
    figure.slide("Step", 5)
    for key, beta in (("ArrowRight", 0.96), ("End", 0.99), ("Home", 0)):
        figure.slide("β", key)
        figure.shows(means(mean_of(beta, "jump", True), 5))
    figure.slide("β", 0.9)
    for name, series in (("a real gradient", "gradient"), ("noise alone", "noise")):
        figure.press(name)
        figure.shows(means(mean_of(0.9, series, True), 5))
        expect(figure.button(name)).to_have_attribute("aria-pressed", "true")


def raced(result: Any, at: int) -> Seen:
    """The table, the words, the paths and where both are now, at a step of the race."""
    columns = []
    now: dict[str, list[object]] = {"left": [], "top": []}
    drawn = []
    for path in (result["sgd"], result["adam"]):
        points, losses = path["points"], path["losses"]
        known = [*points[at], losses[at]] if at < len(points) else [None] * 3
        columns.append([see.rounded(value, 3) for value in known])
        walked = points[: at + 1]
        drawn.append([flat(point) for point in walked])
        x, y = walked[-1]
        if abs(x) <= 5.6 and abs(y) <= 3.9:
            now["left"].append(approx(50 + x / 0.112, abs=0.01))
            now["top"].append(approx(50 - y / 0.078, abs=0.01))
    contours = [[flat(point) for point in of["points"]] for of in result["contours"]]
    return {
        ".player .count": see.containing(f"{at} of "),
        see.numbers("tbody td"): [x for row in zip(*columns) for x in row],
        see.outline(".valley .line.s1"): [drawn[0]],
        see.outline(".valley .line.s2"): [drawn[1]],
        see.outline(".contour"): contours,
        see.style(".now", "left"): now["left"],
        see.style(".now", "top"): now["top"],
        ".verdicts p": [result["sgd"]["end"], result["adam"]["end"]],
    }


def flat(point: list[float]) -> object:
    """Where a point of the valley lies in its picture."""
    x, y = (max(-100_000, min(100_000, 100 * value)) for value in point)
    return approx((x, -y), abs=0.51)


def test_race(open_figure: Open) -> None:
    figure = open_figure("race")
    result: Any = race(0.038, 0.2, 50, False)
    figure.shows(raced(result, 60))
    size = figure.height()
    figure.press("To the start")
    for at in range(4):
        figure.shows(raced(result, at))
        figure.press("One step on")
    said = figure.find(".player [role=status]")
    expect(said).to_have_text(re.compile(r"^SGD: loss [\d.]+, Adam: loss [\d.]+$"))
    figure.slide("Steps of the race", "End")
    figure.shows(raced(result, 60))
    assert figure.height() == size
    assert not figure.asked_python()
    figure.press("SGD too fast")
    result = race(0.05, 0.2, 50, False)
    assert "explodes" in result["sgd"]["end"]
    figure.shows(raced(result, 60))
    figure.slide("Steps of the race", 20)
    figure.shows(raced(result, 20))
    figure.root.get_by_label("turn the valley").press("Space")
    figure.shows(raced(race(0.05, 0.2, 50, True), 20))
    for name, value in (
        ("steepness", 10),
        ("rate of SGD", 0.19),
        ("rate of Adam", 0.5),
    ):
        figure.slide(name, value)
    figure.shows(raced(race(0.19, 0.5, 10, True), 20))
    figure.press("a round bowl")
    figure.shows(raced(race(0.038, 0.2, 1, False), 20))


OWN = "\n".join(f"{a}{b}{c}" for a in "bdk" for b in "aeo" for c in ("na", "l", "mi"))


@cache
def run_of(**given: Any) -> Any:
    """A run of `train_gpt`, put together of what it yields."""
    return together(train_gpt(**{"steps": 1000, "seed": 42, "name": "emma", **given}))


def trained(run: Any, step: int, column: int) -> Seen:
    """The losses at a step, in the column of the recorded run or of the reader's, and all looks."""
    looks = [
        (
            f"{look['step']:,}",
            "–" if look["held_out"] is None else approx(look["held_out"], abs=1.1e-3),
            ", ".join(name or "(empty)" for name in look["samples"]),
        )
        for look in run["looks"]
    ]

    def known(cells: list[object]) -> list[object]:
        rows = [cells[i : i + 3] for i in range(0, len(cells), 3)]
        return [cell for row in rows if row[0] != "–" for cell in row]

    losses = [run[key][step - 1] for key in ("losses", "means")]
    return {
        ".readout:not(.looks, .matrices) caption": f"Step {step:,}",
        see.numbers(
            f".readout:not(.looks, .matrices) tbody td:nth-of-type({column + 1})"
        ): approx(losses, abs=1.1e-3),
        see.numbers(".looks tbody tr > *"): see.reading_all(
            known, [number_of(cell) for look in looks for cell in look]
        ),
    }


def number_of(cell: object) -> object:
    text = str(cell).replace(",", "")
    return float(text) if isinstance(cell, str) and text.isdigit() else cell


def inside(run: Any, step: int, matrix: str) -> Seen:
    """Sizes, both maps of a matrix and the attention, after a step."""
    place = [state["step"] for state in run["states"]].index(step)
    state = run["states"][place]
    sizes = zip(state["sizes"].values(), state["slopes"].values())
    known = [each["weights"][matrix] for each in run["states"]]
    slopes = state["gradient"][matrix]
    return {
        ".inside > .title": f"Inside the model, after step {step:,}",
        ".matrices caption": see.containing(state["document"]),
        see.numbers(".matrices tbody td"): [
            approx(x, rel=0.06) for row in sizes for x in row
        ],
        see.shades(".maps .heat-map"): [
            nearly(
                state["weights"][matrix], largest(row for of in known for row in of)
            ),
            nearly(slopes, largest(slopes)),
        ],
        see.shades(".heads .heat-map"): [
            nearly(of, 1.0) for of in run["attention"][place]
        ],
    }


def largest(rows: Any) -> float:
    return max(abs(float(x)) for row in rows for x in row)


def nearly(values: list[list[float]], limit: float) -> see.reading:
    """A heat map in which a number between two shades may take either: browsers' differ."""
    if len(values) > 2 * len(values[0]):  # drawn lying
        values = [list(column) for column in zip(*values)]
    cells = see.strengths(values, limit)

    def read(found: see.Shades) -> bool:
        apart = [abs(found.get(c, 0) - cells.get(c, 0)) for c in found | cells]
        return max(apart) <= 9 and apart.count(0) >= 0.98 * len(apart)

    return see.reading(read, True)


def complete(steps: int) -> Seen:
    return {".says": f"The run of {steps:,} steps is complete."}


def train(figure: Figure, steps: int, seed: int) -> None:
    figure.type(str(steps), "steps", enter=False)
    figure.type(str(seed), "seed")


def test_train_gpt_shows_the_recorded_run(open_figure: Open) -> None:
    figure = open_figure("train_gpt")
    page, recorded = run_of(task="page"), run_of(task="recorded")
    about = "The recorded run: 5,676 names · 27 tokens · 4,192 parameters"
    figure.shows(
        {".about": about, **trained(page, 1000, 0), **inside(page, 1000, "wpe")}
    )
    size = figure.height()
    scale, player = figure.find(".scrub input"), figure.find(".player input")
    for step in (990, 1, 12):
        scale.fill(str(step))
        figure.shows(trained(page, step, 0))
    figure.keys(".maps .cells", "ArrowDown", "ArrowDown", "ArrowRight")
    weight = page["states"][0]["weights"]["wpe"][2][1]
    here = f"wpe[2][1]: weight {weight:.3f}".replace("-", "−")
    expect(figure.find(".here").first).to_contain_text(here)
    figure.keys(figure.find(".heads .cells").nth(2), "ArrowDown")
    expect(figure.find(".attention .here")).to_contain_text("head 2")
    assert not figure.asked_python()
    # What the page does not carry, Python has.
    figure.root.get_by_label("mlp_fc1").check()
    figure.shows(inside(recorded, 1000, "layer0.mlp_fc1"))
    player.press("Home")
    figure.shows(inside(recorded, 0, "layer0.mlp_fc1"))
    figure.root.get_by_label("wte").check()
    player.fill("7")
    after = recorded["states"][7]["step"]
    figure.shows(inside(recorded, after, "wte"))
    # Another name, and none.
    figure.type("annalena", enter=False)
    figure.shows({".attention .title": see.containing("annalena")})
    figure.shows(inside(run_of(task="recorded", name="annalena"), after, "wte"))
    for name, reason in (("", "one letter or more"), ("x1", "does not know")):
        figure.type(name, enter=False)
        expect(figure.find(".word .refusal")).to_contain_text(reason)
        expect(figure.find(".attention .title")).to_contain_text("annalena")
    figure.press("emma")
    figure.shows({".word .refusal": "", **inside(recorded, after, "wte")})
    assert figure.height() == approx(size, abs=1)


def test_a_run_of_train_gpt_is_stopped_saved_opened_and_gone_on_with(
    open_figure: Open, tmp_path: Path
) -> None:
    figure = open_figure("train_gpt")
    whole = run_of(steps=260, seed=7)
    for name in ("Go on", "Save the run"):
        expect(figure.button(name)).to_have_attribute("aria-disabled", "true")
    train(figure, 260, 7)
    progress = figure.find(".progress span")
    running = re.compile(r"^step 1[1-9]\d of 260 .* left$")
    expect(progress).to_have_text(running)
    figure.press("Stop", within=".settings")
    says = figure.find(".says")
    expect(says).to_have_text(
        re.compile(r"^Stopped after step 1[1-9]\d\. Step 100 is kept")
    )
    expect(figure.tab.locator(":focus")).to_have_text("Train")
    file = tmp_path / "microgpt-run.json"
    with figure.tab.expect_download() as download:
        figure.press("Save the run")
    assert download.value.suggested_filename == file.name
    download.value.save_as(file)
    figure.press("Go on")
    figure.shows(
        {**complete(260), **trained(whole, 260, 1), **inside(whole, 260, "wpe")}
    )
    for step in (255, 3):
        figure.find(".scrub input").fill(str(step))
        figure.shows(trained(whole, step, 1))
    # The same from the file, as in another visit.
    figure.root.get_by_label("Open a run").set_input_files(file)
    expect(says).to_have_text(
        "The run stands at step 100 of 260, and can go on from there."
    )
    expect(figure.field("seed")).to_have_value("7")
    figure.press("Go on")
    later = {**whole, "looks": whole["looks"][1:]}
    figure.shows({**complete(260), **trained(later, 260, 1)})
    # And by the command line.
    log = tmp_path / "losses.jsonl"
    line = [sys.executable, "-m", "microgpt", "train", "--resume", str(file)]
    line += ["--stop-after", "120", "--losses", str(log)]
    done = subprocess.run(line, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    records = [json.loads(each) for each in log.read_text().splitlines()]
    assert [each["step"] for each in records] == list(range(101, 121))
    expected = approx(whole["losses"][100:120], abs=6e-4)
    assert [each["loss"] for each in records] == expected


def test_train_gpt_learns_names_of_the_reader_which_leave_for_nowhere(
    open_figure: Open, address: str, tmp_path: Path
) -> None:
    figure = open_figure("train_gpt")
    sent: list[str] = []

    def note(request: Request) -> None:
        if request.method != "GET" or not request.url.startswith(address):
            sent.append(request.url)

    figure.tab.on("request", note)
    figure.press("your own")
    refusal = figure.find(".numbers .refusal")
    text = figure.field("Your names, one on each line")
    files = figure.root.get_by_label("Take them from a file")
    (tmp_path / "binary.txt").write_bytes(bytes(range(256)))
    (tmp_path / "own.txt").write_text(OWN, encoding="utf-8")
    figure.press("Train")
    expect(refusal).to_contain_text("20 or more; these are 0")
    text.fill("emma\nanna")
    figure.press("Train")
    expect(refusal).to_contain_text("20 or more; these are 2")
    files.set_input_files(tmp_path / "binary.txt")
    figure.press("Train")
    expect(refusal).to_contain_text("this is not text")
    expect(figure.find(".about")).to_contain_text("The recorded run")
    files.set_input_files(tmp_path / "own.txt")
    expect(text).to_have_value(OWN)
    # Another run leaves nothing of the one before it.
    for steps, seed in ((40, 42), (30, 7)):
        train(figure, steps, seed)
        run = run_of(names=OWN, steps=steps, seed=seed)
        figure.shows(
            {
                **complete(steps),
                **trained(run, steps, 1),
                **inside(run, steps, "wpe"),
                ".about": see.containing("Your run: 27 names · 11 tokens"),
                ".looks caption": see.containing("none is held out"),
                ".numbers .refusal": "",
            }
        )
    # What is no run is refused, and what there is stays.
    for content, reason in (
        ("", "this file is damaged, or not a model file"),
        ("{}", "this file is not a model file of microgpt"),
        (run_of(steps=2)["checkpoint"], "trained on other documents"),
    ):
        (tmp_path / "run.json").write_text(content, encoding="utf-8")
        figure.root.get_by_label("Open a run").set_input_files(tmp_path / "run.json")
        expect(refusal).to_contain_text(reason)
        figure.shows(trained(run, 30, 1), refusal="")
    for label, value, reason in (
        ("steps", "0", "steps: choose from 1 to 3,000"),
        ("steps", "many", "steps: a whole number is needed"),
        ("seed", "-1", "seed: choose from 0"),
    ):
        before = figure.field(label).input_value()
        figure.type(value, label, enter=False)
        figure.press("Train")
        expect(refusal).to_contain_text(reason)
        figure.type(before, label, enter=False)
    assert not sent
