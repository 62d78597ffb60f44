"""Gradient descent: a real loss along one parameter, and the steps that go down it."""

from __future__ import annotations

from pictures.drawing import Drawing
from snippets.ready import untrained
from snippets.step1 import analytic_gradient, mean_loss

LEAST, MOST = -30.0, 26.0  # of the parameter that is moved
START, RATE, STEPS = 22.0, 700.0, 6
LEFT, ACROSS = 20, 440  # pixels
TOP, DOWN = 30, 190


def draw() -> Drawing:
    """Draw the loss of "emma" for each value of a number of "m", and five steps."""
    _, tokenizer, weights = untrained()
    tokens = tokenizer.document("emma")
    row, column = weights["wte"][tokens[2]], 13

    def loss(value: float) -> float:
        row[column] = value
        return mean_loss(tokens, weights)

    values = [LEAST + (MOST - LEAST) * i / 120 for i in range(121)]
    losses = [loss(value) for value in values]
    low, high = min(losses), max(losses)

    def place(value: float) -> tuple[float, float]:
        share = (loss(value) - low) / (high - low)
        return LEFT + ACROSS * (value - LEAST) / (MOST - LEAST), TOP + DOWN * (
            1 - share
        )

    sheet = Drawing(280)
    sheet.line(map(place, values), look="thick soft")
    at, before = START, place(START)
    sheet.dot(*before, 7, "parameter")
    for _ in range(STEPS):
        loss(at)
        slope = analytic_gradient(tokens, weights)["wte"][tokens[2]][column]
        at -= RATE * slope
        here = place(at)
        sheet.arrow(before, here, "gradient", bend=14, weight=2)
        sheet.dot(*here, 5, "parameter")
        before = here
    sheet.text(300, 60, "steep: a long step", "gradient", look="small", anchor="middle")
    sheet.text(LEFT, 262, "one number of the network", "parameter", anchor="start")
    sheet.text(LEFT + ACROSS, 262, "higher is worse: the loss", "cost", anchor="end")
    return sheet
