"""Drawing a letter: probabilities as pieces of a line, and a random point on it."""

import random
from collections.abc import Sequence

from pictures.drawing import WIDTH, Drawing
from snippets.ready import counted
from snippets.step0 import probabilities

POINT = random.Random(42).random()


def draw() -> Drawing:
    """Draw the line of the first letter of a name, and the point that was drawn."""
    _, tokenizer, counts = counted()
    row = probabilities(tokenizer.bos, counts)
    sheet = Drawing(150)
    letters = [*tokenizer.characters, "end"]
    area = 8, 70, WIDTH - 16, 40
    letter, middle = pieces(sheet, area, row, letters, POINT, "data", 12)
    sheet.text(middle, 132, letter, "gradient large strong")
    x = 8 + (WIDTH - 16) * POINT
    sheet.text(x, 24, f"{POINT:.4f}", "gradient strong")
    sheet.arrow((x, 32), (x, 66), "gradient", weight=2)
    sheet.label(8, 132, "0", "soft")
    sheet.text(WIDTH - 8, 132, "1", "small soft end")
    return sheet


def pieces(
    sheet: Drawing,
    area: tuple[float, float, float, float],
    shares: list[float],
    letters: Sequence[str],
    point: float,
    role: str,
    room: float,
) -> tuple[str, float]:
    """Cut a line into shares, each with its letter if that has room.

    Return the letter in which the point is, and where its middle stands.
    """
    left, y, across, high = area
    end, found = 0.0, ("", left)
    for token, (letter, share) in enumerate(zip(letters, shares, strict=True)):
        start, end = end, end + share
        x, wide = left + across * start, across * share
        if start <= point < end:
            sheet.box(x, y, wide, high, "gradient", strength=0.9)
            found = letter, x + wide / 2
            continue
        sheet.box(x, y, wide, high, role, strength=0.25 + 0.3 * (token % 2))
        if wide > room:
            sheet.text(x + wide / 2, y + high / 2 + 6, letter, "small")
    return found
