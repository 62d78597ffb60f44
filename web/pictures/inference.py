"""The pictures of Step 6, in the order of its pages."""

import random

from microgpt import load_model, sample, softmax
from pictures.drawing import WIDTH, Drawing


def one_die(sheet: Drawing) -> None:
    """One roll of a die, at four temperatures: what comes after "mar", and four whole names."""
    begun = "mar"
    temperatures = (0.2, 0.5, 1.0, 2.0)
    roll = random.Random(6).random()
    left, highest, apart, high = 46, 46, 68, 30  # pixels
    room = 13  # pixels that a letter needs
    model, tokenizer = load_model()
    cache = model.new_cache()
    for token in [tokenizer.bos, *tokenizer.encode(begun)]:
        logits = model.forward(token, cache)
    across, letters = WIDTH - 8 - left, tokenizer.characters + "."
    for row, temperature in enumerate(temperatures):
        top = highest + apart * row
        sheet.text(8, top + 21, f"{temperature:g}", "strong start")
        p, end = softmax([z / temperature for z in logits]), 0.0
        for i, letter in enumerate(letters):
            x, wide = left + across * end, across * p[i].data
            start, end = end, end + p[i].data
            if hit := start <= roll < end:
                sheet.text(WIDTH - 8, top + 50, begun + letter, "gradient strong end")
            role, strength = (
                ("gradient", 0.9) if hit else ("activation", 0.25 + 0.3 * (i % 2))
            )
            sheet.box(x, top, wide, high, role, strength=strength)
            if wide > room and not hit:
                sheet.text(x + wide / 2, top + high / 2 + 6, letter, "small")
        rng = random.Random(1)
        names = [sample(model, tokenizer, rng, temperature) for _ in range(4)]
        sheet.label(left, top + 50, " ".join(names))
        x = left + across * roll
        sheet.line([(x, top - 8), (x, top + high + 4)], "gradient dashed")
    sheet.label(8, 22, "temperature")
    sheet.text(x, 22, "one roll of the die", "gradient small strong")
