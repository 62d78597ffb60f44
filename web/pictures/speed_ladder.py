"""How many times as fast each engine is as the textbook's graph, as recorded."""

import math

from pictures.drawing import Drawing
from pictures.records import recorded

PIECES = {
    "textbook": "a + or a ×",
    "value": "the same, tidier",
    "dot": "a dot product",
    "lists": "a matrix",
    "torch": "PyTorch's call",
    "numpy": "NumPy's call",
    "c": "a step, in C",
}
LEFT, DECADE, TOP, ROW = 158, 58, 52, 33  # pixels


def draw() -> Drawing:
    """Draw a row for each engine: one name per step, and batches where recorded."""
    ladder = recorded("speeds")["ladder"]
    bottom = TOP + ROW * len(PIECES)
    sheet = Drawing(bottom + 44)
    sheet.label(0, 20, "one piece is…", look="small soft")
    for power in range(5):
        x = place(10.0**power)
        sheet.line([(x, TOP - 16), (x, bottom - 12)], look="soft")
        sheet.text(x, bottom + 8, f"{10**power:,}", look="small soft")
    for row, (engine, said) in enumerate(PIECES.items()):
        y = TOP + ROW * row
        times = ladder["engines"][engine]["times_faster"]
        x = place(times)
        sheet.label(0, y + 5, said)
        sheet.line([(LEFT, y), (x, y)], "activation", look="thick")
        if engine in ladder["batches"]:
            faster = ladder["batches"][engine]["times_faster"]
            sheet.line([(x, y), (place(faster), y)], "gradient", look="dashed")
            sheet.dot(place(faster), y, 6, "gradient", look="ring")
            at = place(faster) + 11
            sheet.label(at, y + 5, f"{faster:,.0f}", "gradient")
        else:
            at = x + 11
            sheet.label(at, y + 5, f"{times:.2g}", "activation")
        sheet.dot(x, y, 6, "activation")
    sheet.label(place(2), 20, "one name a step", "activation")
    sheet.text(480, 20, "32 at once", "gradient", look="small", anchor="end")
    sheet.text(LEFT + 2 * DECADE, bottom + 32, "times as fast", look="small")
    return sheet


def place(times: float) -> float:
    """Return where a factor stands, in pixels."""
    return LEFT + DECADE * math.log10(times)
