"""What readers see in the scenes with a slider is what Python computes."""

import math
import random
import re
from collections.abc import Callable, Sequence

import pytest
from playwright.sync_api import expect
from pytest import approx

from microgpt import SGD, Adam, Value
from snippets import step1
from snippets.ready import untrained
from tests.site import see
from tests.site.figure import Open
from widgets._network import network_weights


def test_coins_that_fell_cost_what_the_rules_say(open_figure: Open) -> None:
    figure = open_figure("sliders", page="counting/loss")
    figure.field("you say of heads").press("Home")
    figure.press("Flip 100 coins")
    heads = figure.find(".readout thead th:last-of-type")
    expect(heads).to_have_text(re.compile(r"^\d+ heads of 100$"))
    found = int(heads.inner_text().split()[0])
    log = -(found * math.log(0.01) + (100 - found) * math.log(0.99)) / 100
    plain = (found * 0.99 + (100 - found) * 0.01) / 100
    paid = see.numbers(".readout tbody td:nth-of-type(2)")
    figure.shows({paid: [approx(log, abs=6e-4), approx(plain, abs=6e-4)]})


def feel(w: float) -> tuple[float, float]:
    """Return the height of the hill in fog, and its slope as Value finds it."""
    x = Value(w)
    narrow, wide = (x + 2) ** 2 * 1.5 + 2.5, (x - 3) ** 2 * 0.5
    height = -1.5 * ((narrow / -1.5).exp() + (wide / -1.5).exp()).log()
    height.backward()
    return height.data, x.grad


@pytest.mark.parametrize(("start", "rate", "steps"), [(-3.5, 0.2, 3), (0, 2.5, 1)])
def test_a_walk_in_fog_goes_where_slopes_lead(
    open_figure: Open, start: float, rate: float, steps: int
) -> None:
    figure = open_figure("sliders", page="gradient-descent/what-changes")
    figure.slide("start at", start)
    figure.slide("rate", rate)
    w = start
    for step in range(steps + 1):
        height, slope = feel(w)
        goes = f"{abs(rate * slope):.2f} to the {'left' if slope > 0 else 'right'}"
        near = [approx(number, abs=6e-3) for number in (height, slope)]
        figure.shows(
            {
                see.numbers("tr:nth-child(-n + 2) td"): near,
                "tr:last-child td": goes,
                see.count(".stood"): [step],
            }
        )
        figure.press("Take a step")
        w -= rate * slope


OPERATIONS: dict[str, tuple[Callable[[Value], Value], list[float], str]] = {
    "x ** 3": (lambda x: x**3, [-2, 1.5], "3x²"),
    "1 / x": (lambda x: 1 / x, [0.4, 2.5], "−1/x²"),
    "log(x)": (lambda x: x.log(), [0.2, 4], "1/x"),
    "exp(x)": (lambda x: x.exp(), [-2, 0.7], "eˣ, itself"),
    "relu(x)": (lambda x: x.relu(), [-2, 0, 2], "1 or 0, a gate"),
}


def last(text: str) -> float:
    """Read the number that ends a line, such as 3 · 1.5² = 6.75."""
    return see.number(text.split()[-1])


def test_slopes_that_a_reader_traces_are_those_of_value(open_figure: Open) -> None:
    figure = open_figure("sliders", page="autograd/more-operations")
    value, slope = see.numbers("tr:first-child td"), "tr:last-child td"
    rule = ".rule"
    for name, (operation, places, said) in OPERATIONS.items():
        figure.press(name, "Show the rule")
        for place in places:
            x = Value(place)
            y = operation(x)
            y.backward()
            figure.slide("x", place)
            figure.shows(
                {
                    value: [approx(y.data, abs=6e-3)],
                    slope: see.reading(last, approx(x.grad, abs=6e-3)),
                    rule: f"slope: {said}",
                }
            )


def test_the_meter_of_the_desk_is_the_program_s_loss(open_figure: Open) -> None:
    figure = open_figure("sliders", page="gradient-descent/forward-pass")
    _, tokenizer, weights = untrained()
    tokens = tokenizer.document("emma")
    row = weights["wte"][tokenizer.encode("m")[0]]

    def meter() -> see.Seen:
        loss = step1.mean_loss(tokens, weights)
        return {see.numbers(".meter output"): [approx(loss, abs=0.002)]}

    figure.shows(meter())
    for column, key, value in ((3, "Home", -60.0), (12, "End", 60.0)):
        figure.field(f"number {column}").press(key)
        row[column] = value
        figure.shows(meter())


def test_names_are_drawn_at_the_temperature_that_is_shown(open_figure: Open) -> None:
    figure = open_figure("sliders", page="gradient-descent/softmax")
    _, tokenizer, _ = untrained()
    trained = network_weights("trained")

    def shown(temperature: float, seed: int) -> see.Seen:
        logits = step1.forward(tokenizer.bos, trained)
        p = step1.softmax([logit / temperature for logit in logits])
        names = [
            step1.sample(trained, tokenizer, random.Random(seed + i), temperature)
            for i in range(6)
        ]
        invented = " · ".join(name or "(empty)" for name in names)
        return {**see.percents(".bars .value", p), ".invented": invented}

    figure.shows(shown(1.0, 42))
    figure.press("Roll again")
    figure.shows(shown(1.0, 48))
    figure.field("temperature").press("Home")
    figure.shows(shown(0.1, 48))


@pytest.mark.parametrize(("a", "b", "gate"), [(2, 1, False), (-2, 1, True)])
def test_slopes_along_paths_are_those_of_backward(
    open_figure: Open, a: int, b: int, gate: bool
) -> None:
    names = ["a", "b", "a → g", "b → g", "a → h", "b → h", "g → out", "h → out"]
    x = dict(zip(names, map(Value, map(float, (a, b, 1, 2, 3, 1, 5, 4)))))
    g = x["a → g"] * x["a"] + x["b → g"] * x["b"]
    h = x["a → h"] * x["a"] + x["b → h"] * x["b"]
    out = x["g → out"] * g + x["h → out"] * (h.relu() if gate else h)
    out.backward()
    circles = [x["a"], x["b"], g, h, out]

    figure = open_figure("sliders", page="gradient-descent/chain-rule")
    figure.slide("a", a)
    figure.slide("b", b)
    if gate:
        figure.field("ReLU on h").check()
    figure.shows(
        {
            see.numbers(".circle .value"): [each.data for each in circles],
            ".circle .slope": [
                f"slope {each.grad:.0f}".replace("-", "−") for each in circles
            ],
        }
    )
    for name, value in x.items():
        figure.press(f"input {name}" if len(name) == 1 else f"weight {name}")
        moved = f"{value.grad / 1000:.3f}".replace("-", "−")
        told = f"out moved by {moved}." if value.grad else "out stays where it is"
        figure.shows(
            {
                see.numbers(".sum b"): [value.grad],
                ".sum": see.containing(f"slope of {name} = "),
                ".verdict": see.containing(told),
            }
        )
        said = figure.find(".sum").inner_text().replace("−", "-").split(" = ")[1]
        products = [map(int, each.split(" · ")) for each in said.split(" + ")]
        assert sum(map(math.prod, products)) == value.grad
    shut = gate and h.data < 0
    expect(figure.find(".wire.shut")).to_have_count(3 if shut else 0)


def test_a_race_goes_as_the_optimizers_do(open_figure: Open) -> None:
    figure = open_figure("sliders", page="adam/momentum")
    distance = see.numbers(".readout tbody td")

    def raced(rate: float, steps: int) -> list[object]:
        found: list[object] = []
        for kind in (SGD, Momentum, Adam):
            x, y = Value(-4.0), Value(1.5)
            optimizer = kind([x, y])
            for _ in range(steps):
                x.grad, y.grad = x.data, 50 * y.data
                optimizer.step(rate)
            found.append(approx(math.hypot(x.data, y.data), rel=1e-3, abs=6e-4))
        return found

    figure.shows({distance: raced(0.038, 100)})
    figure.press("One step", "One step")
    figure.shows({distance: raced(0.038, 2)})
    figure.field("rate").press("End")
    figure.tab.evaluate(
        "window.setTimeout = (later => (act, pause) => later(act, pause / 20))(setTimeout)"
    )
    figure.press("Race")
    expect(figure.find(".verdict")).to_contain_text("flew off", timeout=20_000)


class Momentum(SGD):
    """It steps along the running mean of each parameter's gradients."""

    def __init__(self, parameters: Sequence[Value]) -> None:
        super().__init__(parameters)
        self.means = [0.0] * len(parameters)

    def step(self, learning_rate: float) -> None:
        """Move every parameter once."""
        for i, parameter in enumerate(self.parameters):
            self.means[i] = 0.85 * self.means[i] + 0.15 * parameter.grad
            parameter.data -= learning_rate * self.means[i]
