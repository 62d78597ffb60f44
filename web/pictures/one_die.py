"""One roll of a die, at four temperatures: what comes after "mar", and four whole names."""

import random

from microgpt import load_model, sample, softmax
from pictures.drawing import WIDTH, Drawing
from pictures.loaded_die import pieces

BEGUN = "mar"
TEMPERATURES = (0.2, 0.5, 1.0, 2.0)
ROLL = random.Random(6).random()
SEED, NAMES = 1, 4
LEFT, TOP, APART, HIGH = 46, 46, 68, 30  # pixels
ROOM = 13  # pixels that a letter needs


def draw() -> Drawing:
    """Draw a line of letters for each temperature, hit in one place, and its names."""
    model, tokenizer = load_model()
    cache = model.new_cache()
    for token in [tokenizer.bos, *tokenizer.encode(BEGUN)]:
        logits = model.forward(token, cache)
    sheet = Drawing(TOP + APART * len(TEMPERATURES))
    across, letters = WIDTH - 8 - LEFT, tokenizer.characters + "."
    for row, temperature in enumerate(TEMPERATURES):
        top = TOP + APART * row
        sheet.text(8, top + 21, f"{temperature:g}", "strong start")
        shares = [p.data for p in softmax([z / temperature for z in logits])]
        area = LEFT, top, across, HIGH
        letter, _ = pieces(sheet, area, shares, letters, ROLL, "activation", ROOM)
        sheet.text(WIDTH - 8, top + 50, BEGUN + letter, "gradient strong end")
        rng = random.Random(SEED)
        names = [sample(model, tokenizer, rng, temperature) for _ in range(NAMES)]
        sheet.label(LEFT, top + 50, " ".join(names))
        x = LEFT + across * ROLL
        sheet.line([(x, top - 8), (x, top + HIGH + 4)], "gradient dashed")
    sheet.label(8, 22, "temperature")
    sheet.text(x, 22, "one roll of the die", "gradient small strong")
    return sheet
