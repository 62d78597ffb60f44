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
from widgets.sliders.model import LETTER, NAME


def test_a_bent_coin_costs_what_the_rules_say(open_figure: Open) -> None:
    figure = open_figure("sliders", page="counting/loss")

    def costs(said: float) -> list[object]:
        log = -0.7 * math.log(said) - 0.3 * math.log(1 - said)
        plain = 0.7 * (1 - said) + 0.3 * said
        return [approx(log, abs=6e-4), approx(plain, abs=6e-4)]

    column = see.numbers(".readout tbody td:nth-of-type(1)")
    figure.shows({column: costs(0.9), ".verdict": re.compile("boasting")})
    slider = figure.field("you say of heads")
    for _ in range(20):
        slider.press("ArrowLeft")
    figure.shows({column: costs(0.7), ".verdict": re.compile("truth")})
    slider.press("Home")
    figure.shows({column: costs(0.01), ".verdict": re.compile("against the coin")})
    figure.press("Flip 100 coins")
    heads = figure.find(".readout thead th:last-of-type")
    expect(heads).to_have_text(re.compile(r"^\d+ heads of 100$"))
    found = int(heads.inner_text().split()[0])
    log = -(found * math.log(0.01) + (100 - found) * math.log(0.99)) / 100
    plain = (found * 0.99 + (100 - found) * 0.01) / 100
    paid = see.numbers(".readout tbody td:nth-of-type(2)")
    figure.shows({paid: [approx(log, abs=6e-4), approx(plain, abs=6e-4)]})
    assert not figure.asked_python()


def test_a_rate_makes_the_error_shrink_or_run_away(open_figure: Open) -> None:
    figure = open_figure("sliders", page="gradient-descent/smallest")
    verdict = figure.find(".verdict")
    expect(verdict).to_contain_text("by 0.50. It closes in")
    slider = figure.field("rate")
    for rate, said in ((0.1, "One step"), (0.2, "forever"), (0.225, "runs away")):
        while float(slider.input_value()) < rate - 1e-9:
            slider.press("ArrowRight")
        factor = f"{1 - 2 * rate * 5:.2f}".replace("-", "−").replace("−0.00", "0.00")
        expect(verdict).to_contain_text(f"by {factor}.")
        expect(verdict).to_contain_text(said)
    assert not figure.asked_python()


def feel(w: float) -> tuple[float, float]:
    """Return the height of the hill in fog, and its slope as Value finds it."""
    x = Value(w)
    narrow, wide = (x + 2) ** 2 * 1.5 + 2.5, (x - 3) ** 2 * 0.5
    height = -1.5 * ((narrow / -1.5).exp() + (wide / -1.5).exp()).log()
    height.backward()
    return height.data, x.grad


def test_a_walk_in_fog_ends_in_a_valley_or_off_the_map(open_figure: Open) -> None:
    figure = open_figure("sliders", page="gradient-descent/what-changes")
    verdict, hill = ".verdict", see.count(".hill")

    def walks(start: float, rate: float, steps: int) -> float:
        """Take steps, see where each leads, and return where the last one ends."""
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
        return w

    figure.shows({hill: [0], verdict: re.compile("Which way is down")})
    # A low rate leads down the nearest valley, and there the fog lifts.
    assert walks(-3.5, 0.2, 4) == approx(-2, abs=0.05)
    figure.shows({hill: [1], verdict: re.compile("Not of the deepest")})
    figure.press("Lift the fog")
    figure.shows({hill: [0]})
    # A higher one leads over the ridge, from the same place.
    walks(-3.5, 0.9, 0)
    figure.shows({verdict: re.compile("^You went 4.05 to the right, clean over a")})
    figure.press("Take a step", "Take a step")
    figure.shows({hill: [1], verdict: re.compile("deepest valley, in 3 steps")})
    # One that is too high leads past the lowest point, back and off the map.
    walks(5, 1.5, 0)
    figure.shows({verdict: re.compile("past the lowest point. Turn around")})
    assert walks(0, 2.5, 2) < -4
    figure.shows({verdict: re.compile("off the map"), "td": ["–"] * 3})
    figure.press("Take a step")
    figure.shows({verdict: re.compile("off the map")})
    figure.press("Start again")
    figure.shows({see.count(".stood"): [0], verdict: re.compile("Which way")})
    walks(1, 0.1, 0)
    figure.shows({verdict: re.compile("flatter")})
    walks(2, 0.05, 0)
    figure.shows({verdict: re.compile("Baby steps")})
    assert not figure.asked_python()


OPERATIONS: dict[str, tuple[Callable[[Value], Value], list[float], str]] = {
    "x ** 3": (lambda x: x**3, [-2, -0.5, 0, 1.5], "3x²"),
    "1 / x": (lambda x: 1 / x, [0.4, 1, 2.5, 4], "−1/x²"),
    "log(x)": (lambda x: x.log(), [0.2, 1, 1.6, 4], "1/x"),
    "exp(x)": (lambda x: x.exp(), [-2, 0, 0.7, 2], "eˣ, itself"),
    "relu(x)": (lambda x: x.relu(), [-2, 0, 0.1, 2], "1 or 0, a gate"),
}


def last(text: str) -> float:
    """Read the number that ends a line, such as 3 · 1.5² = 6.75."""
    return see.number(text.split()[-1])


def test_slopes_that_a_reader_traces_are_those_of_value(open_figure: Open) -> None:
    figure = open_figure("sliders", page="autograd/more-operations")
    value, slope = see.numbers("tr:first-child td"), "tr:last-child td"
    rule = "svg:nth-of-type(2) .rule"
    for name, (operation, places, said) in OPERATIONS.items():
        figure.press(name)
        for shown in (False, True):
            if shown:
                figure.press("Show the rule")
            for place in places:
                x = Value(place)
                y = operation(x)
                y.backward()
                figure.slide("x", place)
                figure.shows(
                    {
                        value: [approx(y.data, abs=6e-3)],
                        slope: see.reading(last, approx(x.grad, abs=6e-3)),
                        rule: f"slope: {said if shown else '?'}",
                    }
                )
        figure.shows({see.count(".stood"): [len({1, *places})]})
    # With the keys: each place leaves a dot, and when most have one the rule shows.
    figure.press("x ** 3")
    figure.slide("x", "Home")
    for _ in range(22):
        figure.slide("x", "ArrowRight")
    figure.shows({see.count(".stood"): [24], rule: "slope: ?"})
    figure.slide("x", "ArrowRight")
    figure.shows({see.count(".stood"): [25], rule: "slope: 3x²"})
    figure.shows({slope: "3 · 0.3² = 0.27", ".verdict": re.compile("never negative")})
    assert not figure.asked_python()


def test_the_meter_of_the_desk_is_the_program_s_loss(open_figure: Open) -> None:
    figure = open_figure("sliders", page="gradient-descent/forward-pass")
    _, tokenizer, weights = untrained()
    tokens = tokenizer.document(NAME)
    row = weights["wte"][tokenizer.encode(LETTER)[0]]

    def meter() -> see.Seen:
        loss = step1.mean_loss(tokens, weights)
        return {see.numbers(".meter output"): [approx(loss, abs=0.002)]}

    figure.shows(meter())
    first = step1.mean_loss(tokens, weights)
    for column, key, value in ((3, "Home", -60.0), (12, "End", 60.0)):
        figure.field(f"number {column}").press(key)
        row[column] = value
        figure.shows(meter())
    expect(figure.find(".verdict")).to_contain_text("Lowest so far")
    figure.press("Back to the start")
    figure.shows({see.numbers(".meter output"): [approx(first, abs=0.002)]})
    assert not figure.asked_python()


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
    figure.field("temperature").press("End")
    figure.shows(shown(3.0, 48))
    figure.field("temperature").press("Home")
    figure.shows(shown(0.1, 48))
    assert not figure.asked_python()


def test_each_press_pulls_by_what_softmax_says(open_figure: Open) -> None:
    figure = open_figure("sliders", page="gradient-descent/softmax-gradient")
    logits = [0.0] * 27
    height = see.style(".rope .fill", "height")

    def pull(target: int, rate: float) -> see.Seen:
        p = step1.softmax(logits)
        pulls = [(token == target) - each for token, each in enumerate(p)]
        logits[:] = [z + rate * pull for z, pull in zip(logits, pulls)]
        return {
            height: approx([100 * each for each in step1.softmax(logits)], abs=0.06),
            see.style(".pull", "height"): approx(
                [100 * abs(x) for x in pulls], abs=0.06
            ),
            see.numbers(".meter output"): [approx(-math.log(p[target]), abs=6e-4)],
            ".pull:not(.down)": [""],
            ".sums": see.containing("= 0."),
        }

    def said(text: str) -> see.Seen:
        return {".verdict": re.compile(text)}

    figure.shows({height: approx([100 / 27] * 27, abs=0.06), **said("level")})
    a, i = 0, 8
    figure.press("a")
    figure.shows({**pull(a, 1), **said("pulled up hard, by 0.96")})
    for _ in range(5):
        figure.keys(".rope.target", "a")
        figure.shows(pull(a, 1))
    figure.shows(said("slackens"))
    figure.keys(".rope.target", "i")
    figure.shows({**pull(i, 1), **said("surprise: “i” .* and “a” pays")})
    expect(figure.button("i", within=".ropes")).to_be_focused()
    figure.slide("rate", 0.5)
    figure.press("a", within=".ropes")
    figure.shows(pull(a, 0.5))
    for _ in range(100):
        for target in [a] * 6 + [i, a]:
            last = pull(target, 0.5)
    figure.press("All my presses, a hundred times")
    figure.shows(last)
    figure.press("Start again")
    figure.shows({height: approx([100 / 27] * 27, abs=0.06), **said("level")})
    assert not figure.asked_python()


def test_a_bar_comes_to_rest_at_its_share_of_the_presses(open_figure: Open) -> None:
    figure = open_figure("sliders", page="gradient-descent/softmax-gradient")
    figure.press(*"aaai", within=".ropes")
    figure.press("All my presses, a hundred times")
    figure.shows({".verdict": re.compile("undoes .* smaller rate")})
    figure.slide("rate", 0.1)
    figure.press("All my presses, a hundred times")
    figure.shows({".verdict": re.compile("found its mark")})
    found = figure.read(see.style(".rope .fill", "height"))
    assert [found[0], found[8]] == approx([75, 25], abs=4)


@pytest.mark.parametrize(
    ("a", "b", "gate"), [(2, 1, False), (2, 1, True), (-2, 1, True)]
)
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
    assert not figure.asked_python()


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

    figure.shows(
        {distance: raced(0.038, 100), ".verdict": re.compile("Momentum is there first")}
    )
    figure.press("One step")
    figure.shows({distance: raced(0.038, 1)})
    figure.press("One step")
    figure.shows({distance: raced(0.038, 2)})
    figure.field("rate").press("End")
    figure.press("Race")
    verdict = figure.find(".verdict")
    expect(verdict).to_contain_text("SGD and momentum flew off", timeout=20_000)
    expect(verdict).to_contain_text("Adam is there first")
    assert not figure.asked_python()


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
