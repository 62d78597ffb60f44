"""Small scenes to try things out in: what each slider and button does.

The page computes their numbers itself: here they are what the package computes.
"""

import math
from collections.abc import Callable
from itertools import accumulate

import pytest
from pytest import approx

from microgpt import SGD, Adam, Value
from snippets import step1
from snippets.ready import untrained
from snippets.step1 import softmax
from tests.models import LETTERS, document
from tests.site.figure import Figure, Open, number
from tests.thorough import thorough

pytestmark = thorough
Show = Callable[[str], Figure]


@pytest.fixture
def show(open_figure: Open) -> Show:
    """Opens the page of a scene."""
    return lambda page: open_figure("sliders", page)


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


def test_a_race_goes_as_the_optimizers_do(show: Show) -> None:
    scene = show("adam/momentum/")
    for rate, steps in ((0.02, 100), (0.02, 1), (2, 2), (2, 100)):
        if rate == 2:
            scene.slide("rate", "End")
        scene.slide("step", steps)
        for name, kind in (("SGD", SGD), ("momentum", Momentum), ("Adam", Adam)):
            x, y = Value(-4.0), Value(1.5)
            optimizer, far = kind([x, y]), 0.0
            for _ in range(steps):
                x.grad, y.grad = x.data, 50 * y.data
                optimizer.step(rate)
                far = math.hypot(x.data, y.data)
                if far > 10:
                    break
            shown = scene.row(name)[0]
            assert (
                shown == "flew off"
                if far > 10
                else number(shown) == approx(far, abs=6e-4)
            )
    scene.shows("SGD and momentum flew off; Adam got there in 32 steps.")


def test_a_dot_product_adds_up(show: Show) -> None:
    scene = show("gradient-descent/layers/")
    rows = "all => all.map(row => [...row.cells].slice(0, 4).map(x => x.textContent))"

    def products_add_up() -> None:
        cells = scene.find("tbody tr").evaluate_all(rows)
        found = [[number(cell) for cell in row] for row in cells]
        assert [w * x for w, x, *_ in found] == approx([r[2] for r in found], abs=0.006)
        sums = [*accumulate(row[2] for row in found)]
        assert sums == approx([row[3] for row in found], abs=0.024)
        assert number(scene.find("tfoot").inner_text().split()[-1]) == found[-1][3]

    products_add_up()
    scene.slide("w[1]", "End").shows(
        "The signs agree in 3 of 4 places", "dot product 4.00"
    )
    scene.slide("w[1]", "Home").shows("cancels: the dot product is 0.")
    scene.slide("x[0]", "End")
    products_add_up()


def test_pulls_move_logits_as_the_gradient_does(show: Show) -> None:
    scene, logits = show("gradient-descent/softmax-gradient/"), [0.0] * 27

    def pull(targets: str, rate: float) -> None:
        for target in map(LETTERS.index, targets):
            p = softmax(logits)
            for token in range(27):
                logits[token] += rate * ((token == target) - p[token])
        widths = "all => all.map(fill => parseFloat(fill.style.height) / 100)"
        shares = scene.find(".rope .fill").evaluate_all(widths)
        assert shares == approx(softmax(logits), abs=6e-4)

    pull("", 1)
    scene.press("a").shows("“a” had 4%: it’s pulled up hard, by 0.96.")
    pull("a", 1)
    scene.press("a", "i").shows("“i” had 3%: it’s pulled up hard, by 0.97.")
    pull("ai", 1)
    scene.slide("rate", 0.1).press("All my presses, a hundred times")
    pull("aai" * 100, 0.1)
    scene.shows("Each bar has found its mark.")
    scene.press("Start again").shows("All 27 are level.")


def test_a_nudge_is_right_to_a_few_digits(show: Show) -> None:
    scene = show("gradient-descent/numerical-gradient/")
    _, _, weights = untrained()
    tokens = document("emma")
    slope = step1.analytic_gradient(tokens, weights)["wte"][12][13]
    before, begun = step1.mean_loss(tokens, weights), weights["wte"][12][13]
    for digits, verdict in (
        (1, "Between the two points the curve bends"),
        (5, "agrees with the true one in about 6 digits"),
        (15, "The loss has not moved at all"),
    ):
        scene.slide("ε", digits).shows(verdict)
        epsilon = 10.0**-digits
        weights["wte"][12][13] = begun + epsilon
        measured = (step1.mean_loss(tokens, weights) - before) / epsilon
        if digits < 15:
            found = scene.number("measured slope: that / ε")
            assert found == approx(measured, rel=6e-5)
        assert scene.number("true slope") == approx(slope, rel=6e-5)
