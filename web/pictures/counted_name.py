"""A name that the count table invents: at each letter the row, and what was drawn."""

import random
from itertools import pairwise

from pictures.drawing import WIDTH, Drawing
from snippets.ready import counted
from snippets.step0 import probabilities, sample

LETTERS = (4, 5)  # a name that fits, and is long enough to look like one


def invented() -> list[tuple[str, list[float], int]]:
    """Return for each draw of a name the letter before, its row, and the token drawn."""
    _, tokenizer, counts = counted()
    rng, name = random.Random(42), ""
    while not LETTERS[0] <= len(name) <= LETTERS[1]:
        name = sample(counts, tokenizer, rng)
    shown = [*tokenizer.characters, "start"]
    return [
        (shown[token], probabilities(token, counts), target)
        for token, target in pairwise(tokenizer.document(name))
    ]


def draw() -> Drawing:
    """Draw a panel for each letter, from left to right, and the name below them."""
    draws = invented()
    sheet = Drawing(208)
    wide = WIDTH / len(draws)
    highest = max(max(row) for _, row, _ in draws)
    for place, (before, row, target) in enumerate(draws):
        left, bar = place * wide + 6, (wide - 16) / len(row)
        middle = left + (wide - 16) / 2
        asked = "first?" if before == "start" else f"after {before}?"
        sheet.text(middle, 18, asked, "small soft")
        for token, p in enumerate(row):
            height = 100 * p / highest
            role, strength = ("gradient", 1.0) if token == target else ("data", 0.4)
            x = left + token * bar
            sheet.box(x, 134 - height, bar - 0.6, height, role, strength=strength)
        x = left + (target + 0.5) * bar
        sheet.arrow((x, 138), (middle, 166), "gradient", weight=1)
        if target == len(row) - 1:
            sheet.text(middle, 190, "end", "soft")
        else:
            sheet.text(middle, 190, chr(ord("a") + target), "large strong")
    return sheet
