"""A linear layer's two ways back, in numbers: what meets to make one entry of each."""

from collections.abc import Sequence

from microgpt.engines.tape import Matrix, Rows, Tape
from pictures.drawing import Drawing

X, W = [[1.0, 2.0], [0.0, 1.0], [5.0, -1.0]], [[3.0, -4.0], [1.0, 1.0]]
DY = [[1.0, 0.0], [0.0, 2.0], [1.0, 1.0]]
WIDE, HIGH = 36, 28  # pixels
EVERY = range(3)

Marked = tuple[Sequence[int], Sequence[int]]


def draw() -> Drawing:
    """Draw dW and dx, each beside what it is made of."""
    tape, x, w = Tape(), Matrix(X), Matrix(W)
    y = tape.linear(x, w)
    y.grad = DY
    tape.backward()
    sheet = Drawing(292)
    cells(sheet, 30, 34, "dy", DY, (EVERY, [0]))
    cells(sheet, 172, 34, "x", X, (EVERY, [1]))
    cells(sheet, 356, 34, "dW", w.grad, ([0], [1]))
    cells(sheet, 30, 186, "dy", DY, ([2], EVERY))
    cells(sheet, 172, 186, "W", W, (EVERY, [0]))
    cells(sheet, 356, 186, "dx", x.grad, ([2], [0]))
    for middle, said in ((60, "dyᵀ · x"), (212, "dy · W")):
        sheet.text(301, middle, said, "small soft")
        sheet.arrow((268, middle + 16), (334, middle + 16), "gradient", weight=2)
    return sheet


def cells(
    sheet: Drawing, left: float, top: float, name: str, matrix: Rows, marked: Marked
) -> None:
    """Draw a matrix, some of its rows and columns marked where they cross."""
    role = {"x": "data", "W": "parameter"}.get(name, "gradient")
    sheet.text(left + WIDE, top - 10, name, f"{role} strong")
    for i, row in enumerate(matrix):
        for j, number in enumerate(row):
            x, y = left + WIDE * j, top + HIGH * i
            if i in marked[0] and j in marked[1]:
                sheet.box(x, y, WIDE, HIGH, role, strength=0.3)
            else:
                sheet.box(x, y, WIDE, HIGH, "soft")
            sheet.text(x + WIDE / 2, y + 19, f"{number:g}", "small")
