"""A nudge: two points of a real loss, and the slope of the line through them."""

from pictures.drawing import Drawing
from pictures.valley import Valley

LEAST, MOST = -20.0, 40.0  # of the parameter that is moved
AT, FAR = -4.0, 26.0
LEFT, ACROSS, TOP, DOWN = 20, 440, 24, 180  # pixels


def draw() -> Drawing:
    """Draw the loss of "emma" along a parameter, a long nudge and a tiny one."""
    valley = Valley()
    curve = valley.curve(LEAST, MOST)
    low, high = (pick(loss for _, loss in curve) for pick in (min, max))

    def place(value: float, loss: float) -> tuple[float, float]:
        x = LEFT + ACROSS * (value - LEAST) / (MOST - LEAST)
        return x, TOP + DOWN * (high - loss) / (high - low)

    here = valley.loss(AT)
    sheet = Drawing(256)
    sheet.line([place(*point) for point in curve], look="thick soft")
    for nudge, role, look in (
        (FAR - AT, "data", "dashed"),
        (0.01, "gradient", "thick"),
    ):
        slope = (valley.loss(AT + nudge) - here) / nudge
        ends = [(value, here + slope * (value - AT)) for value in (AT - 12, FAR + 6)]
        sheet.line([place(*end) for end in ends], role, look=look)
    sheet.dot(*place(AT, here), 6, "parameter")
    sheet.dot(*place(FAR, valley.loss(FAR)), 5, "data")
    sheet.text(330, 70, "a long nudge", "data", look="small", anchor="end")
    sheet.text(350, 214, "a tiny nudge: the slope here", "gradient", look="small")
    sheet.text(LEFT, 244, "one parameter", "parameter", look="small", anchor="start")
    return sheet
