"""The network's loss sinks onto the table's and stays there."""

from pictures.chart import Axis, Chart
from pictures.records import means, recorded

NAMES = Axis(1_000, 100_000, 44, 372, tens=True)
NATS = Axis(2.52, 2.62, 170, 20)


def draw() -> Chart:
    """Draw one curve and one floor."""
    rungs = recorded("ends")["guide"]["rungs"]
    sheet = Chart(212, NAMES, NATS)
    sheet.levels((2.54, 2.57, 2.6), ".2f", "nats per token")
    sheet.foot((1_000, 10_000, 100_000), ",", "names read", below=38)
    floor = sheet.floor(rungs["pairs"]["100000"]["mean"])
    sheet.label(NAMES.start + 6, floor + 17, "table of pairs", "soft")
    shown = [point for point in means(rungs["network"]) if point[0] <= NAMES.last]
    x, y = sheet.curve(shown, "data")[1]
    sheet.label(x + 8, y - 4, "network", "data")
    return sheet
