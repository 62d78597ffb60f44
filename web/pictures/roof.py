"""The roof of one core, and the engines below it, as recorded."""

from pictures.chart import Axis, Chart
from pictures.records import recorded

FIRST = ("value", "dot", "lists", "torch", "numpy", "c")
# What is drawn: its setting in the record, its engine, and where its name stands
POINTS = (
    *(("width", 0, name, name, 12, 5) for name in FIRST),
    ("batch", 2, "c", "c, 64 names", 12, 5),
    ("width", 3, "c", "c, wide", -4, -12),
)
PER_BYTE = Axis(0.1, 30.0, 62, 464, tens=True)
SPEED = Axis(0.002, 120.0, 300, 20, tens=True)


def draw() -> Chart:
    """Draw GFLOP/s by FLOPs per byte, both on scales of tens."""
    record = recorded("speeds")
    flops, copy = (record["roofline"][key] / 1e9 for key in ("float64", "copy"))
    sheet = Chart(356, PER_BYTE, SPEED)
    sheet.levels((0.01, 0.1, 1, 10, 100))
    sheet.foot((0.1, 1, 10), "g", "FLOPs per byte", below=44)
    sheet.label(PER_BYTE.start + 4, SPEED.end - 4, "GFLOP/s", "soft")
    narrow, wide = PER_BYTE.first, PER_BYTE.last
    sheet.curve([(narrow, narrow * copy), (flops / copy, flops), (wide, flops)])
    sheet.text(PER_BYTE(0.16), SPEED(20), "memory", "small strong")
    sheet.text(PER_BYTE(14), SPEED(flops) + 20, "arithmetic", "small strong")
    for size, place, engine, said, aside, down in POINTS:
        one = record["growth"][size][place]
        x = PER_BYTE(one["flops"] / one["bytes"])
        y = SPEED(one["flops"] / one["engines"][engine]["ms"] / 1e6)
        role = "activation" if engine in ("numpy", "torch", "c") else "data"
        sheet.dot(x, y, 6, role)
        anchor = "start" if aside > 0 else "end"
        sheet.text(x + aside, y + down, said, f"{role} small {anchor}")
    return sheet
