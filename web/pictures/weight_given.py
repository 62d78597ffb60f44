"""How much of a running mean's weight the gradients have so far, for Adam's two means."""

import inspect

from microgpt import Adam
from pictures.drawing import Drawing

STEPS = 100
LEFT, ACROSS, TOP, DOWN = 44, 410, 34, 150  # pixels


def draw() -> Drawing:
    """Draw both shares, step by step; what is above them lies on the 0 at the start."""
    sheet = Drawing(240)
    given = inspect.signature(Adam).parameters
    sheet.line([(LEFT, TOP), (LEFT, TOP + DOWN), (LEFT + ACROSS, TOP + DOWN)])
    sheet.line([(LEFT, TOP), (LEFT + ACROSS, TOP)], look="dashed soft")
    for share in (0, 0.5, 1):
        y = TOP + DOWN * (1 - share)
        sheet.text(LEFT - 8, y + 5, f"{share:.0%}", look="small soft", anchor="end")
    for step in (1, 25, 50, 75, 100):
        sheet.text(place(step, 0)[0], TOP + DOWN + 22, step, look="small soft")
    for name, role in (("beta1", "gradient"), ("beta2", "cost")):
        beta = given[name].default
        points = [place(t, 1 - beta**t) for t in range(1, STEPS + 1)]
        sheet.line(points, role, look="thick")
        sheet.dot(*points[0], 4, role)
    x, y = place(21, 0.97)
    sheet.label(x, y + 24, "the mean", "gradient")
    x, y = place(62, 0.46)
    sheet.label(x, y + 24, "the mean of squares", "cost")
    sheet.text(LEFT + ACROSS, 20, "all the weight", look="small soft", anchor="end")
    sheet.text(LEFT + ACROSS / 2, TOP + DOWN + 46, "steps", look="small")
    return sheet


def place(step: int, share: float) -> tuple[float, float]:
    """Return where a share stands, in pixels."""
    return LEFT + ACROSS * (step - 1) / (STEPS - 1), TOP + DOWN * (1 - share)
