"""How many times as long a step takes in a model eight times as large, as recorded."""

from pictures.chart import Axis
from pictures.drawing import Drawing
from pictures.records import recorded

ENGINES = ("dot", "lists", "numpy", "torch", "c")
GROUPS = (("layers", "eight layers, not one"), ("width", "eight times the width"))
LEFT, ROW = 76, 24  # pixels
TIMES = Axis(0.0, 56.0, LEFT, 440)


def draw() -> Drawing:
    """Draw a bar for each engine, and a line where the work stands, for each way."""
    sheet = Drawing(60 + 2 * (38 + ROW * len(ENGINES)))
    top = 22.0
    for size, said in GROUPS:
        small, *_, large = recorded("speeds")["growth"][size][:4]
        work = TIMES(large["flops"] / small["flops"])
        foot = top + 12 + ROW * len(ENGINES)
        sheet.text(LEFT, top, said, "strong start")
        sheet.line([(work, top + 8), (work, foot)], "cost thick dashed")
        words = f"the work: × {large['flops'] / small['flops']:.2g}"
        sheet.text(work, foot + 15, words, "cost small")
        for i, name in enumerate(ENGINES):
            y = top + 10 + ROW * i
            times = large["engines"][name]["ms"] / small["engines"][name]["ms"]
            role = "activation" if name in ("numpy", "torch", "c") else "data"
            sheet.text(LEFT - 10, y + 15, name, f"{role} small end")
            end = TIMES(times)
            sheet.box(LEFT, y, end - LEFT, 18, role, strength=0.5)
            x = max(end, work) if abs(end - work) < 44 else end
            sheet.label(x + 8, y + 15, f"× {times:.2g}", f"{role} strong")
        top = foot + 48
    return sheet
