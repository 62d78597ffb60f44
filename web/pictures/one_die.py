"""One roll of a die, at four temperatures: what comes after "mar", and four whole names."""

import random
from itertools import accumulate

from microgpt import load_model, sample, softmax
from pictures.drawing import WIDTH, Drawing

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
    across = WIDTH - 8 - LEFT
    for row, temperature in enumerate(TEMPERATURES):
        top = TOP + APART * row
        sheet.text(8, top + 21, f"{temperature:g}", "strong start")
        shares = [p.data for p in softmax([z / temperature for z in logits])]
        for token, end in enumerate(accumulate(shares)):
            wide = across * shares[token]
            x = LEFT + across * end - wide
            hit = end - shares[token] <= ROLL < end
            strength = 0.9 if hit else 0.25 + 0.3 * (token % 2)
            role = "gradient" if hit else "activation"
            sheet.box(x, top, wide, HIGH, role, strength=strength)
            letter = (tokenizer.characters + ".")[token]
            if wide > ROOM and not hit:
                sheet.text(x + wide / 2, top + 21, letter, "small")
            if hit:
                said = f"{BEGUN}{letter}"
                sheet.text(WIDTH - 8, top + 50, said, "gradient strong end")
        rng = random.Random(SEED)
        names = [sample(model, tokenizer, rng, temperature) for _ in range(NAMES)]
        sheet.label(LEFT, top + 50, " ".join(names))
        x = LEFT + across * ROLL
        sheet.line([(x, top - 8), (x, top + HIGH + 4)], "gradient dashed")
    sheet.label(8, 22, "temperature")
    sheet.text(x, 22, "one roll of the die", "gradient small strong")
    return sheet
