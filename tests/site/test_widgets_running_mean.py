"""The running mean that readers see is the package's own, and what is said of it follows from its weights."""

import math
from itertools import pairwise

import pytest
from pytest import approx

from microgpt import Adam, Value
from tests.calls import calls
from tests.site import see
from tests.site.figure import Open
from widgets.running_mean.model import STEPS, Series, running_mean

NAMES: dict[Series, str] = {"jump": "a jump in noise", "gradient": "a real gradient"}


@pytest.mark.parametrize(
    ("beta", "series"),
    [(0, "jump"), (0.01, "jump"), (0.5, "jump"), (0.9, "gradient"), (0.99, "jump")],
)
def test_the_mean_is_adam_s_and_the_facts_are_those_of_its_weights(
    open_figure: Open, beta: float, series: Series
) -> None:
    values = running_mean(beta, series, True)[series]
    parameter = Value(0.0)
    optimizer = Adam([parameter], beta1=beta)
    means, rows = [], []
    for value in values:
        parameter.grad = value
        (step,) = calls(lambda: optimizer.step(0.0), (Adam.step,))
        means.append(optimizer.first[0])
        now = step.variables
        rows.append([value, means[-1], now["correction1"], now["mean"]])
    figure = open_figure("running_mean")
    figure.press(NAMES[series])
    figure.slide("β", beta)
    for at in (1, 5, STEPS):
        figure.slide("Step", at)
        row = [approx(number, abs=6e-4) for number in rows[at - 1]]
        figure.shows({see.numbers(".readout:first-child td"): row})
    weights = [(1 - beta) * beta**age for age in range(1000)]
    window = 1 / (1 - beta)
    half = next(n for n in range(1, 1000) if math.fsum(weights[:n]) >= 0.5)
    moved = [sum(abs(b - a) for a, b in pairwise(of)) / 99 for of in (values, means)]
    facts = [
        approx(weights[0], abs=6e-3),
        approx(window, abs=0.06),
        approx(math.fsum(weights[: round(window)]), abs=6e-3),
        f"{half} step{'s' * (half > 1)}",
        *(approx(each, abs=6e-4) for each in moved),
    ]
    figure.shows({see.numbers(".readout:last-child td"): facts})
