"""What readers see in the scenes with a slider is what Python computes."""

from __future__ import annotations

import math
import random
import re
from collections.abc import Sequence

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

    figure.shows({distance: raced(0.038, 100), ".verdict": re.compile("Momentum is there first")})
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
