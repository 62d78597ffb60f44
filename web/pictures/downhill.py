"""Gradient descent: a real loss along one parameter, and the steps that go down it."""

import math

from pictures.chart import Axis, Chart
from pictures.valley import Valley

START, RATE, STEPS = 22.0, 700.0, 4


def draw() -> Chart:
    """Draw the loss of "emma" for each value of a number of "m", and four steps."""
    valley = Valley()
    sheet = valley.chart(280, Axis(-30, 26, 20, 460), 220, 30)
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
