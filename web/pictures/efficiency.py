"""The pictures of Step 7, in the order of its pages."""

from pictures.drawing import Axis, Drawing
from pictures.records import descents, recorded


def speed_ladder(sheet: Drawing) -> None:
    """Draw how many times as fast as the textbook's graph each engine was measured."""
    pieces = {
        "textbook": "a + or a ×",
        "value": "the same, tidier",
        "dot": "a dot product",
        "lists": "a matrix",
        "torch": "PyTorch's call",
        "numpy": "NumPy's call",
        "c": "a step, in C",
    }
    ladder = recorded("speeds")["ladder"]
    sheet.axes(Axis(1, 10_000, 158, 390, tens=True), Axis(6.6, -0.5, 271, 36))
    sheet.foot((1, 10, 100, 1_000, 10_000), ",", "times as fast", grid=True)
    sheet.label(0, 20, "one piece is…", "soft")
    for row, (engine, said) in enumerate(pieces.items()):
        times = ladder["engines"][engine]["times_faster"]
        _, (x, y) = sheet.curve([(1, row), (times, row)], "activation")
        sheet.label(0, y + 5, said)
        if batches := ladder["batches"].get(engine):
            many = batches["times_faster"]
            _, (end, _) = sheet.curve(
                [(times, row), (many, row)], "gradient", look="dashed"
            )
            sheet.dot(end, y, 6, "gradient ring")
            sheet.label(end + 11, y + 5, f"{many:,.0f}", "gradient")
        else:
            sheet.label(x + 11, y + 5, f"{times:.2g}", "activation")
        sheet.dot(x, y, 6, "activation")
    sheet.label(sheet.x(2), 20, "one name a step", "activation")
    sheet.text(480, 20, "32 at once", "gradient small end")


def tile(sheet: Drawing) -> None:
    """Draw one turn of gpt.c's innermost loop: what it reads, and what for."""
    tall = wide = 8  # of a tile
    cell, turn, inner = 20, 2, 6  # pixels; the turn that is drawn, of so many
    left, top = 190, 166  # of the tile
    start, above = left - 26 - inner * cell, top - 26 - inner * cell
    size, now = (cell, cell), [0.7 if i == turn else 0.15 for i in range(inner)]
    sheet.cells(start, top, size, [now] * tall, "parameter", gap=2)
    sheet.cells(left, above, size, [[s] * wide for s in now], "data", gap=2)
    sheet.cells(left, top, size, [[0.7] * wide] * tall, "activation", gap=2)
    column = start + (turn + 0.5) * cell
    row = above + (turn + 0.5) * cell
    sheet.arrow((column + 14, top - 8), (left - 6, top - 8), "parameter")
    right, bottom = left + wide * cell + 18, top + tall * cell
    sheet.arrow((right - 10, row), (right - 10, top - 4), "data")
    sheet.text(start, bottom + 22, "rows of a", "parameter start")
    sheet.text(right, above + 16, "rows of b", "data start")
    for y, look, said in (
        (40, "strong", f"{tall} + {wide} numbers"),
        (60, "small", "come in,"),
        (94, "activation strong", f"{tall * wide} products"),
        (114, "activation small", "are added"),
    ):
        sheet.text(right, top + y, said, f"{look} start")
    said = "a tile of c: eight registers"
    sheet.text(left + wide * cell / 2, bottom + 22, said, "activation small")


def roof(sheet: Drawing) -> None:
    """Draw the roofline of one core, and the recorded engines below it."""
    first = ("value", "dot", "lists", "torch", "numpy", "c")
    # What is drawn: its setting in the record, its engine, and where its name stands
    points = (
        *(("width", 0, name, name, 12, 5) for name in first),
        ("batch", 2, "c", "c, 64 names", 12, 5),
        ("width", 3, "c", "c, wide", -4, -12),
    )
    record = recorded("speeds")
    flops, copy = (record["roofline"][key] / 1e9 for key in ("float64", "copy"))
    sheet.axes(
        Axis(0.1, 30.0, 62, 464, tens=True), Axis(0.002, 120.0, 300, 20, tens=True)
    )
    sheet.levels((0.01, 0.1, 1, 10, 100), "g", "GFLOP/s")
    sheet.foot((0.1, 1, 10), "g", "FLOPs per byte")
    narrow, wide = sheet.x.first, sheet.x.last
    sheet.curve([(narrow, narrow * copy), (flops / copy, flops), (wide, flops)])
    sheet.text(sheet.x(0.16), sheet.y(20), "memory", "small strong")
    sheet.text(sheet.x(14), sheet.y(flops) + 20, "arithmetic", "small strong")
    for size, place, engine, said, aside, down in points:
        one = record["growth"][size][place]
        x = sheet.x(one["flops"] / one["bytes"])
        y = sheet.y(one["flops"] / one["engines"][engine]["ms"] / 1e6)
        role = "activation" if engine in ("numpy", "torch", "c") else "data"
        sheet.dot(x, y, 6, role)
        anchor = "start" if aside > 0 else "end"
        sheet.text(x + aside, y + down, said, f"{role} small {anchor}")


def whole_story(sheet: Drawing) -> None:
    """Draw the losses of all models as they fall, past the lowest that tables reach."""
    curves = (
        ("network", "one letter", "data", -6),
        ("without attention", "+ place", "parameter", -6),
        ("one head, Adam", "one head", "attention", -8),
        ("four heads", "four heads", "activation", 8),
        ("wide", "wider", "cost", 0),
    )
    tables = (
        ("pairs", "pairs", True),
        ("letter and position", "letter and place", False),
        ("three letters", "three letters", True),
        ("Kneser-Ney", "best of four letters", True),
    )
    levels = (2.0, 2.1, 2.2, 2.3, 2.4, 2.5)
    descents(sheet, Axis(1.94, 2.56, 430, 34), levels, curves, tables)
