"""The pictures of Step 0, in the order of its pages."""

import math
import random
from collections.abc import Sequence
from itertools import pairwise

from pictures.drawing import WIDTH, Axis, Drawing
from pictures.records import recorded
from snippets.ready import counted
from snippets.ready.losses import means
from snippets.step0 import probabilities, sample

LETTERS = (4, 5)  # a name that fits, and is long enough to look like one


def counted_name(sheet: Drawing) -> None:
    """A name that the count table invents: at each letter the row, and what was drawn."""
    draws = invented()
    wide = WIDTH / len(draws)
    highest = max(max(row) for _, row, _ in draws)
    for place, (before, row, target) in enumerate(draws):
        left = place * wide + 6
        middle = left + (wide - 16) / 2
        asked = "first?" if before == "start" else f"after {before}?"
        sheet.text(middle, 18, asked, "small soft")
        high = [100 * p / highest for p in row]
        x = bars(sheet, (left, 134, wide - 16), high, target, "gradient")[target]
        sheet.arrow((x, 138), (middle, 166), "gradient", weight=1)
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


def bars(
    sheet: Drawing,
    area: tuple[float, float, float],
    heights: Sequence[float],
    picked: int | None = None,
    role: str = "data",
) -> list[float]:
    """Draw bars on a floor, all but the picked one pale; return where their middles are."""
    left, floor, across = area
    step = across / len(heights)
    for i, high in enumerate(heights):
        strength = 0.75 if picked is None else 1.0 if i == picked else 0.4
        place = left + step * i, floor - high, 0.88 * step, high
        sheet.box(*place, role if i == picked else "data", strength=strength)
    return [left + step * (i + 0.44) for i in range(len(heights))]


def questions(sheet: Drawing) -> None:
    """A name as questions: what is there so far, and the letter that comes next."""
    name = "emma"
    sheet.width = 400
    for asked in range(len(name) + 1):
        y = 40 * asked + 8
        sheet.blocks(10, y, (34, 30), name[:asked], "data")
        x = 10 + 40 * asked
        sheet.box(x, y, 34, 30, "dashed")
        sheet.text(x + 17, y + 21, "?", "soft")
        sheet.arrow((x + 44, y + 15), (270, y + 15))
        answer = name[asked] if asked < len(name) else "the end"
        sheet.text(282, y + 21, answer, "gradient strong start")


def count_row(sheet: Drawing) -> None:
    """One row of the count table as bars: what came after "m" in the names that were read."""
    _, tokenizer, counts = counted()
    row = counts[tokenizer.encode("m")[0]]
    high = [120 * count / max(row) for count in row]
    middles = bars(sheet, (5, 150, WIDTH - 10), high)
    for x, letter, count, top in zip(middles, tokenizer.characters + ".", row, high):
        sheet.text(x, 168, letter, "small")
        if count >= max(row) / 4:
            sheet.text(x, 144 - top, count, "data small strong")


def learning_row(sheet: Drawing) -> None:
    """The row of "m" while the table reads: flat at first, then more and more itself."""
    moments = (0, 10, 100, 1000)  # names
    wide = WIDTH / len(moments)
    for place, read in enumerate(moments):
        _, tokenizer, counts = counted(read)
        a, m = tokenizer.encode("am")
        row = probabilities(m, counts)
        left, high = place * wide + 5, [330 * p for p in row]
        bars(sheet, (left, 140, wide - 12), high, a)
        sheet.text(left + 4, 132 - 330 * row[a], "a", "data strong")
        named = f"{read} names" if place else "0"
        sheet.text(left + (wide - 12) / 2, 160, named, "small soft")


def surprise(sheet: Drawing) -> None:
    """The loss of one guess: what −log p is for every p from 0 to 1."""
    marked = {"0.9": 0.9, "0.5": 0.5, "0.1": 0.1, "1/27": 1 / 27}
    sheet.axes(Axis(0, 1, 50, 450), Axis(0, 4, 200, 20))
    sheet.levels(range(1, 5), said="cost", axes="soft")
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


def learning_curve(sheet: Drawing) -> None:
    """The losses of Step 0 while it reads: every tenth, and the mean of the last hundred."""
    losses = recorded("step0")
    sheet.axes(Axis(1, len(losses), 56, 374), Axis(2, 3.5, 254, 34))
    sheet.levels((2, 2.5, 3, 3.5), ".1f", "loss (nats)")
    sheet.foot((200, 400, 600, 800, 1000), ",", "names read")
    single = [(step, losses[step - 1]) for step in range(1, len(losses) + 1, 10)]
    sheet.curve(single, "data", look="")
    smooth = [*enumerate(means(losses, 100), 1)][::5]
    *_, (x, y) = sheet.curve(smooth, "gradient", said="mean of 100")
    sheet.label(x + 9, y - 20, "each tenth", "data")


def loaded_die(sheet: Drawing) -> None:
    """Drawing a letter: probabilities as pieces of a line, and a random point on it."""
    point = random.Random(42).random()
    _, tokenizer, counts = counted()
    row = probabilities(tokenizer.bos, counts)
    letters = [*tokenizer.characters, "end"]
    area = 8, 70, WIDTH - 16, 40
    letter, middle = pieces(sheet, area, row, letters, point, "data", 12)
    sheet.text(middle, 132, letter, "gradient large strong")
    x = 8 + (WIDTH - 16) * point
    sheet.text(x, 24, f"{point:.4f}", "gradient strong")
    sheet.arrow((x, 32), (x, 66), "gradient", weight=2)
    sheet.label(8, 132, "0", "soft")
    sheet.text(WIDTH - 8, 132, "1", "small soft end")


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
