"""Whom the last letter of "lena" asks: the weights of a trained head, as arrows."""

from __future__ import annotations

import json
from pathlib import Path

from microgpt import Tokenizer, load_names
from pictures.drawing import Drawing
from snippets.step1 import Vector, linear, softmax

WEIGHTS = Path(__file__).parents[2] / "docs/data/one-end-weights.json"
NAME = "lena"
FIRST, APART, ROW = 48, 94, 150  # pixels


def draw() -> Drawing:
    """Draw the tokens in a row, and an arrow from the last to each, as thick as its weight."""
    weights = looks(NAME)[-1]
    sheet = Drawing(236)
    places = [FIRST + APART * i for i in range(len(weights))]
    for x, said, weight in zip(places, ["start", *NAME], weights, strict=True):
        last = x == places[-1]
        sheet.box(x - 28, ROW, 56, 40, "attention" if last else "data")
        look = "small" if said == "start" else "large"
        sheet.text(x, ROW + 27, said, "attention" if last else "data", look=look)
        sheet.text(x, ROW + 66, f"{weight:.2f}", "attention", look="strong")
        if not last:
            bend = -14 - 0.17 * (places[-1] - x)
            start, end = (places[-1] - 6, ROW - 4), (x, ROW - 4)
            sheet.arrow(start, end, "attention", bend=bend, weight=1 + 14 * weight)
    return sheet


def looks(name: str) -> list[Vector]:
    """Return the weights with which each token of a name asks those so far."""
    matrices = json.loads(WEIGHTS.read_text("utf-8"))
    tokens = Tokenizer(load_names()).document(name)[:-1]
    found, keys = [], []
    for place, token in enumerate(tokens):
        pair = zip(matrices["wte"][token], matrices["wpe"][place], strict=True)
        x = rmsnorm(rmsnorm([a + b for a, b in pair]))
        query = linear(x, matrices["layer0.attn_wq"])
        keys.append(linear(x, matrices["layer0.attn_wk"]))
        scale = len(query) ** -0.5
        found.append(softmax([score * scale for score in linear(query, keys)]))
    return found


def rmsnorm(x: Vector) -> Vector:
    """Scale a vector to a mean square of 1, as the package does."""
    scale = (sum(xi * xi for xi in x) / len(x) + 1e-5) ** -0.5
    return [scale * xi for xi in x]
