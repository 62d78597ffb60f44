"""The pictures of Step 7, in the order of its pages."""

from pictures.canvas import Axis, Canvas
from pictures.records import LossCurve, TableLoss, add_loss_curves, load_record


def draw_engine_speedups(canvas: Canvas) -> None:
    """Draw how many times as fast as the textbook's graph each engine is."""
    pieces = {
        "textbook": "a + or a ×",
        "value": "the same, tidier",
        "dot": "a dot product",
        "lists": "a matrix",
        "torch": "PyTorch's call",
        "numpy": "NumPy's call",
        "c": "a step, in C",
    }
    ladder = load_record("speeds")["ladder"]
    canvas.set_axes(Axis(1, 10_000, 158, 390, is_log=True), Axis(6.6, -0.5, 271, 36))
    canvas.x_ticks((1, 10, 100, 1_000, 10_000), ",", "times as fast", grid=True)
    canvas.label(0, 20, "one piece is…", "soft")
    for row, (engine, text) in enumerate(pieces.items()):
        times = ladder["engines"][engine]["times_faster"]
        _, (x, y) = canvas.curve([(1, row), (times, row)], "activation")
        canvas.label(0, y + 5, text)
        if batches := ladder["batches"].get(engine):
            batch_times = batches["times_faster"]
            ends = [(times, row), (batch_times, row)]
            _, (end, _) = canvas.curve(ends, "gradient", classes="dashed")
            canvas.circle(end, y, 6, "gradient ring")
            canvas.label(end + 11, y + 5, f"{batch_times:,.0f}", "gradient")
        else:
            canvas.label(x + 11, y + 5, f"{times:.2g}", "activation")
        canvas.circle(x, y, 6, "activation")
    canvas.label(canvas.x_axis.to_pixels(2), 20, "one name a step", "activation")
    canvas.text(480, 20, "32 at once", "gradient small end")


def draw_matrix_tile(canvas: Canvas) -> None:
    """Draw one turn of gpt.c's innermost loop: what it reads and adds up."""
    height = width = 8  # cells of a tile
    cell = 20  # pixels
    iterations, current = 6, 2  # of the loop: how many, and the index of the one drawn
    left, top = 190, 166  # pixels, of the tile
    start, above = left - 26 - iterations * cell, top - 26 - iterations * cell
    size = (cell, cell)
    opacities = [0.7 if i == current else 0.15 for i in range(iterations)]
    columns = [[opacity] * width for opacity in opacities]
    canvas.cell_grid(start, top, size, [opacities] * height, "parameter", gap=2)
    canvas.cell_grid(left, above, size, columns, "data", gap=2)
    canvas.cell_grid(left, top, size, [[0.7] * width] * height, "activation", gap=2)
    column = start + (current + 0.5) * cell
    row = above + (current + 0.5) * cell
    canvas.arrow((column + 14, top - 8), (left - 6, top - 8), "parameter")
    right, bottom = left + width * cell + 18, top + height * cell
    canvas.arrow((right - 10, row), (right - 10, top - 4), "data")
    canvas.text(start, bottom + 22, "rows of a", "parameter start")
    canvas.text(right, above + 16, "rows of b", "data start")
    for y, classes, text in (
        (40, "strong", f"{height} + {width} numbers"),
        (60, "small", "come in,"),
        (94, "activation strong", f"{height * width} products"),
        (114, "activation small", "are added"),
    ):
        canvas.text(right, top + y, text, f"{classes} start")
    text = "a tile of c: eight registers"
    canvas.text(left + width * cell / 2, bottom + 22, text, "activation small")


def draw_roofline(canvas: Canvas) -> None:
    """Draw the roofline of one core, and the recorded engines below it."""
    first = ("value", "dot", "lists", "torch", "numpy", "c")
    # For each point the size it varies, the index among those recorded, its engine, its
    # label, and the label's offset to the right and down
    points = (
        *(("width", 0, name, name, 12, 5) for name in first),
        ("batch", 2, "c", "c, 64 names", 12, 5),
        ("width", 3, "c", "c, wide", -4, -12),
    )
    record = load_record("speeds")
    gflops, gbytes = (record["roofline"][key] / 1e9 for key in ("float64", "copy"))
    intensity = Axis(0.1, 30.0, 62, 464, is_log=True)
    canvas.set_axes(intensity, Axis(0.002, 120.0, 300, 20, is_log=True))
    canvas.y_ticks((0.01, 0.1, 1, 10, 100), "g", "GFLOP/s")
    canvas.x_ticks((0.1, 1, 10), "g", "FLOPs per byte")
    canvas.curve([(0.1, 0.1 * gbytes), (gflops / gbytes, gflops), (30.0, gflops)])
    canvas.text(*canvas.to_pixels(0.16, 20), "memory", "small strong")
    x, y = canvas.to_pixels(14, gflops)
    canvas.text(x, y + 20, "arithmetic", "small strong")
    for size, index, engine, text, right, down in points:
        measurement = record["growth"][size][index]
        flops, ms = measurement["flops"], measurement["engines"][engine]["ms"]
        x, y = canvas.to_pixels(flops / measurement["bytes"], flops / ms / 1e6)
        role = "activation" if engine in ("numpy", "torch", "c") else "data"
        canvas.circle(x, y, 6, role)
        anchor = "start" if right > 0 else "end"
        canvas.text(x + right, y + down, text, f"{role} small {anchor}")


def draw_all_loss_curves(canvas: Canvas) -> None:
    """Draw the loss curves of all models, and the lowest losses of tables."""
    curves = (
        LossCurve("network", "one letter", "data", -6),
        LossCurve("without attention", "+ position", "parameter", -6),
        LossCurve("one head, Adam", "one head", "attention", -8),
        LossCurve("four heads", "four heads", "activation", 8),
        LossCurve("wide", "wider", "cost", 0),
    )
    tables = (
        TableLoss("pairs", "pairs", True),
        TableLoss("letter and position", "letter + position", False),
        TableLoss("three letters", "three letters", True),
        TableLoss("Kneser-Ney", "best of four letters", True),
    )
    loss_ticks = (2.0, 2.1, 2.2, 2.3, 2.4, 2.5)
    add_loss_curves(canvas, Axis(1.94, 2.56, 430, 34), loss_ticks, curves, tables)
