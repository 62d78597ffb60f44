"""How many times as fast each engine is as the textbook's graph, as recorded."""

from pictures.chart import Axis
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
LEFT, TOP, ROW = 158, 52, 33  # pixels
FASTER = Axis(1, 10_000, LEFT, 390, tens=True)


def draw() -> Drawing:
    """Draw a row for each engine: one name per step, and batches where recorded."""
    ladder = recorded("speeds")["ladder"]
    bottom = TOP + ROW * len(PIECES)
    sheet = Drawing(bottom + 44)
    sheet.label(0, 20, "one piece is…", "soft")
    for times in (1, 10, 100, 1_000, 10_000):
        x = FASTER(times)
        sheet.line([(x, TOP - 16), (x, bottom - 12)], "soft")
        sheet.text(x, bottom + 8, f"{times:,}", "small soft")
    for row, (engine, said) in enumerate(PIECES.items()):
        y = TOP + ROW * row
        times = ladder["engines"][engine]["times_faster"]
        x = FASTER(times)
        sheet.label(0, y + 5, said)
        sheet.line([(LEFT, y), (x, y)], "activation thick")
        if batches := ladder["batches"].get(engine):
            end = FASTER(batches["times_faster"])
            sheet.line([(x, y), (end, y)], "gradient dashed")
            sheet.dot(end, y, 6, "gradient ring")
            sheet.label(end + 11, y + 5, f"{batches['times_faster']:,.0f}", "gradient")
        else:
            sheet.label(x + 11, y + 5, f"{times:.2g}", "activation")
        sheet.dot(x, y, 6, "activation")
    sheet.label(FASTER(2), 20, "one name a step", "activation")
    sheet.text(480, 20, "32 at once", "gradient small end")
    sheet.text(FASTER(100), bottom + 32, "times as fast", "small")
    return sheet
