"""A nudge: two points of a real loss, and the slope of the line through them."""

from pictures.chart import Axis, Chart
from pictures.valley import Valley

AT, FAR = -4.0, 26.0  # of the parameter that is moved


def draw() -> Chart:
    """Draw the loss of "emma" along a parameter, a long nudge and a tiny one."""
    valley = Valley()
    sheet = valley.chart(256, Axis(-20, 40, 20, 460), 204, 24)
    here = valley.loss(AT)
    nudges = ((FAR - AT, "data", "dashed"), (0.01, "gradient", "thick"))
    for nudge, role, look in nudges:
        slope = (valley.loss(AT + nudge) - here) / nudge
        ends = [(value, here + slope * (value - AT)) for value in (AT - 9, FAR + 6)]
        sheet.curve(ends, role, look=look)
    sheet.dot(*sheet.at(AT, here), 6, "parameter")
    sheet.dot(*sheet.at(FAR, valley.loss(FAR)), 5, "data")
    sheet.text(330, 70, "a long nudge", "data small end")
    sheet.text(350, 214, "a tiny nudge: the slope here", "gradient small")
    sheet.label(20, 244, "one parameter", "parameter")
    return sheet
