"""A name comes out of the model: each token that is drawn is read next."""

import random
from itertools import pairwise

from microgpt import load_model, sample, softmax
from pictures.drawing import WIDTH, Drawing

SEED = 42
LIKELIEST = 4
TOP, APART, READ = 34, 30, 206  # pixels


def draw() -> Drawing:
    """Draw a column for each token read: the likeliest answers, and the one drawn."""
    model, tokenizer = load_model()
    name = sample(model, tokenizer, random.Random(SEED))
    tokens = tokenizer.document(name)
    cache = model.new_cache()
    called = [*tokenizer.characters, "end"]
    sheet = Drawing(252)
    wide = WIDTH / (len(tokens) - 1)
    for place, (token, answer) in enumerate(pairwise(tokens)):
        p = [pi.data for pi in softmax(model.forward(token, cache))]
        best = sorted(range(len(p)), key=lambda i: -p[i])[:LIKELIEST]
        if answer not in best:
            best[-1] = answer
        left, middle = wide * place + 6, wide * (place + 0.5)
        read, look = (called[token], "strong") if place else ("BOS", "small")
        sheet.block(middle - 26, READ, 52, 38, read, f"data {look}", down=7)
        sheet.arrow((middle, READ - 4), (middle, TOP + APART * LIKELIEST + 10))
        for row, each in enumerate(best):
            y, drawn = TOP + APART * row, each == answer
            role = "gradient" if drawn else "activation"
            long = (wide - 56) * p[each] / max(p)
            sheet.label(left, y + 18, called[each], role)
            sheet.box(left + 28, y + 3, long, 20, role, strength=0.9 if drawn else 0.4)
            if drawn and answer != tokenizer.bos:
                start, end = (left + 32 + long, y + 14), (middle + wide - 30, READ + 18)
                sheet.arrow(start, end, "gradient", weight=2)
    return sheet
