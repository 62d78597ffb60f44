"""What two pictures draw: whom the letters of "lena" ask, in a trained model."""

from collections.abc import Sequence

from pictures.drawing import Drawing
from pictures.records import recorded
from snippets import ready
from snippets.step1 import Vector

NAMES = {1: "one", 4: "four"}
NAME = "lena"


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
