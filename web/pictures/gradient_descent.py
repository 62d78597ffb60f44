"""The pictures of Step 1, in the order of its pages."""

import math
import string

from pictures.canvas import Axis, Canvas, Point
from pictures.records import load_record
from snippets.ready import SEED
from snippets.ready.losses import running_means
from snippets.ready.plane import letters_in_the_plane
from snippets.step1 import linear, softmax


def draw_steps_down_a_parabola(canvas: Canvas) -> None:
    """Draw four steps of gradient descent, at a rate of a quarter, down (w − 3)²."""
    canvas.set_axes(Axis(-0.4, 6.4, 20, 460), Axis(0, 9.6, 224, 24))
    hill = [(w / 20, (w / 20 - 3) ** 2) for w in range(122)]
    canvas.curve(hill, classes="thick soft")
    weight, previous = 0.0, canvas.to_pixels(0, 9)
    canvas.circle(*previous, 7, "parameter")
    for _ in range(4):
        weight -= 0.25 * 2 * (weight - 3)
        point = canvas.to_pixels(weight, (weight - 3) ** 2)
        canvas.arrow(previous, point, "gradient", bend=math.dist(previous, point) / 6)
        canvas.circle(*point, 4, "parameter")
        previous = point
    canvas.text(108, 60, "steep: a long step", "gradient small start")
    canvas.x_ticks((0, 1.5, 2.25, 3), "g", "w")


def draw_trench_and_bowl(canvas: Canvas) -> None:
    """Draw the loss of a fare from above, with one ride and with two, and the steps."""
    for num_rides, left, title in (
        (1, 26, "one ride: 2w + b = 7"),
        (2, 262, "two rides: w = 2, b = 3"),
    ):
        canvas.set_axes(Axis(0, 4, left, left + 200), Axis(-0.5, 5, 250, 30))
        canvas.label(left, 16, title, "strong")
        canvas.box(left, 30, 200, 220, "soft")
        for level in (0.0, 0.5, 3.0, 10.0, 25.0):
            for line in contour_lines(level, num_rides):
                add_clipped_line(canvas, line, "cost" if level else "cost thick")
        if num_rides == 2:
            for x, y in ((2.0, 7.0), (0.5, 4.0)):
                trench = [(w / 50, y - x * w / 50) for w in range(201)]
                add_clipped_line(canvas, trench, "cost dashed")
        w, b, previous = 1.0, 0.0, canvas.to_pixels(1.0, 0.0)
        canvas.circle(*previous, 6, "parameter")
        for i in range(4 if num_rides == 1 else 60):
            x, y = ((2.0, 7.0), (0.5, 4.0))[i % num_rides]
            push = 2 * (0.05 if num_rides == 1 else 0.1) * (w * x + b - y)
            w, b = w - push * x, b - push
            point = canvas.to_pixels(w, b)
            canvas.polyline([previous, point], "parameter")
            canvas.circle(*point, 2.5, "parameter")
            previous = point
        canvas.text(left + 100, 270, "w: a kilometre", "small soft")
        canvas.label(left, 292, "upwards: b, getting in", "soft")
    canvas.circle(*canvas.to_pixels(2, 3), 4, "cost")


def contour_lines(level: float, num_rides: int) -> list[list[Point]]:
    """Return the lines of pairs (w, b) at which the sum of the losses is `level`."""
    if num_rides == 1:
        shifts = {7 - math.sqrt(level), 7 + math.sqrt(level)}
        return [[(w / 50, c - 2 * w / 50) for w in range(201)] for c in shifts]
    # With errors u and v of the two rides, the level is a circle, u² + v² = level.
    turns = [math.tau * i / 200 for i in range(201)]
    errors = [
        (math.sqrt(level) * math.cos(t), math.sqrt(level) * math.sin(t)) for t in turns
    ]
    return [[((u - v) / 1.5 + 2, (4 * v - u) / 3 + 3) for u, v in errors]]


def add_clipped_line(canvas: Canvas, line: list[Point], classes: str) -> None:
    """Draw the parts of a line that lie on the axes."""
    (x, y), part = (canvas.x_axis, canvas.y_axis), list[Point]()
    for w, b in [*line, (math.inf, 0)]:
        if x.min_value <= w <= x.max_value and y.min_value <= b <= y.max_value:
            part.append(canvas.to_pixels(w, b))
        else:
            if len(part) > 1:
                canvas.polyline(part, classes)
            part = []


def draw_network_stages(canvas: Canvas) -> None:
    """Draw the network from a letter to probabilities, with the size of each stage."""
    stages = (
        ("e", "a letter", "", "data"),
        ("16", "its numbers", "look up", "activation"),
        ("64", "sums", "weigh and add", "activation"),
        ("64", "no negatives", "negatives → 0", "activation"),
        ("27", "scores", "weigh and add", "activation"),
        ("27", "probabilities", "softmax", "activation"),
    )
    spacing = 44  # pixels from stage to stage, of which a box takes 34
    for i, (count, name, operation, role) in enumerate(stages):
        y = 4 + spacing * i
        width = 3 * int(count) if count.isdigit() else 34
        left, classes = 220 - width / 2, f"{role} strong"
        canvas.text_box(left, y, width, 32, count, classes, baseline=6)
        canvas.label(344, y + 22, name)
        if operation:
            role = "parameter" if operation in ("look up", "weigh and add") else ""
            canvas.label(8, y + 22, operation, role)
        if i:
            canvas.arrow((220, y - 11), (220, y - 1), line_width=1.5)


def draw_letters_in_the_plane(canvas: Canvas) -> None:
    """Draw where 26 letters of two numbers lie: untrained, and after three trainings."""
    letters, vowels = string.ascii_lowercase, "aeiou"
    panels = (
        ("untrained", SEED, 0),
        ("after 1,000 names", SEED, 1),
        ("from another start", 3, 1),
        ("from a third start", 4, 1),
    )
    for i, (title, seed, trained) in enumerate(panels):
        left, top = 8 + 236 * (i % 2), 28 + 216 * (i // 2)
        canvas.label(left, top - 8, title, "strong")
        canvas.box(left, top, 228, 176, "soft")
        canvas.set_axes(
            Axis(-1.1, 1.4, left + 6, left + 218), Axis(-1.75, 1.1, top + 170, top + 6)
        )
        for ends in (((-1.1, 0), (1.4, 0)), ((0, -1.75), (0, 1.1))):
            canvas.polyline([canvas.to_pixels(*end) for end in ends], "soft dashed")
        for letter, numbers in zip(letters, letters_in_the_plane(seed)[trained]):
            x, y = canvas.to_pixels(numbers[0], numbers[1])
            canvas.text(x, y + 5, letter, "data strong" if letter in vowels else "soft")
    canvas.label(8, 436, "to the right: first number; up: second; dashed: 0", "soft")


def draw_small_network(canvas: Canvas) -> None:
    """Draw two inputs, two hidden units and an output, with their weights."""
    a, b, g, h, out = (120, 34), (360, 34), (120, 148), (360, 148), (240, 262)
    weights = ((a, g, 1), (a, h, 3), (b, g, 2), (b, h, 1), (g, out, 5), (h, out, 4))
    for (x0, y0), (x1, y1), weight in weights:
        lean = 16 if x1 > x0 else -16 if x1 < x0 else 0
        start, end = (x0 + lean, y0 + 26), (x1 - lean, y1 - 26)
        canvas.arrow(start, end, "parameter")
        x, y = (start[i] + 0.22 * (end[i] - start[i]) for i in (0, 1))
        side = lean or (x0 - 240) / 8
        canvas.text(x + side, y + 2, weight, "parameter strong")
    for (x, y), text, role in (
        (a, "a = 2", "data"),
        (b, "b = 1", "data"),
        (g, "g = 4", "activation"),
        (h, "h = 7", "activation"),
        (out, "out = 48", "activation"),
    ):
        canvas.box(x - 55, y - 26, 110, 52, role)
        canvas.text(x, y + 5, text, f"{role} strong")


def draw_outer_product_of_slopes(canvas: Canvas) -> None:
    """Draw a layer's slopes: a column of logits' slopes times a row of its inputs."""
    activated = [2.0, 0.0, 1.0]
    fc2 = [[1.0, 2.0, 0.0], [0.0, 1.0, 1.0], [-1.0, 3.0, 0.0]]
    d_logits = softmax(linear(activated, fc2))
    d_logits[1] -= 1  # the target
    left, top, (width, height) = 150, 92, (100, 40)
    canvas.label(left, 18, "activated: what the weights multiplied", "activation")
    canvas.label(8, 82, "d_logits", "gradient")
    for j, number in enumerate(activated):
        x = left + width * j
        canvas.text_box(x, 28, width - 6, 34, f"{number:.0f}", "activation strong")
    for i, d in enumerate(d_logits):
        y = top + height * i
        canvas.text_box(8, y, 104, height - 6, f"{d:.2f}", "gradient strong")
        canvas.text(130, y + 22, "×", "soft")
        for j, number in enumerate(activated):
            x, slope = left + width * j, d * number
            size = (width - 6, height - 6)
            canvas.box(x, y, *size, "gradient", opacity=0.04 + 0.3 * abs(slope))
            canvas.text(x + width / 2 - 3, y + 22, f"{slope + 0.0:.2f}")
    canvas.label(left, 230, "the slopes of fc2: d times activated", "gradient")


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


def draw_reading_again(canvas: Canvas) -> None:
    """Draw the network's loss by how often it read its names, and the table's."""
    rungs = load_record("passes")["guide"]["rungs"]
    table = rungs.pop("pairs")["1000"]["mean"]
    del rungs["tuned"]
    losses = [(float(key), rung["1000"]["mean"]) for key, rung in rungs.items()]
    loss_axis = Axis(2.555, 2.59, 206, 24)
    canvas.set_axes(Axis(1, losses[-1][0], 54, 456, is_log=True), loss_axis)
    canvas.y_ticks((2.56, 2.57, 2.58, 2.59), ".2f", "nats per token")
    canvas.x_ticks((1, 2, 3, 6, 12, 20), "g", "times read")
    ends = [(1, table), (losses[-1][0], table)]
    (_, y), _ = canvas.curve(ends, "data", classes="thick dashed")
    canvas.text(62, y - 8, "the table", "data start")
    for point in canvas.curve(losses, "cost", classes="thick"):
        canvas.circle(*point, 4, "cost")
    canvas.text(112, 70, "the network", "cost start")
