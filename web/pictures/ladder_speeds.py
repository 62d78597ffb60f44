"""Milliseconds per step of each engine, as recorded, on a scale of tens."""

from pictures.chart import Axis
from pictures.drawing import Drawing
from pictures.records import recorded

LEFT, ACROSS, ROW = 92, 290, 38  # pixels
MS = Axis(0.01, 200, LEFT, LEFT + ACROSS, tens=True)


def draw() -> Drawing:
    """Draw a bar for each engine, with its time and how many times as fast it is."""
    engines = recorded("speeds")["ladder"]["engines"]
    sheet = Drawing(64 + ROW * len(engines))
    foot = 24 + ROW * len(engines)
    for ms in (0.01, 0.1, 1, 10, 100):
        x = MS(ms)
        sheet.line([(x, 16), (x, foot)], "soft")
        sheet.text(x, foot + 18, f"{ms:g}", "small soft")
    sheet.text(LEFT + ACROSS / 2, foot + 36, "ms per step", "small soft")
    for i, (name, found) in enumerate(engines.items()):
        y = 24 + ROW * i
        role = "activation" if name in ("numpy", "torch", "c") else "data"
        sheet.text(LEFT - 10, y + 18, name, f"{role} small end")
        long = MS(found["ms"]) - LEFT
        sheet.box(LEFT, y, long, 26, role, strength=0.5)
        times = f"× {found['times_faster']:,.0f}"
        if found["times_faster"] > 1:
            sheet.text(LEFT + long + 8, y + 18, times, f"{role} strong start")
    return sheet
