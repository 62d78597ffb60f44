"""Two layers over a name: what a letter says in the second is what it has heard."""

from pictures.drawing import Drawing

SAID = ("start", "e", "m", "m", "a")
FIRST, APART, UP = 132, 78, 112  # pixels
LEVELS = ("the letters", "after layer 0", "after layer 1")
WAY = {
    (0, 1, 3),
    (1, 3, 4),
}  # level, from, to: how the "e" reaches the "a" in two steps


def draw() -> Drawing:
    """Draw each letter's lines to those that hear it, and one message on its way."""
    sheet = Drawing(2 * UP + 62)
    places = [FIRST + APART * i for i in range(len(SAID))]
    for level in (0, 1):
        top, below = 44 + UP * level, 10 + UP * (level + 1)
        for there, x in enumerate(places):
            for here in range(there + 1):
                if (level, here, there) not in WAY:
                    start, end = (places[here], top), (x, below - 2)
                    sheet.line([start, end], "soft")
        for _, here, there in (way for way in WAY if way[0] == level):
            start, end = (places[here], top), (places[there], below - 2)
            sheet.arrow(start, end, "attention", weight=3)
    for level, name in enumerate(LEVELS):
        y = 10 + UP * level
        before, _, last = name.partition(" ")
        sheet.label(4, y + 13, before, "soft")
        sheet.label(4, y + 31, last, "soft")
        for i, (x, said) in enumerate(zip(places, SAID, strict=True)):
            ways = {(0, 1), (1, 3), (2, 4)}
            role = "attention" if (level, i) in ways else "data" if level == 0 else ""
            look = "small" if said == "start" else "strong"
            sheet.block(x - 27, y, 54, 34, said, f"{role} {look}")
    return sheet
