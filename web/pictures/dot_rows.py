"""A linear layer: each row of its matrix, multiplied with the input and added up."""

from pictures.drawing import Drawing
from snippets.step1 import linear

ROWS = [[0.5, 1.0, 2.0], [0.0, 0.0, 1.0]]
INPUT = [1.0, 2.0, -1.0]
CELL = 52  # pixels


def cells(sheet: Drawing, x: float, y: float, row: list[float], role: str) -> None:
    """Draw numbers in boxes beside one another."""
    for i, value in enumerate(row):
        sheet.block(x + CELL * i, y, CELL - 6, 40, f"{value:g}", role, down=6)


def draw() -> Drawing:
    """Draw an input above, and below it two rows, each with its answer."""
    sheet = Drawing(240)
    sheet.text(16, 46, "input", "data start")
    cells(sheet, 110, 20, INPUT, "data")
    for i, (row, answer) in enumerate(zip(ROWS, linear(INPUT, ROWS), strict=True)):
        y = 100 + 64 * i
        sheet.text(16, y + 26, f"row {i}", "parameter start")
        cells(sheet, 110, y, row, "parameter")
        sheet.arrow((270, y + 20), (322, y + 20), weight=2)
        sheet.block(332, y, 56, 40, f"{answer:g}", "activation strong", down=6)
    for j in range(3):
        x = 110 + CELL * j + (CELL - 6) / 2
        sheet.line([(x, 62), (x, 98)], "data dashed")
    sheet.text(360, 88, "sums", "activation small")
    return sheet
