"""Numbers that stories of `views/` tell are what Python computes, not only what was recorded."""

import json
import math
import random
import re
from collections.abc import Callable, Iterator
from itertools import accumulate, pairwise

import pytest
from pytest import approx

from microgpt import SGD, Adam, Value
from snippets import step1
from snippets.ready import untrained
from snippets.step1 import softmax
from tests.models import ROOT
from tests.site.stories import find, latest, number, told

pytestmark = pytest.mark.usefixtures("all_is_found")
FILLS = r"span\.fill × 27: (.*)"


def standing(story: str) -> Iterator[tuple[str, str, dict[str, float], dict[str, str]]]:
    """What each line does and tells, with all sliders and rows as they then stand."""
    sliders: dict[str, float] = {}
    rows: dict[str, str] = {}
    for act, text in told(story):
        for name, value in find(r'slider "(.+)": (\S+)$', text):
            sliders[name] = number(value)
        rows |= re.findall(r'row "(.+) (\S+)"', text)
        yield act, text, sliders, rows


def near(text: str) -> object:
    """A number, to the decimals of a text."""
    return approx(number(text), abs=0.51 * 10 ** -len(text.partition(".")[2]))


def test_a_step_multiplies_the_error_by_what_it_leaves() -> None:
    for act, text in told("sliders-rate"):
        rate = float(act.split()[-1]) if act.startswith("slide") else 0.05
        w, b = Value(0.0), Value(0.0)
        ((w * 2 + b - 5) ** 2).backward()
        SGD([w, b]).step(rate)
        (factor,) = find(r"status: .*error by (\S+)\. ", text)
        assert number(factor) == approx((w.data * 2 + b.data - 5) / -5, abs=0.006)


def hill(w: float) -> tuple[float, float]:
    """The height of the hill in fog, and its slope."""
    x = Value(w)
    narrow, wide = (x + 2) ** 2 * 1.5 + 2.5, (x - 3) ** 2 * 0.5
    height = -1.5 * ((narrow / -1.5).exp() + (wide / -1.5).exp()).log()
    height.backward()
    return height.data, x.grad


def test_a_walk_in_fog_goes_where_slopes_lead() -> None:
    x = slope = 0.0
    for act, text, sliders, rows in standing("sliders-fog"):
        if act.startswith(("open", "slide start", "press Start")):
            x = sliders["start at"]
        elif act == "press Take a step":
            x -= sliders["rate"] * slope
        height, slope = hill(x)
        if "off the map" in text:
            assert x < -4
            continue
        assert height == near(rows["height"])
        assert slope == near(rows["slope under your boots"])
        far = sliders["rate"] * slope
        for step, side in find(r"next step goes (\S+) to the (\w+)", text):
            assert abs(far) == near(step)
            assert side == ("left" if far > 0 else "right")


OPERATIONS: dict[str, Callable[[Value], Value]] = {
    "x ** 3": lambda x: x**3,
    "1 / x": lambda x: 1 / x,
    "log(x)": lambda x: x.log(),
    "exp(x)": lambda x: x.exp(),
    "relu(x)": lambda x: x.relu(),
}


def test_slopes_that_a_reader_traces_are_those_of_value() -> None:
    operation = OPERATIONS["x ** 3"]
    for act, text, sliders, _ in standing("sliders-slopes"):
        operation = OPERATIONS.get(act.removeprefix("press "), operation)
        x = Value(sliders["x"])
        y = operation(x)
        y.backward()
        for value in find(r'row "value (\S+)"', text):
            assert y.data == near(value)
        for slope in find(r'row "slope .*?(\S+)"', text):
            assert x.grad == approx(number(slope), abs=6e-3)


def test_the_meter_of_the_desk_is_the_program_s_loss() -> None:
    _, tokenizer, weights = untrained()
    tokens = tokenizer.document("emma")
    row = weights["wte"][tokenizer.encode("m")[0]]
    begun = list(row)
    for act, text, sliders, _ in standing("sliders-desk"):
        for name, value in sliders.items():
            column = int(name.removeprefix("number "))
            moved = value and not act.endswith("start")
            row[column] = value if moved else begun[column]
        (loss,) = find(r'^\+    - status: "(.*)"', text)
        assert step1.mean_loss(tokens, weights) == approx(number(loss), abs=0.002)


def test_slopes_along_paths_are_those_of_backward() -> None:
    names = ["a", "b", "a → g", "b → g", "a → h", "b → h", "g → out", "h → out"]
    gate, picked = False, ""
    for act, text, sliders, _ in standing("sliders-paths"):
        gate |= act == "check ReLU on h"
        picked = latest(r'button "(.+)" \[pressed\]', text, picked)
        numbers = (sliders["a"], sliders["b"], 1.0, 2.0, 3.0, 1.0, 5.0, 4.0)
        x = dict(zip(names, map(Value, numbers), strict=True))
        g = x["a → g"] * x["a"] + x["b → g"] * x["b"]
        h = x["a → h"] * x["a"] + x["b → h"] * x["b"]
        out = x["g → out"] * g + x["h → out"] * (h.relu() if gate else h)
        out.backward()
        for circles in find(r"its slopes: (.* slope 1)\b", text.replace('"', "")):
            shown = [number(each) for each in circles.split() if each[-1].isdigit()]
            assert shown == [
                *(x[weight].data for weight in names[2:]),
                *(y for v in (x["a"], x["b"], g, h, out) for y in (v.data, v.grad)),
            ]
        for name, products, slope in find(r"slope of (.+?) =(?: (.+) =)? (\S+)$", text):
            assert (name, number(slope)) == (picked, x[picked].grad)
            terms = [map(number, each.split(" · ")) for each in products.split(" + ")]
            assert not products or sum(map(math.prod, terms)) == x[picked].grad
        for moved in find(r"out moved by (\S+\d)", text):
            assert number(moved) == x[picked].grad / 1000
        assert ("stays where it is" in text) <= (x[picked].grad == 0)


class Momentum(SGD):
    """It steps along the running mean of each parameter's gradients."""

    def __init__(self, parameters: list[Value]) -> None:
        super().__init__(parameters)
        self.means = [0.0] * len(parameters)

    def step(self, learning_rate: float) -> None:
        """Move every parameter once."""
        for i, parameter in enumerate(self.parameters):
            self.means[i] = 0.85 * self.means[i] + 0.15 * parameter.grad
            parameter.data -= learning_rate * self.means[i]


@pytest.mark.parametrize(
    ("name", "kind"), [("SGD", SGD), ("momentum", Momentum), ("Adam", Adam)]
)
def test_a_race_goes_as_the_optimizers_do(name: str, kind: type[SGD | Adam]) -> None:
    steps = ""
    for _, text, sliders, rows in standing("sliders"):
        steps = latest(r'row "after (\d+) step', text, steps)
        x, y = Value(-4.0), Value(1.5)
        optimizer = kind([x, y])
        for _ in range(int(steps)):
            x.grad, y.grad = x.data, 50 * y.data
            optimizer.step(sliders["rate"])
            if math.hypot(x.data, y.data) > 10:
                break
        far = math.hypot(x.data, y.data)
        assert f"{name} flew" in rows if far > 10 else far == near(rows[name])


def gradients(series: str) -> list[float]:
    """The gradients whose mean is shown."""
    if series == "gradient":
        recorded = ROOT / "web/widgets/running_mean/gradients.json"
        return list(json.loads(recorded.read_text(encoding="utf-8")))
    rng = random.Random(42)
    levels = [0] * 100 if series == "noise" else [1] * 50 + [-1] * 50
    return [level + rng.gauss(0, 0.7) for level in levels]


def test_the_running_mean_is_adam_s_and_the_facts_are_those_of_its_weights() -> None:
    series, place = "jump", ""
    words = {"a real gradient": "gradient", "noise alone": "noise"}
    for act, text, sliders, rows in standing("running_mean"):
        series = words.get(act.removeprefix("press "), series)
        place = latest(r'"Step": step (\d+)', text, place)
        at = int(place)
        beta = sliders["β"]
        values = gradients(series)
        parameter = Value(0.0)
        optimizer = Adam([parameter], beta1=beta)
        means = []
        for parameter.grad in values:
            optimizer.step(0.0)
            means.append(optimizer.first[0])
        ages = [(1 - beta) * beta**age for age in range(1000)]
        window, so_far = 1 / (1 - beta), 1 - beta**at
        halfway = next(n for n in range(1, 1000) if math.fsum(ages[:n]) >= 0.5)
        moved = [
            sum(abs(b - a) for a, b in pairwise(of)) / 99 for of in (values, means)
        ]
        expected = {
            "gradient": values[at - 1],
            "running mean": means[at - 1],
            "weight of the gradients so far": so_far,
            "mean divided by that weight": means[at - 1] / so_far,
            "weight of the newest gradient, 1 − β": ages[0],
            "gradients that count, 1 / (1 − β)": window,
            "share of the weight on so many": math.fsum(ages[: round(window)]),
            "gradient, average change per step": moved[0],
            "running mean, average change per step": moved[1],
        }
        for half in find(r"halfway to a new level after (\d+) step", text):
            assert int(half) == halfway
        for name, true in expected.items():
            assert true == near(rows[name]), (act, name)


def test_a_dot_product_adds_up() -> None:
    """Only rows that change are told again; at first all of them are."""
    for act, text in told("sliders-dot"):
        cells = find(r'row "(\S+\d) (\S+\d) (\S+\d) (\S+\d)"', text)
        rows = [[number(cell) for cell in row] for row in cells]
        assert [w * x for w, x, _, _ in rows] == approx(
            [row[2] for row in rows], abs=0.006
        )
        if act.startswith("open"):
            sums = [*accumulate(row[2] for row in rows)]
            assert sums == approx([row[3] for row in rows], abs=0.006)
        for total in find(r'row "dot product (\S+)"', text):
            assert number(total) == rows[-1][3]


def test_softmax_is_that_of_the_program() -> None:
    for _, text in told("sliders-softmax"):
        rows = find(r'row "[a-d] (\S+) (\S+) (.+) (\S+)"', text)
        for _, exponent, power, _ in rows:
            if power != "too large":
                assert number(power) == approx(math.exp(number(exponent)), rel=6e-3)
        found = [p for *_, p in rows]
        if rows and "–" not in found:
            expected = softmax([number(logit) for logit, *_ in rows])
            assert [*map(float, found)] == approx(expected, abs=6e-5)


def test_pulls_move_logits_as_the_gradient_does() -> None:
    rate, presses, logits = 1.0, list[int](), [0.0] * 27
    for act, text in told("sliders-tug"):
        targets = list[int]()
        if act == "press Start again":
            presses, logits = [], [0.0] * 27
        elif act.startswith("press All"):
            targets = presses * 100
        elif act.startswith("press"):
            presses.append("abcdefghijklmnopqrstuvwxyz".index(act[-1]))
            targets = presses[-1:]
        elif act.startswith("slide rate"):
            rate = float(act.split()[-1])
        for target in targets:
            p = softmax(logits)
            pulls = [(token == target) - p[token] for token in range(27)]
            logits = [z + rate * pull for z, pull in zip(logits, pulls, strict=True)]
        for fills in find(FILLS, text):
            shares = [float(fill.rstrip("%")) / 100 for fill in fills.split(", ")]
            assert shares == approx(softmax(logits), abs=6e-4)
