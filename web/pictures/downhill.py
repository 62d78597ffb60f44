"""Gradient descent: a real loss along one parameter, and the steps that go down it."""

from pictures.drawing import Drawing
from pictures.valley import Valley

LEAST, MOST = -30.0, 26.0  # of the parameter that is moved
START, RATE, STEPS = 22.0, 700.0, 6
LEFT, ACROSS, TOP, DOWN = 20, 440, 30, 190  # pixels


def draw() -> Drawing:
    """Draw the loss of "emma" for each value of a number of "m", and six steps."""
    valley = Valley()
    curve = valley.curve(LEAST, MOST)
    low, high = (pick(loss for _, loss in curve) for pick in (min, max))

    def place(value: float, loss: float) -> tuple[float, float]:
        x = LEFT + ACROSS * (value - LEAST) / (MOST - LEAST)
        return x, TOP + DOWN * (high - loss) / (high - low)

    sheet = Drawing(280)
    sheet.line([place(*point) for point in curve], look="thick soft")
    at, before = START, place(START, valley.loss(START))
    sheet.dot(*before, 7, "parameter")
    for _ in range(STEPS):
        at -= RATE * valley.slope(at)
        here = place(at, valley.loss(at))
        sheet.arrow(before, here, "gradient", bend=14, weight=2)
        sheet.dot(*here, 5, "parameter")
        before = here
    sheet.text(300, 60, "steep: a long step", "gradient", look="small")
    sheet.text(LEFT, 262, "one number of the network", "parameter", anchor="start")
    sheet.text(LEFT + ACROSS, 262, "higher is worse: the loss", "cost", anchor="end")
    return sheet
