"""Two layers over a name: what a letter says in the second is what it has heard."""

from itertools import pairwise

from pictures.drawing import Drawing

SAID = ("start", "e", "m", "m", "a")
FIRST, APART, UP = 132, 78, 112  # pixels
LEVELS = ("the letters", "after layer 0", "after layer 1")
WAY = (1, 3, 4)  # the letters by which the "e" reaches the "a", in two steps


def draw() -> Drawing:
    """Draw each letter's lines to those that hear it, and one message on its way."""
    sheet = Drawing(2 * UP + 62)
    places = [FIRST + APART * i for i in range(len(SAID))]
    for level, way in enumerate(pairwise(WAY)):
        top, low = 44 + UP * level, 8 + UP * (level + 1)
        for there, x in enumerate(places):
            for here in range(there + 1):
                if (here, there) != way:
                    sheet.line([(places[here], top), (x, low)], "soft")
        start, end = (places[place] for place in way)
        sheet.arrow((start, top), (end, low), "attention", weight=3)
    for level, name in enumerate(LEVELS):
        y = 10 + UP * level
        before, _, last = name.partition(" ")
        sheet.label(4, y + 13, before, "soft")
        sheet.label(4, y + 31, last, "soft")
        for i, (x, said) in enumerate(zip(places, SAID, strict=True)):
            role = "attention" if i == WAY[level] else "" if level else "data"
            look = "small" if said == "start" else "strong"
            sheet.block(x - 27, y, 54, 34, said, f"{role} {look}")
    return sheet
