"""A gradient check: slopes by nudging against slopes as derived, right and wrong."""

from itertools import pairwise

from pictures.drawing import Drawing
from snippets.ready import untrained
from snippets.step1 import (
    Matrix,
    Weights,
    analytic_gradient,
    linear,
    mean_loss,
    softmax,
)

EVERY, SIZE = 9, 190  # parameters from point to point; pixels of a plot
SCALE = SIZE / 0.03  # pixels for a slope of 1


def draw() -> Drawing:
    """Draw the slopes of "anna" in fc1, with ReLU's gate and without it."""
    _, tokenizer, weights = untrained()
    tokens = tokenizer.document("anna")
    right = analytic_gradient(tokens, weights)["fc1"]
    before, nudged = mean_loss(tokens, weights), {}
    for i, row in enumerate(weights["fc1"]):
        for j in range(i % EVERY, len(row), EVERY):
            row[j] += 1e-6
            nudged[i, j] = (mean_loss(tokens, weights) - before) / 1e-6
            row[j] -= 1e-6
    wrong = ungated(tokens, weights)
    sheet = Drawing(250)
    for left, title, slopes in ((26, "right", right), (262, "gate forgotten", wrong)):
        middle = (left + SIZE / 2, 30 + SIZE / 2)
        sheet.box(left, 30, SIZE, SIZE)
        sheet.line([(left, 30 + SIZE), (left + SIZE, 30)], "dashed")
        for (i, j), across in nudged.items():
            x, y = across * SCALE, slopes[i][j] * SCALE
            if max(abs(x), abs(y)) < SIZE / 2:
                sheet.dot(middle[0] + x, middle[1] - y, 3, "gradient")
        sheet.text(left + SIZE / 2, 22, title, "strong")
        sheet.label(left + 8, 50, "↑ by hand", "soft")
        sheet.text(left + SIZE / 2, 242, "by nudging →", "small soft")
    return sheet


def ungated(tokens: list[int], weights: Weights) -> Matrix:
    """Return the slopes of fc1 as a gradient without ReLU's gate has them."""
    wte, fc1, fc2 = weights["wte"], weights["fc1"], weights["fc2"]
    slopes = [[0.0] * len(fc1[0]) for _ in fc1]
    pairs = list(pairwise(tokens))
    for token, target in pairs:
        hidden = linear(wte[token], fc1)
        p = softmax(linear([max(0.0, h) for h in hidden], fc2))
        p[target] -= 1
        back = linear([pi / len(pairs) for pi in p], [list(c) for c in zip(*fc2)])
        for row, d in zip(slopes, back, strict=True):
            for j, x in enumerate(wte[token]):
                row[j] += d * x
    return slopes
