"""The keys of "emma" in a model with two layers: a cache for each, and no key twice."""

import math
import random

from microgpt import GPT, Config, Tokenizer, load_names
from pictures.drawing import Drawing

NAME = "emma"
FIRST, APART, CELL, HIGH = 138, 72, 14, 104  # pixels


def draw() -> Drawing:
    """Draw a drawer for each layer, and in it each letter's key as 16 shades."""
    tokenizer = Tokenizer(load_names())
    model = GPT(Config(tokenizer.vocab_size, n_layer=2), random.Random(42))
    cache = model.new_cache()
    for token in tokenizer.document(NAME)[:-1]:
        model.forward(token, cache)
    sheet = Drawing(2 * HIGH + 34)
    for i, said in enumerate(["start", *NAME]):
        look = "small" if said == "start" else "strong"
        sheet.text(FIRST + APART * i, 18, said, f"data {look}")
    for layer, each in enumerate(cache):
        y = 30 + HIGH * layer
        sheet.box(92, y, 382, HIGH - 14, "attention")
        sheet.label(4, y + 42, "keys of")
        sheet.label(4, y + 62, f"layer {layer}")
        for i, key in enumerate(each.keys):
            left = FIRST + APART * i - 2 * CELL
            shades = [math.copysign(min(1, 0.08 + abs(n.data)), n.data) for n in key]
            rows = [shades[j : j + 4] for j in range(0, len(shades), 4)]
            sheet.cells(left, y + 17, (CELL, CELL), rows, "activation")
    return sheet
