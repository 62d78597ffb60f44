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


def draw() -> Drawing:
    """Draw the stages clockwise from the top, and the parameters in the middle."""
    sheet = Drawing(270)
    angle = math.tau / len(STAGES)

    def spot(stage: float) -> tuple[float, float]:
        turn = angle * stage
        return 240 + 104 * math.sin(turn), 140 - 104 * math.cos(turn)

    for i, (number, name, said, role) in enumerate(STAGES):
        x, y = spot(i)
        sheet.dot(x, y, 17, f"{role} ring")
        sheet.text(x, y + 6, number, f"{role} strong")
        x, anchor = (x - 24, "end") if i > len(STAGES) / 2 else (x + 24, "start")
        y -= 20 * math.cos(angle * i)  # away from the arrows
        sheet.text(x, y - 1, name, f"strong small {anchor}")
        sheet.text(x, y + 16, said, f"small soft {anchor}")
        gap = 0.26 / angle
        sheet.arrow(spot(i + gap), spot(i + 1 - gap), bend=16)
    for i in range(4):
        sheet.dot(210 + 20 * i, 138, 6, "parameter")
    sheet.text(240, 164, "parameters", "parameter small")
    return sheet
