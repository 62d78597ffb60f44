"""The keys of "emma" in a model with two layers: a cache for each, and no key twice."""

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
            for place, number in enumerate(key):
                row, column = divmod(place, 4)
                x, top = left + column * CELL, y + 17 + row * CELL
                role = "" if number.data < 0 else "activation"
                strength = min(1.0, 0.08 + abs(number.data))
                sheet.box(x, top, CELL - 1, CELL - 1, role, strength=strength)
    return sheet
