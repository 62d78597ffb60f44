"""The pictures of Step 0, in the order of its pages."""

import math
import random
from itertools import pairwise

from pictures.canvas import CANVAS_WIDTH_PX, Axis, Canvas
from snippets.ready import step0_setup
from snippets.step0 import probabilities, sample


def draw_name_from_counts(canvas: Canvas) -> None:
    """Draw how a name is sampled from counts: each row, and the token drawn."""
    draws = sample_name_draws()
    width = CANVAS_WIDTH_PX / len(draws)
    max_probability = max(max(row) for _, row, _ in draws)
    for index, (previous, row, target) in enumerate(draws):
        left, spacing = index * width + 6, (width - 16) / len(row)
        middle = left + (width - 16) / 2
        question = "first?" if previous == "start" else f"after {previous}?"
        canvas.text(middle, 18, question, "small soft")
        for token, p in enumerate(row):
            role, opacity = ("gradient", 1) if token == target else ("data", 0.4)
            x, height = left + spacing * token, 100 * p / max_probability
            canvas.box(x, 134 - height, 0.88 * spacing, height, role, opacity=opacity)
        start = left + spacing * (target + 0.44), 138
        canvas.arrow(start, (middle, 166), "gradient", line_width=1)
        letter, classes = chr(ord("a") + target), "large strong"
        if target == len(row) - 1:
            letter, classes = "end", "soft"
        canvas.text(middle, 190, letter, classes)


def sample_name_draws() -> list[tuple[str, list[float], int]]:
    """Sample a name; return (previous letter, probabilities, token) for each draw."""
    _, tokenizer, counts = step0_setup()
    rng, name = random.Random(82), ""
    while len(name) not in (4, 5):  # letters that fit and look like a name
        name = sample(counts, tokenizer, rng)
    labels = [*tokenizer.characters, "start"]
    return [
        (labels[token], probabilities(token, counts), target)
        for token, target in pairwise(tokenizer.document(name))
    ]


def draw_name_lengths(canvas: Canvas) -> None:
    """Draw how many letters the names of the dataset have, and those invented."""
    names, tokenizer, counts = step0_setup()
    rng = random.Random(42)
    invented = [sample(counts, tokenizer, rng) for _ in range(2000)]
    canvas.set_axes(Axis(-0.6, 16.6, 45, 455), Axis(0, 0.28, 180, 20))
    canvas.y_ticks((0, 0.1, 0.2), ".0%", "names")
    for length in range(17):
        left, zero = canvas.to_pixels(length - 0.4, 0)
        right, _ = canvas.to_pixels(length + 0.4, 0)
        for words, role, opacity in ((names, "", None), (invented, "data", 0.5)):
            share = sum(len(word) == length for word in words) / len(words)
            _, top = canvas.to_pixels(0, share)
            canvas.box(left, top, right - left, zero - top, role, opacity=opacity)
    canvas.x_ticks(range(0, 17, 2), "g", "letters")


def draw_loss_of_one_guess(canvas: Canvas) -> None:
    """Draw the loss of one guess: −log p for every p from 0 to 1."""
    marks = {"0.9": 0.9, "0.5": 0.5, "0.1": 0.1, "1/27": 1 / 27}
    canvas.set_axes(Axis(0, 1, 50, 450), Axis(0, 4, 200, 20))
    canvas.y_ticks(range(5), "g", "cost")
    curve = [(p / 200, -math.log(p / 200)) for p in range(4, 201)]
    canvas.curve(curve, "gradient")
    for label, p in marks.items():
        x, y = canvas.to_pixels(p, -math.log(p))
        canvas.circle(x, y, 5, "gradient")
        text = f"p = {label} costs {-math.log(p):.2f}"
        if p > 0.8:  # no room on its right
            canvas.text(450, y - 22, text, "small end")
        else:
            canvas.label(x + 10, y - 16, text)
    canvas.x_ticks((0, 0.5, 1), "g", "probability given to the actual next letter")
