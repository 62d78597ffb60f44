"""The pictures of Step 0, in the order of its pages."""

import math
import random
from itertools import pairwise

from pictures.drawing import WIDTH, Axis, Drawing
from snippets.ready import counted
from snippets.step0 import probabilities, sample

LETTERS = (4, 5)  # a name that fits, and is long enough to look like one


def counted_name(sheet: Drawing) -> None:
    """Draw how the count table invents a name: each letter's row, and the token drawn."""
    draws = invented()
    wide = WIDTH / len(draws)
    highest = max(max(row) for _, row, _ in draws)
    for place, (before, row, target) in enumerate(draws):
        left, apart = place * wide + 6, (wide - 16) / len(row)
        middle = left + (wide - 16) / 2
        asked = "first?" if before == "start" else f"after {before}?"
        sheet.text(middle, 18, asked, "small soft")
        for token, p in enumerate(row):
            role, strength = ("gradient", 1) if token == target else ("data", 0.4)
            x, high = left + apart * token, 100 * p / highest
            sheet.box(x, 134 - high, 0.88 * apart, high, role, strength=strength)
        drawn = left + apart * (target + 0.44), 138
        sheet.arrow(drawn, (middle, 166), "gradient", weight=1)
        if target == len(row) - 1:
            sheet.text(middle, 190, "end", "soft")
        else:
            sheet.text(middle, 190, chr(ord("a") + target), "large strong")


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


def surprise(sheet: Drawing) -> None:
    """Draw the loss of one guess: −log p for every p from 0 to 1."""
    marked = {"0.9": 0.9, "0.5": 0.5, "0.1": 0.1, "1/27": 1 / 27}
    sheet.axes(Axis(0, 1, 50, 450), Axis(0, 4, 200, 20))
    sheet.levels(range(5), "g", "cost")
    curve = [(p / 200, -math.log(p / 200)) for p in range(4, 201)]
    sheet.curve(curve, "gradient")
    for named, p in marked.items():
        x, y = sheet.at(p, -math.log(p))
        sheet.dot(x, y, 5, "gradient")
        said = f"p = {named} costs {-math.log(p):.2f}"
        if p > 0.8:  # no room on its right
            sheet.text(450, y - 22, said, "small end")
        else:
            sheet.label(x + 10, y - 16, said)
    sheet.foot((0, 0.5, 1), "g", "probability given to the actual next letter")
