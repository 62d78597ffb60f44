"""The pictures of Step 1, in the order of its pages."""

import math

from pictures.canvas import Axis, Canvas
from pictures.records import load_record
from snippets.ready import step1_setup
from snippets.ready.losses import running_means
from snippets.step1 import analytic_gradient, mean_loss


def draw_descent_along_one_parameter(canvas: Canvas) -> None:
    """Draw gradient descent: a real loss along one parameter, and the steps down."""
    column, weight = 13, 22.0  # the parameter in the row of "m" of wte, where it begins
    learning_rate, steps = 700.0, 4
    _, tokenizer, weights = step1_setup()
    tokens, (m,) = tokenizer.document("emma"), tokenizer.encode("m")

    def loss(value: float) -> float:
        weights["wte"][m][column] = value
        return mean_loss(tokens, weights)

    curve = [(value, loss(value)) for value in range(-30, 27)]
    losses = [loss for _, loss in curve]
    canvas.set_axes(Axis(-30, 26, 20, 460), Axis(min(losses), max(losses), 220, 30))
    canvas.curve(curve, classes="thick soft")
    previous = canvas.to_pixels(weight, loss(weight))
    canvas.circle(*previous, 7, "parameter")
    for _ in range(steps):
        weight -= learning_rate * analytic_gradient(tokens, weights)["wte"][m][column]
        point = canvas.to_pixels(weight, loss(weight))
        canvas.arrow(previous, point, "gradient", bend=math.dist(previous, point) / 6)
        canvas.circle(*point, 4, "parameter")
        previous = point
    canvas.text(300, 60, "steep: a long step", "gradient small")
    canvas.text(20, 262, "one number of the network", "parameter start")
    canvas.text(20, 24, "the loss: higher is worse", "cost start")


def draw_network_stages(canvas: Canvas) -> None:
    """Draw the network from a letter to probabilities, with the size of each stage."""
    stages = (
        ("e", "a letter", "", "data"),
        ("16", "its row of wte", "look up", "activation"),
        ("64", "hidden units", "fc1", "activation"),
        ("64", "no negatives", "ReLU", "activation"),
        ("27", "logits", "fc2", "activation"),
        ("27", "probabilities", "softmax", "activation"),
    )
    spacing = 44  # pixels from stage to stage, of which a box takes 34
    for i, (count, name, operation, role) in enumerate(stages):
        y = 4 + spacing * i
        width = 4.4 * int(count) if count.isdigit() else 34
        left, classes = 190 - width / 2, f"{role} strong"
        canvas.text_box(left, y, width, 32, count, classes, baseline=6)
        canvas.label(344, y + 22, name)
        if operation:
            role = "parameter" if operation in ("fc1", "fc2", "look up") else ""
            canvas.label(8, y + 22, operation, role)
        if i:
            canvas.arrow((190, y - 11), (190, y - 1), line_width=1.5)


def draw_losses_of_counting_and_network(canvas: Canvas) -> None:
    """Draw the recorded losses of counting and of the network, smoothed."""
    window = 100  # losses that each mean is of
    canvas.set_axes(Axis(0, 1000, 46, 456), Axis(2.5, 3.3, 206, 30))
    canvas.y_ticks((2.6, 2.8, 3.0, 3.2), ".1f", "nats per token")
    runs = (("step0", "data", "thick dashed"), ("step1", "cost", "thick"))
    for program, role, classes in runs:
        smooth = [*enumerate(running_means(load_record(program), window), 1)]
        canvas.curve(smooth[19::10], role, classes=classes)
    canvas.text(112, 110, "the network", "cost start")
    canvas.text(76, 184, "counting", "data start")
    canvas.x_ticks((0, 500, 1000), "g", "names read")
