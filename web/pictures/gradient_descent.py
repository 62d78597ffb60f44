"""The pictures of Step 1, in the order of its pages."""

import math

from pictures.drawing import Axis, Drawing
from pictures.records import recorded
from snippets.ready import untrained
from snippets.ready.losses import means as running_means
from snippets.step1 import (
    analytic_gradient,
    mean_loss,
)


def downhill(sheet: Drawing) -> None:
    """Draw gradient descent: a real loss along one parameter, and the steps that go down it."""
    at, rate, steps, column = 22.0, 700.0, 4, 13  # of the row of "m" in wte
    _, tokenizer, weights = untrained()
    tokens, (m,) = tokenizer.document("emma"), tokenizer.encode("m")

    def loss(value: float) -> float:
        weights["wte"][m][column] = value
        return mean_loss(tokens, weights)

    curve = [(value, loss(value)) for value in range(-30, 27)]
    losses = [loss for _, loss in curve]
    sheet.axes(Axis(-30, 26, 20, 460), Axis(min(losses), max(losses), 220, 30))
    sheet.curve(curve, look="thick soft")
    before = sheet.at(at, loss(at))
    sheet.dot(*before, 7, "parameter")
    for _ in range(steps):
        at -= rate * analytic_gradient(tokens, weights)["wte"][m][column]
        here = sheet.at(at, loss(at))
        sheet.arrow(before, here, "gradient", bend=math.dist(before, here) / 6)
        sheet.dot(*here, 4, "parameter")
        before = here
    sheet.text(300, 60, "steep: a long step", "gradient small")
    sheet.text(sheet.x.start, 262, "one number of the network", "parameter start")
    sheet.text(sheet.x.start, 24, "the loss: higher is worse", "cost start")


def network_chain(sheet: Drawing) -> None:
    """Draw the network from a letter to probabilities, with the size of each stage."""
    stages = (
        ("e", "a letter", "", "data"),
        ("16", "its row of wte", "look up", "activation"),
        ("64", "hidden units", "fc1", "activation"),
        ("64", "no negatives", "ReLU", "activation"),
        ("27", "logits", "fc2", "activation"),
        ("27", "probabilities", "softmax", "activation"),
    )
    high = 44  # pixels from stage to stage, of which a box takes 34
    for i, (count, name, done, role) in enumerate(stages):
        y = 4 + high * i
        wide = 4.4 * int(count) if count.isdigit() else 34
        sheet.block(190 - wide / 2, y, wide, 32, count, f"{role} strong", down=6)
        sheet.label(344, y + 22, name)
        if done:
            role = "parameter" if done in ("fc1", "fc2", "look up") else ""
            sheet.label(8, y + 22, done, role)
        if i:
            sheet.arrow((190, y - 11), (190, y - 1), weight=1.5)


def two_runs(sheet: Drawing) -> None:
    """Draw the recorded losses of counting and of the network, smoothed."""
    window = 100  # losses of a mean
    sheet.axes(Axis(0, 1000, 46, 456), Axis(2.5, 3.3, 206, 30))
    sheet.levels((2.6, 2.8, 3.0, 3.2), ".1f", "nats per token")
    runs = (("step0", "data", "thick dashed"), ("step1", "cost", "thick"))
    for program, role, look in runs:
        smooth = [*enumerate(running_means(recorded(program), window), 1)]
        sheet.curve(smooth[19::10], role, look=look)
    sheet.text(112, 110, "the network", "cost start")
    sheet.text(76, 184, "counting", "data start")
    sheet.foot((0, 500, 1000), "g", "names read")
