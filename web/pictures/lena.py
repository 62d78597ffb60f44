"""Whom the last letter of "lena" asks: the weights of a trained head, as arrows."""

from collections.abc import Sequence

from pictures.drawing import Drawing
from pictures.records import recorded
from snippets import ready
from snippets.step1 import Vector

NAMES = {1: "one", 4: "four"}
NAME = "lena"
FIRST, APART, ROW = 48, 94, 150  # pixels


def draw() -> Drawing:
    """Draw the tokens in a row, and an arrow from the last to each, as thick as its weight."""
    weights = looks(NAME)[-1]
    sheet = Drawing(236)
    places = [FIRST + APART * i for i in range(len(weights))]
    look_back(sheet, places, ROW - 4, weights, 14)
    for x, said, weight in zip(places, ["start", *NAME], weights, strict=True):
        role = "attention" if x == places[-1] else "data"
        look = "small" if said == "start" else "large"
        sheet.block(x - 28, ROW, 56, 40, said, f"{role} {look}", down=7)
        sheet.text(x, ROW + 66, f"{weight:.2f}", "attention strong")
    return sheet


def look_back(
    sheet: Drawing, places: Sequence[float], y: float, weights: Vector, thick: float
) -> None:
    """Draw an arrow from the last place to each, as thick as its weight, in a loop to itself."""
    for x, weight in zip(places, weights, strict=True):
        back = places[-1] - x
        start, end, bend = (-8, 0, 0.9 + back / 90) if back else (22, 4, 1.8)
        sheet.arrow(
            (places[-1] + start, y),
            (x + end, y),
            "attention",
            bend=-thick * bend,
            weight=thick * (weight + 0.07),
        )


def looks(name: str, heads: int = 1) -> list[Vector]:
    """Return the weights with which each token of a name asks those so far.

    Each token has a list for each head, one after the other.
    """
    return ready.looks(recorded(f"{NAMES[heads]}-end-weights"), name, heads)
