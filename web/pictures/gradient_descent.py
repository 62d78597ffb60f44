"""The pictures of Step 1, in the order of its pages."""

import math

from pictures.drawing import Axis, Drawing
from pictures.records import means, recorded
from snippets.ready import untrained
from snippets.ready.losses import means as running_means
from snippets.step1 import (
    analytic_gradient,
    mean_loss,
)


def downhill(sheet: Drawing) -> None:
    """Gradient descent: a real loss along one parameter, and the steps that go down it."""
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


def smallest_training(sheet: Drawing) -> None:
    """The smallest training: a weight, a bias, a guess, and what its error changes."""
    boxes = (
        (10, "x", "2", "data"),
        (120, "· w", "1", "parameter"),
        (230, "+ b", "0", "parameter"),
        (340, "guess", "2", "activation"),
    )
    for x, name, value, role in boxes:
        sheet.block(x, 50, 80, 60, name, f"{role} small", down=-6)
        sheet.text(x + 40, 100, value, f"{role} strong")
    for x in (90, 200, 310):
        sheet.arrow((x + 2, 80), (x + 28, 80))
    sheet.text(380, 36, "truth: 7", "data small")
    sheet.arrow((380, 112), (380, 148), "cost", weight=2)
    sheet.text(380, 170, "error −5", "cost strong")
    sheet.text(380, 192, "loss 25", "cost small")
    for x, slope, new in ((160, "slope −20", "w: 1 → 2"), (270, "−10", "b: 0 → 0.5")):
        sheet.arrow((334, 186), (x + 4, 150), "gradient", bend=-18, weight=2)
        sheet.text(x, 140, slope, "gradient small")
        sheet.text(x, 232, new, "parameter strong")
    sheet.text(215, 258, "one step, at a rate of 0.05", "small soft")


def parameter_grids(sheet: Drawing) -> None:
    """The three matrices of the network, to scale, and what a row or a column is about."""
    cell = 3.2  # pixels for a number
    shapes = (("wte", 27, 16), ("fc1", 64, 16), ("fc2", 27, 64))
    left = (16, 150, 262)
    marks = (("row: “e”", 4), ("row: a unit", 30), ("row: next is “e”", 4))
    for (name, rows, columns), x, (said, row) in zip(shapes, left, marks, strict=True):
        wide, high = cell * columns, cell * rows
        sheet.text(x, 16, name, "parameter strong start")
        sheet.label(x, 34, f"{rows} × {columns}", "soft")
        sheet.box(x, 44, wide, high, "parameter", strength=0.15)
        sheet.box(x, 44 + cell * row, wide, 2 * cell, "parameter", strength=1)
        sheet.label(x, 44 + high + 20, said)
    column = left[2] + cell * 30
    sheet.box(column, 44, 2 * cell, cell * 27, "activation", strength=0.9)
    below = 44 + cell * 27 + 40
    sheet.label(left[2], below, "column: that unit")


def network_chain(sheet: Drawing) -> None:
    """The network: from a letter to probabilities, with the count of numbers at each stage."""
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


def hinges(sheet: Drawing) -> None:
    """Two hidden units, each bent at 0: together they make a line with a corner."""
    shapes = (
        (72, "max(0, x)", "activation", (0, 0, 1)),
        (240, "max(0, −x)", "activation", (1, 0, 0)),
        (408, "their sum", "cost", (1, 0, 1)),
    )
    for middle, said, role, heights in shapes:
        sheet.axes(Axis(-1, 1, middle - 60, middle + 60), Axis(0, 1, 120, 62))
        sheet.curve([(-1, 0), (1, 0)], look="soft")
        sheet.curve(zip((-1, 0, 1), heights, strict=True), role)
        sheet.text(middle, 150, said, f"{role} small")
    sheet.text(156, 92, "+", "large")
    sheet.text(324, 92, "=", "large")


def gears(sheet: Drawing) -> None:
    """The chain rule: a nudge passes through two functions, and grows in each."""
    for left, name, value, nudge in (
        (12, "x", "2", "+0.001"),
        (180, "u = 3x + 1", "7", "+0.003"),
        (352, "y = u²", "49", "+0.042"),
    ):
        sheet.box(left, 46, 116, 62, "activation")
        sheet.text(left + 58, 70, name, "small")
        sheet.text(left + 58, 97, value, "activation strong")
        sheet.text(left + 58, 140, nudge, "gradient small")
    for left, slope in ((128, "× 3"), (296, "× 14")):
        sheet.arrow((left + 4, 77), (left + 50, 77), weight=2)
        sheet.text(left + 27, 36, slope, "gradient strong")
    sheet.text(240, 172, "a nudge, on its way", "small soft")


def two_runs(sheet: Drawing) -> None:
    """The recorded losses of counting and of the network, smoothed."""
    window = 100  # losses of a mean
    sheet.axes(Axis(0, 1000, 46, 456), Axis(2.5, 3.3, 206, 30))
    sheet.levels((2.6, 2.8, 3.0, 3.2), ".1f", "nats per token", axes="")
    runs = (("step0", "data", "thick dashed"), ("step1", "cost", "thick"))
    for program, role, look in runs:
        smooth = [*enumerate(running_means(recorded(program), window), 1)]
        sheet.curve(smooth[19::10], role, look=look)
    sheet.text(112, 110, "the network", "cost start")
    sheet.text(76, 184, "counting", "data start")
    sheet.foot((0, 500, 1000), "g", "names read", below=42)


def onto_the_table(sheet: Drawing) -> None:
    """The network's loss sinks onto the table's and stays there."""
    rungs = recorded("ends")["guide"]["rungs"]
    sheet.axes(Axis(1_000, 100_000, 44, 372, tens=True), Axis(2.52, 2.62, 170, 20))
    sheet.levels((2.54, 2.57, 2.6), ".2f", "nats per token")
    sheet.foot((1_000, 10_000, 100_000), ",", "names read", below=38)
    floor = sheet.floor(rungs["pairs"]["100000"]["mean"])
    sheet.label(sheet.x.start + 6, floor + 17, "table of pairs", "soft")
    shown = [point for point in means(rungs["network"]) if point[0] <= sheet.x.last]
    sheet.curve(shown, "data", said="network", beside=(1, 8, -4))
