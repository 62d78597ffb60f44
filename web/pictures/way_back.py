"""A network of two inputs, two hidden units and three logits: forward, and back."""

from itertools import pairwise

from pictures.drawing import Drawing
from snippets.step1 import linear, linear_backward, softmax

X, FC1 = [1.0, 2.0], [[1.0, 0.5], [1.0, -1.0]]
FC2 = [[1.0, 2.0], [0.0, 1.0], [-1.0, 3.0]]
TARGET = 1
COLUMNS = (44, 168, 262, 386)  # pixels from the left


def draw() -> Drawing:
    """Draw a column for each pair of numbers, with its slopes in the row below."""
    hidden = linear(X, FC1)
    activated = [max(0.0, h) for h in hidden]
    logits = linear(activated, FC2)
    d_logits = softmax(logits)
    d_logits[TARGET] -= 1
    # The slopes of the weights are not drawn.
    unseen = [[0.0, 0.0] for _ in range(3)]
    d_activated = linear_backward(d_logits, activated, FC2, unseen)
    d_hidden = [d * (h > 0) for d, h in zip(d_activated, hidden, strict=True)]
    d_x = linear_backward(d_hidden, X, FC1, unseen)
    columns = (
        ("x", X, d_x, "data"),
        ("hidden", hidden, d_hidden, "activation"),
        ("activated", activated, d_activated, "activation"),
        ("logits", logits, d_logits, "cost"),
    )
    sheet = Drawing(318)
    for at, (name, values, slopes, role) in zip(COLUMNS, columns, strict=True):
        sheet.text(at, 20, name, f"{role} small")
        for i, (value, slope) in enumerate(zip(values, slopes, strict=True)):
            sheet.block(at - 30, 32 + 34 * i, 60, 28, f"{value:.0f}", role, down=6)
            said = f"{slope + 0.0:.2f}" if slope else "0"
            sheet.block(at - 30, 194 + 34 * i, 60, 28, said, "gradient", down=6)
    for said, (left, right) in zip(("fc1", "ReLU", "fc2"), pairwise(COLUMNS)):
        sheet.arrow((left + 32, 63), (right - 32, 63))
        sheet.arrow((right - 32, 225), (left + 32, 225), "gradient")
        sheet.text((left + right) / 2, 132, said, "parameter small")
    sheet.text(COLUMNS[3] + 62, 88, "target", "small soft")
    sheet.text(COLUMNS[3], 172, "p − y", "gradient small")
    return sheet
