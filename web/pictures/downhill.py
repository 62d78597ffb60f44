"""Gradient descent: a real loss along one parameter, and the steps that go down it."""

import math

from pictures.chart import Axis, Chart
from pictures.valley import Valley

LEAST, MOST = -30.0, 26.0  # of the parameter that is moved
START, RATE, STEPS = 22.0, 700.0, 4


def draw() -> Chart:
    """Draw the loss of "emma" for each value of a number of "m", and four steps."""
    valley = Valley()
    curve = valley.curve(LEAST, MOST)
    low, high = (pick(loss for _, loss in curve) for pick in (min, max))
    sheet = Chart(280, Axis(LEAST, MOST, 20, 460), Axis(low, high, 220, 30))
    sheet.curve(curve, look="thick soft")
    at, before = START, sheet.at(START, valley.loss(START))
    sheet.dot(*before, 7, "parameter")
    for _ in range(STEPS):
        at -= RATE * valley.slope(at)
        here = sheet.at(at, valley.loss(at))
        sheet.arrow(before, here, "gradient", bend=math.dist(before, here) / 6)
        sheet.dot(*here, 4, "parameter")
        before = here
    sheet.text(300, 60, "steep: a long step", "gradient small")
    sheet.text(sheet.x.start, 262, "one number of the network", "parameter start")
    sheet.text(sheet.x.start, 24, "the loss: higher is worse", "cost start")
    return sheet
