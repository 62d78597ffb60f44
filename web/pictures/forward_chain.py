"""The forward pass of a name: five pairs, five surprises, and their mean."""

import math
from itertools import pairwise

from pictures.drawing import Drawing
from snippets.ready import untrained
from snippets.step1 import forward, softmax

UP = 22  # pixels for each nat


def draw() -> Drawing:
    """Draw each pair of "emma", its probability, and its loss as a bar."""
    _, tokenizer, weights = untrained()
    tokens = tokenizer.document("emma")
    said = ["BOS", *"emma", "BOS"]
    sheet = Drawing(262)
    losses = []
    for i, (token, target) in enumerate(pairwise(tokens)):
        x = 12 + 78 * i
        p = softmax(forward(token, weights))[target]
        losses.append(-math.log(p))
        sheet.text(x + 32, 24, said[i], "data strong")
        sheet.arrow((x + 32, 32), (x + 32, 52))
        sheet.block(x, 54, 64, 34, "network", "parameter small")
        sheet.arrow((x + 32, 90), (x + 32, 108))
        sheet.text(x + 32, 126, f"{p:.3f}", "activation small")
        sheet.text(x + 32, 146, f"for {said[i + 1]}", "small soft")
        sheet.box(x + 16, 156, 32, UP * losses[-1], "cost", strength=0.5)
        sheet.text(x + 32, 248, f"{losses[-1]:.2f}", "cost small")
    mean = sum(losses) / len(losses)
    sheet.text(440, 184, "mean", "cost small")
    sheet.text(440, 208, f"{mean:.2f}", "cost large strong")
    return sheet
