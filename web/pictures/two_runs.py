"""The recorded losses of counting and of the network, smoothed."""

from pictures.chart import Axis, Chart
from pictures.records import recorded

WINDOW = 100  # losses of a mean


def draw() -> Chart:
    """Draw both runs of a thousand steps, with the level of a blind guess."""
    sheet = Chart(256, Axis(0, 1000, 46, 456), Axis(2.5, 3.3, 206, 30))
    sheet.line([(46, 30), (46, 206), (456, 206)])
    sheet.levels((2.6, 2.8, 3.0, 3.2), ".1f", "nats per token", ruled=False)
    runs = (("step0", "data", "thick dashed"), ("step1", "cost", "thick"))
    for program, role, look in runs:
        losses = recorded(program)
        points = []
        for end in range(20, len(losses) + 1, 10):
            last = losses[max(0, end - WINDOW) : end]
            points.append((end, sum(last) / len(last)))
        sheet.curve(points, role, look=look)
    sheet.text(112, 110, "the network", "cost start")
    sheet.text(76, 184, "counting", "data start")
    sheet.foot((0, 500, 1000), "g", "names read", below=42)
    return sheet
