"""A name that the count table invents: at each letter the row, and what was drawn."""

import random
from itertools import pairwise

from pictures.drawing import WIDTH, Drawing
from snippets.ready import counted
from snippets.step0 import probabilities, sample

LETTERS = (4, 5)  # a name that fits, and is long enough to look like one


def invented() -> tuple[str, list[tuple[str, list[float], int]]]:
    """Return a name; and for each draw the letter before, its row, the token drawn."""
    _, tokenizer, counts = counted()
    rng = random.Random(42)
    while True:
        name = sample(counts, tokenizer, rng)
        if LETTERS[0] <= len(name) <= LETTERS[1]:
            break
    tokens = tokenizer.document(name)
    shown = [*tokenizer.characters, "start"]
    draws = [
        (shown[token], probabilities(token, counts), target)
        for token, target in pairwise(tokens)
    ]
    return name, draws


def draw() -> Drawing:
    """Draw a panel for each letter, from left to right, and the name below them."""
    _, draws = invented()
    sheet = Drawing(208)
    wide = WIDTH / len(draws)
    highest = max(max(row) for _, row, _ in draws)
    for place, (before, row, target) in enumerate(draws):
        left = place * wide + 6
        bar = (wide - 16) / len(row)
        asked = "first?" if before == "start" else f"after {before}?"
        sheet.text(left + (wide - 16) / 2, 18, asked, "small soft")
        for token, p in enumerate(row):
            height = 100 * p / highest
            role, strength = ("gradient", 1.0) if token == target else ("data", 0.4)
            x = left + token * bar
            sheet.box(x, 134 - height, bar - 0.6, height, role, strength=strength)
        x = left + (target + 0.5) * bar
        end = left + (wide - 16) / 2
        sheet.arrow((x, 138), (end, 166), "gradient", weight=1)
        drawn = "end" if target == len(row) - 1 else chr(ord("a") + target)
        look = "large strong" if drawn != "end" else "soft"
        sheet.text(end, 190, drawn, look)
    return sheet
