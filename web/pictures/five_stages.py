"""The training loop: its five stages in a circle, and what is held at each."""

import math

from pictures.drawing import Drawing

STAGES = (
    ("1", "take a name", "emma", "data"),
    ("2", "forward", "graph and loss", "cost"),
    ("3", "backward", "slopes of all nodes", "gradient"),
    ("4", "step", "parameters move", "parameter"),
    ("5", "zero", "gradients at 0", "parameter"),
)
MIDDLE, ACROSS, UP = (240, 140), 104, 104  # pixels


def draw() -> Drawing:
    """Draw the stages clockwise from the top, and the parameters in the middle."""
    sheet = Drawing(270)
    turns = [2 * math.pi * i / len(STAGES) for i in range(len(STAGES))]

    def spot(turn: float) -> tuple[float, float]:
        x, y = MIDDLE
        return x + ACROSS * math.sin(turn), y - UP * math.cos(turn)

    for turn, (number, name, said, role) in zip(turns, STAGES, strict=True):
        x, y = spot(turn)
        sheet.dot(x, y, 17, f"{role} ring")
        sheet.text(x, y + 6, number, f"{role} strong")
        anchor = "end" if math.sin(turn) < -0.1 else "start"
        at = x + 24 if anchor == "start" else x - 24
        y -= 20 * math.cos(turn)  # away from the arrows
        sheet.text(at, y - 1, name, f"strong small {anchor}")
        sheet.text(at, y + 16, said, f"small soft {anchor}")
        gap = 0.26
        here, there = spot(turn + gap), spot(turn + 2 * math.pi / len(STAGES) - gap)
        sheet.arrow(here, there, bend=16)
    for i in range(4):
        sheet.dot(210 + 20 * i, 138, 6, "parameter")
    sheet.text(240, 164, "parameters", "parameter small")
    return sheet
